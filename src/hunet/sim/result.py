"""What a simulation hands back: numbers, deliveries, a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.model.errors import InvalidValueError
from hunet.sim.engine.content_ids import ADDED
from hunet.sim.engine.extras import EXTRAS
from hunet.sim.engine.run import Outcome
from hunet.sim.measures import MEASURES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hunet.report.table import Table
    from hunet.watch.page import Page
    from hunet.watch.show import Show

__all__ = ["Result"]


@dataclass(frozen=True, repr=False)
class Result:
    """One run."""

    protocol: str
    settings: Mapping[str, Any]
    workload: str
    conditions: Mapping[str, Any]
    seed: int
    measures: Mapping[str, float]
    """By name; `measures.MEASURES` and `docs/simulator.md` say what each is."""
    created: npt.NDArray[np.float64]
    """Per message: when it was published."""
    wanted: npt.NDArray[np.int64]
    """Per message: nodes that wanted it."""
    outcome: Outcome
    """Everything else the engine noted: copies and drops per message, the log, the protocol's state at the end."""
    trace: str = ""
    """What the trace is called, where it has a name."""
    show: Show | None = None
    """What can be watched, where the run kept its log."""

    @cached_property
    def deliveries(self) -> pa.Table:
        """message, node, at, hops, and delay: one row per delivered pair, in the order of time."""
        found = self.outcome.deliveries
        delay = found["at"].to_numpy() - self.created[found["message"].to_numpy()]
        return found.append_column("delay", pa.array(delay))

    def plot(self) -> Figure:
        """How many of the wanted pairs were delivered how soon, and how many copies messages had."""
        from hunet.report.simulation import draw_run

        return draw_run(
            f"{self.protocol} on {self.trace or self.workload}",
            self.deliveries.column("delay").to_numpy(),
            int(self.wanted.sum()),
            np.asarray(self.outcome.copies),
        )

    def watch(self, beside: Result | None = None, *, message: int | str | None = None) -> Page:
        """A page that replays the run, or two of the same trace and workload side by side on one clock.

        A notebook shows it, `save("page.html")` writes it. `message` is the number of the one it begins with.
        """
        from hunet.watch.page import page_of

        shows = [run.show for run in (self, beside) if run is not None and run.show is not None]
        if len(shows) != (1 if beside is None else 2):
            raise InvalidValueError("this run kept no log: hn.simulate(..., log=True) keeps one to watch")
        show = shows[0] if beside is None else shows[0].beside(shows[1])
        return page_of(show, None if message is None else str(message))

    @property
    def table(self) -> Table:
        """Every measure with its unit and what it says."""
        from hunet.report.table import Table

        units = {one.name: one.unit for one in MEASURES}
        titles = {one.name: one.title for one in MEASURES}
        for adds in (*EXTRAS.values(), ADDED):
            titles |= adds
        rows = [
            {"measure": name, "value": value, "unit": units.get(name, ""), "meaning": titles[name]}
            for name, value in self.measures.items()
        ]
        return Table(self.title, rows)

    @property
    def title(self) -> str:
        """What ran on what."""
        where = f"{self.trace}, " if self.trace else ""
        return f"{self.protocol} on {where}{self.workload}, seed {self.seed}"

    def __str__(self) -> str:
        from hunet.report.numbers import short

        shown = ("delivered", "delivery_ratio", "delay_mean", "forwards_per_delivery", "copies_net_mean")
        numbers = ", ".join(f"{name} {short(self.measures[name])}" for name in shown)
        return f"{self.title}: {numbers}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.table._repr_html_()
