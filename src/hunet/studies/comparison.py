"""All protocols side by side, on one trace or several: what each delivers, how soon, and at what cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure

from hunet.protocols import PROTOCOLS, protocol_named
from hunet.report.numbers import with_interval
from hunet.report.simulation import draw_comparison, draw_standing
from hunet.studies.simulations import Simulation, all_runs, trace_data
from hunet.studies.statistics import interval
from hunet.sweeps.identity import run_id
from hunet.sweeps.runner import Progress, Runner

__all__ = ["COMPARED", "MEASURES", "Row", "Where", "compare", "for_people", "picture"]

COMPARED = tuple(protocol.name for protocol in PROTOCOLS)
"""ZigZag, made for ranges, takes tags as cells here. MOPS and Neighbors are told who is close to whom, from the first
40 % of the trace."""

MEASURES: Mapping[str, tuple[str, float]] = {
    "delivery_ratio": ("share delivered", 1.0),
    "delay_mean": ("mean delay, min", 60.0),
    "copies_ever_mean": ("copies", 1.0),
    "control_bytes_per_contact": ("control bytes", 1.0),
    "forwards_per_delivery": ("forwards per delivery", 1.0),
    "drops_per_node": ("drops per node", 1.0),
}
"""What is compared; what people call it, and in which unit they read it."""

Row: TypeAlias = dict[str, Any]
"""trace, protocol, title; of each of MEASURES its mean and, as `..._low` and `..._high`, the ends of its interval."""


class Where(NamedTuple):
    """What protocols are compared on."""

    label: str
    tables: tuple[pa.Table, pa.Table]
    workload: str = "bsub13"
    """The name of a profile, made anew with each seed."""
    ttl: float | None = None
    """Replaces the workload's."""


def compare(
    where: Sequence[Where],
    names: Sequence[str],
    seeds: int,
    runner: Runner,
    folder: Path,
    progress: Progress = lambda done, failed, total: None,
) -> list[Row]:
    """The protocols of these names with their default settings, in this order, each on every trace.

    All runs are kept in the folder: stopped, the same call goes on from there.
    """
    traces = [trace_data(*one.tables) for one in where]
    runs = {
        (name, place): [Simulation(trace, one.workload, name, ttl=one.ttl).run(seed) for seed in range(1, seeds + 1)]
        for name in names
        for place, (one, trace) in enumerate(zip(where, traces, strict=True))
    }
    done = all_runs([run for some in runs.values() for run in some], folder, runner, progress)
    found = {(row["run"], row["measure"]): row["value"] for row in done.measures.to_pylist()}
    return [
        _row(where[place].label, name, [run_id(run) for run in some], found) for (name, place), some in runs.items()
    ]


def _row(label: str, name: str, runs: Sequence[str], found: Mapping[tuple[str, str], float]) -> Row:
    row: Row = {"trace": label, "protocol": name, "title": protocol_named(name).title}
    for measure in MEASURES:
        _, mean, low, high = interval(np.array([found[run, measure] for run in runs], np.float64))
        row |= {measure: mean, f"{measure}_low": low, f"{measure}_high": high}
    return row


def for_people(rows: Sequence[Row]) -> list[dict[str, str]]:
    """The same as text, trace by trace: means with the halves of their intervals."""
    traces = list(dict.fromkeys(row["trace"] for row in rows))
    return [
        {
            "trace": row["trace"],
            "protocol": row["protocol"],
            **{
                words: with_interval(row[measure] / unit, row[f"{measure}_high"] / unit)
                for measure, (words, unit) in MEASURES.items()
            },
        }
        for row in sorted(rows, key=lambda row: traces.index(row["trace"]))
    ]


def picture(rows: Sequence[Row]) -> Figure:
    """On one trace delivery against copies, on several all that counts, trace by trace."""
    traces = list(dict.fromkeys(row["trace"] for row in rows))
    if len(traces) > 1:
        return draw_standing(rows)
    points = [
        {
            "protocol": row["protocol"],
            "copies": row["copies_ever_mean"],
            "delivery_ratio": row["delivery_ratio"],
            "delay": row["delay_mean"],
        }
        for row in rows
    ]
    return draw_comparison(traces[0], points)
