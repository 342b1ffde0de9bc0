"""`hunet claims`: the ledger of the papers' claims, as it was last computed or computed anew."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from hunet.cli.context import Master, Remote
from hunet.cli.output import Json, print_json, print_table

_HEADINGS = {"id": "claim", "verdict": "verdict", "claim": "what the paper says", "measured": "what we find"}


def claims(
    paper: Annotated[
        list[str] | None, typer.Option(help="Only this paper: bsub10, bsub13, mops, sptbf, zigzag.")
    ] = None,
    verdict: Annotated[
        list[str] | None,
        typer.Option(help="Only these: holds, partly, 'does not hold', erratum, 'needs data', 'not computed yet'."),
    ] = None,
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Reproduce the papers first, and store what is found.")
    ] = False,
    quick: Annotated[bool, typer.Option("--quick", help="With --recompute: fewer seeds and smaller runs.")] = False,
    master: Master = None,
    remote: Remote = None,
    json: Json = False,
) -> None:
    """Print every claim of the papers with its verdict: what was asked for, and what was found."""
    from hunet.model.names import one_of
    from hunet.studies.claims.ledger import WORDS, entries

    if recompute:
        _recompute(paper or [], quick, master, remote)
    found = entries()
    known = dict.fromkeys(entry.paper for entry in found)
    papers = [one_of("paper", name, known) for name in paper or known]
    words = [one_of("verdict", word, WORDS) for word in verdict or WORDS]
    shown = [entry._asdict() for entry in found if entry.paper in papers and entry.verdict in words]
    if json:
        print_json(shown)
        return
    if shown:
        print_table("Claims of the papers", shown, _HEADINGS)
    count = Counter(entry["verdict"] for entry in shown)
    typer.echo(", ".join(f"{count[word]} {word}" for word in WORDS if count[word]) + f", of {len(shown)} claims")


def _recompute(papers: list[str], quick: bool, master: str | None, remote: str | None) -> None:
    from pathlib import Path

    from hunet.cli.reproduce import reproduce_one
    from hunet.studies.claims.ledger import record, source_of
    from hunet.studies.papers.papers import PAPERS
    from hunet.sweep.runner import Runner

    for name in papers or PAPERS:
        done = reproduce_one(name, Path("out") / name, quick, [], Runner.spark(master, remote))
        record(source_of(name, quick, done.seeds, done.sizes), done.verdicts)
