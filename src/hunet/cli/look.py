"""`hunet trace look`: the first rows of files as they would be read, without importing."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from hunet.cli.output import Json, print_json, print_table, show

Files = Annotated[
    list[str], typer.Argument(help="Files, folders or patterns in quotes; plain, .gz, .zip, .tar, .parquet.")
]
FormatName = Annotated[str | None, typer.Option("--format", help="Force a format instead of recognising it.")]
Columns = Annotated[str | None, typer.Option(help="Which column is what: a=2,b=3,start=from,end=until.")]
Separator = Annotated[str | None, typer.Option(help="Column separator of a table.")]
Unit = Annotated[str | None, typer.Option(help="Unit of times: s, ms or us.")]
LatLonOrigin = Annotated[str | None, typer.Option(help="Positions in degrees: origin as lat,lon.")]


def look(
    files: Files,
    format_name: FormatName = None,
    columns: Columns = None,
    separator: Separator = None,
    unit: Unit = None,
    lat_lon_origin: LatLonOrigin = None,
    json: Json = False,
) -> None:
    """Show the first rows of raw files as an import would read them: format, why, columns, unit. Stores nothing."""
    from dataclasses import asdict

    from hunet.api.looking import look as look_at
    from hunet.api.reading import ReadOptions

    options = ReadOptions(
        format=format_name,
        columns=column_mapping(columns),
        separator=separator,
        unit=unit,
        lat_lon_origin=lat_lon_origin,
    )
    seen = look_at(files, options)
    if json:
        print_json(asdict(seen))
        return
    print_choice(seen.title, seen.why, seen.columns, seen.unit)
    if seen.rows:
        show(seen.table)
    if seen.bad:
        print_table("lines that would be skipped", seen.bad)


def print_choice(title: str, why: str, columns: list[str] | tuple[str, ...], unit: str, err: bool = False) -> None:
    """Say as what files are read, and why."""
    typer.echo(f"format: {title}", err=err)
    typer.echo(f"because: {why}", err=err)
    for line in columns:
        typer.echo(line, err=err)
    if unit != "s":
        typer.echo(f"unit of times: {unit}", err=err)


def column_mapping(columns: str | None) -> dict[str, str | int] | None:
    """The option --columns as a mapping from part to column."""
    if columns is None:
        return None
    found: dict[str, str | int] = {}
    for item in columns.split(","):
        part, equals, place = item.partition("=")
        if not equals:
            raise typer.BadParameter(
                f"{item!r}: write part=column, such as a=2,b=3,start=5,end=6", param_hint="--columns"
            )
        found[part.strip()] = int(place) if re.fullmatch(r"\s*[0-9]{1,6}\s*", place) else place.strip()
    return found
