"""`hunet match`: which event matches which subscription."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.output import Json, print_json, print_table, working


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
        from hunet.content import Matcher
        from hunet.content.files import read_events, read_schema, read_subscriptions
        from hunet.content.matching import Matches

        space = read_schema(schema)
        wanted = read_subscriptions(subscriptions, space)
        happened = read_events(events, space)
        matcher = Matcher(space)
        matcher.add_many(wanted, wanted.values())
        matches: Matches = matcher.match_points(happened.points)
    if json:
        print_json([{"event": id_, "subscriptions": ids} for id_, ids in zip(happened.ids, matches, strict=True)])
        return
    rows = [
        {"event": str(id_), "subscriptions": ", ".join(map(str, ids))}
        for id_, ids in zip(happened.ids, matches, strict=True)
        if ids
    ]
    if rows:
        print_table("Matches", rows)
    typer.echo(f"{len(rows):,} of {len(matches):,} events match one or more of {len(matcher):,} subscriptions.")
