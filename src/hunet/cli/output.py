"""How every command prints: tables for people, JSON for scripts."""

from __future__ import annotations

import datetime
import json
import math
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hunet.model.printable import printable

if TYPE_CHECKING:
    from hunet.report.table import Table
    from hunet.studies.contents import Asked

Json = Annotated[bool, typer.Option("--json", help="Print JSON for scripts instead of a table.")]


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on stderr that something is going on, where a person can see it."""
    from rich.console import Console

    with Console(stderr=True, markup=False).status(f"{what} ..."):
        yield


def asked() -> Asked:
    """What was typed, and when, for a folder of results to say of itself."""
    from hunet.cli.context import store
    from hunet.studies.contents import Asked

    return Asked(shlex.join(("hunet", *sys.argv[1:])), datetime.date.today().isoformat(), store())


def print_json(value: Any) -> None:
    """Print one JSON document, keys in the order given. JSON has no infinity and no NaN: they are null."""
    typer.echo(json.dumps(_finite(value), indent=2, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _finite(one) for name, one in value.items()}
    return [_finite(one) for one in value] if isinstance(value, list | tuple) else value


def print_table(title: str, rows: Sequence[Mapping[str, object]], headings: Mapping[str, str] | None = None) -> None:
    """Print rows that share their keys as a table; numbers are right-aligned and shortened.

    `headings` picks the columns and gives each a heading; without it every key is a column.
    """
    from hunet.report.table import Table

    show(Table(title, rows, headings or {}))


def show(table: Table) -> None:
    """Print a table, and an empty line."""
    from rich.console import Console

    Console(markup=False).print(table)
    typer.echo(f"{printable(table.note)}\n" if table.note else "")
