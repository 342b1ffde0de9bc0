"""What brokers of [bsub10] are and know, run by run: how many, how popular, what their filters hold, what they pass on.

One run is B-SUB 2010 on its workload, with its decay factor for a delay limit of 10 h and messages that live 20 h, and
the same with demotion by lot in place of degree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from hunet.filters.sizing import tune_decay_factor
from hunet.kernels import leaf
from hunet.protocols import make_settings
from hunet.protocols.bsub10 import BSUB10, Bsub10Settings
from hunet.protocols.protocol import PROMOTE, Protocol, World
from hunet.protocols.quantities import Hello, Now, Row
from hunet.protocols.wire import counter_bytes
from hunet.sim.result import Result
from hunet.sim.simulate import conditions_of, simulate
from hunet.sim.workload import profiles
from hunet.sim.workload.generate import generate
from hunet.sim.workload.workload import Workload
from hunet.sweeps.data import read_table
from hunet.sweeps.experiment import Answer, Experiment

__all__ = ["BROKERS", "CYCLE", "EXTRAS", "LIFETIME", "TUNING", "follow_brokers", "mean_nodes_met", "tune"]

CYCLE = 60 / 0.138
"""Seconds in which a counter loses 1: the paper's 0.138 per minute for a delay limit of 10 h."""
LIFETIME = 20 * 3600.0
DELAY_LIMIT = 10 * 3600.0
_WINDOW = Bsub10Settings().window
_TARGET = 0.01

EXTRAS = ("false_positives", "fill_ratio", "relayed_tags")
"""What all runs but the followed ones measure: the loop is compiled once for them."""

Trace = tuple[pa.Table, pa.Table]


@leaf
def _greet_with_a_lot(params: Any, state: Any, me: Row, now: Now, hello: Hello) -> None:
    """A number drawn by lot in place of my degree, which decides on demotion and on nothing else."""
    hello.broker[0] = state.node[me].broker
    hello.degree[0] = (np.int64(now) * 7919 + np.int64(me) * 104729) % 997


_BY_LOT = replace(BSUB10, name="bsub10-by-lot", greet=_greet_with_a_lot)


def follow_brokers(inputs: Mapping[str, Any], seed: int) -> Answer:
    """An experiment: `trace`, and `every`, the period of the least central publisher in seconds."""
    trace, workload = _scene(inputs, seed)
    result, by_lot = (
        _simulate(trace, workload, seed, CYCLE, protocol=protocol, log=True) for protocol in (BSUB10, _BY_LOT)
    )
    course, drawn = _course(trace, result), _course(trace, by_lot)
    relay = result.outcome.state.relay[result.outcome.state.node["broker"], 0]
    found = {
        "broker_share": _mean(course, "share"),
        "degree_of_brokers": _mean(course, "degree_of_brokers"),
        "degree_of_users": _mean(course, "degree_of_users"),
        "degree_of_brokers_by_lot": _mean(drawn, "degree_of_brokers"),
        "degree_of_users_by_lot": _mean(drawn, "degree_of_users"),
        "rank_correlation": _correlation(trace, workload, result),
        "short_lists": float(((relay > 0).sum(axis=1) < 32).mean()) if relay.size else np.nan,
        "largest_filter_bytes": float(max((counter_bytes(row, row.size) for row in relay), default=0)),
        "nodes_met": mean_nodes_met(trace[0], DELAY_LIMIT),
        **_of_messages(workload, result),
    }
    return found, {"brokers": pa.Table.from_pylist(course)}


def tune(inputs: Mapping[str, Any], seed: int) -> Answer:
    """An experiment: bisection on the decay factor, per second, for a conditional false-positive rate of 1 %, with
    filters of 64 positions (BSUB10-30): with 256 it is below that without any decay."""
    trace, workload = _scene(inputs, seed)
    asked: list[float] = []

    def observe(factor: float) -> float:
        asked.append(factor)
        found = _simulate(trace, workload, seed, 1 / factor, m=64, measures=EXTRAS)
        return float(found.measures["conditional_fpr"])

    factor = tune_decay_factor(observe, _TARGET, 1e-5, 1.0, steps=10)
    steps = len(asked) - 2  # besides the two ends
    return {"steps": float(steps), "tuned_factor": 60 * factor, "rate": observe(factor)}, {}


BROKERS = Experiment("brokers of bsub10", follow_brokers, start_seconds=30.0)
TUNING = Experiment("tuning of bsub10", tune, start_seconds=20.0)


def mean_nodes_met(contacts: pa.Table, span: float) -> float:
    """N of Eq. 5: how many different nodes somebody meets within such a time, on average over whole spans (AMB-08)."""
    a, b, start = (contacts.column(name).to_numpy() for name in ("a", "b", "start"))
    window = ((start - start.min()) // span).astype(np.int64)
    pairs = np.unique(np.column_stack((window, a, b)), axis=0)
    sides = np.concatenate((pairs[:, [0, 1]], pairs[:, [0, 2]]))
    who = np.unique(sides, axis=0).shape[0]
    return len(sides) / float(who)


def _scene(inputs: Mapping[str, Any], seed: int) -> tuple[Trace, Workload]:
    trace = read_table(inputs["trace"], "contacts"), read_table(inputs["trace"], "nodes")
    messages = replace(profiles.BSUB10.messages, every=inputs["every"])
    workload = generate(replace(profiles.BSUB10, messages=messages), trace[0], seed)
    return trace, replace(workload, ttl=LIFETIME)


def _simulate(
    trace: Trace,
    workload: Workload,
    seed: int,
    cycle: float,
    *,
    m: int = Bsub10Settings().m,
    protocol: Protocol = BSUB10,
    measures: Sequence[str] = (),
    log: bool = False,
) -> Result:
    settings = {"decay_cycle": cycle, "m": m}
    conditions = conditions_of(workload)
    return simulate(
        trace, workload, protocol, seed, settings=settings, conditions=conditions, measures=measures, log=log
    )


def _events(result: Result, kind: str) -> pd.DataFrame:
    assert result.outcome.log is not None
    log = result.outcome.log
    return pd.DataFrame(log.filter(pc.equal(pc.cast(log.column("kind"), pa.string()), kind)).to_pandas())


def _course(trace: Trace, result: Result) -> list[dict[str, float]]:
    """At the end of every election window: which part are brokers, and how many people each kind met in it."""
    contacts, nodes = trace
    a, b, start = (contacts.column(name).to_numpy() for name in ("a", "b", "start"))
    elections = _events(result, "election").to_dict("records")
    present = np.unique(np.concatenate((a, b)))
    rows = []
    for end in np.arange(start.min() + _WINDOW, start.max(), _WINDOW).tolist():
        broker = np.zeros(nodes.num_rows, np.bool_)
        for event in elections:
            if event["time"] <= end:
                broker[event["to"]] = event["message"] == PROMOTE
        lately = (start > end - _WINDOW) & (start <= end)
        met = np.zeros((nodes.num_rows, nodes.num_rows), np.bool_)
        met[a[lately], b[lately]] = met[b[lately], a[lately]] = True
        degree = met.sum(axis=1)
        both = degree[broker].any() and degree[~broker].any()
        rows.append(
            {
                "t": end - float(start.min()),
                "brokers": float(broker.sum()),
                "share": float(broker[present].mean()),
                "degree_of_brokers": float(degree[broker & (degree > 0)].mean()) if both else np.nan,
                "degree_of_users": float(degree[~broker & (degree > 0)].mean()) if both else np.nan,
            }
        )
    return rows


def _mean(rows: list[dict[str, float]], column: str) -> float:
    values = [row[column] for row in rows if not np.isnan(row[column])]
    return float(np.mean(values)) if values else np.nan


def _correlation(trace: Trace, workload: Workload, result: Result) -> float:
    """Rank correlation between a broker's meetings, in the last window, with those who want a tag, and its counter."""
    state = result.outcome.state
    a, b, start = (trace[0].column(name).to_numpy() for name in ("a", "b", "start"))
    lately = start > start.max() - _WINDOW
    wanted = {row["node"]: row["tag"] for row in workload.interests.to_pylist()}
    world = World(1, workload.tags, 1, peer_start=np.zeros(2, np.int64))
    table = np.asarray(BSUB10.prepare(make_settings(BSUB10, {}), world).table, np.int64)
    meetings: dict[tuple[int, str], int] = Counter()
    for one, other in zip(a[lately].tolist(), b[lately].tolist(), strict=True):
        meetings[one, wanted[other]] += 1
        meetings[other, wanted[one]] += 1
    pairs = [
        (meetings[broker, tag], int(state.relay[broker, 0][table[:, place]].min()))
        for broker in np.flatnonzero(state.node["broker"]).tolist()
        for place, tag in enumerate(workload.tags)
    ]
    if not pairs:
        return np.nan
    met, counter = np.array(pairs).T
    return float(np.corrcoef(_ranks(met), _ranks(counter))[0, 1])


def _ranks(values: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Ranks as Spearman wants them: equal values share the mean of their places."""
    _different, which, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return np.asarray((last - (count - 1) / 2)[which])


def _of_messages(workload: Workload, result: Result) -> dict[str, float]:
    """The most copies that a producer gave to brokers, what it sent after the last one, and how far expiries lie from
    the end of a message's life."""
    source = workload.messages.column("source").to_numpy()
    created = workload.messages.column("created").to_numpy()
    delivered = _events(result, "delivery")[["message", "to"]].drop_duplicates().assign(direct=True)
    forwards = _events(result, "forward").merge(delivered, on=["message", "to"], how="left")
    own = forwards[forwards["from"] == source[forwards["message"]]]
    copies = own[own["direct"].isna()]
    nth = copies.sort_values("time", kind="stable").groupby("message").cumcount() + 1
    last = copies[nth == Bsub10Settings().copies].set_index("message")["time"]
    late = own["time"] > own["message"].map(last)
    gone = _events(result, "expiry")
    off = np.abs(gone["time"].to_numpy() - created[gone["message"].to_numpy()] - LIFETIME)
    return {
        "producer_copies": float(copies["message"].value_counts().max()) if len(copies) else 0.0,
        "used_up": float(len(last)),
        "sent_later": float(late.sum()),
        "expiries": float(len(gone)),
        "expiry_off": float(off.max(initial=0.0)),
        "lost_to_buffers": float(result.measures["drops"]),
    }
