"""Point sightings with the time first, without a header: `t a b`. Otherwise as `hunet.traces.formats.sightings`."""

from __future__ import annotations

from collections.abc import Sequence

from hunet.traces.columns import given_columns
from hunet.traces.evidence import bare_sightings
from hunet.traces.format import Evidence, Format, Options
from hunet.traces.formats import sightings, sociopatterns

_WITHOUT_HEADER = {"time": 1, "a": 2, "b": 3}


def evidence(file_name: str, head: Sequence[str]) -> Evidence | None:
    """Three bare columns of which the first is the time, but not SocioPatterns' grid of 20 s."""
    if sociopatterns.evidence(file_name, head) is not None:
        return None
    why = bare_sightings(head, a=1, b=2, time=0)
    return None if why is None else Evidence(why)


def settle(file_name: str, head: Sequence[str], options: Options) -> Options:
    """Settle as sightings do, with other columns where the user names none."""
    return sightings.settle(file_name, head, {**options, "columns": {**_WITHOUT_HEADER, **given_columns(options)}})


TIME_FIRST = Format("time-first", "point sightings, time first (t a b)", "records", evidence, sightings.parse, settle)
