"""`hunet tune`: settings of a protocol for one's own trace."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hunet.cli.context import MOST_SEED, Master, Remote, folder_to_write, store, sweeping
from hunet.cli.node_context import Home
from hunet.cli.node_settings import Wait, said, sender
from hunet.cli.output import Json, describe_folder, print_json, print_table, working
from hunet.model.errors import InvalidValueError

if TYPE_CHECKING:
    from hunet.studies.tuning.tune import Goal


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
        from hunet.studies.contents import of_tuning
        from hunet.studies.tuning.parts import parts_of
        from hunet.studies.tuning.results import comparison, setting_rows, verdict, write_results
        from hunet.studies.tuning.search import QUICK, Effort
        from hunet.studies.tuning.tune import tune as run
        from hunet.sweeps.runner import Runner

        goal = _goal(protocol, min_delivery, minimise, workload)
        stored = store().open(trace)
        tables = stored.contacts(), stored.nodes()
        parts = parts_of(tables)
        folder = out or Path("out") / f"tune-{trace}-{protocol}"
    with sweeping(folder) as progress:
        effort = QUICK if quick else Effort()
        tuned = run(parts, goal, folder / "runs", Runner.spark(master, remote), effort, seed, progress)
    label = f"{trace} (surrogate)" if stored.manifest.surrogate else trace
    facts = {"name": label, "version": stored.manifest.version, "content_hash": stored.manifest.content_hash}
    file, picture = write_results(folder, goal, tuned, facts)
    describe_folder(folder, lambda asked: of_tuning(asked, folder, label, tables, goal, tuned))
    met = bool(tuned.delivery.low >= min_delivery)
    sent = sending(dict(tuned.found.best)) if sending is not None and met else None
    if json:
        print_json(
            {
                "trace": label,
                "protocol": protocol,
                "settings": dict(tuned.found.best),
                "delivery_of_push": tuned.delivery._asdict(),
                "saved_of_defaults": tuned.saved._asdict(),
                "meets": met,
                "sent": sent,
                "file": str(file),
                "picture": str(picture),
            }
        )
        return
    print_table(f"{protocol} on {label}: settings", setting_rows(goal, tuned))
    judged = f"On the last 30 % of the trace ({parts.judged / 3600:.1f} h), {tuned.seeds} seeds, mean ± 95 % interval"
    print_table(judged, comparison(tuned))
    for sentence in verdict(goal, tuned):
        typer.echo(sentence)
    typer.echo(f"settings: {file}; try them: hunet simulate {trace} --settings {file}")
    typer.echo(f"picture:  {picture}")
    typer.echo(f"a page to send: hunet report {folder}")
    if sent is not None:
        typer.echo(said(sent))
    elif send:
        typer.echo("not sent: settings that may miss the goal stay here (hunet node run --settings tries them)")


def _goal(protocol: str, min_delivery: float, minimise: str, workload: str) -> Goal:
    """What is looked for, with every mistake of the command line found before anything is read."""
    from hunet.model.names import choose
    from hunet.protocols import protocol_named
    from hunet.sim.workload.profiles import PROFILES
    from hunet.studies.tuning.tune import COSTS, Goal

    chosen = protocol_named(protocol)
    if not 0 < min_delivery < math.inf:
        raise InvalidValueError(f"min-delivery {min_delivery:g}: a share of what PUSH delivers, above 0, such as 0.9")
    choose("thing to minimise", minimise, COSTS)
    source: str | Path = workload
    if workload.endswith(".toml"):
        source = Path(workload)
    else:
        choose("workload", workload, PROFILES)
    return Goal(chosen, min_delivery, minimise, source)
