"""`compare`: protocols side by side on one trace or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hunet.api.simulating import limits
from hunet.api.sweeping import folder_or_passing, told_or_bar
from hunet.api.trace import Trace
from hunet.model.errors import InvalidValueError
from hunet.model.names import one_of
from hunet.report.table import Table
from hunet.sim.workload.profiles import PROFILES
from hunet.studies import comparison
from hunet.studies.comparison import COMPARED, Row, Where
from hunet.sweeps.runner import Progress, Runner

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True, repr=False)
class Comparison:
    """What protocols deliver, how soon and at what cost: means over seeds with 95 % intervals.

    rows     per trace and protocol: each measure, with the ends of its interval as `..._low` and `..._high`
    where    the traces with their workload, as they were compared on
    """

    rows: list[Row]
    where: list[Where]
    seeds: int

    @property
    def table(self) -> Table:
        """For people, trace by trace."""
        if len(self.where) == 1:
            return self.tables[0]
        return Table(f"{len(self.where)} traces; {self._how(self.where[0].workload)}", self.shown)

    @property
    def tables(self) -> list[Table]:
        """The same, a table for each trace."""
        return [
            Table(
                f"{one.label}; {self._how(one.workload)}",
                [{name: text for name, text in row.items() if name != "trace"} for row in self.shown
                 if row["trace"] == one.label],
            )
            for one in self.where
        ]  # fmt: skip

    @property
    def shown(self) -> list[dict[str, str]]:
        """The rows as text: means with the halves of their intervals."""
        return comparison.for_people(self.rows)

    def _how(self, workload: str) -> str:
        return f"workload {workload}; mean over {self.seeds} seeds ± 95 % interval"

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a frame."""
        import pandas as pd

        return pd.DataFrame(list(self.rows))

    def plot(self) -> Figure:
        """On one trace delivery against copies, on several all that counts, trace by trace."""
        return comparison.picture(self.rows)

    def __repr__(self) -> str:
        return str(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def compare(
    traces: Trace | Sequence[Trace],
    protocols: Sequence[str] | None = None,
    *,
    workload: str = "bsub13",
    ttl: str | float | None = None,
    seeds: int = 5,
    runner: Runner | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Simulate protocols with their default settings, over seeds.

    traces            a trace, or several of different names
    protocols         names (`hn.names("protocol")`); all of them by default
    workload          the name of one (`hn.names("workload")`), made anew with each seed
    ttl               how long messages live, in place of the workload's: "10h", 600
    seeds             how many seeds of all chance
    runner            where it is done; by default `hn.Runner.local()`, in processes of this machine
    out, progress     as of `hn.sweep`

    The comparison shows itself; `rows` and `to_pandas()` have the numbers, `plot()` draws.

    >>> import hunet as hn
    >>> t = hn.generate("conference", nodes=8, days=1, contacts_per_day=20)
    >>> found = hn.compare(t, ["push"], seeds=2, runner=hn.Runner.local(1))
    >>> [(row["protocol"], row["delivery_ratio"] > 0.5) for row in found.rows]
    [('push', True)]
    """
    several = [traces] if isinstance(traces, Trace) else list(traces)
    names = [one_of("protocol", name, COMPARED) for name in protocols or COMPARED]
    one_of("workload", workload, PROFILES)
    if seeds < 1:
        raise InvalidValueError(f"{seeds} seeds: a comparison needs at least 1")
    if len({trace.title for trace in several}) < len(several):
        raise InvalidValueError("two of these traces have the same name: tell them apart by hn.generate(..., name=...)")
    life = limits(ttl=ttl).get("ttl")
    where = [Where(trace.title, (trace.contacts, trace.nodes), workload, life) for trace in several]
    with folder_or_passing(out) as folder, told_or_bar(progress) as told:
        rows = comparison.compare(where, names, seeds, runner or Runner.local(), folder, told)
    return Comparison(rows, where, seeds)
