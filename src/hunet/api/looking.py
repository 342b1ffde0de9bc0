"""`look`: the first rows of raw files as they would be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hunet.api.reading import ReadOptions
from hunet.api.trace import shown_time
from hunet.pipeline.read import expand
from hunet.report.table import Table
from hunet.traces.format import Options
from hunet.traces.reading import read_first

__all__ = ["Look", "columns_taken", "look"]

_SHOWN = 10
_TIMES = ("start", "end", "time")


@dataclass(frozen=True)
class Look:
    """What reading would make of files, by the first lines of the first: rows and bad lines have at most ten entries.

    columns are lines of text, such as "columns: a = 1, b = 2"; times in rows are seconds.
    """

    file: str
    files: int
    format: str
    title: str
    why: str
    columns: tuple[str, ...]
    unit: str
    rows: tuple[Mapping[str, Any], ...]
    bad: tuple[Mapping[str, Any], ...]

    @property
    def table(self) -> Table:
        """The rows, times as a person reads them."""
        rows = [{name: _shown(name, value) for name, value in row.items()} for row in self.rows]
        return Table(f"{Path(self.file).name}: the first rows as they would be read", rows)


def look(files: Sequence[str], options: ReadOptions) -> Look:
    """The first rows of files, folders or patterns as `read` and an import would read them; nothing is stored."""
    found = expand(files)
    reading = read_first(Path(found[0]), options.format, options.of_format)
    given = [name for name in reading.rows.column_names if reading.rows[name].null_count < reading.rows.num_rows]
    rows = reading.rows.select([name for name in given if name != "file"]).slice(0, _SHOWN)
    return Look(
        file=found[0],
        files=len(found),
        format=reading.format.name,
        title=reading.format.title,
        why=reading.why,
        columns=tuple(columns_taken(reading.options)),
        unit=str(reading.options.get("unit", "s")),
        rows=tuple(rows.to_pylist()),
        bad=tuple(reading.bad.select(["line", "text", "reason"]).slice(0, _SHOWN).to_pylist()),
    )


def columns_taken(options: Options) -> list[str]:
    """Which columns of a table were taken for what, as a line; none for a format whose columns are fixed."""
    columns, names = options.get("columns"), options.get("names")
    if not isinstance(columns, Mapping) or not isinstance(names, Sequence):
        return []
    return ["columns: " + ", ".join(f"{part} = {names[place]}" for part, place in columns.items())]


def _shown(name: str, value: Any) -> Any:
    return shown_time(value) if name in _TIMES and value is not None else value
