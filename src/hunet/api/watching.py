"""What can be watched, from wherever it comes: a trace, a run, the log of one, or the logs of live nodes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from hunet.model.errors import TraceError, WatchError
from hunet.report.numbers import short
from hunet.watch.node_logs import read_node_logs
from hunet.watch.run_log import RunLog, is_run_log, read_run_log, write_run_log
from hunet.watch.show import EVENTS, HEARD, PUBLISHED, Network, Play, Show, Traffic

if TYPE_CHECKING:
    from hunet.api.trace import Trace
    from hunet.sim.result import Result
    from hunet.sim.workload.workload import Workload

__all__ = ["network_of", "show_from", "show_of_run"]


def network_of(trace: Trace) -> Network:
    """A trace as a page shows it."""
    about = trace.about
    generated = "generator" in about.settings and not about.surrogate
    return Network(
        trace.title or "trace", trace.contacts, trace.nodes, trace.positions, about.origin, about.licence, generated
    )


def show_of_run(trace: Trace, workload: Workload, result: Result) -> Show:
    """A run that kept its log."""
    log = result.outcome.log
    assert log is not None
    messages = workload.messages
    created = messages["created"].to_numpy()
    published = {
        "source": messages["source"],
        "created": created,
        "expires": created + workload.lifetimes(),
        "size": messages["size"],
        "tags": messages["tags"],
    }
    details = {
        **{name: short(value) for name, value in result.settings.items()},
        "workload": result.workload,
        "seed": str(result.seed),
        "contacts": str(result.conditions["contacts"]),
        "buffer": "unlimited" if result.conditions["buffer"] is None else short(result.conditions["buffer"]),
        "bytes per second": short(result.conditions["bytes_per_second"]),
    }
    traffic = Traffic(pa.table(published).cast(PUBLISHED), workload.interests)
    heard = result.outcome.heard
    play = Play(result.protocol, log.cast(EVENTS), details, HEARD.empty_table() if heard is None else heard.cast(HEARD))
    return Show(network_of(trace), traffic, (play,))


def save_run(path: Path, trace: Trace, result: Result) -> None:
    """Write what happened in a simulation that kept its log, for `hunet watch`."""
    assert result.show is not None
    write_run_log(path, trace.name, trace.about.version, result.show)


def show_from(words: Sequence[str]) -> Show:
    """What a person names: one or two logs of runs, a stored trace, or files of contacts or of live nodes."""
    logs = [Path(word) for word in words if is_run_log(Path(word))]
    if logs and len(logs) != len(words):
        other = next(word for word in words if Path(word) not in logs)
        raise WatchError(
            f"'{other}' is no log of a run (hunet simulate --log writes one): give one or two of them alone"
        )
    if logs:
        shows = [_show_of_log(log) for log in logs]
        if len(shows) > 2:
            raise WatchError(f"{len(shows)} runs do not fit beside each other: give two")
        return shows[0] if len(shows) == 1 else shows[0].beside(shows[1])
    return _show_of_trace(words)


def _show_of_log(path: Path) -> Show:
    log = read_run_log(path)
    try:
        return Show(log.network or _network_of_log(log), log.traffic, (log.play,))
    except WatchError as error:
        raise WatchError(f"log of a run '{path}': {error}") from None


def _network_of_log(log: RunLog) -> Network:
    from hunet.api.storing import load

    try:
        return network_of(load(log.trace, log.trace_version))
    except TraceError as error:
        raise WatchError(f"it is of trace {log.trace!r}, which is not stored here: {error}") from None


def _show_of_trace(words: Sequence[str]) -> Show:
    from hunet.api.reading import read
    from hunet.api.storing import load_or_read
    from hunet.pipeline.read import expand

    trace = load_or_read(words[0]) if len(words) == 1 else read(list(words))
    network = network_of(trace)
    if trace.about.version or trace.about.settings.get("format") != "nodelog":
        return Show(network)
    traffic, play = read_node_logs([Path(file) for file in expand(list(words))], trace.nodes)
    return Show(network, traffic, (play,)) if traffic.messages.num_rows else Show(network)
