"""`Runner`: where the runs of sweeps are done. Runs in, tables out; what is published already is not done again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from hunet.model.errors import InvalidValueError
from hunet.pipeline.session import SparkSettings
from hunet.sweeps.backend import Do
from hunet.sweeps.compaction import Sweep, compact
from hunet.sweeps.data import Data, store_data
from hunet.sweeps.experiment import Run
from hunet.sweeps.folder import SweepFolder
from hunet.sweeps.identity import run_id
from hunet.sweeps.on_processes import on_processes
from hunet.sweeps.on_spark import on_spark
from hunet.sweeps.supervisor import USUAL_LIMITS, Limits
from hunet.traces.locking import exclusive

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Progress", "Runner"]

Progress: TypeAlias = Callable[[int, int, int], None]
"""Called with how many runs are done, how many of these failed, and how many there are."""


class Runner:
    """Where runs are done: this is what studies pass around. They cannot tell one runner's tables from another's.

    Nothing is started before there is something to do.

    >>> import hunet as hn
    >>> hn.Runner.local(processes=2), hn.Runner.spark(master="spark://somewhere:7077")
    (Runner in 2 processes, Runner on Spark (spark://somewhere:7077))
    >>> hn.Runner.local(processes=0)
    Traceback (most recent call last):
    hunet.model.errors.InvalidValueError: 0 processes can do nothing: at least 1
    """

    def __init__(self, start: Callable[[], AbstractContextManager[Do]], where: str) -> None:
        self._start = start
        self._where = where
        self._kept: ExitStack | None = None
        self._do: Do | None = None

    def __repr__(self) -> str:
        return f"Runner {self._where}"

    @classmethod
    def spark(
        cls, master: str | None = None, remote: str | None = None, *, session: SparkSession | None = None
    ) -> Runner:
        """On Spark: a master, a Connect server, or a session of yours, which stays open.

        With none of them it is what the user's Spark set-up says, else all cores of this machine.
        """
        where = "a session" if session else master or remote or "this machine, unless it is set up otherwise"
        return cls(partial(on_spark, session or SparkSettings(master, remote)), f"on Spark ({where})")

    @classmethod
    def local(cls, processes: int | None = None) -> Runner:
        """In plain processes of this machine, without a JVM; by default one for every core."""
        if processes is not None and processes < 1:
            raise InvalidValueError(f"{processes} processes can do nothing: at least 1")
        where = "in a process for every core" if processes is None else f"in {processes} processes"
        return cls(partial(on_processes, processes), where)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """What a sweep starts stays for later ones until this block ends; without it, each starts its own."""
        if self._kept is not None:  # by a block around this one
            yield
            return
        try:
            with ExitStack() as self._kept:
                yield
        finally:
            self._kept = self._do = None

    def sweep(
        self,
        runs: Sequence[Run],
        out: Path,
        *,
        limits: Limits = USUAL_LIMITS,
        retry_failed: bool = False,
        join: bool = True,
        progress: Progress = lambda done, failed, total: None,
    ) -> Sweep:
        """Do these runs, in a folder that every worker can write, and hand back their tables.

        Runs that are published in the folder are not done again; where all are, nothing is started. A run that fails,
        crashes or takes more than its limits is a row with an error; `retry_failed` does such runs again. Tables that
        experiments add are joined over all runs, unless `join` says not to (`Sweep.pieces` has them then). Ctrl-C ends
        the work of this runner; that, or the death of this process, loses the runs in flight only: call it again to go
        on.
        """
        named = {run_id(run): run for run in runs}
        if not named:
            raise InvalidValueError("a sweep needs at least one run")
        folder = SweepFolder(out.absolute())
        folder.path.mkdir(parents=True, exist_ok=True)
        with exclusive(folder.path / ".lock", f"another sweep is at work in '{out}': wait until it is done"):
            folder.clear_parts()
            well, failed = folder.published()
            if retry_failed:
                folder.forget(failed & set(named))
                failed -= set(named)
            missing = {name: run for name, run in named.items() if name not in well | failed}
            if missing:
                _store_inputs(folder, missing)
                with self._started() as do:
                    do(folder, missing, limits, lambda: _report(folder, named, progress))
            _report(folder, named, progress)
            return compact(folder, named, join)

    @contextmanager
    def _started(self) -> Iterator[Do]:
        if self._kept is None:
            with self._start() as do:
                yield do
            return
        if self._do is None:
            self._do = self._kept.enter_context(self._start())
        yield self._do


def _store_inputs(folder: SweepFolder, runs: Mapping[str, Run]) -> None:
    data = {value.hash: value for run in runs.values() for value in run.inputs.values() if isinstance(value, Data)}
    for value in data.values():
        store_data(folder.data, value)


def _report(folder: SweepFolder, runs: Mapping[str, Run], progress: Progress) -> set[str]:
    """Tell how far the sweep is, from what is published alone; hands back the runs that are still missing."""
    well, failed = folder.published()
    missing = runs.keys() - well - failed
    progress(len(runs) - len(missing), len(failed & runs.keys()), len(runs))
    return missing
