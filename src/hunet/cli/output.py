"""How every command prints: tables for people, JSON for scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON for scripts instead of a table.")]


def print_json(value: Any) -> None:
    """Print one JSON document, numbers as they are, keys in the order given."""
    typer.echo(json.dumps(value, indent=2, allow_nan=False))


def print_table(title: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Print rows that share their keys as a table; numbers are right-aligned and shortened."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    for name in rows[0]:
        numeric = all(isinstance(row[name], int | float) for row in rows)
        table.add_column(name, justify="right" if numeric else "left")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    Console().print(table)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)
