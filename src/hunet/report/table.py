"""Tables that show themselves: as text on a terminal, as HTML in a notebook. Everything that prints a table is here."""

from __future__ import annotations

import html
import io
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hunet.model.printable import printable
from hunet.report.numbers import short

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, JustifyMethod, RenderResult

__all__ = ["Table"]

_SHOWN = 200
"""Rows of a table in a notebook; whoever wants more takes `to_pandas()`."""
_BETWEEN = 3
"""Places that a column takes beside its text."""


@dataclass(frozen=True, repr=False)
class Table:
    """Rows that share their keys, with a title. Numbers are shown shortened; `rows` and `to_pandas()` have them whole.

    >>> Table("ages", [{"who": "ann", "age": 30}, {"who": "bob", "age": 1234.5678}])
    ages
     who     age
    ─────────────
     ann      30
     bob   1,235
    """

    title: str
    rows: Sequence[Mapping[str, Any]]
    headings: Mapping[str, str] = field(default_factory=dict)
    """Which keys are shown, and what stands above them; without it, all of the first row."""
    note: str = ""
    """What is to be said below."""
    whole: bool = False
    """Whether cells are not broken over lines: the last columns, for which a terminal has no room, are left out."""

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, place: int) -> Mapping[str, Any]:
        return self.rows[place]

    def first(self, rows: int, of_the_rest: str) -> Table:
        """Its first rows, as many as a person reads; the note then says how many more there are, and this of them."""
        rest = len(self.rows) - rows
        if rest <= 0:
            return self
        note = f"... and {rest:,} more {of_the_rest}"
        return replace(self, rows=self.rows[:rows], note=f"{note}\n{self.note}".strip())

    def to_pandas(self) -> pd.DataFrame:
        """All rows with all their keys."""
        import pandas as pd

        return pd.DataFrame(list(self.rows))

    def __str__(self) -> str:
        from rich.console import Console

        page = io.StringIO()
        width = shutil.get_terminal_size().columns
        plain = Console(file=page, width=width, color_system=None, force_jupyter=False, legacy_windows=False)
        plain.print(self)
        lines = [line.rstrip() for line in page.getvalue().strip("\n").splitlines()]
        return "\n".join([*lines, *([printable(self.note)] if self.note else [])])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        columns = self._columns()
        numeric = {name: self._is_numeric(name) for name in columns}
        head = "".join(_cell("th", heading, numeric[name]) for name, heading in columns.items())
        body = "".join(
            f"<tr>{''.join(_cell('td', short(row[name]), numeric[name]) for name in columns)}</tr>"
            for row in self.rows[:_SHOWN]
        )
        left_off = len(self.rows) - _SHOWN
        below = [f"... and {left_off:,} more rows"] if left_off > 0 else []
        below += [self.note] if self.note else []
        return (
            f'<table><caption style="text-align: left; font-weight: bold">{html.escape(self.title)}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            + "".join(f"<p>{html.escape(line)}</p>" for line in below)
        )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Title and rows; the note is a sentence, which a terminal wraps by itself."""
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        yield Text(printable(self.title), style="bold")
        every = self._columns()
        if not every:
            return
        widths = self._with_room(options.max_width) if self.whole else dict.fromkeys(every, None)
        table = RichTable(box=box.SIMPLE_HEAD, show_edge=False, header_style="bold")
        for name, width in widths.items():
            justify: JustifyMethod = "right" if self._is_numeric(name) else "left"
            table.add_column(Text(printable(every[name])), justify=justify, overflow="fold", width=width)
        for row in self.rows:
            table.add_row(*(Text(printable(short(row[name]))) for name in widths))  # as it is: brackets are no markup
        yield table
        if left_out := [heading for name, heading in every.items() if name not in widths]:
            yield Text(f"no room here for: {', '.join(left_out)}", style="dim")

    def _with_room(self, room: int) -> dict[str, int]:
        """The first columns, as many as fit, and how wide each is: headings are broken where there is no room left."""
        headings = {name: printable(heading) for name, heading in self._columns().items()}
        widths: dict[str, int] = {}
        for name, heading in headings.items():
            words = (*heading.split(), *(printable(short(row[name])) for row in self.rows))
            width = max(map(len, words))
            if widths and width + _BETWEEN > room:
                break
            widths[name] = width
            room -= width + _BETWEEN
        for name, width in widths.items():
            more = max(0, min(room, len(headings[name]) - width))
            widths[name] += more
            room -= more
        return widths

    def _columns(self) -> Mapping[str, str]:
        if self.headings or not self.rows:
            return self.headings
        return {name: name.replace("_", " ") for name in self.rows[0]}

    def _is_numeric(self, name: str) -> bool:
        found = [row[name] for row in self.rows if row[name] is not None]
        return bool(found) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in found)


def _cell(tag: str, text: str, numeric: bool) -> str:
    return f'<{tag} style="text-align: {"right" if numeric else "left"}">{html.escape(text)}</{tag}>'
