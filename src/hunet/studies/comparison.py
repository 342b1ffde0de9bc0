"""All protocols side by side on one trace: what each delivers, how soon, and at what cost. `make demo` shows it."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypedDict

import pyarrow as pa

from hunet.protocols import PROTOCOLS, protocol_named
from hunet.protocols.mops import MOPS
from hunet.protocols.zigzag import ZIGZAG
from hunet.report.simulation import draw_comparison
from hunet.report.style import save
from hunet.sim.generate import generate
from hunet.sim.profiles import BSUB13
from hunet.sim.simulate import simulate
from hunet.sim.workload import Workload
from hunet.traces.generators.conference import CONFERENCE

__all__ = ["COMPARED", "ComparisonRow", "compare", "conference", "draw"]

COMPARED = tuple(protocol.name for protocol in PROTOCOLS if protocol not in (ZIGZAG, MOPS))
"""Protocols that route by tags and need no history. ZigZag, made for ranges, and MOPS: see `hunet reproduce`."""


Tables: TypeAlias = tuple[pa.Table, pa.Table]


class ComparisonRow(TypedDict):
    """One protocol."""

    protocol: str
    title: str
    delivered: int
    delivery_ratio: float
    delay_mean: float
    forwards_per_delivery: float
    copies_ever_mean: float
    drops_per_node: float
    control_bytes_per_contact: float


def conference(seed: int = 1) -> tuple[Tables, Workload]:
    """A generated conference of 79 people and 3 days, with the workload of B-SUB 2013 and messages that live 10 h."""
    made = CONFERENCE.generate(CONFERENCE.settings(), seed)
    workload = generate(BSUB13, made.contacts, seed)
    return (made.contacts, made.nodes), Workload(
        "bsub13, 10 h", workload.messages, workload.interests, workload.tags, 36000.0, workload.buffer
    )


def compare(trace: Tables, workload: Workload, names: Sequence[str], seed: int = 1) -> Iterator[ComparisonRow]:
    """The protocols of these names with their default settings, in this order, each as soon as it is through.

    Most of the time goes into compiling, one protocol at a time: so each runs in a process of its own, as many at once
    as there are processors.
    """
    workers = max(1, min(os.cpu_count() or 1, len(names)))
    context = multiprocessing.get_context("spawn")  # a fork would copy the threads of Arrow and numba half
    with ProcessPoolExecutor(workers, context) as pool:
        yield from pool.map(partial(_row, trace, workload, seed), names)


def _row(trace: Tables, workload: Workload, seed: int, name: str) -> ComparisonRow:
    protocol = protocol_named(name)
    found = simulate(trace, workload, protocol, seed).measures
    return ComparisonRow(
        protocol=protocol.name,
        title=protocol.title,
        delivered=int(found["delivered"]),
        delivery_ratio=found["delivery_ratio"],
        delay_mean=found["delay_mean"],
        forwards_per_delivery=found["forwards_per_delivery"],
        copies_ever_mean=found["copies_ever_mean"],
        drops_per_node=found["drops_per_node"],
        control_bytes_per_contact=found["control_bytes_per_contact"],
    )


def draw(title: str, rows: Sequence[ComparisonRow], path: Path) -> Path:
    """The picture of delivery against copies."""
    points: list[Mapping[str, float | str]] = [
        {
            "protocol": row["protocol"],
            "copies": row["copies_ever_mean"],
            "delivery_ratio": row["delivery_ratio"],
            "delay": row["delay_mean"],
        }
        for row in rows
    ]
    return save(draw_comparison(title, points), path)
