"""ZigZag's routing on contact traces, beside PUSH, PULL and B-SUB over cells: the evaluation the paper lacks (ERR-29).

All get the same messages and range subscriptions over a camera market (`sim.range_workload`). ZigZag carries ranges;
the others have a tag per cell. A delivery counts if the message truly lies in a range of the receiver; `false_share` is
the part of what arrives, by its tag, at somebody who wants it, that does not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from matplotlib.figure import Figure as Picture

from hunet.report.study import draw_study
from hunet.sim.simulate import simulate
from hunet.sim.workload.profiles import CAMERA_CELLS, CAMERAS
from hunet.sim.workload.ranges import draw_content, generate_ranges
from hunet.studies.papers.depth import Depth
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.traces import Traces
from hunet.studies.simulations import all_runs, trace_data
from hunet.studies.statistics import means, values
from hunet.sweeps.data import Data, read_table
from hunet.sweeps.experiment import Answer, Experiment, Run
from hunet.sweeps.runner import Progress, Runner

__all__ = ["LIFETIMES", "MEASURES", "draw_routing", "measure", "run", "simulate_ranges"]

LIFETIMES = (900, 1800, 3600, 7200, 14400, 36000)
"""Seconds a subscription lives away from its owner."""

MEASURES = ("delivery_ratio", "forwards_per_delivery", "delay_mean", "false_share", "control_bytes_per_contact")
_SHOWN = {
    "delivery_ratio": ("Delivered", "of the pairs wanted"),
    "forwards_per_delivery": ("Cost", "forwards per delivery"),
    "delay_mean": ("Delay", "mean delay in s"),
}
_FAIR = {"m": 1024, "k": 3}
"""Filters of the others are as large as ZigZag's."""
_INITIAL = 5  # B-SUB's counters: a subscription lives so many decay cycles


def simulate_ranges(
    trace: tuple[pa.Table, pa.Table],
    protocol: str,
    settings: Mapping[str, Any],
    seed: int,
    spread: str = "gaussian",
) -> dict[str, float]:
    """One protocol on a trace: measures of true deliveries, whatever the protocol takes for tags."""
    profile = replace(CAMERAS if protocol == "zigzag" else CAMERA_CELLS, spread=spread)
    content = draw_content(profile, trace[0], seed)
    result = simulate(trace, generate_ranges(profile, trace[0], seed), protocol, seed, settings=settings)
    message, node = content.wanted
    others = content.messages.column("source").to_numpy()[message] != node
    nodes = trace[1].num_rows
    wanted = message[others] * nodes + node[others]
    got = result.deliveries.column("message").to_numpy() * np.int64(nodes) + result.deliveries.column("node").to_numpy()
    true = np.isin(got, wanted)
    delay = result.deliveries.column("delay").to_numpy()[true]
    forwards = result.measures["forwards"]
    return {
        "wanted": float(wanted.size),
        "delivery_ratio": _ratio(float(true.sum()), wanted.size),
        "delay_mean": float(delay.mean()) if delay.size else math.nan,
        "forwards": forwards,
        "forwards_per_delivery": _ratio(forwards, float(true.sum())),
        "false_share": _ratio(float((~true).sum()), got.size),
        "control_bytes_per_contact": result.measures["control_bytes_per_contact"],
    }


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else math.nan


def run(inputs: Mapping[str, Any], seed: int) -> Answer:
    """One run of a sweep; what is not trace, protocol or spread is a setting of the protocol."""
    trace = read_table(inputs["trace"], "contacts"), read_table(inputs["trace"], "nodes")
    settings = {name: value for name, value in inputs.items() if name not in ("trace", "protocol", "spread")}
    return simulate_ranges(trace, inputs["protocol"], settings, seed, inputs["spread"]), {}


def _kind(inputs: Mapping[str, Any]) -> str:
    return str(inputs["protocol"])


_EXPERIMENT = Experiment("zigzag routing", run, kind=_kind, start_seconds=25.0)


def measure(traces: Traces, depth: Depth, folder: Path, runner: Runner, progress: Progress) -> Measured:
    """Means with 95 % intervals over seeds, by trace, spread, protocol and lifetime (missing where there is none)."""
    seeds = range(1, 4 if depth.quick else 11)
    spreads = ("gaussian",) if depth.quick else ("uniform", "gaussian", "zipf")
    lifetimes = LIFETIMES[::2] if depth.quick else LIFETIMES
    runs = [
        one
        for trace in traces.found
        for spread in spreads
        for seed in seeds
        for one in _runs(trace.title, trace_data(*trace.trace), spread, seed, lifetimes)
    ]
    found = values(all_runs(runs, folder, runner, progress), MEASURES)
    found["lifetime"] = found["life"].astype(float).where(found["life"] > 0)
    return Measured(traces.found, means(found, ["on", "spread", "protocol", "lifetime"]))


def _runs(name: str, trace: Data, spread: str, seed: int, lifetimes: tuple[int, ...]) -> list[Run]:
    """PUSH and PULL once; ZigZag and B-SUB for each lifetime."""

    def one(protocol: str, life: int, **settings: Any) -> Run:
        inputs = {"trace": trace, "protocol": protocol, "spread": spread, **settings}
        return Run(_EXPERIMENT, inputs, seed, {"on": name, "life": life})

    swept = [
        made
        for life in lifetimes
        for made in (
            one("zigzag", life, lifetime=life, **_FAIR),
            one("bsub13", life, decay_cycle=life / _INITIAL, initial=_INITIAL, **_FAIR),
        )
    ]
    return [one("push", 0), one("pull", 0, **_FAIR), *swept]


def draw_routing(table: pd.DataFrame, trace: str, spread: str) -> Picture:
    """Delivery, cost and delay against the lifetime of subscriptions, on one trace."""
    part = table[(table["on"] == trace) & (table["spread"] == spread)]
    part = part.rename(columns={"protocol": "line", "lifetime": "x"})
    title = f"Range subscriptions on {trace}, {spread} content"
    return draw_study(title, part, _SHOWN, "seconds a subscription lives away from its owner")
