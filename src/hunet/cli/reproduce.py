"""`hunet reproduce`: the figures and claims of a paper, computed anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hunet.cli.context import Master, Remote, folder_to_write, kept_runs
from hunet.cli.output import Json, asked, print_json, print_table, working
from hunet.cli.report import print_report
from hunet.progress import progress_bar

if TYPE_CHECKING:
    from hunet.studies.papers.depth import Depth
    from hunet.studies.papers.reproduce import Watcher

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
        import hunet as hn
        from hunet.api.reproducing import ALL
        from hunet.api.reproducing import reproduce as run
    with watching() as watcher:
        done = run(paper, out, depth, trace or [], hn.Runner.spark(master, remote), watcher, asked())
    if json:
        told = [{"paper": name, "claims": found} for name, found in done.claims.items()]
        print_json(told if paper == ALL else told[0])
        return
    if paper == ALL:
        print_table("Claims of the papers", done.counts)
    else:
        print_table(f"Claims of {paper}", done.claims[paper], _HEADINGS)
    counts = Counter(row["verdict"] for found in done.claims.values() for row in found)
    typer.echo(f"{', '.join(f'{count} {word}' for word, count in counts.most_common())}, of {counts.total()} claims")
    typer.echo(f"data and plots by the id of each figure, and the verdicts: {done.folder}")
    print_report(done.report)
    if done.watch is not None:
        typer.echo(f"and a network to watch, which the report links: {done.watch}")


def depth_of(quick: bool, all_readings: bool) -> Depth:
    """What the options ask for."""
    from hunet.studies.papers.depth import Depth

    if quick and all_readings:
        raise typer.BadParameter("give either --quick or --all-readings", param_hint="--all-readings")
    return Depth(quick, all_readings)


@contextmanager
def watching() -> Iterator[Watcher]:
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
