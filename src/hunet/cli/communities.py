"""`hunet trace communities`: the social structure of a trace, after MOPS."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hunet.cli.output import Json, print_json, print_table

if TYPE_CHECKING:
    from hunet.social.structure import SocialStructure

SHOWN = 20
NAMED = 8
"""Rows of a table, and brokers in a row, that a person reads; the rest is in the files and in JSON."""


def communities(
    name: Annotated[str, typer.Argument(help="Name of the trace.")],
    threshold: Annotated[float, typer.Option(help="T: closeness that makes local neighbours, 0 to 1.")] = 0.5,
    hops: Annotated[int, typer.Option(help="k: most hops of a path.")] = 2,
    broker_share: Annotated[
        float, typer.Option(help="B: a gateway goes if those above it have this share of betweenness, 0 to 1.")
    ] = 0.8,
    training: Annotated[float, typer.Option(help="First share of the trace to learn closeness from.")] = 0.4,
    distributed: Annotated[
        bool, typer.Option("--distributed", help="Each node decides by what hello messages brought it.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Draw the community graph here, .png or .svg; both are written.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(file_okay=False, help="Write the table of every stage into this folder, as Parquet.")
    ] = None,
    json: Json = False,
) -> None:
    """Communities, gateways and brokers of a trace (MOPS), from who was close to whom in its first part."""
    from hunet.cli.context import store
    from hunet.cli.trace_output import title_of
    from hunet.progress import progress_bar
    from hunet.social.hello import heard_after
    from hunet.social.structure import SocialSettings, equal_labels, structure_from_hellos, structure_of
    from hunet.traces.encounters import encounters
    from hunet.traces.pairs import first_part

    if plot is not None and plot.suffix not in (".png", ".svg"):
        raise typer.BadParameter(f"{str(plot)!r}: a picture ends in .png or .svg", param_hint="--plot")
    settings = SocialSettings(threshold, hops, broker_share)
    trace = store().open(name)
    contacts, names = trace.contacts(), trace.nodes()["name"].to_pylist()
    learnt = first_part(contacts, training)
    figures: dict[str, Any] = {}
    with progress_bar("closeness of pairs") as progress:
        pairs = trace.pairs(learnt)
        if distributed:
            heard = heard_after(encounters(contacts, *learnt, 2 * hops), len(names))
            own = structure_from_hellos(pairs, heard, settings, partial(progress, "each node by itself"))
        found = structure_of(pairs, len(names), settings, partial(progress, "finding communities"))
    if distributed:
        equal = equal_labels(found.communities, own.communities)
        figures, found = {"heard_share": float(heard.mean()), "equal_labels": equal}, own
    if out is not None:
        _write(found, out)
    if plot is not None:
        _draw(f"{title_of(trace)}: communities, T = {threshold:g}", found, names, plot)
    if json:
        asked = {"threshold": threshold, "hops": hops, "broker_share": broker_share, "training": training}
        stages = {stage: table.to_pylist() for stage, table in found._asdict().items()}
        print_json({"trace": name, **asked, "distributed": distributed, **figures, "names": names, **stages})
        return
    _tell(found, names, f"{title_of(trace)}, first {100 * training:g} % of the time, T = {threshold:g}, k = {hops}")
    if distributed:
        typer.echo(
            f"each node heard of {figures['heard_share']:.1%} of the nodes in {2 * hops} rounds of hello messages; "
            f"{figures['equal_labels']:.1%} are in the community that full knowledge gives them"
        )
    for path in (plot, out):
        if path is not None:
            typer.echo(f"wrote {path}")


def _write(found: SocialStructure, folder: Path) -> None:
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    for stage, table in found._asdict().items():
        pq.write_table(table, folder / f"{stage}.parquet")


def _draw(title: str, found: SocialStructure, names: list[str], path: Path) -> None:
    from hunet.report.communities import draw_communities
    from hunet.report.style import save

    save(draw_communities(title, found.communities, found.bridges, names), path)


def _tell(found: SocialStructure, names: list[str], title: str) -> None:
    roles = found.communities["role"].to_pylist()
    formed = sorted(found.formation.to_pylist(), key=lambda row: (-row["size"], row["round"], row["community"]))
    label = found.communities["community"].to_pylist()
    brokers: dict[int, int] = {}
    for community, role in zip(label, roles, strict=True):
        brokers[community] = brokers.get(community, 0) + (role == "broker")
    print_table(
        title,
        [
            {
                "community": names[row["community"]],
                "nodes": row["size"],
                "brokers": brokers[row["community"]],
                "round": row["round"],
                "cliques tried": row["cliques"],
                "Ncut": row["ncut"],
            }
            for row in formed[:SHOWN]
        ],
    )
    _say_rest(len(formed), "communities")
    across = sorted(found.bridges.to_pylist(), key=lambda row: (-row["edges"], row["community"], row["towards"]))
    if across:
        print_table(
            "from community to community",
            [
                {
                    "from": names[row["community"]],
                    "to": names[row["towards"]],
                    "edges": row["edges"],
                    "gateways": row["gateways"],
                    "brokers": _some([names[node] for node in row["brokers"]]),
                }
                for row in across[:SHOWN]
            ],
        )
        _say_rest(len(across), "rows")
    count = {role: roles.count(role) for role in ("member", "gateway", "broker")}
    typer.echo(
        f"{len(names):,} nodes in {len(formed):,} communities; brokers: {count['broker']:,}, "
        f"other gateways: {count['gateway']:,}, without an edge to another community: {count['member']:,}"
    )


def _some(brokers: list[str]) -> str:
    more = f" and {len(brokers) - NAMED} more" if len(brokers) > NAMED else ""
    return ", ".join(brokers[:NAMED]) + more


def _say_rest(rows: int, what: str) -> None:
    if rows > SHOWN:
        typer.echo(f"... and {rows - SHOWN:,} more {what}: --out DIR or --json gives all\n")
