"""`hunet trace communities`: the social structure of a trace, after MOPS."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.context import file_to_write, folder_to_write
from hunet.cli.output import Json, print_json, show

SHOWN = 20
"""Rows of a table that a person reads."""
_REST = "--out DIR or --json gives all"


def communities(
    name: Annotated[str, typer.Argument(help="Name of the trace.")],
    threshold: Annotated[float, typer.Option(help="T: closeness that makes local neighbours, 0 to 1.")] = 0.5,
    hops: Annotated[int, typer.Option(help="k: most hops of a path.", max=1000)] = 2,
    broker_share: Annotated[
        float, typer.Option(help="B: a gateway goes if those above it have this share of betweenness, 0 to 1.")
    ] = 0.8,
    training: Annotated[float, typer.Option(help="First share of the trace to learn closeness from.")] = 0.4,
    distributed: Annotated[
        bool, typer.Option("--distributed", help="Each node decides by what hello messages brought it.")
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(callback=file_to_write, help="Draw the community graph here, .png or .svg; both are written."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(callback=folder_to_write, help="Write the table of every stage into this folder, as Parquet."),
    ] = None,
    json: Json = False,
) -> None:
    """Communities, gateways and brokers of a trace (MOPS), from who was close to whom in its first part."""
    import hunet as hn
    from hunet.progress import progress_bar

    if plot is not None and plot.suffix not in (".png", ".svg"):
        raise typer.BadParameter(f"{str(plot)!r}: a picture ends in .png or .svg", param_hint="--plot")
    asked = {"threshold": threshold, "hops": hops, "broker_share": broker_share, "training": training}
    with progress_bar("closeness of pairs") as progress:
        found = hn.communities(hn.load(name), **asked, distributed=distributed, progress=progress)  # type: ignore[arg-type]
    if out is not None:
        found.save(out)
    if plot is not None:
        from hunet.report.style import save

        save(found.plot(), plot)
    if json:
        stages = {stage: table.to_pylist() for stage, table in found.structure._asdict().items()}
        print_json(
            {"trace": name, **asked, "distributed": distributed, **found.informed, "names": found.names, **stages}
        )
        return
    show(found.table.first(SHOWN, f"communities: {_REST}"))
    if len(found.across):
        show(found.across.first(SHOWN, f"rows: {_REST}"))
    for path in (plot, out):
        if path is not None:
            typer.echo(f"wrote {path}")
