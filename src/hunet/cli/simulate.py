"""`hunet simulate`: one protocol on one trace."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hunet.cli.arrow_alone import arrow_alone
from hunet.cli.context import MOST_SEED, Master, OwnOutside, Remote, file_to_write
from hunet.cli.output import Json, print_json, show, working
from hunet.model.printable import printable

if TYPE_CHECKING:
    from hunet.api.trace import Trace
    from hunet.sim.result import Result


def simulate(
    trace: Annotated[str, typer.Argument(help="Name of a stored trace, or a file to read.")],
    protocol: Annotated[
        str | None,
        typer.Option(
            help="push, pull, bsub10, bsub13, bsubp, neighbors, spray, prophet, zigzag, mops, mops-live, sptbf, envoy."
        ),
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
    own_outside: OwnOutside = None,
    id_bits: Annotated[
        int | None,
        typer.Option(
            help="Tell messages apart by a hash of so many bits (B-SUB 2013: 32). Default: exactly.", min=1, max=63
        ),
    ] = None,
    contacts: Annotated[str, typer.Option(help="start: one exchange when a contact begins; or continuous.")] = "start",
    seed: Annotated[int, typer.Option(help="Seed of all chance.", min=0, max=MOST_SEED)] = 1,
    measures: Annotated[
        str | None, typer.Option(help="Further measures that cost extra, such as hops,fill_ratio.")
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(callback=file_to_write, help="Write every event to this Parquet file, which hunet watch shows."),
    ] = None,
    parts: Annotated[
        int, typer.Option(help="Simulate the messages in so many parts at a time, in processes or on Spark.", min=1)
    ] = 1,
    master: Master = None,
    remote: Remote = None,
    json: Json = False,
) -> None:
    """Simulate a protocol on a trace and print what it delivered at what cost."""
    import hunet as hn

    arrow_alone()
    settings = _settings(set_ or [])
    chosen = _chosen(protocol, settings_file, settings)
    load = _workload(workload, messages, interests)
    found = _trace(trace)
    with working("compiling, the first time, and simulating"):
        result = hn.simulate(
            found,
            chosen,
            load,
            seed=seed,
            messages=messages,
            interests=interests,
            ttl=ttl,
            buffer=buffer,
            bandwidth=bandwidth,
            min_contact=min_contact,
            own_outside=own_outside,
            id_bits=id_bits,
            contacts=contacts,
            measures=tuple(filter(None, (name.strip() for name in (measures or "").split(",")))),
            log=log is not None,
            parts=parts,
            runner=hn.Runner.spark(master, remote) if master or remote else None,
            **settings,
        )
    if log is not None:
        from hunet.api.watching import save_run

        save_run(log, found, result)
    if json:
        print_json(_as_object(found, result))
    else:
        show(result.table)
        if log is not None:
            typer.echo(f"to watch it: hunet watch {log}")


def _trace(name: str) -> Trace:
    """A stored trace, or one from a file; of that it is said what was read and what is odd about it."""
    from hunet.api.storing import load_or_read

    with warnings.catch_warnings(record=True) as odd:
        warnings.simplefilter("always", UserWarning)
        found = load_or_read(name)
    if not found.about.version:
        typer.echo(f"read, not stored: {found!r}", err=True)
    for warning in odd:
        typer.echo(printable(str(warning.message)), err=True)
    return found


def _chosen(name: str | None, file: Path | None, settings: dict[str, Any]) -> str | Path:
    """The protocol by its name, or with its parameters from a file; mistakes come before the trace is read."""
    from hunet.api.simulating import chosen_protocol
    from hunet.protocols import PROTOCOLS, make_settings

    if file is None and name is None:
        names = ", ".join(one.name for one in PROTOCOLS)
        raise typer.BadParameter(f"say which ({names}), or give a file of --settings", param_hint="--protocol")
    asked = file or str(name)
    found, _ = chosen_protocol(asked)
    if name not in (None, found.name):
        raise typer.BadParameter(f"'{file}' is for {found.name}, not for {name}", param_hint="--settings")
    make_settings(found, settings)
    return asked


def _workload(name: str | None, messages: Path | None, interests: Path | None) -> str:
    if (messages is None) != (interests is None):
        raise typer.BadParameter(
            "--messages and --interests go together; a workload file can draw one and read the other",
            param_hint="--messages",
        )
    if name is not None and messages is not None:
        raise typer.BadParameter("give either a workload or --messages and --interests", param_hint="--workload")
    return "bsub13" if name is None else name


def _settings(items: list[str]) -> dict[str, Any]:
    pairs = [item.partition("=") for item in items]
    for item, (name, equals, value) in zip(items, pairs, strict=True):
        if not (name and equals and value):
            raise typer.BadParameter(f"{item!r}: write name=value, such as decay_cycle=256", param_hint="--set")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _as_object(trace: Trace, result: Result) -> dict[str, Any]:
    return {
        "trace": {"name": trace.name, "version": trace.about.version or None, "surrogate": trace.about.surrogate},
        "protocol": result.protocol,
        "settings": result.settings,
        "workload": result.workload,
        "conditions": result.conditions,
        "seed": result.seed,
        "measures": result.measures,
    }
