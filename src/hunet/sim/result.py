"""What a simulation hands back: numbers, deliveries, a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.sim.engine.run import Outcome

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Result"]


@dataclass(frozen=True)
class Result:
    """One run."""

    protocol: str
    settings: Mapping[str, Any]
    workload: str
    conditions: Mapping[str, Any]
    seed: int
    measures: Mapping[str, float]
    """By name; `measures.MEASURES` and `docs/simulator.md` say what each is."""
    deliveries: pa.Table
    """message, node, at, hops, and delay: one row per delivered pair, in the order of time."""
    wanted: npt.NDArray[np.int64]
    """Per message: nodes that wanted it."""
    outcome: Outcome
    """Everything else the engine noted: copies and drops per message, the log, the protocol's state at the end."""

    def plot(self) -> Figure:
        """How many of the wanted pairs were delivered how soon, and how many copies messages had."""
        from hunet.report.simulation import draw_run

        return draw_run(
            f"{self.protocol} on {self.workload}",
            self.deliveries.column("delay").to_numpy(),
            int(self.wanted.sum()),
            np.asarray(self.outcome.copies),
        )

    def __str__(self) -> str:
        shown = ("delivered", "delivery_ratio", "delay_mean", "forwards_per_delivery", "copies_net_mean")
        numbers = ", ".join(f"{name} {_short(self.measures[name])}" for name in shown)
        return f"{self.protocol} on {self.workload}, seed {self.seed}: {numbers}"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{name}</td><td>{_short(value)}</td></tr>" for name, value in self.measures.items())
        return f"<table><caption>{self.protocol} on {self.workload}, seed {self.seed}</caption>{rows}</table>"


def _short(value: float) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return "-" if math.isnan(value) else f"{value:.4g}"
