"""`hunet reproduce`: the figures and claims of a paper, computed anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.output import Json, describe_folder, print_json, print_table, working
from hunet.cli.study import progress_bar
from hunet.cli.traces import Master, Remote, store

_HEADINGS = {"claim": "claim", "verdict": "verdict", "about": "what the paper says", "measured": "what we find"}


def reproduce(
    paper: Annotated[str, typer.Argument(help="mops or zigzag")],
    out: Annotated[
        Path | None, typer.Option(help="Directory for data, plots and verdicts. Default: out/PAPER.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer seeds and smaller runs: two or three minutes.")] = False,
    trace: Annotated[
        list[str] | None,
        typer.Option(
            help="Stored traces to simulate on. Default: zigzag a generated conference; mops infocom05 and reality, "
            "where they are stored under these names, and a generated campus."
        ),
    ] = None,
    master: Master = None,
    remote: Remote = None,
    json: Json = False,
) -> None:
    """Compute every figure of a paper (CSV, Parquet, PNG) and say which of its claims hold."""
    with working("loading"):
        from hunet.model.names import choose
        from hunet.pipeline.session import SparkSettings
        from hunet.studies.contents import of_reproduction
        from hunet.studies.papers import PAPERS
        from hunet.studies.reproduction import write_claims

        steps = choose("paper", paper, PAPERS)
        folder = out or Path("out") / paper
    with working("reading or generating the traces"):
        traces = steps.traces(store(), trace or [], quick)
    for sentence in traces.absent:
        typer.echo(sentence, err=True)
    with _figures_bar() as told:
        tables = steps.compute(folder, traces, quick, told)
    counted = {"done": 0}
    try:
        with progress_bar(0, counted) as moved:
            measured = steps.simulate(folder, traces, tables, quick, SparkSettings(master, remote), moved)
    except KeyboardInterrupt:
        typer.echo(f"stopped: {counted['done']:,} simulations are done and kept in {folder / 'runs'}", err=True)
        raise typer.Exit(130) from None
    with working("judging the claims"):
        found = steps.judge(tables, measured)
        write_claims(folder, found)
    describe_folder(folder, lambda asked: of_reproduction(asked, folder, paper, traces, found))
    if json:
        print_json({"paper": paper, "folder": str(folder), "claims": [verdict._asdict() for verdict in found]})
        return
    print_table(f"Claims of {paper}", [verdict._asdict() for verdict in found], _HEADINGS)
    counts = Counter(verdict.verdict for verdict in found)
    typer.echo(", ".join(f"{count} {word}" for word, count in counts.most_common()) + f", of {len(found)} claims")
    typer.echo(f"data and plots by the id of each figure, and these verdicts: {folder}")
    typer.echo(f"a page to send: hunet report {folder}")


@contextmanager
def _figures_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on stderr while figures are computed."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("computing", total=None)
        yield lambda name, done, total: bar.update(task, description=f"computing {name}", completed=done, total=total)
