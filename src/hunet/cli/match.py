"""`hunet match`: which event matches which subscription."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.output import Json, print_json, show, working


def match(
    schema: Annotated[Path, typer.Option(help="TOML with a table [attributes.NAME] per attribute.")],
    subscriptions: Annotated[
        Path, typer.Option(help='JSON lines such as {"id": 7, "where": "brand = Nikon and 50 <= focal <= 105"}.')
    ],
    events: Annotated[Path, typer.Option(help="CSV, JSON lines or Parquet with a column id and one per attribute.")],
    json: Json = False,
) -> None:
    """Match events against range subscriptions, exactly, and print which matched which."""
    with working("matching"):
        from hunet.api.matching import match as run

        found = run(schema, subscriptions, events)
    if json:
        print_json(found.rows)
    else:
        show(found.table)
