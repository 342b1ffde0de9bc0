"""`hunet reproduce`: the figures and claims of a paper, computed anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from hunet.cli.context import Master, Remote, store, sweeping
from hunet.cli.output import Json, describe_folder, print_json, print_table, working
from hunet.cli.report import write_report
from hunet.progress import progress_bar

if TYPE_CHECKING:
    from hunet.sweeps.runner import Runner

_ALL = "all"
_HEADINGS = {"claim": "claim", "verdict": "verdict", "about": "what the paper says", "measured": "what we find"}


class Done(NamedTuple):
    """What came of a paper."""

    verdicts: list[Any]
    seeds: int | None
    sizes: Mapping[str, tuple[int, int]]
    """Nodes and contacts of each trace."""


def reproduce(
    paper: Annotated[str, typer.Argument(help="bsub10, bsub13, mops, sptbf, zigzag, or all")],
    out: Annotated[
        Path | None, typer.Option(help="Directory for data, plots, verdicts and report. Default: out/PAPER, or out.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer seeds and smaller runs: a minute or two each.")] = False,
    trace: Annotated[
        list[str] | None,
        typer.Option(
            help="Stored traces to simulate on. Default: those of the paper that are stored (infocom06-surrogate, "
            "infocom05, reality, ht2009, sfhh), and generated ones in the place of those that are not."
        ),
    ] = None,
    master: Master = None,
    remote: Remote = None,
    json: Json = False,
) -> None:
    """Compute every figure of a paper (CSV, Parquet, PNG, SVG), say which of its claims hold, and write a report."""
    with working("loading"):
        from hunet.model.names import choose
        from hunet.studies.contents import counts_by_paper, of_papers
        from hunet.studies.papers.papers import PAPERS
        from hunet.studies.papers.reproduction import write_table
        from hunet.sweeps.runner import Runner

        choose("paper", paper, {**PAPERS, _ALL: None})
    names = list(PAPERS) if paper == _ALL else [paper]
    top = out or (Path("out") if paper == _ALL else Path("out") / paper)
    done = {}
    for number, name in enumerate(names, start=1):
        if len(names) > 1:
            typer.echo(f"{name}, {number} of {len(names)} papers", err=True)
        folder = top / name if paper == _ALL else top
        done[name] = reproduce_one(name, folder, quick, trace or [], Runner.spark(master, remote)).verdicts
    if paper == _ALL:
        write_table(top / "papers", counts_by_paper(done))
        describe_folder(top, lambda asked: of_papers(asked, done))
    report = write_report(top, top / "report.html")
    if json:
        told = [{"paper": name, "claims": [verdict._asdict() for verdict in found]} for name, found in done.items()]
        print_json(told if paper == _ALL else told[0])
        return
    if paper == _ALL:
        print_table("Claims of the papers", counts_by_paper(done))
    else:
        print_table(f"Claims of {paper}", [verdict._asdict() for verdict in done[paper]], _HEADINGS)
    counts = Counter(verdict.verdict for found in done.values() for verdict in found)
    typer.echo(f"{', '.join(f'{count} {word}' for word, count in counts.most_common())}, of {counts.total()} claims")
    typer.echo(f"data and plots by the id of each figure, and the verdicts: {top}")
    typer.echo(report)


def reproduce_one(paper: str, folder: Path, quick: bool, trace: Sequence[str], runner: Runner) -> Done:
    """Compute, simulate and judge a paper, with bars on stderr."""
    from hunet.model.names import choose
    from hunet.studies.contents import of_reproduction
    from hunet.studies.papers.papers import PAPERS
    from hunet.studies.papers.reproduction import write_claims

    steps = choose("paper", paper, PAPERS)
    with working(f"{paper}: reading or generating the traces"):
        traces = steps.traces(store(), trace, quick)
    for sentence in traces.absent:
        typer.echo(sentence, err=True)
    with progress_bar("computing") as told:
        tables = steps.compute(folder, traces, quick, lambda name, *numbers: told(f"computing {name}", *numbers))
    with sweeping(folder / "runs") as moved:
        measured = steps.simulate(folder, traces, tables, quick, runner, moved)
    with working("judging the claims"):
        found = steps.judge(tables, measured)
        write_claims(folder, found)
    describe_folder(folder, lambda asked: of_reproduction(asked, folder, paper, traces, found))
    seeds = int(measured["seed"].nunique()) if "seed" in measured else None
    sizes = {name: (nodes.num_rows, contacts.num_rows) for name, (contacts, nodes) in traces.tables.items()}
    return Done(found, seeds, sizes)
