"""`hunet reproduce`: the figures and claims of a paper, computed anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hunet.cli.output import Json, print_json, print_table, working
from hunet.cli.study import progress_bar
from hunet.cli.traces import Master, Remote, store

if TYPE_CHECKING:
    from hunet.pipeline.session import SparkSettings
    from hunet.studies.verdicts import Verdict

_PAPERS = ("sptbf", "zigzag")
_HEADINGS = {"claim": "claim", "verdict": "verdict", "about": "what the paper says", "measured": "what we find"}


def reproduce(
    paper: Annotated[str, typer.Argument(help="sptbf or zigzag")],
    out: Annotated[
        Path | None, typer.Option(help="Directory for data, plots and verdicts. Default: out/PAPER.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer seeds and smaller runs: two minutes.")] = False,
    trace: Annotated[
        list[str] | None, typer.Option(help="Stored traces to simulate on. Default: a generated conference.")
    ] = None,
    master: Master = None,
    remote: Remote = None,
    json: Json = False,
) -> None:
    """Compute every figure of a paper (CSV, Parquet, PNG) and say which of its claims hold."""
    with working("loading"):
        from hunet.model.names import choose
        from hunet.pipeline.session import SparkSettings
        from hunet.studies.zigzag_reproduction import compute, route, write_claims
        from hunet.studies.zigzag_routing import conference

        choose("paper", paper, dict.fromkeys(_PAPERS))
        folder = out or Path("out") / paper
        stored = {name: store().open(name) for name in trace or []}
    if paper == "sptbf":
        if stored:
            raise typer.BadParameter("sptbf has arenas of its own, which are generated", param_hint="--trace")
        _print_claims(paper, folder, _sptbf(folder, quick, SparkSettings(master, remote)), json)
        return
    with _figures_bar() as progress:
        tables = compute(folder, quick, progress)
    with working("reading or generating the traces"):
        traces = {name: (one.contacts(), one.nodes()) for name, one in stored.items()} or conference(quick)
    told = {"done": 0}
    try:
        with progress_bar(0, told) as moved:
            routing = route(folder, traces, quick, SparkSettings(master, remote), moved)
    except KeyboardInterrupt:
        typer.echo(f"stopped: {told['done']:,} simulations are done and kept in {folder / 'runs'}", err=True)
        raise typer.Exit(130) from None
    with working("judging the claims"):
        found = write_claims(folder, tables, routing)
    _print_claims(paper, folder, found, json)


def _sptbf(folder: Path, quick: bool, spark: SparkSettings) -> list[Verdict]:
    from hunet.studies.sptbf_reproduction import compute, judge, simulate, write_claims

    with _figures_bar() as progress:
        tables = compute(folder, None, quick, progress)
    told = {"done": 0}
    try:
        with progress_bar(0, told) as moved:
            measured = simulate(folder, None, tables, quick, spark, moved)
    except KeyboardInterrupt:
        typer.echo(f"stopped: {told['done']:,} simulations are done and kept in {folder / 'runs'}", err=True)
        raise typer.Exit(130) from None
    with working("judging the claims"):
        return write_claims(folder, judge(tables, measured))


def _print_claims(paper: str, folder: Path, found: list[Verdict], json: bool) -> None:
    if json:
        print_json({"paper": paper, "folder": str(folder), "claims": [verdict._asdict() for verdict in found]})
        return
    print_table(f"Claims of {paper}", [verdict._asdict() for verdict in found], _HEADINGS)
    counts = Counter(verdict.verdict for verdict in found)
    typer.echo(", ".join(f"{count} {word}" for word, count in counts.most_common()) + f", of {len(found)} claims")
    typer.echo(f"data and plots by the id of each figure, and these verdicts: {folder}")


@contextmanager
def _figures_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on stderr while figures are computed."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("computing", total=None)
        yield lambda name, done, total: bar.update(task, description=f"computing {name}", completed=done, total=total)
