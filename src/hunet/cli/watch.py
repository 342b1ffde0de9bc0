"""`hunet watch`: a network that one can watch, as one HTML page."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.context import file_to_write
from hunet.cli.output import working
from hunet.model.names import as_name
from hunet.model.printable import printable


def watch(
    what: Annotated[
        list[str],
        typer.Argument(
            help="A file of contacts, a stored trace, what hunet simulate --log wrote (or two of them, side by side), "
            "or the logs of live nodes.",
            metavar="WHAT...",
        ),
    ],
    message: Annotated[
        str | None, typer.Option(help="The message that the page begins with, by its number or id.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(callback=file_to_write, help="The page. Default: out/watch-NAME.html.")
    ] = None,
) -> None:
    """Make one HTML page that replays a trace, a simulation, two of them, or what live nodes logged."""
    with working("reading and laying out"), warnings.catch_warnings(record=True) as odd:
        warnings.simplefilter("always")
        from hunet.api.watching import show_from
        from hunet.watch.page import page_of

        show = show_from(what)
        page = page_of(show, message)
    for warning in odd:
        typer.echo(printable(str(warning.message)), err=True)
    named = "-".join([show.network.title, *(play.title for play in show.plays)])
    file = page.save(out or Path("out") / f"watch-{as_name(named, 'network')}.html")
    typer.echo(f"page: {file} ({len(page.html) / 1e6:.1f} MB; open it in any browser, it needs no network)")
    if not show.network.generated:
        terms = show.network.licence or "not stated"
        typer.echo(printable(f"it embeds the trace: passing it on passes the data on (licence: {terms})"), err=True)
