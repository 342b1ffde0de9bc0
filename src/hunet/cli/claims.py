"""`hunet claims`: the ledger of the papers' claims, as it was last computed or computed anew."""

from __future__ import annotations

from typing import Annotated

import typer

from hunet.cli.context import Master, Remote
from hunet.cli.output import Json, print_json, show


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
        _recompute(paper or [], quick, all_readings, master, remote)
    found = hn.claims(paper, verdict)
    if json:
        print_json(found.rows)
    else:
        show(found)


def _recompute(papers: list[str], quick: bool, all_readings: bool, master: str | None, remote: str | None) -> None:
    from pathlib import Path

    from hunet.cli.reproduce import depth_of, reproduce_papers
    from hunet.model.names import choose
    from hunet.studies.claims.ledger import record, source_of
    from hunet.studies.papers.papers import PAPERS
    from hunet.studies.papers.reproduce import Reproduction
    from hunet.sweeps.runner import Runner

    depth = depth_of(quick, all_readings)
    for name in papers:
        choose("paper", name, PAPERS)

    def judged(name: str, done: Reproduction) -> None:
        sizes = {one.title: (one.nodes.num_rows, one.contacts.num_rows) for one in done.traces.found}
        record(source_of(name, *depth, done.seeds, sizes), done.verdicts)

    folders = {name: Path("out") / name for name in papers or PAPERS}
    reproduce_papers(folders, depth, [], Runner.spark(master, remote), judged)
