"""`hunet share`: what interest-based context sharing saves on one trace."""

from __future__ import annotations

from typing import Annotated

import typer

from hunet.cli.context import MOST_SEED
from hunet.cli.output import Json, print_json, show, working
from hunet.progress import progress_bar


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
    group: Annotated[
        list[str] | None,
        typer.Option(
            help="A label whose value is an aggregate over who is near: LABEL=HOW:OF[:LEAST:MOST], such as 0=mean:1. "
            "HOW: count, smallest, largest, mean."
        ),
    ] = None,
    time: Annotated[str | None, typer.Option(help="How long, such as 20min. Default: until the last contact.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of all chance.", min=0, max=MOST_SEED)] = 1,
    json: Json = False,
) -> None:
    """Let the nodes of a trace share context in beacons, by interest (SpTBF) and without, and compare the bytes."""
    if percent is not None and applications is not None:
        raise typer.BadParameter("give either --percent or --applications", param_hint="--applications")
    with working("loading"):
        import hunet as hn
        from hunet.api.sharing import share as run
    with progress_bar("compiling") as told:
        found = run(
            hn.load(trace),
            percent=percent,
            applications=applications,
            hops=hops,
            lifetime=lifetime,
            m=m,
            k=k,
            period=period,
            loss=loss,
            groups=group or (),
            time=time,
            seed=seed,
            progress=told,
        )
    if json:
        print_json({"trace": trace, "seconds": found.seconds, "settings": found.settings, "variants": found.rows})
    else:
        show(found.table)
