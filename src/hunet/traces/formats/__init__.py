"""The trace formats hunet reads, one file each, and how to tell them apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hunet.model.errors import TraceError
from hunet.model.names import choose
from hunet.traces.columns import find_layout
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


_TELLING: tuple[tuple[Format, frozenset[str]], ...] = (
    (CSV, frozenset(("start", "end", "duration"))),
    (POSITIONS, frozenset(("name", "x", "y", "lat", "lon"))),
    (SIGHTINGS, frozenset(("time",))),
)
"""Of tables with columns of any name: by which parts of a column mapping one knows the format."""


def recognise(path_name: str, head: Sequence[str], mapped: Collection[str] = ()) -> Format:
    """The format of a file by the parts whose columns the user has named, or by its name and first lines."""
    for table, parts in _TELLING:
        if not parts.isdisjoint(mapped):
            return table
    for candidate in FORMATS:
        if candidate.looks_like(path_name, head):
            return candidate
    if mapped:
        return CSV  # which says what it lacks
    first = next((line.strip() for line in head if line.strip()), "")
    raise TraceError(
        f"trace file '{path_name}': its format is not recognised (first line: {first[:60]!r}); {_advice(head)}"
        f"name it with --format: {', '.join(known.name for known in FORMATS)}"
    )


def _advice(head: Sequence[str]) -> str:
    if any("\r" in line for line in head):
        return "lines seem to end in carriage returns alone: turn these into line feeds; or "
    layout = find_layout(head)
    if layout is None or layout.header is None or len(layout.names) < 4:
        return ""
    such = ",".join(f"{part}={name}" for part, name in zip(("a", "b", "start", "end"), layout.names, strict=False))
    return (
        f"if it is a table of contacts, say which column is what, such as --columns '{such}' "
        f"(times are numbers or date-times such as 2026-05-01T18:00); or "
    )


def format_named(name: str) -> Format:
    """The format that the user forces by its name."""
    return choose("format", name, {known.name: known for known in FORMATS})
