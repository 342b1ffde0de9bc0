"""`simulate`: one protocol on one trace."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hunet.api.trace import Trace
from hunet.api.watching import show_of_run
from hunet.model.errors import InvalidValueError, TraceError
from hunet.model.names import one_of
from hunet.protocols import Protocol, make_settings, protocol_named
from hunet.protocols.settings_file import read_settings
from hunet.sim.engine.run import Outcome
from hunet.sim.engine.run import run as run_here
from hunet.sim.result import Result
from hunet.sim.simulate import conditions_of
from hunet.sim.simulate import simulate as run
from hunet.sim.workload.files import read_workload, workload_from_tables
from hunet.sim.workload.profiles import PROFILES, workload_named
from hunet.sim.workload.units import parse_bandwidth, parse_buffer, parse_least, parse_seconds
from hunet.sim.workload.workload import Workload

if TYPE_CHECKING:
    from hunet.sweeps.runner import Runner

__all__ = ["MODELS", "chosen_protocol", "chosen_workload", "limits", "simulate"]

MODELS = ("start", "continuous")
"""Of contacts."""


def simulate(
    trace: Trace,
    protocol: str | Path | Protocol,
    workload: str | Path | Workload = "bsub13",
    *,
    seed: int = 1,
    messages: str | Path | None = None,
    interests: str | Path | None = None,
    ttl: str | float | None = None,
    buffer: str | int | None = None,
    bandwidth: str | None = None,
    min_contact: str | float | None = None,
    own_outside: bool | None = None,
    id_bits: int | None = None,
    contacts: str = "start",
    measures: Sequence[str] = (),
    log: bool = False,
    parts: int = 1,
    runner: Runner | None = None,
    **settings: Any,
) -> Result:
    """Run a protocol on a trace: what is delivered, how soon, at what cost.

    protocol            a name (`hn.names("protocol")`), a .toml file as `hunet tune` writes it, or one of your own
    workload            who publishes and wants what: a name (`hn.names("workload")`), a .toml file of your own
                        (docs/simulator.md), or a Workload; made with the seed
    seed                of all chance
    messages, interests two files, CSV or Parquet, instead of a workload
    ttl, buffer, ...    in place of the workload's: how long messages live ("10h", 600), how many a node carries (100,
                        "unlimited"), "250kbps", and how long contacts last at least ("120s")
    own_outside         whether a node's own messages lie outside its buffer; by default as the protocol's paper has it
    id_bits             messages are told apart by a hash of so many bits, as in [bsub13]; by default exactly
    contacts            start: one exchange when a contact begins; continuous: as long as it lasts
    measures            further ones that cost extra, such as "hops"
    log                 keep every event, as `result.outcome.log`, for `result.watch()`
    parts, runner       simulate the messages in so many parts, in processes of this machine or where a `Runner` says.
                        Joined, it is the same; limits by which messages depend on each other are refused
    settings            of the protocol, by name, such as decay_cycle=256

    The result shows its measures; `result.measures` has them by name, `result.deliveries` who got what when (an Arrow
    table), `result.plot()` draws, `result.watch()` replays it (with log=True).

    >>> import hunet as hn
    >>> t = hn.generate("conference", nodes=8, days=1, contacts_per_day=20)
    >>> r = hn.simulate(t, "push", ttl="2h")
    >>> r.measures["delivered"], r.measures["wanted"]
    (48, 125)
    """
    chosen, given = chosen_protocol(protocol)
    given |= settings
    make_settings(chosen, given)  # mistakes come before anything is read or made
    one_of("contact model", contacts, MODELS)
    changes = limits(ttl=ttl, buffer=buffer, bandwidth=bandwidth, min_contact=min_contact, own_outside=own_outside)
    if not len(trace):
        raise TraceError(f"trace {trace.title!r} has no contacts: nothing can be simulated on it")
    load = replace(_workload(trace, workload, (messages, interests), seed), **changes)
    result = run(
        trace.source,
        load,
        chosen,
        seed,
        settings=given,
        conditions=replace(conditions_of(load, contacts), id_bits=id_bits),
        measures=tuple(measures),
        log=log,
        engine=_engine(trace, workload, load, contacts, parts, runner, {**given, **changes}),
    )
    named = replace(result, trace=trace.title)
    return replace(named, show=show_of_run(trace, load, named)) if log else named


def _engine(
    trace: Trace,
    workload: str | Path | Workload,
    load: Workload,
    contacts: str,
    parts: int,
    runner: Runner | None,
    inputs: Mapping[str, Any],
) -> Callable[..., Outcome]:
    """What runs the event loop: this process, or a runner in parts."""
    if parts == 1 and runner is None:
        return run_here
    from hunet.home import home
    from hunet.sweeps.data import Data
    from hunet.sweeps.parts import in_parts
    from hunet.sweeps.runner import Runner
    from hunet.sweeps.simulation import workload_data

    tables = Data.of(contacts=trace.source.contacts(), nodes=trace.nodes)
    # The name of a profile says it all, also of those with ranges; other workloads go along as they are.
    by_name = isinstance(workload, str) and workload in PROFILES and load.name == workload
    said = {**inputs, "workload": workload if by_name else workload_data(load), "contacts": contacts}
    if "buffer" in said and said["buffer"] is None:
        said["buffer"] = math.inf
    return in_parts(runner or Runner.local(), parts, home(), tables, {**said, "deliveries": True})


def chosen_protocol(protocol: str | Path | Protocol) -> tuple[Protocol, dict[str, Any]]:
    """The protocol by its name, with its settings from a file, or as it is."""
    if isinstance(protocol, Path) or (isinstance(protocol, str) and protocol.endswith(".toml")):
        found, settings = read_settings(Path(protocol))
        return found, dict(settings)
    return (protocol_named(protocol) if isinstance(protocol, str) else protocol), {}


def limits(
    *,
    ttl: str | float | None = None,
    buffer: str | int | None = None,
    bandwidth: str | None = None,
    min_contact: str | float | None = None,
    own_outside: bool | None = None,
) -> dict[str, Any]:
    """What replaces fields of a workload, as a person writes it."""
    changes: dict[str, Any] = {}
    if ttl is not None:
        changes["ttl"] = parse_seconds(str(ttl), "ttl")
    if buffer is not None:
        changes["buffer"] = parse_buffer(str(buffer))
    if bandwidth is not None:
        changes["bytes_per_second"] = parse_bandwidth(bandwidth)
    if min_contact is not None:
        changes["min_contact"] = parse_least(str(min_contact), "min_contact")
    if own_outside is not None:
        changes["own_outside"] = own_outside
    return changes


def chosen_workload(trace: Trace, workload: str | Path | Workload, seed: int) -> str | Workload:
    """The name of one of the papers' workloads as it is, a file's made for this trace and seed, or one's own."""
    if isinstance(workload, Path) or (isinstance(workload, str) and workload.endswith(".toml")):
        return read_workload(Path(workload), trace.contacts, trace.nodes, seed)
    if isinstance(workload, str):
        one_of("workload", workload, PROFILES)
    return workload


def _workload(
    trace: Trace,
    workload: str | Path | Workload,
    files: tuple[str | Path | None, str | Path | None],
    seed: int,
) -> Workload:
    messages, interests = files
    if messages is not None and interests is not None:
        return workload_from_tables(Path(messages), Path(interests), trace.nodes)
    if messages is not None or interests is not None:
        raise InvalidValueError("messages and interests go together; a workload file can draw one and read the other")
    found = chosen_workload(trace, workload, seed)
    return workload_named(found, trace.contacts, seed) if isinstance(found, str) else found
