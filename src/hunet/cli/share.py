"""`hunet share`: what interest-based context sharing saves on one trace."""

from __future__ import annotations

import math
from functools import partial
from typing import Annotated, Any

import typer

from hunet.cli.context import MOST_SEED, store
from hunet.cli.output import Json, print_json, print_table, working
from hunet.model.errors import TraceError
from hunet.progress import progress_bar

_HEADINGS = {
    "interests": "interests",
    "megabytes": "MB sent",
    "savings": "saved, %",
    "coverage": "coverage",
    "coverage_now": "at an instant",
    "counts": "counts?",
}
_SHOWN = ("agnostic", "sptbf", "exact")


def share(
    trace: Annotated[str, typer.Argument(help="Name of a stored trace.")],
    percent: Annotated[int | None, typer.Option(help="Every node wants this percentage of the labels.")] = None,
    applications: Annotated[int | None, typer.Option(help="Or: labels divided among so many applications.")] = None,
    hops: Annotated[int, typer.Option(help="How far interests and context travel: 1 to 3.")] = 3,
    lifetime: Annotated[int, typer.Option(help="Seconds an interest lives unless renewed: 1 to 63.")] = 30,
    m: Annotated[int, typer.Option(help="Slots of the interest summary.")] = 100,
    k: Annotated[int, typer.Option(help="Hash functions.")] = 3,
    period: Annotated[float, typer.Option(help="Seconds between two beacons of a node.")] = 5.0,
    loss: Annotated[float, typer.Option(help="How likely a neighbour misses a beacon.")] = 0.0,
    time: Annotated[str | None, typer.Option(help="How long, such as 20min. Default: until the last contact.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of all chance.", min=0, max=MOST_SEED)] = 1,
    json: Json = False,
) -> None:
    """Let the nodes of a trace share context in beacons, by interest (SpTBF) and without, and compare the bytes."""
    if percent is not None and applications is not None:
        raise typer.BadParameter("give either --percent or --applications", param_hint="--applications")
    with working("loading"):
        from hunet.protocols.grapevine import GRAPEVINE, GrapevineSettings
        from hunet.protocols.protocol import World
        from hunet.sim.sharing.allocation import by_applications, by_percent, standing
        from hunet.sim.sharing.beaconing import Beaconing
        from hunet.sim.sharing.network import LABELS, SharingScene, count_savings
        from hunet.sim.sharing.network import share as run
        from hunet.sim.workload.units import parse_seconds

        settings = GrapevineSettings(hops=hops, lifetime=lifetime, m=m, k=k)
        GRAPEVINE.prepare(settings, World(1, [], 0))  # mistakes on the command line come before the trace is read
        beaconing = Beaconing(period=period, jitter=period / 10, loss=loss)
        seconds = None if time is None else parse_seconds(time)
        if seconds == math.inf:
            raise typer.BadParameter(f"{time!r}: it must end", param_hint="--time")
        stored = store().open(trace)
        contacts, nodes = stored.contacts(), stored.nodes().num_rows
        if contacts.num_rows == 0:
            raise TraceError(f"trace {trace!r} has no contacts: nobody hears a beacon on it")
        if applications is not None:
            wants = by_applications(nodes, LABELS, applications, seed)
        else:
            wants = by_percent(nodes, LABELS, 30 if percent is None else percent, seed)
        last = float(contacts["end"].to_numpy().max())
        scene = SharingScene(contacts, nodes, standing(wants, hops), seconds or last)
    found = {}
    with progress_bar("compiling") as told:
        for variant in _SHOWN:
            chosen = settings._replace(interests=variant)
            found[variant] = run(scene, chosen, beaconing, seed, partial(told, variant))
    rows: list[dict[str, Any]] = [
        {"interests": variant, **found[variant], **count_savings(found["agnostic"], found[variant])}
        for variant in _SHOWN
    ]
    if json:
        print_json({"trace": trace, "seconds": scene.seconds, "settings": settings._asdict(), "variants": rows})
        return
    rows = [row | {"megabytes": row["bytes"] / 1e6, "counts": "yes" if row["counts"] else "no"} for row in rows]
    wanted = f"{applications} applications" if applications is not None else f"{30 if percent is None else percent} %"
    print_table(f"{nodes:,} nodes on {trace}, {wanted} of {LABELS} labels, hop limit {hops}", rows, _HEADINGS)
    typer.echo(
        f"{found['agnostic']['neighbours']:.2g} neighbours on average; "
        "savings count where coverage is at least 0.95 of the agnostic"
    )
