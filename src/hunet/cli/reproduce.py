"""`hunet reproduce`: the figures and claims of a paper, computed anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hunet.cli.context import Master, Remote, folder_to_write, store, sweeping
from hunet.cli.output import Json, describe_folder, print_json, print_table, working
from hunet.cli.report import write_report
from hunet.progress import Told, progress_bar

if TYPE_CHECKING:
    from hunet.studies.papers.depth import Depth
    from hunet.studies.papers.reproduce import Reproduction, Watcher
    from hunet.sweeps.runner import Runner

_ALL = "all"
_HEADINGS = {"claim": "claim", "verdict": "verdict", "about": "what the paper says", "measured": "what we find"}


def reproduce(
    paper: Annotated[str, typer.Argument(help="bsub10, bsub13, mops, sptbf, zigzag, or all")],
    out: Annotated[
        Path | None,
        typer.Option(
            callback=folder_to_write, help="Directory for data, plots, verdicts and report. Default: out/PAPER, or out."
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer seeds and smaller runs: a minute or two each.")] = False,
    all_readings: Annotated[
        bool,
        typer.Option(
            "--all-readings",
            help="Try what does not hold under every other reading of the paper, too: 2.4 times the simulations.",
        ),
    ] = False,
    trace: Annotated[
        list[str] | None,
        typer.Option(
            help="Stored traces to simulate on. Default: those of the paper that are stored "
            "(infocom06-surrogate-79 or -98, infocom05, reality), other crowds (ht2009, sfhh), and generated ones in "
            "the place of those that are not."
        ),
    ] = None,
    master: Master = None,
    remote: Remote = None,
    json: Json = False,
) -> None:
    """Compute every figure of a paper (CSV, Parquet, PNG, SVG), say which of its claims hold, and write a report."""
    depth = depth_of(quick, all_readings)
    with working("loading"):
        from hunet.model.names import choose
        from hunet.studies.contents import counts_by_paper, of_papers
        from hunet.studies.papers.papers import PAPERS
        from hunet.studies.tables import write_table
        from hunet.sweeps.runner import Runner

        choose("paper", paper, {**PAPERS, _ALL: None})
    names = list(PAPERS) if paper == _ALL else [paper]
    top = out or (Path("out") if paper == _ALL else Path("out") / paper)
    done = {}
    for number, name in enumerate(names, start=1):
        if len(names) > 1:
            typer.echo(f"{name}, {number} of {len(names)} papers", err=True)
        folder = top / name if paper == _ALL else top
        done[name] = reproduce_one(name, folder, depth, trace or [], Runner.spark(master, remote))
    every = list(done.values())
    if paper == _ALL:
        write_table(top / "papers", counts_by_paper(every))
        pages = _write_pages(top) if quick else {}
        describe_folder(top, lambda asked: of_papers(asked, every, pages))
    report = write_report(top, top / "report.html")
    rows = {name: [verdict.row() for verdict in one.verdicts] for name, one in done.items()}
    if json:
        told = [{"paper": name, "claims": found} for name, found in rows.items()]
        print_json(told if paper == _ALL else told[0])
        return
    if paper == _ALL:
        print_table("Claims of the papers", counts_by_paper(every))
    else:
        print_table(f"Claims of {paper}", rows[paper], _HEADINGS)
    counts = Counter(row["verdict"] for found in rows.values() for row in found)
    typer.echo(f"{', '.join(f'{count} {word}' for word, count in counts.most_common())}, of {counts.total()} claims")
    typer.echo(f"data and plots by the id of each figure, and the verdicts: {top}")
    typer.echo(report)
    if paper == _ALL and quick:
        typer.echo(f"and a network to watch, which the report links: {top / 'watch.html'}")


def _write_pages(folder: Path) -> dict[str, str]:
    """Write a page to watch beside the report; says what it shows."""
    with working("a simulation to watch"):
        from hunet.api.demonstration import demonstration

        page = demonstration()
        page.save(folder / "watch.html")
    return {"Watch B-SUB and PUSH at work": "watch.html"}


def depth_of(quick: bool, all_readings: bool) -> Depth:
    """What the options ask for."""
    from hunet.studies.papers.depth import Depth

    if quick and all_readings:
        raise typer.BadParameter("give either --quick or --all-readings", param_hint="--all-readings")
    return Depth(quick, all_readings)


def reproduce_one(name: str, folder: Path, depth: Depth, traces: Sequence[str], runner: Runner) -> Reproduction:
    """Reproduce a paper in a folder that describes itself, with bars on stderr."""
    from hunet.model.names import choose
    from hunet.studies.contents import of_reproduction
    from hunet.studies.papers.papers import PAPERS
    from hunet.studies.papers.reproduce import reproduce as run

    done = run(choose("paper", name, PAPERS), store(), traces, depth, runner, folder, _watcher())
    describe_folder(folder, lambda asked: of_reproduction(asked, name, done))
    return done


def _watcher() -> Watcher:
    """Shows on stderr how far a reproduction is."""
    from hunet.studies.papers.reproduce import Watcher

    class Bars(Watcher):
        def note(self, sentence: str) -> None:
            typer.echo(sentence, err=True)

        def working(self, what: str) -> AbstractContextManager[None]:
            return working(what)

        @contextmanager
        def computing(self) -> Iterator[Told]:
            with progress_bar("computing") as told:
                yield lambda name, done, total: told(f"computing {name}", done, total)

        def simulating(self, folder: Path) -> AbstractContextManager[Callable[[int, int, int], None]]:
            return sweeping(folder)

    return Bars()
