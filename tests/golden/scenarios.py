"""Small fixed simulations of every protocol: two days of a conference, with room for all, with little, and measured.

Times are whole milliseconds: a generator draws by logarithms, and the last digit of one must not decide.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from hunet.protocols import PROTOCOLS, Protocol, protocol_named
from hunet.sim.engine.run import Conditions
from hunet.sim.result import Result
from hunet.sim.simulate import simulate
from hunet.sim.workload.generate import InterestSettings, MessageSettings, WorkloadSettings, generate
from hunet.sim.workload.ranges import RangeSettings, generate_ranges
from hunet.sim.workload.tag_pool import zipf_pool
from hunet.sim.workload.workload import Workload
from hunet.traces.generators.conference import CONFERENCE
from tests.golden.canonical import digest, rounded, table_digest

MODELS = ("start", "continuous")

SEED = 5
PEOPLE = {
    "nodes": 12,
    "days": 2,
    "contacts_per_day": 20.0,
    "acquaintances": 8.0,
    "community_size": 4,
    "shortest": 300.0,
    "length_tail": 0.7,
}
HOUR = 3600.0
MESSAGES = MessageSettings(every=8 * HOUR, smallest=1, largest=140, tags=2)
TAGS = WorkloadSettings(
    "golden",
    zipf_pool(12, 0.8),
    InterestSettings(per_node=2, stay=20 * HOUR, away=HOUR, fewest_hops=1, most_hops=4),
    MESSAGES,
    ttl=9 * HOUR,
)
POINTS = RangeSettings(
    "golden points", per_node=3, widest=1.0, bits=3, messages=replace(MESSAGES, tags=1), ttl=9 * HOUR
)
LIFETIMES = (0.0, HOUR, 4 * HOUR, 30 * HOUR, math.inf)

USUAL: dict[str, dict[str, Any]] = {"zigzag": {"m": 400}, "sptbf": {"m": 128}}
"""Defaults, but filters that take not too long without compilation."""

SMALL: dict[str, dict[str, Any]] = {
    "push": {"shuffled": True},
    "pull": {"m": 24, "k": 2, "any_holder": True},
    "bsub10": {
        "m": 32,
        "k": 2,
        "initial": 20,
        "filters": 3,
        "threshold": 0.15,
        "decay_cycle": 900.0,
        "window": 6 * HOUR,
        "low": 1,
        "up": 2,
        "copies": 2,
        "producer_keeps_for_direct": True,
    },
    "bsub13": {"m": 32, "k": 3, "decay_cycle": 300.0, "ceiling": 60},
    "bsubp": {"m": 32, "k": 3, "decay_cycle": 300.0, "ceiling": 60, "reference": "mixed"},
    "neighbors": {"m": 32, "k": 2, "neighbors": 2},
    "spray": {"m": 32, "k": 2, "copies": 4},
    "prophet": {"aging": 0.5, "aging_unit": HOUR},
    "zigzag": {"m": 32, "k": 2, "lifetime": 30000, "table": 3},
    "mops": {"threshold": 0.2, "k": 4, "default_weight": 0.0},
    "mops-live": {"people": 9, "every": 100.0},
    "sptbf": {"m": 32, "k": 2, "hops": 3, "lifetime": 20000, "time_bits": 5},
    "envoy": {"m": 16, "worth": 0.1, "horizon": 4 * HOUR},
}
"""Filters that collide, counters that overflow, tables that are full."""

OTHER: dict[str, dict[str, Any]] = {
    **SMALL,
    "bsub10": {"m": 64, "k": 3, "initial": 9, "decay": "online", "delay_limit": 9 * HOUR, "low": 1, "up": 3},
    "bsub13": {"m": 64, "k": 3, "decay_cycle": 1000.0, "preference": "raw"},
    "bsubp": {"m": 64, "k": 3, "decay_cycle": 1000.0, "preference": "raw"},
    "mops": {"threshold": 0.4, "k": 3, "lists": "at_once", "a": 0.6, "exclude_peer_community": True},
    "zigzag": {"m": 64, "k": 3, "lifetime": 20000, "table": 4, "aggregate": 300},
}
"""The same, and the other ways that some protocols have."""


@dataclass(frozen=True, eq=False)
class Case:
    """How a protocol is run; each is itself only, so that results can be kept by it."""

    settings: Mapping[str, Mapping[str, Any]]
    mixed: bool
    conditions: Mapping[str, Any]


CASES = {
    "roomy": Case(USUAL, False, {}),
    "tight": Case(SMALL, False, {"buffer": 4, "bytes_per_second": 0.3, "charge_digests": True}),
    "mixed lifetimes": Case(OTHER, True, {"buffer": 6, "bytes_per_second": 0.5, "shared": True}),
}

MEASURED = {
    "bsub10": ("broker_share", "fill_ratio", "distinct_counters", "relayed_tags", "relayed_tags_exact", "encodings"),
    "bsub13": ("saturated_counters", "relayed_tags_exact", "encodings", "false_positives"),
    "bsubp": ("saturated_counters", "fill_ratio", "encodings", "not_by_bsub"),
}
"""Measures that cost extra, beside hops and centrality."""


@cache
def trace() -> tuple[pa.Table, pa.Table]:
    """Contacts and nodes."""
    made = CONFERENCE.generate(CONFERENCE.settings(**PEOPLE), SEED)
    return in_milliseconds(made.contacts, "start", "end"), made.nodes


@cache
def workload(points: bool, mixed: bool) -> Workload:
    """Tags or points of a content space; all messages live equally long, or not."""
    contacts, _ = trace()
    made = generate_ranges(POINTS, contacts, SEED) if points else generate(TAGS, contacts, SEED)
    messages = in_milliseconds(made.messages, "created")
    if mixed:
        ttl = np.resize(LIFETIMES, messages.num_rows)
        messages = messages.set_column(messages.column_names.index("ttl"), "ttl", pa.array(ttl))
    return replace(made, messages=messages, interests=in_milliseconds(made.interests, "from", "until"))


def in_milliseconds(table: pa.Table, *names: str) -> pa.Table:
    for name in names:
        times = pa.array(np.round(table.column(name).to_numpy(), 3))
        table = table.set_column(table.column_names.index(name), name, times)
    return table


@cache
def run(name: str, model: str, case: Case) -> Result:
    """A protocol in a case."""
    protocol = protocol_named(name)
    return simulate(
        trace(),
        workload(protocol.name == "zigzag", case.mixed),
        protocol,
        SEED,
        settings=case.settings.get(protocol.name),
        conditions=Conditions(contacts=model, **case.conditions),
        measures=["hops"],
        log=True,
    )


def summary(result: Result) -> dict[str, Any]:
    """Totals that people can read, beside digests of all that they are the totals of."""
    outcome = result.outcome
    assert outcome.log is not None
    return {
        "deliveries": outcome.deliveries.num_rows,
        "forwards": outcome.forwards,
        "errands": outcome.errands,
        "control_bytes": outcome.control_bytes,
        "dropped": int(outcome.dropped.sum()),
        "events": outcome.log.num_rows,
        "digest of deliveries": table_digest(outcome.deliveries.select(["message", "node", "at", "hops"])),
        "digest of events": table_digest(outcome.log.select(["time", "kind", "message", "from", "to"])),
        "digest of drops": digest([outcome.dropped.tolist(), outcome.drops_per_node.tolist()]),
        "digest of copies": digest(outcome.copies.tolist()),
    }


def measures(protocol: Protocol) -> dict[str, float]:
    """What is measured of a protocol where there is room for all, but how long it took."""
    asked = ("hops", "centrality", *MEASURED.get(protocol.name, ()))
    content, settings = workload(protocol.name == "zigzag", False), USUAL.get(protocol.name)
    found = simulate(trace(), content, protocol, SEED, settings=settings, measures=asked).measures
    return {name: rounded(value) for name, value in found.items() if name != "cpu_seconds"}


def inputs() -> dict[str, str]:
    """Digests of what is simulated: where these differ, no wonder that the rest does."""
    found = {"contacts": table_digest(trace()[0])}
    for name, points, mixed in (("tags", False, False), ("mixed lifetimes", False, True), ("points", True, False)):
        made = workload(points, mixed)
        found[f"messages, {name}"] = table_digest(made.messages)
        found[f"interests, {name}"] = table_digest(made.interests)
    return found


def record() -> dict[str, Any]:
    """Everything, as it is today."""
    return {
        "inputs": inputs(),
        "simulations": {
            f"{protocol.name}, {model}, {name}": summary(run(protocol.name, model, case))
            for protocol in PROTOCOLS
            for model in MODELS
            for name, case in CASES.items()
        },
        "measures": {protocol.name: measures(protocol) for protocol in PROTOCOLS},
    }
