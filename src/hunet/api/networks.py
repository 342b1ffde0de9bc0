"""Live networks by what their nodes logged: from logs in files, or from those that are followed."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hunet.api.storing import load, store
from hunet.model.errors import TraceError

if TYPE_CHECKING:
    from hunet.api.trace import Trace
    from hunet.traces.lived import Lived

__all__ = ["LiveNetwork", "live_networks"]


@dataclass(frozen=True)
class LiveNetwork:
    """A trace, and what became of messages."""

    label: str
    trace: Trace
    lived: Lived


def live_networks(what: Path) -> list[LiveNetwork]:
    """What a person names: logs, a folder of logs, a folder of such folders, or a trace that is made by following logs.

    Several are in the order of time; there is none where it is nothing of that.
    """
    if not what.exists():
        return [_followed(str(what))] if _is_followed(str(what)) else []
    if files := _logs_in(what):
        return [_of_logs(what.name, files)]
    places = sorted(place for place in what.iterdir() if place.is_dir()) if what.is_dir() else []
    found = [_of_logs(place.name, files) for place in places if (files := _logs_in(place))]
    return sorted(found, key=lambda one: min(one.trace.contacts["start"].to_pylist()))


def _is_followed(name: str) -> bool:
    try:
        return name in store() and store().beside(name).is_dir()
    except TraceError:
        return False


def _followed(name: str) -> LiveNetwork:
    from hunet.pipeline.entries import Entries
    from hunet.traces.lived import lived_by

    return LiveNetwork(name, load(name), lived_by(Entries(store().beside(name) / "entries", {}).all_entries()))


def _of_logs(label: str, files: list[Path]) -> LiveNetwork:
    from hunet.api.reading import read
    from hunet.traces.lived import read_lived

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is odd about it stands in the report
        trace = read(files, format="nodelog", yes=True)
    return LiveNetwork(label, trace, read_lived(files))


def _logs_in(place: Path) -> list[Path]:
    """The logs of nodes in a folder, or this one, by the first lines of files."""
    from hunet.pipeline.read import expand
    from hunet.traces.formats.nodelog import NODELOG
    from hunet.traces.lines import read_head

    try:
        files = [Path(file) for file in expand([str(place)])]
    except TraceError:
        return []
    found = []
    for file in files:
        try:
            if any(NODELOG.evidence(file.name, [line]) for line in read_head(file)):
                found.append(file)
        except TraceError:
            continue
    return found
