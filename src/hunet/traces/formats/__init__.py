"""The trace formats hunet reads, one file each, and how to tell them apart."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from hunet.model.errors import TraceError
from hunet.model.names import choose
from hunet.model.printable import printable
from hunet.traces.columns import find_layout
from hunet.traces.format import Evidence, Format
from hunet.traces.formats.cabspotting import CABSPOTTING
from hunet.traces.formats.crawdad import CRAWDAD
from hunet.traces.formats.csv import CSV
from hunet.traces.formats.dtnsim2 import DTNSIM2
from hunet.traces.formats.lengths import LENGTHS
from hunet.traces.formats.nodelog import NODELOG
from hunet.traces.formats.one import ONE
from hunet.traces.formats.one_movement import ONE_MOVEMENT
from hunet.traces.formats.positions import POSITIONS
from hunet.traces.formats.sightings import SIGHTINGS
from hunet.traces.formats.sociopatterns import SOCIOPATTERNS
from hunet.traces.formats.time_first import TIME_FIRST

FORMATS: tuple[Format, ...] = (
    # Of several with a mark of their own the first counts.
    NODELOG,
    ONE,
    DTNSIM2,
    ONE_MOVEMENT,
    CABSPOTTING,
    CSV,
    SIGHTINGS,
    POSITIONS,
    SOCIOPATTERNS,
    CRAWDAD,
    LENGTHS,
    TIME_FIRST,
)


_TELLING: tuple[tuple[Format, frozenset[str]], ...] = (
    (CSV, frozenset(("start", "end", "duration"))),
    (POSITIONS, frozenset(("name", "x", "y", "lat", "lon"))),
    (SIGHTINGS, frozenset(("time",))),
)
"""Of tables with columns of any name: by which parts of a column mapping one knows the format."""


_SQL = re.compile(
    r"\s*(INSERT\s+INTO|CREATE\s+(TABLE|DATABASE|SCHEMA)|DROP\s+TABLE|COPY\s.*\sFROM\s+stdin|PRAGMA\s"
    r"|-- (MySQL|MariaDB|PostgreSQL)|PGDMP|SQLite format 3)",
    re.IGNORECASE,
)


class Recognised(NamedTuple):
    """A format, and why it was chosen."""

    format: Format
    why: str


def recognise(path_name: str, head: Sequence[str], mapped: Collection[str] = ()) -> Recognised:
    """The format of a file by the parts whose columns the user has named, or by the evidence in its first lines.

    A mark of a format's own decides. Of tables of bare numbers all readings are weighed, and where several remain the
    file is refused: only the user can know.
    """
    _refuse_sql(path_name, head)
    for table, parts in _TELLING:
        if not parts.isdisjoint(mapped):
            return Recognised(table, "by the columns you named")
    weighed = ((candidate, candidate.evidence(path_name, head)) for candidate in FORMATS)
    found = [(candidate, evidence) for candidate, evidence in weighed if evidence is not None]
    sure = [one for one in found if one[1].sure] or found
    if sure and (len(sure) == 1 or sure[0][1].sure):
        return Recognised(sure[0][0], sure[0][1].why)
    if sure:
        raise _ambiguous(path_name, sure)
    if mapped:
        return Recognised(CSV, "by the columns you named")  # which says what it lacks
    first = next((line.strip() for line in head if line.strip()), "")
    raise TraceError(
        f"trace file '{path_name}': its format is not recognised (first line: {first[:60]!r}); {_advice(head)}"
        f"name it with --format: {', '.join(known.name for known in FORMATS)}"
    )


def _refuse_sql(path_name: str, head: Sequence[str]) -> None:
    if any(_SQL.match(line) for line in head):
        raise TraceError(
            f"trace file '{path_name}' is a database or a dump of one, not a table: load it and export the table "
            "as CSV, such as sqlite3 -header -csv data.db 'SELECT a, b, start, end FROM contacts' > contacts.csv "
            "(MySQL: mysql --batch; PostgreSQL: \\copy contacts TO contacts.csv CSV HEADER)"
        )


def _ambiguous(path_name: str, found: Sequence[tuple[Format, Evidence]]) -> TraceError:
    readings = "; or ".join(f"--format {form.name}: {form.title}, since {evidence.why}" for form, evidence in found)
    return TraceError(
        f"trace file '{path_name}' can be read in {len(found)} ways, so say which is meant: {readings} "
        f"(hunet trace look with that option shows the rows)"
    )


def _advice(head: Sequence[str]) -> str:
    if any("\0" in line for line in head):
        return "it seems to be UTF-16 text: save it with the encoding UTF-8; or "
    if any("\r" in line for line in head):
        return "lines seem to end in carriage returns alone: turn these into line feeds; or "
    layout = find_layout(head)
    if layout is None or len(layout.names) < 4:
        return ""
    shown = [printable(name[:30]) for name in layout.names] if layout.header is not None else list("1234")
    such = ",".join(f"{part}={name}" for part, name in zip(("a", "b", "start", "end"), shown, strict=False))
    return (
        f"if it is a table of contacts, say which column is what, such as --columns '{such}' "
        f"(times are numbers or date-times such as 2026-05-01T18:00); or "
    )


def format_named(name: str) -> Format:
    """The format that the user forces by its name."""
    return choose("format", name, {known.name: known for known in FORMATS})
