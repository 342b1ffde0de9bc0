"""`hunet bound`: what clairvoyance could do on a trace."""

from __future__ import annotations

from typing import Annotated

import typer

from hunet.cli.context import MOST_SEED
from hunet.cli.output import Json, print_json, show, working

_ASSUMED = (
    "Every message takes the tree of earliest arrivals, pruned to the branches that end at somebody who wants it.\n"
    "Buffers and bandwidth have no limit, contacts are known in advance. Nobody can deliver more or sooner;\n"
    "the transfers are an upper bound of what is needed for that: a smaller tree may reach the same people."
)


def bound(
    trace: Annotated[str, typer.Argument(help="Name of a stored trace.")],
    workload: Annotated[
        str, typer.Option(help="bsub10, bsub13, mops, mops-changing, camera-cells or my.toml.")
    ] = "bsub13",
    ttl: Annotated[str | None, typer.Option(help="How long messages live: 10h, 90min, unlimited.")] = None,
    contacts: Annotated[str, typer.Option(help="start: one exchange when a contact begins; or continuous.")] = "start",
    seed: Annotated[int, typer.Option(help="Seed of all chance.", min=0, max=MOST_SEED)] = 1,
    json: Json = False,
) -> None:
    """What clairvoyance could do: how much can be delivered at all, how soon, and how few transfers are enough."""
    import hunet as hn
    from hunet.sim.bound import EPIDEMIC_FORWARDS

    with working("compiling, the first time, and simulating"):
        found = hn.bound(hn.load(trace), workload, seed=seed, ttl=ttl, contacts=contacts)
    epidemic = int(found.outcome.extras[EPIDEMIC_FORWARDS])
    if json:
        print_json({"trace": trace, "seed": seed, "measures": found.measures, EPIDEMIC_FORWARDS: epidemic})
        return
    show(found.table)
    share = found.measures["forwards"] / max(epidemic, 1)
    typer.echo(f"PUSH takes {epidemic:,} transfers for the same; these are {share:.0%} of them.")
    typer.echo(_ASSUMED)
