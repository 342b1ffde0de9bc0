"""`hunet filter`: try the filters and the papers' sizing equations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.commands import Commands
from hunet.cli.context import folder_to_write
from hunet.cli.output import Json, print_json, print_table, working

_TOUR_HEADINGS = {
    "filter": "filter",
    "keys": "tags",
    "fill_ratio": "fill",
    "false_positives_expected": "errs",
    "false_positives_measured": "measured",
    "bytes": "bytes",
    "raw_string_bytes": "as text",
}

app = Commands(help="The probabilistic filters: a tour, and what size you need.", no_args_is_help=True)


@app.command()
def tour(
    out: Annotated[Path, typer.Option(callback=folder_to_write, help="Directory for the pictures.")] = Path(
        "out/filters"
    ),
    json: Json = False,
) -> None:
    """Fill every kind of filter with 38 tags, print what each costs and how often it errs, draw three pictures."""
    with working("compiling and filling the filters"):
        from hunet.studies.filter_tour import draw_pictures, tour_rows

        rows = tour_rows()
        pictures = draw_pictures(out)
    if json:
        print_json({"filters": rows, "pictures": [str(path) for path in pictures]})
        return
    print_table("Tags in filters of 256 positions and 4 hash functions", rows, _TOUR_HEADINGS)
    for path in pictures:
        typer.echo(f"picture: {path}")


@app.command()
def size(
    keys: Annotated[int, typer.Option("--keys", "-n", help="How many keys the filter will hold.")],
    m: Annotated[int, typer.Option("-m", help="Positions of the filter.")] = 256,
    k: Annotated[int, typer.Option("-k", help="Hash functions.")] = 4,
    json: Json = False,
) -> None:
    """How full, how wrong and how large a filter of this shape will be."""
    from hunet.studies.filter_size import expected, sizes

    found, encoded = expected(keys, m, k), sizes(keys, m, k)
    if json:
        print_json({"keys": keys, "m": m, "k": k, **found, "sizes": encoded})
        return
    print_table(f"{keys} keys, m = {m}, k = {k}", [found])
    print_table("size with the header byte", encoded)
