"""`hunet tune`: settings of a protocol for one's own trace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.context import MOST_SEED, Master, Remote, folder_to_write, sweeping
from hunet.cli.node_context import Home
from hunet.cli.node_settings import Wait, said, sender
from hunet.cli.output import Json, asked, print_json, show, working


def tune(
    trace: Annotated[str, typer.Argument(help="Name of a stored trace.")],
    protocol: Annotated[str, typer.Option(help="Whose settings to look for.")] = "bsub13",
    min_delivery: Annotated[
        float, typer.Option(help="How much must be delivered at least, as a share of what PUSH delivers.")
    ] = 0.9,
    minimise: Annotated[str, typer.Option(help="What is to be small: copies, forwards, delay or control.")] = "copies",
    workload: Annotated[str, typer.Option(help="A profile such as bsub10, or my.toml.")] = "bsub13",
    quick: Annotated[bool, typer.Option("--quick", help="A quarter of the settings, and fewer seeds.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(callback=folder_to_write, help="Folder for all results. Default: out/tune-TRACE-PROTOCOL."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the settings to try.", min=0, max=MOST_SEED)] = 1,
    send: Annotated[
        bool, typer.Option("--send", help="Send the settings to all nodes of the network whose settings key is here.")
    ] = False,
    wait: Wait = "1d",
    home: Home = None,
    master: Master = None,
    remote: Remote = None,
    json: Json = False,
) -> None:
    """Find the cheapest settings that deliver enough on the first 70 % of a trace; judge them on the last 30 %."""
    sending = sender(home, protocol, wait) if send else None
    with working("loading"):
        import hunet as hn
        from hunet.api.tuning import goal_of
        from hunet.api.tuning import tune as run

        goal = goal_of(protocol, min_delivery, minimise, workload)
        stored = hn.load(trace)
    folder = out or Path("out") / f"tune-{trace}-{protocol}"
    with sweeping(folder) as progress:
        runner = hn.Runner.spark(master, remote)
        found = run(stored, goal, folder, runner, seed=seed, quick=quick, progress=progress, asked=asked())
    sent = sending(found.settings) if sending is not None and found.meets else None
    if json:
        print_json({**found.facts, "sent": sent})
        return
    for table in found.tables:
        show(table)
    for sentence in found.sentences:
        typer.echo(sentence)
    typer.echo(f"settings: {found.file}; try them: hunet simulate {trace} --settings {found.file}")
    typer.echo(f"picture:  {found.picture}")
    typer.echo(f"a page to send: hunet report {folder}")
    if sent is not None:
        typer.echo(said(sent))
    elif send:
        typer.echo("not sent: settings that may miss the goal stay here (hunet node run --settings tries them)")
