"""A paper again: traces, figures, simulations, and a verdict on every claim, in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple

from hunet.progress import Told
from hunet.studies.claims.judging import Alone
from hunet.studies.claims.verdict import Verdict
from hunet.studies.papers.depth import Depth
from hunet.studies.papers.figures import Figure, write_figures
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.traces import Traces
from hunet.studies.tables import Table, write_table
from hunet.sweeps.runner import Progress, Runner
from hunet.traces.store import TraceStore

__all__ = ["Paper", "Reproduction", "Watcher", "reproduce"]


class Paper(NamedTuple):
    """A paper, step by step."""

    title: str
    traces: Callable[[TraceStore, Sequence[str], bool], Traces]
    """From the store, by the names that are asked for; quick or not."""
    computed: Callable[[Traces, bool], Sequence[Figure]]
    """Figures that need no simulation."""
    measure: Callable[[Traces, Depth, Path, Runner, Progress], Measured]
    """Do all simulations of this depth, in a folder."""
    simulated: Callable[[Measured, Mapping[str, Table]], Iterable[Figure]]
    """Figures that need them, and the tables of those that do not."""
    alone: Alone
    """Judges of claims that need neither."""
    judge: Callable[[Mapping[str, Table], Measured], list[Verdict]]
    """The verdicts on all others."""


class Watcher:
    """What a reproduction tells while it is at work; this one keeps it to itself."""

    def note(self, sentence: str) -> None:
        """Something that a reader should know beforehand."""

    def working(self, what: str) -> AbstractContextManager[None]:
        """While something goes on that takes a moment."""
        return nullcontext()

    def computing(self) -> AbstractContextManager[Told]:
        """While figures are computed."""
        return nullcontext(lambda name, done, total: None)

    def simulating(self, folder: Path) -> AbstractContextManager[Progress]:
        """While simulations run, whose results are kept in this folder."""
        return nullcontext(lambda done, failed, total: None)


class Reproduction(NamedTuple):
    """What came of a paper."""

    paper: Paper
    folder: Path
    traces: Traces
    figures: Sequence[Figure]
    """Whose files are in the folder."""
    verdicts: Sequence[Verdict]
    """On all claims, in the order of the ledger; `claims.csv` has them."""
    seeds: int | None
    """Of the simulations, where they are told apart."""


def reproduce(
    paper: Paper,
    store: TraceStore,
    names: Sequence[str],
    depth: Depth,
    runner: Runner,
    out: Path,
    watcher: Watcher | None = None,
) -> Reproduction:
    """Compute every figure of a paper and judge every claim; all of it is written to the folder `out`.

    `names` are stored traces to simulate on; without any, the paper's own. What was simulated in this folder before is
    not done again.
    """
    watcher = watcher or Watcher()
    with watcher.working("reading or generating the traces"):
        traces = paper.traces(store, names, depth.quick)
    for sentence in traces.absent:
        watcher.note(sentence)
    computed = paper.computed(traces, depth.quick)
    with watcher.computing() as told:
        tables = write_figures(out, computed, told)
    with watcher.simulating(out / "runs") as progress:
        measured = paper.measure(traces, depth, out / "runs", runner, progress)
        simulated = list(paper.simulated(measured, tables))
        write_figures(out, simulated)
    with watcher.working("judging the claims"):
        verdicts = sorted(
            [*(judge().verdict(claim) for claim, judge in paper.alone.items()), *paper.judge(tables, measured)]
        )
        write_table(out / "claims", [verdict.row() for verdict in verdicts])
    seeds = int(measured.runs["seed"].nunique()) if "seed" in measured.runs else None
    return Reproduction(paper, out, traces, [*computed, *simulated], verdicts, seeds)
