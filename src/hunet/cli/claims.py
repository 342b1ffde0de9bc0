"""`hunet claims`: the ledger of the papers' claims, as it was last computed or computed anew."""

from __future__ import annotations

from typing import Annotated

import typer

from hunet.cli.context import Master, Remote
from hunet.cli.output import Json, asked, print_json, show
from hunet.cli.reproduce import depth_of, watching


def claims(
    paper: Annotated[
        list[str] | None, typer.Option(help="Only this paper: bsub10, bsub13, mops, sptbf, zigzag.")
    ] = None,
    verdict: Annotated[
        list[str] | None,
        typer.Option(
            help="Only these: holds, partly, 'does not hold', each also with ' on the surrogate', erratum, "
            "'needs data', 'not computed yet'."
        ),
    ] = None,
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Reproduce the papers first, and store what is found.")
    ] = False,
    quick: Annotated[bool, typer.Option("--quick", help="With --recompute: fewer seeds and smaller runs.")] = False,
    all_readings: Annotated[
        bool, typer.Option("--all-readings", help="With --recompute: every other reading of what does not hold, too.")
    ] = False,
    master: Master = None,
    remote: Remote = None,
    json: Json = False,
) -> None:
    """Print every claim of the papers with its verdict: what was asked for, and what was found."""
    import hunet as hn

    if recompute:
        from hunet.api.reproducing import recompute as compute

        depth = depth_of(quick, all_readings)
        with watching() as watcher:
            compute(paper or [], depth, hn.Runner.spark(master, remote), watcher, asked())
    found = hn.claims(paper, verdict)
    if json:
        print_json(found.rows)
    else:
        show(found)
