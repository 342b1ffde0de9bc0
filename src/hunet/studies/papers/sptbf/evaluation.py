"""The evaluation of [sptbf] 4 again: bytes saved by interest-based sharing, in two arenas (Fig. 4 to 6).

100 walkers for 20 minutes in a square of 1 or 5 km. What the paper does not print (AMB-67) is in `Readings`, and
`sensitivity` shows what each of these does to the savings. Every figure is a table with a row per point: means over
seeds with 95 % intervals. Savings count where coverage is at least 0.95 of the agnostic variant's; coverage stands
beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hunet.protocols.grapevine_wire import VALUE_BYTES
from hunet.sim.sharing.beaconing import Beaconing
from hunet.studies.papers.depth import Depth
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.traces import Traces
from hunet.studies.sharing import savings_of, sharing_run
from hunet.studies.simulations import all_runs, trace_data
from hunet.studies.statistics import interval
from hunet.sweeps.data import Data
from hunet.sweeps.experiment import Run
from hunet.sweeps.runner import Progress, Runner
from hunet.traces.generators.mass_mobility import MASS_MOBILITY, MassMobilitySettings

__all__ = ["ARENAS", "HOPS", "VARIATIONS", "Readings", "applications", "measure", "percents", "sensitivity", "sizes"]

ARENAS = {"sparse": 5000.0, "dense": 1000.0}
"""Sides of the squares, metres."""
HOPS = (1, 2, 3)


class _Grid(NamedTuple):
    percents: Sequence[int]
    applications: Sequence[int]
    size_percents: Sequence[int]
    """In Fig. 6."""
    sizes: Sequence[int]
    """Slots of the interest summary in Fig. 6."""
    seeds: int
    few_seeds: int
    """Where readings are varied."""
    seconds: float


_WHOLE = _Grid(
    percents=(5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100),
    applications=(1, 2, 3, 4, 5, 6, 8, 10),
    size_percents=(5, 10, 30, 50, 70, 90),
    sizes=(16, 32, 50, 64, 100, 150, 200, 300),
    seeds=10,
    few_seeds=5,
    seconds=1200.0,
)
_QUICK = _Grid(
    percents=(10, 30, 50, 70, 100),
    applications=(1, 4, 10),
    size_percents=(10, 30, 70),
    sizes=(32, 100, 200),
    seeds=2,
    few_seeds=2,
    seconds=300.0,
)
_FIG_6_HOPS = 3
_SENSITIVE_HOPS, _SENSITIVE_PERCENTS = 2, (10, 30, 70)
_TABLE = 128  # room for everybody
_SAME = ["arena", "allocation", "amount", "hops", "range", "period", "lifetime", "loss", "seed"]
"""What an interest-aware run shares with the agnostic run that it is compared with."""


@dataclass(frozen=True)
class Readings:
    """What the paper leaves open, as we read it (AMB-67)."""

    range: float = 250.0
    """Metres: what simulators take for 802.11b. At 100 m the sparse arena is mostly nodes that nobody hears."""
    period: float = 5.0
    """Seconds between beacons."""
    lifetime: int = 30
    """Seconds an interest is believed."""
    m: int = 100
    k: int = 3
    loss: float = 0.0


VARIATIONS: Mapping[str, Sequence[float]] = {
    "range": (50.0, 100.0, 175.0, 250.0),
    "period": (1.0, 5.0, 10.0),
    "lifetime": (10, 30, 60),
    "m": (32, 100, 200),
    "k": (1, 3, 5),
    "loss": (0.0, 0.1, 0.3),
}
"""Each is varied by itself; the others keep our readings."""
VALUE_SIZES = (1, 4, 16)
"""Bytes per value, which need no runs of their own."""


@lru_cache(maxsize=256)
def _trace(side: float, radius: float, seconds: float, seed: int) -> Data:
    settings = MassMobilitySettings(side=side, radius=radius, seconds=seconds, keep_positions=False)
    made = MASS_MOBILITY.generate(settings, seed)
    return trace_data(made.contacts, made.nodes)


@dataclass(frozen=True)
class _Point:
    """One scenario."""

    arena: str
    allocation: tuple[str, int]
    hops: int
    readings: Readings = Readings()
    exact: bool = False
    """Whether exact sets are simulated, too."""

    def runs(self, seconds: float, seed: int) -> Iterator[Run]:
        """The runs of this scenario with this seed, one per variant."""
        readings = self.readings
        trace = _trace(ARENAS[self.arena], readings.range, seconds, seed)
        shared = {"hops": self.hops, "lifetime": readings.lifetime, "table": _TABLE, "m": readings.m, "k": readings.k}
        for variant in ("agnostic", "sptbf", "exact") if self.exact else ("agnostic", "sptbf"):
            yield sharing_run(
                trace,
                seconds,
                self.allocation,
                seed,
                {"interests": variant, **shared},
                Beaconing(period=readings.period, jitter=readings.period / 10, loss=readings.loss),
                {"arena": self.arena, "range": readings.range},
            )


def _points(grid: _Grid) -> Iterator[tuple[_Point, int]]:
    """Every scenario with the number of its seeds."""
    for arena in ARENAS:
        for hops in HOPS:
            for percent in grid.percents:
                yield _Point(arena, ("percent", percent), hops), grid.seeds
            for count in grid.applications:
                yield _Point(arena, ("applications", count), hops), grid.seeds
        for percent in grid.size_percents:
            for m in grid.sizes:
                yield _Point(arena, ("percent", percent), _FIG_6_HOPS, Readings(m=m), exact=True), grid.seeds
        for name, found in VARIATIONS.items():
            for value in found:
                for percent in _SENSITIVE_PERCENTS:
                    readings = replace(Readings(), **{name: value})  # type: ignore[arg-type]
                    yield _Point(arena, ("percent", percent), _SENSITIVE_HOPS, readings), grid.few_seeds


def measure(_traces: Traces, depth: Depth, folder: Path, runner: Runner, progress: Progress) -> Measured:
    """All runs: one row per interest-aware run with what it saved. The walkers need no traces."""
    grid = _QUICK if depth.quick else _WHOLE
    runs = [
        one for point, seeds in _points(grid) for seed in range(1, seeds + 1) for one in point.runs(grid.seconds, seed)
    ]
    return Measured([], savings_of(all_runs(runs, folder, runner, progress), _SAME))


_SHOWN = (
    "bytes_agnostic",
    "bytes",
    "savings",
    "savings_with_headers",
    "savings_where_heard",
    "unheard_share",
    "coverage_agnostic",
    "coverage",
    "relative_coverage",
    "coverage_now_agnostic",
    "coverage_now",
    "neighbours",
)


def percents(found: pd.DataFrame) -> pd.DataFrame:
    """SPTBF-F4: savings against the percentage of labels that each node wants."""
    return _means(_usual(_filters(found, "percent")), ["arena", "hops", "amount"], _SHOWN)


def applications(found: pd.DataFrame) -> pd.DataFrame:
    """SPTBF-F5: savings against the number of applications."""
    return _means(_usual(_filters(found, "applications")), ["arena", "hops", "amount"], _SHOWN)


def sizes(found: pd.DataFrame) -> pd.DataFrame:
    """SPTBF-F6: what false positives cost, against the slots of the interest summary.

    `lost_savings` are the points that would have been saved, had no filter erred: the context of exact sets with the
    same interest summary. `fpr` is how often a label that nobody near wants was sent by who has it.
    """
    exact = found[found["interests"] == "exact"][[*_SAME, "context_bytes", "own_values"]]
    mine = _usual(_filters(found, "percent"), but="m")
    pairs = mine.merge(exact, on=_SAME, suffixes=("", "_exact"), validate="many_to_one")
    more = pairs["context_bytes"] - pairs["context_bytes_exact"]
    pairs["lost_savings"] = 100 * more / pairs["bytes_agnostic"]
    pairs["bytes_exact_sets"] = pairs["bytes"] - more
    unwanted = pairs["own_values_agnostic"] - pairs["own_values_exact"]
    pairs["fpr"] = (pairs["own_values"] - pairs["own_values_exact"]) / unwanted.where(unwanted > 0)
    shown = ("bytes", "bytes_exact_sets", "savings", "lost_savings", "fpr", "relative_coverage")
    return _means(pairs, ["arena", "amount", "m"], shown)


def sensitivity(found: pd.DataFrame) -> pd.DataFrame:
    """AMB-67: savings with each of our readings varied by itself, and with values of other sizes."""
    some = _filters(found, "percent")
    some = some[some["hops"] == _SENSITIVE_HOPS]
    seeds = some[some["range"] != Readings().range]["seed"].unique()
    some = some[some["amount"].isin(_SENSITIVE_PERCENTS) & some["seed"].isin(seeds)]
    parts = []
    for name in VARIATIONS:
        means = _means(_usual(some, but=name), ["arena", "amount", name], _SHOWN)
        parts.append(means.rename(columns={name: "value"}).assign(reading=name))
    usual = _usual(some)
    for size in VALUE_SIZES:
        more = size - VALUE_BYTES
        parts_of = [usual[f"bytes{end}"] + more * usual[f"values{end}"] for end in ("", "_agnostic")]
        changed = usual.assign(savings=100 * (1 - parts_of[0] / parts_of[1]))
        means = _means(changed, ["arena", "amount"], ("savings", "coverage", "relative_coverage"))
        parts.append(means.assign(reading="value_bytes", value=float(size)))
    return pd.concat(parts, ignore_index=True)


def _filters(found: pd.DataFrame, allocation: str) -> pd.DataFrame:
    """Runs with filters, by their allocation of interests."""
    return found[(found["interests"] == "sptbf") & (found["allocation"] == allocation)]


def _usual(found: pd.DataFrame, but: str = "") -> pd.DataFrame:
    """Runs with our readings of all that the paper does not say, except one."""
    for name, value in asdict(Readings()).items():
        if name != but:
            found = found[found[name] == value]
    return found


def _means(found: pd.DataFrame, by: list[str], shown: Sequence[str]) -> pd.DataFrame:
    """A row per combination of `by`: n_seeds, and the mean of each measure with the ends of its interval."""
    rows = []
    for key, part in found.groupby(by, sort=True):
        row: dict[str, Any] = dict(zip(by, key, strict=True), n_seeds=len(part))
        for name in shown:
            _, mean, low, high = interval(part[name].to_numpy(np.float64))
            row |= {name: mean, f"{name}_lo": low, f"{name}_hi": high}
        rows.append(row)
    return pd.DataFrame(rows)
