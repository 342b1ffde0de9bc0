"""What the default weight of MOPS is for: a third of the nodes change their interests half-way.

With default weight 0 brokers collect only what somebody wants already; with a small one they collect the rest, last of
all. So the question is what becomes of events for the *new* interests: those published before the change, which had to
wait for somebody to want them, and those published later. An event that a node carried already when it began to want
it has reached it; the simulator's delivery ratio does not count those, so the log is read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hunet.sim.simulate import simulate
from hunet.sim.workload.numbers import generate_numbers
from hunet.sim.workload.profiles import MOPS_CHANGING
from hunet.sim.workload.workload import Workload
from hunet.sweeps.data import Data, read_table
from hunet.sweeps.experiment import Answer, Experiment, Run

__all__ = ["changing_run", "new_pairs", "run"]

Pairs = npt.NDArray[np.int64]


def new_pairs(load: Workload) -> tuple[Pairs, npt.NDArray[np.bool_]]:
    """(message, node) for whoever wants a tag from some time on, while the message lives; was it published before?

    Nobody counts for an event of its own.
    """
    interests = load.interests.to_pandas()
    gone = set(zip(interests["node"], interests["tag"], interests["until"], strict=True))
    new = interests[np.isfinite(interests["from"])]
    new = new[[key not in gone for key in zip(new["node"], new["tag"], new["from"], strict=True)]]
    messages = load.messages.to_pandas().assign(
        message=np.arange(load.messages.num_rows), tag=lambda table: table["tags"].str[0], ttl=load.lifetimes()
    )
    both = new.merge(messages[["message", "source", "created", "ttl", "tag"]], on="tag")
    both = both[(both["source"] != both["node"]) & (both["created"] + both["ttl"] >= both["from"])]
    return both[["message", "node"]].to_numpy(np.int64), (both["created"] < both["from"]).to_numpy()


def run(inputs: Mapping[str, Any], seed: int) -> Answer:
    """One run of a sweep; what is not the trace is a setting of MOPS."""
    trace = read_table(inputs["trace"], "contacts"), read_table(inputs["trace"], "nodes")
    load = generate_numbers(MOPS_CHANGING, trace[0], seed)
    settings = {name: value for name, value in inputs.items() if name != "trace"}
    result = simulate(trace, load, "mops", seed, settings=settings, log=True)
    log = result.outcome.log
    assert log is not None
    handed = log.filter(pc.equal(log["kind"].cast(pa.string()), "forward"))
    nodes = trace[1].num_rows
    got = handed["message"].to_numpy().astype(np.int64) * nodes + handed["to"].to_numpy()
    pairs, before = new_pairs(load)
    reached = np.isin(pairs[:, 0] * nodes + pairs[:, 1], got)
    return {
        "reached_before": _share(reached[before]),
        "reached_later": _share(reached[~before]),
        "utility": result.measures["delivery_ratio_per_message"],
        "latency": result.measures["delay_mean"],
        "forwards": result.measures["forwards"] + result.measures["list_forwards"],
    }, {}


def _share(reached: npt.NDArray[np.bool_]) -> float:
    return float(reached.mean()) if reached.size else math.nan


_EXPERIMENT = Experiment("mops changing", run, start_seconds=25.0)


def changing_run(name: str, trace: Data, default_weight: float, seed: int) -> Run:
    """A run on the trace of this name."""
    return Run(_EXPERIMENT, {"trace": trace, "default_weight": default_weight}, seed, {"on": name})
