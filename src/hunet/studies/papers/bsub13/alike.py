"""How often two nodes that meet know a tag equally well, and B-SUB sees no reason to pass a message on ([bsub13] 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hunet.protocols import make_settings
from hunet.protocols.bsub13 import BSUB13
from hunet.protocols.protocol import World
from hunet.sim.simulate import simulate
from hunet.sim.workload.workload import Workload
from hunet.sweeps.data import read_table
from hunet.sweeps.experiment import Answer, Experiment

__all__ = ["ALIKE", "EXTRAS", "count_alike"]

EXTRAS = (
    "false_positives",
    "encodings",
    "relayed_tags",
    "relayed_tags_exact",
    "distinct_counters",
    "saturated_counters",
)
"""What is measured of B-SUB's filters in every run of [bsub13]: with the same everywhere, its loop is compiled once."""


def count_alike(inputs: Mapping[str, Any], seed: int) -> Answer:
    """An experiment: of the preferential queries that meetings on the last day would ask at the end, how many give 0.

    Asked are tags that both know; equal counters give a preference of 0, and a message stays where it is.
    """
    trace = read_table(inputs["trace"], "contacts"), read_table(inputs["trace"], "nodes")
    about = read_table(inputs["workload"], "about").to_pylist()[0]
    tables = {name: read_table(inputs["workload"], name) for name in ("messages", "interests")}
    settings = {"decay_cycle": inputs["cycle"]}
    result = simulate(trace, Workload(**tables, **about), "bsub13", seed, settings=settings, measures=EXTRAS)
    state = result.outcome.state
    late = (state.tick.max() - state.tick)[:, None]  # brought to one time
    table = BSUB13.prepare(make_settings(BSUB13, settings), World(1, about["tags"], 1)).table
    relay = np.maximum(state.relay.astype(np.int64) - late, 0)[:, table].min(axis=1)
    a, b, start = (trace[0].column(name).to_numpy() for name in ("a", "b", "start"))
    lately = start > start.max() - 86_400.0
    pairs = np.unique(np.column_stack((a[lately], b[lately])), axis=0)
    mine, theirs = relay[pairs[:, 0]], relay[pairs[:, 1]]
    asked = (mine > 0) & (theirs > 0)
    return {"alike": float((mine == theirs)[asked].mean()) if asked.any() else np.nan}, {}


ALIKE = Experiment("alike counters of bsub13", count_alike, start_seconds=20.0)
