"""Events by numbers, the workload of MOPS: an event has a value from 1 to 100, a category is a range of values.

The Number Interval model of [mops] V-A. A category becomes a tag (`13-27`): the random partition of the values is drawn
anew for every seed (AMB-57). The first part of the trace is history: nodes have learnt from it who is close to whom;
events are published, and contacts simulated, in the rest.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.model.errors import InvalidValueError
from hunet.sim.workload.generate import MessageSettings, People, draw_messages, interest_table, people_and_time, stream
from hunet.sim.workload.tag_pool import TagPool
from hunet.sim.workload.workload import Workload
from hunet.traces.pairs import TRAINING

__all__ = ["NumberSettings", "generate_numbers"]

VALUES = 100
_HOUR = 3600.0


@dataclass(frozen=True)
class NumberSettings:
    """Who publishes and wants what, with the values of [mops] V-A."""

    name: str
    categories: int = 10
    """Ranges into which the values are parted."""
    interest: float = 0.2
    """The probability p that a node is interested in a category."""
    per_hour: float = 10.0
    """Events of the whole network, Poisson; everybody is as likely to publish one."""
    size: int = 625_000
    """Bytes of an event: 5 Mb."""
    ttl: float = 86_400.0
    bytes_per_second: float = 62_500.0
    """500 kb/s, shared by both directions of a contact (AMB-59): 10 s for an event."""
    training: float = TRAINING
    """The first share of the trace's time, which is history."""
    changing: float = 0.0
    """The share of nodes whose interests are drawn anew half-way through the rest."""

    def __post_init__(self) -> None:
        if not 1 <= self.categories <= VALUES:
            raise InvalidValueError(f"{self.categories} categories: the values 1 to {VALUES} make 1 to {VALUES}")
        for what, share in (("interest", self.interest), ("changing", self.changing)):
            if not 0 <= share <= 1:
                raise InvalidValueError(f"{what} {share:g}: give a share from 0 to 1")
        if not 0 <= self.training < 1:
            raise InvalidValueError(f"training {self.training:g}: give a share from 0 to below 1")
        if not (self.per_hour > 0 and math.isfinite(self.per_hour)):
            raise InvalidValueError(f"{self.per_hour:g} events per hour: the rate must be above 0")


def generate_numbers(settings: NumberSettings, contacts: pa.Table, seed: int) -> Workload:
    """The workload of these settings on a trace."""
    if seed < 0:
        raise InvalidValueError(f"seed {seed} is below its limit 0")
    everybody = people_and_time(contacts)
    begins = everybody.start + settings.training * (everybody.end - everybody.start)
    people = replace(everybody, start=begins)
    pool = _partition(settings.categories, stream(seed, "categories"))
    each = MessageSettings(
        every=_HOUR * len(people.node) / settings.per_hour, smallest=settings.size, largest=settings.size
    )
    return Workload(
        settings.name,
        draw_messages(each, pool, people, seed),
        _draw_interests(settings, pool, people, seed),
        pool.names,
        settings.ttl,
        bytes_per_second=settings.bytes_per_second,
        shared=True,
        begins=begins,
        origin={"seed": seed, "numbers": asdict(settings)},
    )


def _partition(categories: int, chance: np.random.Generator) -> TagPool:
    """Contiguous ranges of the values; a category is as popular with publishers as it is wide."""
    cuts = np.sort(chance.choice(np.arange(1, VALUES), categories - 1, replace=False))
    first, last = np.append(1, cuts + 1), np.append(cuts, VALUES)
    names = tuple(f"{low}-{high}" for low, high in zip(first.tolist(), last.tolist(), strict=True))
    return TagPool(names, tuple(((last - first + 1) / VALUES).tolist()))


def _draw_interests(settings: NumberSettings, pool: TagPool, people: People, seed: int) -> pa.Table:
    """INTERESTS: each node in each category with the same probability; some nodes in others from half-way on."""
    nodes, half = len(people.node), (people.start + people.end) / 2
    before, later = (
        stream(seed, subject).random((nodes, settings.categories)) < settings.interest
        for subject in ("interests", "later interests")
    )
    changes = np.zeros(nodes, np.bool_)
    order = stream(seed, "who changes").permutation(nodes)
    changes[order[: round(settings.changing * nodes)]] = True
    parts = (
        (before & ~changes[:, None], -math.inf, math.inf),
        (before & changes[:, None], -math.inf, half),
        (later & changes[:, None], half, math.inf),
    )
    node: list[npt.NDArray[np.int64]] = []
    tag: list[npt.NDArray[np.int64]] = []
    spans: list[npt.NDArray[np.float64]] = []
    for wants, begin, end in parts:
        who, what = np.nonzero(wants)
        node.append(people.node[who])
        tag.append(what)
        spans.append(np.tile([begin, end], (len(who), 1)))
    begin_end = np.concatenate(spans)
    return interest_table(pool, np.concatenate(node), np.concatenate(tag), begin_end[:, 0], begin_end[:, 1])
