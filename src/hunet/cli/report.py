"""`hunet report`: a folder of results as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    folder: Annotated[
        Path, typer.Argument(help="What hunet reproduce, compare, tune or study run wrote, or a folder of such.")
    ],
    out: Annotated[Path | None, typer.Option(help="The page. Default: report.html in the folder.")] = None,
) -> None:
    """Make one HTML page of a folder of results: figures, verdicts, settings, errata, traces, how to make it again."""
    from hunet.report.contents import FILE, read_contents
    from hunet.report.page import page

    parts = [folder] if (folder / FILE).is_file() else sorted(file.parent for file in folder.glob(f"*/{FILE}"))
    file = out or folder / "report.html"
    text = page({part: read_contents(part) for part in parts or [folder]})
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    typer.echo(f"report: {file} ({len(text.encode()) / 1e6:.1f} MB; open it in any browser, send it as it is)")
