"""The trace formats hunet reads, one file each, and how to tell them apart."""

from __future__ import annotations

from collections.abc import Sequence

from hunet.model.errors import TraceError
from hunet.traces.format import Format
from hunet.traces.formats.crawdad import CRAWDAD
from hunet.traces.formats.csv import CSV
from hunet.traces.formats.dtnsim2 import DTNSIM2
from hunet.traces.formats.nodelog import NODELOG
from hunet.traces.formats.one import ONE
from hunet.traces.formats.one_movement import ONE_MOVEMENT
from hunet.traces.formats.positions import POSITIONS
from hunet.traces.formats.sightings import SIGHTINGS
from hunet.traces.formats.sociopatterns import SOCIOPATTERNS

FORMATS: tuple[Format, ...] = (
    # Those with a mark of their own come first, tables of bare numbers last.
    NODELOG,
    ONE,
    DTNSIM2,
    ONE_MOVEMENT,
    CSV,
    SIGHTINGS,
    POSITIONS,
    SOCIOPATTERNS,
    CRAWDAD,
)


def recognise(path_name: str, head: Sequence[str]) -> Format:
    """The format of a file by its name and first lines."""
    for candidate in FORMATS:
        if candidate.looks_like(path_name, head):
            return candidate
    first = next((line.strip() for line in head if line.strip()), "")
    raise TraceError(
        f"trace file '{path_name}': its format is not recognised (first line: {first[:60]!r}); "
        f"name it with --format: {', '.join(known.name for known in FORMATS)}"
    )


def format_named(name: str) -> Format:
    """The format that the user forces by its name."""
    for candidate in FORMATS:
        if candidate.name == name:
            return candidate
    raise TraceError(f"format {name!r} is not known; use one of {', '.join(known.name for known in FORMATS)}")
