"""`report`: results, or what a live network did, as one HTML page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hunet.model.names import as_name
from hunet.report.contents import Contents, read_contents
from hunet.report.page import described, write_page, write_report

if TYPE_CHECKING:
    from hunet.studies.contents import Asked

__all__ = ["report"]


def report(what: Path, out: Path | None, asked: Callable[[], Asked]) -> Path:
    """The page of a folder of results, in it by default; or of the logs of live nodes, by default below out/."""
    if what.is_dir() and described(what):
        return write_report(what, out or what / "report.html")
    name = as_name(what.name, "logs")
    with TemporaryDirectory(prefix="hunet-report-") as scratch:
        chapters = _networks(what, Path(scratch), asked()) or {what: read_contents(what)}
        return write_page(chapters, out or Path("out") / f"report-{name}.html")


def _networks(what: Path, scratch: Path, asked: Asked) -> dict[Path, Contents]:
    """A chapter for each network of which there are logs, and one before them that puts several side by side."""
    from hunet.api.networks import live_networks
    from hunet.studies.network import of_network, side_by_side

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
