"""`hunet node replay`: what needs the simulator and the node at once, and therefore the whole installation."""

from __future__ import annotations

from pathlib import Path

import typer

from hunet.cli.context import store
from hunet.cli.output import print_json, working


def live_through(
    trace: str,
    protocol: str,
    workload: str,
    processes: int,
    speed: float,
    hours: float | None,
    seed: int,
    logs: Path | None,
    json: bool,
) -> None:
    """Replay a stored trace, and print how it compares; exit code 1 where it differs."""
    with working("loading"):
        from hunet.studies.replay.replay import replay

        stored = store().open(trace)
        contacts, nodes = stored.contacts(), stored.nodes()
    with working(f"{nodes.num_rows} nodes in {processes} processes live through {trace}"):
        found = replay(
            contacts, nodes, protocol, workload, processes=processes, speed=speed, hours=hours, seed=seed, logs=logs
        )  # fmt: skip
    if json:
        print_json({"trace": trace, "protocol": found.protocol, "identical": found.identical,
                    "differences": list(found.differences), "lines": found.lines()})  # fmt: skip
    else:
        for line in found.lines():
            typer.echo(line)
    if not found.identical:
        raise typer.Exit(1)
