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
    typer.echo(write_report(folder, out or folder / "report.html"))


def write_report(folder: Path, file: Path) -> str:
    """Write the page; says where it is. A folder of such folders has a chapter for each."""
    from hunet.report.contents import FILE, read_contents
    from hunet.report.page import page

    chapters = sorted(found.parent for found in folder.glob(f"*/{FILE}"))
    parts = [folder, *chapters] if (folder / FILE).is_file() else chapters
    text = page({part: read_contents(part) for part in parts or [folder]})
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return f"report: {file} ({len(text.encode()) / 1e6:.1f} MB; open it in any browser, send it as it is)"
