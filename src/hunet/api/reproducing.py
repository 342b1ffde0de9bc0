"""`reproduce`: papers anew, each in a folder that can be made a page of, and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hunet.api.storing import store
from hunet.model.names import choose
from hunet.report.contents import write_contents
from hunet.report.page import write_report
from hunet.studies.claims.ledger import record, source_of
from hunet.studies.contents import Asked, counts_by_paper, of_papers, of_reproduction
from hunet.studies.papers.depth import Depth
from hunet.studies.papers.papers import PAPERS
from hunet.studies.papers.reproduce import Reproduction, Watcher
from hunet.studies.papers.reproduce import reproduce as run
from hunet.studies.tables import Table, write_table
from hunet.sweeps.runner import Runner

__all__ = ["ALL", "Reproduced", "recompute", "reproduce"]

ALL = "all"
"""In place of a paper's name."""


@dataclass(frozen=True)
class Reproduced:
    """What came of papers, by their names, below a folder with a report."""

    folder: Path
    papers: Mapping[str, Reproduction]
    report: Path
    watch: Path | None
    """A page with a network to watch, where there is one."""

    @property
    def claims(self) -> dict[str, Table]:
        """By paper, a row for each of its claims."""
        return {name: [verdict.row() for verdict in one.verdicts] for name, one in self.papers.items()}

    @property
    def counts(self) -> Table:
        """A row for each paper: how many of its claims have which verdict."""
        return counts_by_paper(list(self.papers.values()))


def reproduce(
    paper: str, out: Path | None, depth: Depth, traces: Sequence[str], runner: Runner, watcher: Watcher, asked: Asked
) -> Reproduced:
    """Compute every figure of a paper, or of all, judge every claim, and write a report; by default below out/.

    `traces` are stored ones to simulate on; without any, the paper's own or generated ones in their place.
    """
    choose("paper", paper, {**PAPERS, ALL: None})
    if paper != ALL:
        top = out or Path("out") / paper
        done = {paper: _one(paper, top, depth, traces, runner, watcher, asked)}
        return Reproduced(top, done, write_report(top, top / "report.html"), None)
    top = out or Path("out")
    done = {}
    for number, name in enumerate(PAPERS, start=1):
        watcher.note(f"{name}, {number} of {len(PAPERS)} papers")
        done[name] = _one(name, top / name, depth, traces, runner, watcher, asked)
    write_table(top / "papers", counts_by_paper(list(done.values())))
    watch = _page_to_watch(top, watcher) if depth.quick else None
    pages = {} if watch is None else {"Watch B-SUB and PUSH at work": watch.name}
    write_contents(top, of_papers(asked, list(done.values()), pages))
    return Reproduced(top, done, write_report(top, top / "report.html"), watch)


def recompute(papers: Sequence[str], depth: Depth, runner: Runner, watcher: Watcher, asked: Asked) -> None:
    """Reproduce papers, or all, below out/, and store in the ledger what is found."""
    for name in papers or PAPERS:
        done = _one(name, Path("out") / name, depth, [], runner, watcher, asked)
        sizes = {one.title: (one.nodes.num_rows, one.contacts.num_rows) for one in done.traces.found}
        record(source_of(name, *depth, done.seeds, sizes), done.verdicts)


def _one(
    name: str, folder: Path, depth: Depth, traces: Sequence[str], runner: Runner, watcher: Watcher, asked: Asked
) -> Reproduction:
    done = run(choose("paper", name, PAPERS), store(), traces, depth, runner, folder, watcher)
    write_contents(folder, of_reproduction(asked, name, done))
    return done


def _page_to_watch(folder: Path, watcher: Watcher) -> Path:
    with watcher.working("a simulation to watch"):
        from hunet.api.demonstration import demonstration

        return demonstration().save(folder / "watch.html")
