"""`hunet compare`: every protocol, side by side on one trace or several."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.context import folder_to_write, sweeping
from hunet.cli.output import Json, asked, print_json, show, working

_CONFERENCE = "A generated conference: 79 people, 3 days"


def compare(
    traces: Annotated[list[str] | None, typer.Argument(help="Stored traces. Default: a generated conference.")] = None,
    protocol: Annotated[
        list[str] | None, typer.Option(help="NAME or NAME:setting=value, once for each. Default: all, as they are.")
    ] = None,
    workload: Annotated[str, typer.Option(help="bsub10, bsub13, mops, mops-changing or camera-cells.")] = "bsub13",
    ttl: Annotated[str | None, typer.Option(help="How long messages live: 10h, 90min, unlimited.")] = None,
    buffer: Annotated[str | None, typer.Option(help="Messages a node can carry, or unlimited.")] = None,
    bandwidth: Annotated[str | None, typer.Option(help="Such as 250kbps, or unlimited.")] = None,
    contacts: Annotated[str, typer.Option(help="start: one exchange when a contact begins; or continuous.")] = "start",
    own_outside: Annotated[
        bool,
        typer.Option(
            "--own-outside/--own-inside", help="Whether a node's own messages lie outside its buffer, for all."
        ),
    ] = True,
    out: Annotated[Path, typer.Option(callback=folder_to_write, help="Folder for all results.")] = Path("out/compare"),
    seeds: Annotated[
        int, typer.Option(help="Seeds of all chance, over which means are taken.", min=1, max=1_000_000)
    ] = 5,
    json: Json = False,
) -> None:
    """Simulate protocols under the same conditions, beside what clairvoyance could do; print and draw it."""
    with working("loading"):
        import hunet as hn

        where = [hn.load(name) for name in traces] if traces else [hn.generate("conference", name=_CONFERENCE)]
        ttl = "10h" if ttl is None and not traces else ttl
    with sweeping(out) as progress:
        found = hn.compare(
            where,
            protocol,
            workload=workload,
            ttl=ttl,
            buffer=buffer,
            bandwidth=bandwidth,
            contacts=contacts,
            own_outside=own_outside,
            seeds=seeds,
            out=out / "runs",
            progress=progress,
        )
    picture = found.save(out, asked())
    if json:
        print_json({"seeds": seeds, "rows": found.rows, "picture": str(picture)})
        return
    for one in found.tables:
        show(one)
    typer.echo("clairvoyant: all that can be delivered, as early as can be, without limits of room and bandwidth;")
    typer.echo("an upper bound of the transfers that takes. hunet bound --help says more.")
    typer.echo(f"picture: {picture}")
    typer.echo(f"a page to send: hunet report {out}")
