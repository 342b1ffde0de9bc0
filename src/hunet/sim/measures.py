"""The measures of a run: each defined here, once. `docs/simulator.md` has the same list with formulas.

A measure is a number. One that has no meaning in a run, such as the mean delay where nothing was delivered, is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.sim.engine.run import Outcome
from hunet.sim.engine.scene import Scene

__all__ = ["MEASURES", "Facts", "Measure", "measure"]


@dataclass(frozen=True)
class Facts:
    """What measures are computed from."""

    scene: Scene
    outcome: Outcome
    wanted: npt.NDArray[np.int64]
    """Per message: nodes it could be delivered to (`pairs.wanted_by`)."""
    delivered: npt.NDArray[np.int64]
    """Per message: nodes it was delivered to."""
    received: npt.NDArray[np.int64]
    """Per node: messages delivered to it."""
    delay: npt.NDArray[np.float64]
    """Seconds since the message's creation of every delivery, the least first: however a run is split, its sum is the
    same to the last digit."""
    hops: npt.NDArray[np.uint16] | None
    """Of every delivery, where they were counted."""

    @classmethod
    def of(cls, scene: Scene, outcome: Outcome, wanted: npt.NDArray[np.int64]) -> Facts:
        """The facts of a run, gathered piece by piece: all deliveries at once may be too many."""
        messages, nodes = scene.created.size, scene.wants.shape[0]
        delivered, received = np.zeros(messages, np.int64), np.zeros(nodes, np.int64)
        delay = np.empty(len(outcome.delivered))
        hops = []
        done = 0
        for piece in outcome.delivered.pieces():
            message, until = piece["message"].to_numpy(), done + piece.num_rows
            delivered += np.bincount(message, minlength=messages)
            received += np.bincount(piece["node"].to_numpy(), minlength=nodes)
            np.subtract(piece["at"].to_numpy(), scene.created[message], out=delay[done:until])
            if piece["hops"].null_count == 0:
                hops.append(piece["hops"].to_numpy())
            done = until
        delay.sort()
        counted = np.concatenate([np.zeros(0, np.uint16), *hops])
        known = counted.size == delay.size
        return cls(scene, outcome, wanted, delivered, received, delay, counted if known else None)


@dataclass(frozen=True)
class Measure:
    """A number about a run: its name, its unit ('' for a count or a share), what it says, and how it is computed."""

    name: str
    unit: str
    title: str
    formula: str
    compute: Callable[[Facts], float]


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else math.nan


def _mean(values: npt.NDArray[Any]) -> float:
    return float(np.mean(values)) if values.size else math.nan


def _percentile_of(ordered: npt.NDArray[np.float64], share: float) -> float:
    """As `np.percentile`, which would copy or rearrange what is in order already."""
    if not ordered.size:
        return math.nan
    rank = (ordered.size - 1) * share / 100
    below = int(rank)
    lower, upper = ordered[below], ordered[min(below + 1, ordered.size - 1)]
    return float(lower + (upper - lower) * (rank - below))


def _percentile(share: float) -> Callable[[Facts], float]:
    return lambda facts: _percentile_of(facts.delay, share)


def _within(hours: float) -> Callable[[Facts], float]:
    return lambda facts: _ratio(int(np.searchsorted(facts.delay, 3600 * hours, "right")), facts.wanted.sum())


def _per_message(facts: Facts) -> float:
    wanted = facts.wanted > 0
    return _mean(facts.delivered[wanted] / facts.wanted[wanted])


def _of_delivered(facts: Facts, copies: npt.NDArray[Any]) -> float:
    return _mean(copies[facts.delivered > 0])


def _efficiency(facts: Facts) -> float:
    infected = np.asarray(facts.outcome.copies, np.int64) - 1  # the source does not count
    reached = infected > 0
    return _mean(facts.delivered[reached] / infected[reached])


def _net(facts: Facts) -> npt.NDArray[np.int64]:
    return np.asarray(np.subtract(facts.outcome.copies, facts.outcome.dropped), np.int64)


MEASURES: tuple[Measure, ...] = (
    Measure("messages", "", "messages published", "M", lambda f: f.scene.created.size),
    Measure("wanted", "", "pairs of message and node that wants it", "W = sum_m W_m", lambda f: int(f.wanted.sum())),
    Measure("delivered", "", "pairs delivered", "D = sum_m D_m", lambda f: int(f.delivered.sum())),
    Measure(
        "delivery_ratio", "", "pairs delivered of those wanted", "D / W", lambda f: _ratio(f.delay.size, f.wanted.sum())
    ),
    Measure(
        "delivery_ratio_per_message",
        "",
        "the same for each message that anyone wants, averaged",
        "mean of D_m / W_m over m with W_m > 0",
        _per_message,
    ),
    Measure(
        "efficiency",
        "",
        "nodes that wanted it of those that got it, for each message that anyone got, averaged (AMB-58)",
        "mean of D_m / (C_m - 1) over m with C_m > 1",
        _efficiency,
    ),
    *(
        Measure(
            f"delivered_within_{hours}h",
            "",
            f"pairs delivered within {hours} h, of those wanted",
            f"deliveries with t - created <= {hours} h, of W",
            _within(hours),
        )
        for hours in (1, 4, 10)
    ),
    Measure(
        "delay_mean",
        "s",
        "mean delay of delivered pairs",
        "mean of t - created",
        lambda f: _mean(f.delay),
    ),
    Measure("delay_median", "s", "median delay", "50th percentile of t - created", _percentile(50)),
    Measure("delay_p10", "s", "delay of the fastest tenth", "10th percentile of t - created", _percentile(10)),
    Measure("delay_p90", "s", "delay that a tenth exceeds", "90th percentile of t - created", _percentile(90)),
    Measure("delay_p99", "s", "delay that a hundredth exceeds", "99th percentile of t - created", _percentile(99)),
    Measure("forwards", "", "transfers of a message", "F", lambda f: f.outcome.forwards),
    Measure(
        "forwards_per_delivery",
        "",
        "transfers per pair delivered",
        "F / D",
        lambda f: _ratio(f.outcome.forwards, f.delay.size),
    ),
    Measure(
        "list_forwards",
        "",
        "interest lists handed on, by protocols that have them (AMB-61)",
        "L",
        lambda f: f.outcome.lists,
    ),
    Measure(
        "copies_ever",
        "",
        "nodes that ever had a message, sources included, summed",
        "sum_m C_m = M + F",
        lambda f: int(np.sum(f.outcome.copies)),
    ),
    Measure("copies_net", "", "the same less copies dropped", "sum_m (C_m - X_m)", lambda f: int(_net(f).sum())),
    Measure(
        "copies_ever_mean",
        "",
        "copies of a delivered message, dropped ones included",
        "mean of C_m over m with D_m > 0",
        lambda f: _of_delivered(f, np.asarray(f.outcome.copies)),
    ),
    Measure(
        "copies_net_mean",
        "",
        "copies of a delivered message, dropped ones not counted (AMB-35)",
        "mean of C_m - X_m over m with D_m > 0",
        lambda f: _of_delivered(f, _net(f)),
    ),
    Measure("drops", "", "copies lost to full buffers", "X = sum_m X_m", lambda f: int(np.sum(f.outcome.dropped))),
    Measure(
        "drops_per_node",
        "",
        "copies lost to full buffers per node",
        "X / N",
        lambda f: _ratio(int(np.sum(f.outcome.dropped)), f.scene.wants.shape[0]),
    ),
    Measure("control_bytes", "B", "bytes of digests, both directions", "B", lambda f: f.outcome.control_bytes),
    Measure(
        "control_bytes_per_contact",
        "B",
        "bytes of digests per contact, both directions (AMB-36)",
        "B / K",
        lambda f: _ratio(f.outcome.control_bytes, f.outcome.contacts),
    ),
    Measure(
        "note_bytes",
        "B",
        "bytes of notes and parcels, which travel beside messages",
        "Q",
        lambda f: f.outcome.note_bytes,
    ),
    Measure(
        "overhead_bytes_per_contact",
        "B",
        "bytes of digests, notes and parcels per contact, both directions",
        "(B + Q) / K",
        lambda f: _ratio(f.outcome.control_bytes + f.outcome.note_bytes, f.outcome.contacts),
    ),
    Measure("contacts", "", "contacts simulated", "K", lambda f: f.outcome.contacts),
    Measure(
        "contacts_of_no_length",
        "",
        "contacts that end when they begin",
        "K_0",
        lambda f: f.outcome.zero_length_contacts,
    ),
    Measure("cpu_seconds", "s", "processor time of the event loop", "", lambda f: f.outcome.cpu_seconds),
)


def measure(facts: Facts) -> dict[str, float]:
    """All measures that are always taken."""
    found = {one.name: one.compute(facts) for one in MEASURES}
    if facts.hops is not None:  # counted only where asked for
        found["hops_mean"] = _mean(facts.hops)
        found["hops_max"] = int(facts.hops.max(initial=0))
    return found
