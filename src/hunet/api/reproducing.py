"""`reproduce`: papers anew, each in a folder that can be made a page of, and the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    together = paper == ALL
    top = out or (Path("out") if together else Path("out") / paper)
    folders = {name: top / name for name in PAPERS} if together else {paper: top}
    page = top / "watch.html" if together and depth.quick else None
    done: dict[str, Reproduction] = {}

    def first() -> None:
        if page is not None:
            from hunet.api.demonstration import demonstration

            demonstration().save(page)

    _papers(folders, depth, traces, runner, watcher, asked, done.__setitem__, first)
    every = list(done.values())
    if together:
        write_table(top / "papers", counts_by_paper(every))
        pages = {} if page is None else {"Watch B-SUB and PUSH at work": page.name}
        write_contents(top, of_papers(asked, every, pages))
    return Reproduced(top, done, write_report(top, top / "report.html"), page)


def recompute(papers: Sequence[str], depth: Depth, runner: Runner, watcher: Watcher, asked: Asked) -> None:
    """Reproduce papers, or all, below out/, and store in the ledger what is found."""
    for name in papers:
        choose("paper", name, PAPERS)

    def judged(name: str, done: Reproduction) -> None:
        sizes = {one.title: (one.nodes.num_rows, one.contacts.num_rows) for one in done.traces.found}
        record(source_of(name, *depth, done.seeds, sizes), done.verdicts)

    _papers({name: Path("out") / name for name in papers or PAPERS}, depth, [], runner, watcher, asked, judged)


def _papers(
    folders: Mapping[str, Path],
    depth: Depth,
    traces: Sequence[str],
    runner: Runner,
    watcher: Watcher,
    asked: Asked,
    ready: Callable[[str, Reproduction], None],
    first: Callable[[], None] = lambda: None,
) -> None:
    """Reproduce papers, each in a folder that describes itself."""
    ended: list[str] = []

    def described(name: str, done: Reproduction) -> None:
        write_contents(folders[name], of_reproduction(asked, name, done))
        ready(name, done)
        ended.append(name)
        if len(folders) > 1:
            watcher.note(f"{name} is reproduced, {len(ended)} of {len(folders)} papers")

    papers = {name: (PAPERS[name], folder) for name, folder in folders.items()}
    run(papers, store(), traces, depth, runner, described, watcher, first)
