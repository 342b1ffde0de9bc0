"""`hunet report`: a folder of results, or the logs of a live network, as one HTML page."""

from __future__ import annotations

import datetime
import re
import shlex
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from hunet.cli.context import file_to_write
from hunet.cli.output import working

if TYPE_CHECKING:
    from hunet.report.contents import Contents


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
    if what.is_dir() and _described(what):
        typer.echo(write_report(what, out or what / "report.html"))
        return
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", what.name).strip("-.") or "logs"
    with TemporaryDirectory(prefix="hunet-report-") as scratch:
        with working("reading the logs"):
            chapters = _networks(what, Path(scratch))
        typer.echo(_write(chapters or _contents([what]), out or Path("out") / f"report-{name}.html"))


def write_report(folder: Path, file: Path) -> str:
    """Write the page of a folder of results; says where it is. A folder of such folders has a chapter for each."""
    return _write(_contents(_described(folder) or [folder]), file)


def _described(folder: Path) -> list[Path]:
    """The folders with results: this one, and those in it."""
    from hunet.report.contents import FILE

    chapters = sorted(found.parent for found in folder.glob(f"*/{FILE}"))
    return [folder, *chapters] if (folder / FILE).is_file() else chapters


def _contents(folders: list[Path]) -> dict[Path, Contents]:
    from hunet.report.contents import read_contents

    return {folder: read_contents(folder) for folder in folders}


def _networks(what: Path, scratch: Path) -> dict[Path, Contents]:
    """A chapter for each network of which there are logs, and one before them that puts several side by side."""
    from hunet.api.networks import live_networks
    from hunet.api.storing import store
    from hunet.studies.contents import Asked
    from hunet.studies.network import of_network, side_by_side

    asked = Asked(shlex.join(("hunet", *sys.argv[1:])), datetime.date.today().isoformat(), store())
    found = live_networks(what)
    chapters = {
        scratch / one.label: of_network(
            asked, scratch / one.label, one.label, one.trace.source, one.trace.about, one.lived
        )
        for one in found
    }
    if len(found) < 2:
        return chapters
    networks = {one.label: (one.trace.source, one.lived) for one in found}
    return {scratch: side_by_side(asked, scratch, what.name, networks), **chapters}


def _write(chapters: dict[Path, Contents], file: Path) -> str:
    from hunet.report.page import page

    text = page(chapters)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return f"report: {file} ({len(text.encode()) / 1e6:.1f} MB; open it in any browser, send it as it is)"
