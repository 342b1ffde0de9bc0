"""`hunet report`: a folder of results, or the logs of a live network, as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.context import file_to_write
from hunet.cli.output import asked, working


def report(
    what: Annotated[
        Path,
        typer.Argument(
            help="What hunet reproduce, compare, tune or study run wrote; logs of live nodes; a folder of such; or a "
            "trace that is made by following logs.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            callback=file_to_write, help="The page. Default: report.html in the folder; of logs, out/report-NAME.html."
        ),
    ] = None,
) -> None:
    """Make one HTML page: figures, verdicts, settings, errata, traces, how to make it again; or what a network did."""
    with working("reading"):
        from hunet.api.reporting import report as write

        page = write(what, out, asked)
    print_report(page)


def print_report(page: Path) -> None:
    """Say where a report is."""
    typer.echo(f"report: {page} ({page.stat().st_size / 1e6:.1f} MB; open it in any browser, send it as it is)")
