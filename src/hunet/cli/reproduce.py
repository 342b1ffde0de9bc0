"""`hunet reproduce`: the figures and claims of a paper, computed anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hunet.cli.context import Master, Remote, folder_to_write, kept_runs, store
from hunet.cli.output import Json, describe_folder, print_json, print_table, working
from hunet.cli.report import write_report
from hunet.progress import progress_bar

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
    quick: Annotated[bool, typer.Option("--quick", help="Fewer seeds and smaller runs: minutes in all.")] = False,
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
    folders = {name: top / name if paper == _ALL else top for name in names}
    done: dict[str, Reproduction] = {}
    pages: dict[str, str] = {}

    def watchable() -> None:
        if paper == _ALL and quick:
            pages.update(_write_pages(top))

    reproduce_papers(folders, depth, trace or [], Runner.spark(master, remote), done.__setitem__, watchable)
    every = list(done.values())
    if paper == _ALL:
        write_table(top / "papers", counts_by_paper(every))
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
    from hunet.api.demonstration import demonstration

    folder.mkdir(parents=True, exist_ok=True)
    demonstration().save(folder / "watch.html")
    return {"Watch B-SUB and PUSH at work": "watch.html"}


def depth_of(quick: bool, all_readings: bool) -> Depth:
    """What the options ask for."""
    from hunet.studies.papers.depth import Depth

    if quick and all_readings:
        raise typer.BadParameter("give either --quick or --all-readings", param_hint="--all-readings")
    return Depth(quick, all_readings)


def reproduce_papers(
    folders: Mapping[str, Path],
    depth: Depth,
    traces: Sequence[str],
    runner: Runner,
    ready: Callable[[str, Reproduction], None],
    first: Callable[[], None] = lambda: None,
) -> None:
    """Reproduce papers, each in a folder that describes itself, with a bar over all of it on stderr."""
    from hunet.studies.contents import of_reproduction
    from hunet.studies.papers.papers import PAPERS
    from hunet.studies.papers.reproduce import reproduce as run

    many = len(folders) > 1
    count = 0

    def described(name: str, done: Reproduction) -> None:
        nonlocal count
        describe_folder(folders[name], lambda asked: of_reproduction(asked, name, done))
        ready(name, done)
        count += 1
        if many:
            typer.echo(f"{name} is reproduced, {count} of {len(folders)} papers", err=True)

    papers = {name: (PAPERS[name], folder) for name, folder in folders.items()}
    with _watching() as watcher:
        run(papers, store(), traces, depth, runner, described, watcher, first)


@contextmanager
def _watching() -> Iterator[Watcher]:
    """Shows on stderr how far a reproduction is; Ctrl-C ends the command and says what is kept."""
    from hunet.studies.papers.reproduce import Watcher

    said = set()
    kept = "what is done is kept; the same command goes on from there"

    class Bar(Watcher):
        def note(self, sentence: str) -> None:
            if sentence not in said:
                typer.echo(sentence, err=True)
            said.add(sentence)

        def at(self, what: str, share: float) -> None:
            told(what, round(100 * share), 100)

        def simulated(self, folder: Path, done: int, total: int) -> None:
            nonlocal kept
            if done:
                kept = kept_runs(folder, done, total)

    try:
        with progress_bar("reading or generating the traces") as told:
            yield Bar()
    except KeyboardInterrupt:
        typer.echo(f"stopped: {kept}", err=True)
        raise typer.Exit(130) from None
