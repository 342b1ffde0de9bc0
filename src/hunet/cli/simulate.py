"""`hunet simulate`: one protocol on one trace."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hunet.cli.context import store
from hunet.cli.output import Json, print_json, print_table, working
from hunet.model.errors import TraceError

if TYPE_CHECKING:
    import pyarrow as pa

    from hunet.protocols import Protocol
    from hunet.sim.engine.run import Conditions
    from hunet.sim.result import Result
    from hunet.sim.workload.workload import Workload
    from hunet.traces.store import Trace


def simulate(
    trace: Annotated[str, typer.Argument(help="Name of a stored trace.")],
    protocol: Annotated[
        str | None,
        typer.Option(help="push, pull, bsub10, bsub13, bsubp, neighbors, spray, prophet, zigzag, mops or sptbf."),
    ] = None,
    settings_file: Annotated[
        Path | None, typer.Option("--settings", help="A protocol and its parameters, as hunet tune writes them.")
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the protocol, such as decay_cycle=256.")
    ] = None,
    workload: Annotated[
        str | None,
        typer.Option(help="bsub10, bsub13 (default), mops, mops-changing, cameras, camera-cells or my.toml."),
    ] = None,
    messages: Annotated[
        Path | None, typer.Option(help="Messages: time, source, tag[, size, ttl]; CSV or Parquet.")
    ] = None,
    interests: Annotated[Path | None, typer.Option(help="Interests: node, tag[, from, until]; CSV or Parquet.")] = None,
    buffer: Annotated[str | None, typer.Option(help="Messages a node can carry, or unlimited.")] = None,
    ttl: Annotated[
        str | None, typer.Option(help="How long messages live that do not say it themselves: 10h, 90min, unlimited.")
    ] = None,
    bandwidth: Annotated[str | None, typer.Option(help="Such as 250kbps, or unlimited.")] = None,
    min_contact: Annotated[
        str | None, typer.Option(help="Contacts last at least so long, such as 120s (one round of scanning).")
    ] = None,
    contacts: Annotated[str, typer.Option(help="start: one exchange when a contact begins; or continuous.")] = "start",
    seed: Annotated[int, typer.Option(help="Seed of all chance.", min=0)] = 1,
    measures: Annotated[
        str | None, typer.Option(help="Further measures that cost extra, such as hops,fill_ratio.")
    ] = None,
    log: Annotated[Path | None, typer.Option(help="Write every event to this Parquet file.")] = None,
    json: Json = False,
) -> None:
    """Simulate a protocol on a stored trace and print what it delivered at what cost."""
    from hunet.protocols import make_settings
    from hunet.sim.simulate import simulate as run

    chosen, settings = _chosen(protocol, settings_file)
    settings |= _settings(set_ or [])
    make_settings(chosen, settings)  # mistakes on the command line come before the trace is read
    model = _contact_model(contacts)
    stored = store().open(trace)
    tables = stored.contacts(), stored.nodes()
    if tables[0].num_rows == 0:
        raise TraceError(f"trace {trace!r} has no contacts: nothing can be simulated on it")
    load = _limited(_workload(tables, workload, (messages, interests), seed), buffer, ttl, bandwidth, min_contact)
    with working("compiling, the first time, and simulating"):
        result = run(
            tables,
            load,
            chosen,
            seed,
            settings=settings,
            conditions=_conditions(load, model),
            measures=tuple(filter(None, (name.strip() for name in (measures or "").split(",")))),
            log=log is not None,
        )
    if log is not None:
        _write_log(result, log)
    if json:
        print_json(_as_object(stored, result))
    else:
        _print(stored, result)


def _chosen(name: str | None, file: Path | None) -> tuple[Protocol, dict[str, Any]]:
    """The protocol by its name, or with its parameters from a file."""
    from hunet.protocols import PROTOCOLS, protocol_named
    from hunet.protocols.settings_file import read_settings

    if file is None and name is None:
        names = ", ".join(one.name for one in PROTOCOLS)
        raise typer.BadParameter(f"say which ({names}), or give a file of --settings", param_hint="--protocol")
    if file is None:
        return protocol_named(str(name)), {}
    found, settings = read_settings(file)
    if name not in (None, found.name):
        raise typer.BadParameter(f"'{file}' is for {found.name}, not for {name}", param_hint="--settings")
    return found, settings


def _settings(items: list[str]) -> dict[str, str]:
    pairs = [item.partition("=") for item in items]
    for item, (name, equals, value) in zip(items, pairs, strict=True):
        if not (name and equals and value):
            raise typer.BadParameter(f"{item!r}: write name=value, such as decay_cycle=256", param_hint="--set")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _contact_model(name: str) -> str:
    from hunet.model.names import one_of

    one_of("contact model", name, ("start", "continuous"))
    return name


def _workload(
    tables: tuple[pa.Table, pa.Table], name: str | None, files: tuple[Path | None, Path | None], seed: int
) -> Workload:
    from hunet.sim.workload.files import read_workload, workload_from_tables
    from hunet.sim.workload.profiles import workload_named

    contacts, nodes = tables
    messages, interests = files
    if messages is not None and interests is not None:
        if name is not None:
            raise typer.BadParameter("give either a workload or --messages and --interests", param_hint="--workload")
        return workload_from_tables(messages, interests, nodes)
    if messages is not None or interests is not None:
        raise typer.BadParameter(
            "--messages and --interests go together; a workload file can draw one and read the other",
            param_hint="--messages",
        )
    name = name or "bsub13"
    if name.endswith(".toml"):
        return read_workload(Path(name), contacts, nodes, seed)
    return workload_named(name, contacts, seed)


def _limited(
    workload: Workload, buffer: str | None, ttl: str | None, bandwidth: str | None, min_contact: str | None
) -> Workload:
    from hunet.sim.workload.units import parse_bandwidth, parse_buffer, parse_least, parse_seconds

    changes: dict[str, Any] = {}
    if buffer is not None:
        changes["buffer"] = parse_buffer(buffer)
    if ttl is not None:
        changes["ttl"] = parse_seconds(ttl, "ttl")
    if bandwidth is not None:
        changes["bytes_per_second"] = parse_bandwidth(bandwidth)
    if min_contact is not None:
        changes["min_contact"] = parse_least(min_contact, "min-contact")
    return replace(workload, **changes)


def _conditions(workload: Workload, contacts: str) -> Conditions:
    from hunet.sim.simulate import conditions_of

    return conditions_of(workload, contacts)


def _write_log(result: Result, path: Path) -> None:
    import pyarrow.parquet as pq

    from hunet.atomic import whole_file

    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as draft:
        pq.write_table(result.outcome.log, draft)


def _as_object(trace: Trace, result: Result) -> dict[str, Any]:
    return {
        "trace": {
            "name": trace.manifest.name,
            "version": trace.manifest.version,
            "surrogate": trace.manifest.surrogate,
        },
        "protocol": result.protocol,
        "settings": {name: _finite(value) for name, value in result.settings.items()},
        "workload": result.workload,
        "conditions": {name: _finite(value) for name, value in result.conditions.items()},
        "seed": result.seed,
        "measures": {name: _finite(value) for name, value in result.measures.items()},
    }


def _finite(value: Any) -> Any:
    """JSON knows neither infinity nor NaN: unlimited and undefined are null."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print(trace: Trace, result: Result) -> None:
    from hunet.sim.engine.extras import EXTRAS
    from hunet.sim.measures import MEASURES

    units = {one.name: one.unit for one in MEASURES}
    titles = {one.name: one.title for one in MEASURES}
    for adds in EXTRAS.values():
        titles |= adds
    rows = []
    for name, value in result.measures.items():
        undefined = isinstance(value, float) and math.isnan(value)
        rows.append(
            {
                "measure": name,
                "value": "-" if undefined else _shown(value),
                "unit": units.get(name, ""),
                "meaning": titles[name],
            }
        )
    surrogate = " (surrogate)" if trace.manifest.surrogate else ""
    print_table(f"{result.protocol} on {trace.manifest.name}{surrogate}, {result.workload}, seed {result.seed}", rows)


def _shown(value: float) -> str:
    if isinstance(value, int) or (value == round(value) and abs(value) >= 1000):
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}"
