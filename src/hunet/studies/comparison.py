"""All protocols side by side, on one trace or several: what each delivers, how soon, and at what cost."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure

from hunet.protocols import PROTOCOLS, protocol_named
from hunet.report.numbers import with_interval
from hunet.report.simulation import draw_comparison, draw_standing
from hunet.sim.simulate import simulate
from hunet.sim.workload.profiles import workload_named
from hunet.studies.statistics import interval

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


def compare(where: Sequence[Where], names: Sequence[str], seeds: int) -> Iterator[list[Row]]:
    """The protocols of these names with their default settings, in this order, each as soon as it is through.

    Most of the time goes into compiling, one protocol at a time: so each runs in a process of its own, as many at once
    as there are processors.
    """
    workers = max(1, min(os.cpu_count() or 1, len(names)))
    context = multiprocessing.get_context("spawn")  # a fork would copy the threads of Arrow and numba half
    with ProcessPoolExecutor(workers, context) as pool:
        yield from pool.map(partial(_rows, where, seeds), names)


def _rows(where: Sequence[Where], seeds: int, name: str) -> list[Row]:
    return [_row(one, seeds, name) for one in where]


def _row(where: Where, seeds: int, name: str) -> Row:
    found = [_measures(where, name, seed) for seed in range(1, seeds + 1)]
    row: Row = {"trace": where.label, "protocol": name, "title": protocol_named(name).title}
    for measure in MEASURES:
        _, mean, low, high = interval(np.array([one[measure] for one in found], np.float64))
        row |= {measure: mean, f"{measure}_low": low, f"{measure}_high": high}
    return row


def _measures(where: Where, name: str, seed: int) -> Mapping[str, float]:
    workload = workload_named(where.workload, where.tables[0], seed)
    if where.ttl is not None:
        workload = replace(workload, ttl=where.ttl)
    return simulate(where.tables, workload, name, seed).measures


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
