"""The traces that papers used: those that are stored, and generated ones, called so, in the place of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pyarrow as pa

from hunet.studies.papers.reproduction import Traces, sound_rows
from hunet.traces.generators.campus import CAMPUS as CAMPUS_GENERATOR
from hunet.traces.generators.campus import CampusSettings
from hunet.traces.generators.conference import CONFERENCE, ConferenceSettings
from hunet.traces.generators.generated import Generated
from hunet.traces.store import Trace, TraceStore

__all__ = [
    "CAMPUS",
    "FOR_INFOCOM05",
    "FOR_INFOCOM06",
    "FOR_REALITY",
    "INFOCOM05",
    "INFOCOM06",
    "REALITY",
    "paper_traces",
]

INFOCOM05, INFOCOM06, REALITY = "Infocom05", "Infocom06 (surrogate)", "Reality"
CAMPUS = "campus (generated)"
"""Generated in the paper, too ([mops])."""
FOR_INFOCOM05 = "conference for Infocom05 (generated)"
FOR_INFOCOM06 = "conference for Infocom06 (generated)"
FOR_REALITY = "campus for Reality (generated)"
_TITLES = {
    "infocom05": INFOCOM05,
    "infocom06-surrogate": INFOCOM06,
    "ht2009": "ht2009",
    "sfhh": "SFHH",
    "reality": REALITY,
}


_LIKE_INFOCOM05 = ConferenceSettings(nodes=41, acquaintances=38.0, contacts_per_day=294.0, popularity=0.6, affinity=2.0)
"""Most of them, not all, in one community: without brokers [mops] has nothing to show."""


class _StandIn(NamedTuple):
    title: str
    generate: Callable[[], Generated]
    """As many people, for as long and with as many contacts; of Reality, a month."""
    how: str
    """The command that makes it needless."""


_INSTEAD: Mapping[str, _StandIn] = {
    "infocom05": _StandIn(
        FOR_INFOCOM05,
        lambda: CONFERENCE.generate(_LIKE_INFOCOM05, 1),
        "hunet trace import contacts.Exp3.dat --name infocom05 --internal 1-41",
    ),
    "infocom06-surrogate": _StandIn(
        FOR_INFOCOM06,
        lambda: CONFERENCE.generate(ConferenceSettings(), 1),
        "hunet trace generate surrogate --table table.Exp6.dat.gz --event-times event_times.infopy.gz "
        "--name infocom06-surrogate",
    ),
    "reality": _StandIn(
        FOR_REALITY,
        lambda: CAMPUS_GENERATOR.generate(CampusSettings(students=97, days=28, meeting=0.3), 1),
        "hunet trace import mit.txt.gz --name reality",
    ),
}


def paper_traces(store: TraceStore, names: Sequence[str], used: Sequence[str], others: Sequence[str] = ()) -> Traces:
    """Those that are named; else what the paper used, generated where it is not stored, and others that are stored."""
    known = {manifest.name for manifest in store.list()}
    missing = [] if names else [name for name in used if name not in known]
    tables: dict[str, tuple[pa.Table, pa.Table]] = {}
    rows: dict[str, int] = {}
    for name in names or (*used, *(other for other in others if other in known)):
        if name in missing:
            made = _INSTEAD[name].generate()
            tables[_INSTEAD[name].title] = made.contacts, made.nodes
            continue
        trace = store.open(name)
        tables[_title(trace)] = trace.contacts(), trace.nodes()
        if (count := sound_rows(trace)) is not None:
            rows[_title(trace)] = count
    return Traces(tables, rows, [_absence(name) for name in missing])


def _absence(name: str) -> str:
    title, _, how = _INSTEAD[name]
    return f"{_TITLES[name]} is not stored here; a {title} stands in for it. To store it: {how}"


def _title(trace: Trace) -> str:
    """What people call it; a surrogate is called so everywhere."""
    name = trace.manifest.name
    surrogate = trace.manifest.surrogate and "surrogate" not in name
    return _TITLES.get(name, f"{name} (surrogate)" if surrogate else name)
