"""`compare`: protocols side by side on one trace or several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hunet.api.simulating import MODELS, limits
from hunet.api.sweeping import folder_or_passing, told_or_bar
from hunet.api.trace import Trace
from hunet.model.errors import InvalidValueError
from hunet.model.names import one_of
from hunet.protocols import protocol_named
from hunet.protocols.settings import check_settings
from hunet.report.contents import write_contents
from hunet.report.style import save
from hunet.report.table import Table
from hunet.sim.workload.profiles import PROFILES
from hunet.studies import comparison
from hunet.studies.comparison import COMPARED, Row, Where, contestant
from hunet.studies.contents import Asked, of_comparison
from hunet.studies.statistics import mean_over
from hunet.studies.tables import write_table
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
        return Table(f"{len(self.where)} traces; {self._how(self.where[0].workload)}", self.shown, whole=True)

    @property
    def tables(self) -> list[Table]:
        """The same, a table for each trace."""
        return [
            Table(
                f"{one.label}; {self._how(one.workload)}",
                [{name: text for name, text in row.items() if name != "trace"} for row in self.shown
                 if row["trace"] == one.label],
                whole=True,
            )
            for one in self.where
        ]  # fmt: skip

    @property
    def shown(self) -> list[dict[str, str]]:
        """The rows as text: means with the halves of their intervals."""
        return comparison.for_people(self.rows)

    def _how(self, workload: str) -> str:
        return f"workload {workload}{_conditions(self.where[0])}; {mean_over(self.seeds)}"

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a frame."""
        import pandas as pd

        return pd.DataFrame(list(self.rows))

    def plot(self) -> Figure:
        """On one trace delivery against transfers, on several all that counts, trace by trace."""
        return comparison.picture(self.rows)

    def save(self, folder: Path, asked: Asked) -> Path:
        """Write tables and a picture into the folder of the runs, which can then be made a page of; the picture."""
        write_table(folder / "comparison", self.rows)
        write_table(folder / "shown", self.shown)
        picture = save(self.plot(), folder / "comparison.png")
        write_contents(folder, of_comparison(asked, folder, self.where, self.rows, self.seeds))
        return picture

    def __repr__(self) -> str:
        return str(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def _conditions(where: Where) -> str:
    """What differs from the workload's, in words."""
    said = []
    if where.ttl is not None:
        said.append(f"lifetime {where.ttl / 3600:g} h" if where.ttl < math.inf else "no lifetime")
    if where.buffer is not None:
        said.append(f"buffer {where.buffer:g}" if where.buffer < math.inf else "unlimited buffers")
    if where.bytes_per_second is not None:
        said.append(
            f"{where.bytes_per_second:g} bytes/s" if where.bytes_per_second < math.inf else "unlimited bandwidth"
        )
    if where.contacts != "start":
        said.append(f"contacts {where.contacts}")
    said.append("own messages outside the buffer" if where.own_outside else "own messages in the buffer")
    return f"; {', '.join(said)}"


def compare(
    traces: Trace | Sequence[Trace],
    protocols: Sequence[str] | None = None,
    *,
    workload: str = "bsub13",
    ttl: str | float | None = None,
    buffer: str | int | None = None,
    bandwidth: str | None = None,
    contacts: str = "start",
    own_outside: bool = True,
    seeds: int = 5,
    runner: Runner | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Simulate protocols under the same conditions, over seeds; beside them, what clairvoyance could do (`hn.bound`).

    traces            a trace, or several of different names
    protocols         names (`hn.names("protocol")`), or with settings, such as "spray:copies=32"; by default all
    workload          the name of one (`hn.names("workload")`), made anew with each seed
    ttl, buffer, ...  in place of the workload's: how long messages live ("10h", 600), how many a node carries (100,
                      "unlimited"), "250kbps"
    contacts          start: one exchange when a contact begins; continuous: as long as it lasts
    own_outside       whether nodes keep what they published outside their buffers; the same for all protocols
    seeds             how many seeds of all chance
    runner            where it is done; by default `hn.Runner.local()`, in processes of this machine
    out, progress     as of `hn.sweep`

    The comparison shows itself; `rows` and `to_pandas()` have the numbers, `plot()` draws.

    >>> import hunet as hn
    >>> t = hn.generate("conference", nodes=8, days=1, contacts_per_day=20)
    >>> found = hn.compare(t, ["push"], seeds=2, runner=hn.Runner.local(1))
    >>> [(row["protocol"], row["delivery_ratio"] > 0.5) for row in found.rows]
    [('push', True), ('clairvoyant', True)]
    """
    several = [traces] if isinstance(traces, Trace) else list(traces)
    contestants = [contestant(name) for name in protocols or COMPARED]
    for one in contestants:
        try:
            check_settings(protocol_named(one.protocol), one.settings)
        except InvalidValueError as wrong:
            raise InvalidValueError(f"protocol {one.label!r}: {wrong}") from None
    one_of("contact model", contacts, MODELS)
    one_of("workload", workload, PROFILES)
    if seeds < 1:
        raise InvalidValueError(f"{seeds} seeds: a comparison needs at least 1")
    if len({trace.title for trace in several}) < len(several):
        raise InvalidValueError("two of these traces have the same name: tell them apart by hn.generate(..., name=...)")
    changes = limits(ttl=ttl, buffer=buffer, bandwidth=bandwidth)
    conditions = {name: math.inf if value is None else value for name, value in changes.items()}
    where = [
        Where(
            trace.title,
            (trace.contacts, trace.nodes),
            workload,
            contacts=contacts,
            own_outside=own_outside,
            **conditions,
        )
        for trace in several
    ]
    with folder_or_passing(out) as folder, told_or_bar(progress) as told:
        rows = comparison.compare(where, contestants, seeds, runner or Runner.local(), folder, told)
    return Comparison(rows, where, seeds)
