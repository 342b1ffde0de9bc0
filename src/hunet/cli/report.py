"""`hunet report`: a folder of results as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.context import file_to_write


def report(
    folder: Annotated[
        Path, typer.Argument(help="What hunet reproduce, compare, tune or study run wrote, or a folder of such.")
    ],
    out: Annotated[
        Path | None, typer.Option(callback=file_to_write, help="The page. Default: report.html in the folder.")
    ] = None,
) -> None:
    """Make one HTML page of a folder of results: figures, verdicts, settings, errata, traces, how to make it again."""
    from hunet.report.page import write_report

    print_report(write_report(folder, out or folder / "report.html"))


def print_report(file: Path) -> None:
    """Say where the page is."""
    typer.echo(f"report: {file} ({file.stat().st_size / 1e6:.1f} MB; open it in any browser, send it as it is)")
