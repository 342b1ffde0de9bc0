"""A paper again: traces, figures, simulations, and a verdict on every claim, in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import NamedTuple

import pandas as pd

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

_PARTS = {"computing": 0.3, "simulating": 0.5, "drawing": 0.1, "judging": 0.1}
"""What a paper's share of the whole is made of."""


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
        """Something that a reader should know beforehand; each is told once."""

    def at(self, what: str, share: float) -> None:
        """What is being done, and how much of all that there is to do is done, from 0 to 1; from any thread."""

    def simulated(self, folder: Path, done: int, total: int) -> None:
        """How many simulations of a paper are done and kept in a folder, and how many there are; from any thread."""


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
    """Of the simulations."""


def reproduce(
    papers: Mapping[str, tuple[Paper, Path]],
    store: TraceStore,
    names: Sequence[str],
    depth: Depth,
    runner: Runner,
    ready: Callable[[str, Reproduction], None],
    watcher: Watcher | None = None,
    first: Callable[[], None] = lambda: None,
) -> None:
    """Compute every figure of papers and judge every claim; each paper is handed over when it is `ready`.

    papers:  by name, each with the folder that all of it is written to
    names:   stored traces to simulate on; without any, each paper's own
    first:   something else to do, while simulations begin

    What was simulated in a folder before is not done again. A thread of its own has simulations done, one paper after
    the other: Spark starts, loops are compiled and simulations run while figures are computed and drawn, here.
    """
    watcher = watcher or Watcher()
    far = _HowFar(papers, watcher)
    stop = Event()

    def simulate(name: str, traces: Future[Traces]) -> Measured:
        paper, folder = papers[name]

        def progress(done: int, failed: int, total: int) -> None:
            if stop.is_set():
                raise CancelledError
            far.at(name, "simulating", f"{done:,} of {total:,} simulations of {name}", done / total)
            watcher.simulated(folder / "runs", done, total)

        far.at(name, "simulating", f"simulations of {name} begin", 0.0)
        return paper.measure(traces.result(), depth, folder / "runs", runner, progress)

    with runner.kept(), ThreadPoolExecutor(1) as behind:
        try:
            begun = {}
            for name, (paper, _) in papers.items():
                traces = behind.submit(paper.traces, store, names, depth.quick)
                begun[name] = traces, behind.submit(simulate, name, traces)
            first()
            for name, (traces, measured) in begun.items():
                paper, folder = papers[name]
                ready(name, _write(name, paper, folder, depth.quick, traces.result(), measured, far, watcher))
        except BaseException:
            stop.set()
            behind.shutdown(cancel_futures=True)
            raise


def _write(
    name: str,
    paper: Paper,
    out: Path,
    quick: bool,
    traces: Traces,
    simulated: Future[Measured],
    far: _HowFar,
    watcher: Watcher,
) -> Reproduction:
    for sentence in traces.absent:
        watcher.note(sentence)
    computed = paper.computed(traces, quick)
    tables = write_figures(out, computed, far.figures(name, "computing"))
    far.at(name, "drawing", "", 0.0)
    measured = simulated.result()
    drawn = list(paper.simulated(measured, tables))
    write_figures(out, drawn, far.figures(name, "drawing"))
    far.at(name, "judging", f"judging the claims of {name}", 0.0)
    alone = [judge().verdict(claim) for claim, judge in paper.alone.items()]
    verdicts = sorted([*alone, *paper.judge(tables, measured)])
    write_table(out / "claims", [verdict.row() for verdict in verdicts])
    far.at(name, "judging", "", 1.0)
    return Reproduction(paper, out, traces, [*computed, *drawn], verdicts, _seeds(measured.runs))


def _seeds(runs: pd.DataFrame) -> int | None:
    """How many seeds there are, whether runs are told apart or their means say of how many they are."""
    if "seed" in runs:
        return int(runs["seed"].nunique())
    return int(runs["runs"].max()) if "runs" in runs else None


class _HowFar:
    """How far all papers together are. Two threads tell: one of simulations, one of everything else."""

    def __init__(self, papers: Iterable[str], watcher: Watcher) -> None:
        self._done = {(paper, part): 0.0 for paper in papers for part in _PARTS}
        self._now = {"simulating": "", "": ""}
        self._watcher = watcher

    def at(self, paper: str, part: str, what: str, share: float) -> None:
        """What is being done for a part of a paper, nothing while it waits for the other; and how far that part is."""
        self._done[paper, part] = share
        self._now[part if part in self._now else ""] = what
        weights = sum(_PARTS[part] for _, part in self._done)
        done = sum(_PARTS[part] * share for (_, part), share in self._done.items())
        self._watcher.at("; ".join(filter(None, self._now.values())), done / weights)

    def figures(self, paper: str, part: str) -> Told:
        """For who computes or draws figures."""
        return lambda figure, done, total: self.at(paper, part, f"{part} {figure}", (done + 1) / total)
