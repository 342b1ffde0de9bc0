"""How every command prints: tables for people, JSON for scripts."""

from __future__ import annotations

import datetime
import json
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from hunet.report.contents import Contents
    from hunet.studies.contents import Asked

Json = Annotated[bool, typer.Option("--json", help="Print JSON for scripts instead of a table.")]


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on stderr that something is going on, where a person can see it."""
    from rich.console import Console

    with Console(stderr=True).status(f"{what} ..."):
        yield


def describe_folder(folder: Path, describe: Callable[[Asked], Contents]) -> None:
    """Let a folder of results describe itself, so that `hunet report` can show it."""
    from hunet.cli.context import store
    from hunet.report.contents import write_contents
    from hunet.studies.contents import Asked

    command = shlex.join(("hunet", *sys.argv[1:]))
    write_contents(folder, describe(Asked(command, datetime.date.today().isoformat(), store())))


def print_json(value: Any) -> None:
    """Print one JSON document, numbers as they are, keys in the order given."""
    typer.echo(json.dumps(value, indent=2, allow_nan=False))


def print_table(title: str, rows: Sequence[Mapping[str, object]], headings: Mapping[str, str] | None = None) -> None:
    """Print rows that share their keys as a table; numbers are right-aligned and shortened.

    `headings` picks the columns and gives each a heading; without it every key is a column.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table

    headings = headings or {name: name.replace("_", " ") for name in rows[0]}
    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold", box=box.SIMPLE_HEAD)
    for name, heading in headings.items():
        numeric = all(isinstance(row[name], int | float) for row in rows)
        table.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row[name]) for name in headings))
    Console().print(table)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)
