"""Workloads made by chance from a few settings: pools of tags, interests that may come and go, rates of publishing.

Everything follows from the trace, the settings and the seed. Interests, times, tags and sizes are drawn from streams of
their own, so that changing one setting leaves the other draws alone. Nodes that meet nobody take no part (AMB-19).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.model.errors import InvalidValueError, WorkloadError
from hunet.model.tables import INTERESTS, MESSAGES
from hunet.sim.workload.tag_pool import TagPool
from hunet.sim.workload.workload import MOST_HOPS, Workload

__all__ = [
    "CENTRALITIES",
    "PROCESSES",
    "InterestSettings",
    "MessageSettings",
    "People",
    "WorkloadSettings",
    "draw_interests",
    "draw_messages",
    "generate",
    "interest_table",
    "people_and_time",
    "relative_rates",
    "stream",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PROCESSES = ("periodic", "poisson", "uniform")
CENTRALITIES = ("degree", "contacts")

MOST_ROWS = 20_000_000
"""Messages, or interests that come and go, that a workload may be expected to have: more do not fit a memory."""


@dataclass(frozen=True)
class InterestSettings:
    """What each node wants."""

    per_node: int = 1
    weighted: bool = True
    """Drawn by the tags' weights, or all tags alike."""
    stay: float | None = None
    """Mean seconds an interest lasts; None for interests that stay."""
    away: float = 0.0
    """Mean seconds until another interest takes its place."""
    fewest_hops: int = 0
    most_hops: int = 0
    """Hop limit of each node's interest in a tag, uniform between the two; 0 and 0 for none."""

    def __post_init__(self) -> None:
        if self.per_node < 0:
            raise InvalidValueError(f"interests per node {self.per_node} is below 0")
        if self.stay is not None and not (self.stay > 0 and self.away >= 0):
            raise InvalidValueError(
                f"interests stay {self.stay:g} s and are away {self.away:g} s: stay must be above 0"
            )
        if not (0 < self.fewest_hops <= self.most_hops <= MOST_HOPS or self.fewest_hops == self.most_hops == 0):
            raise InvalidValueError(
                f"hops from {self.fewest_hops} to {self.most_hops}: give 1 to {MOST_HOPS}, the smaller first"
            )


@dataclass(frozen=True)
class MessageSettings:
    """What each node publishes."""

    process: str = "poisson"
    """periodic: a fixed interval and a random phase (AMB-23); poisson; uniform: intervals uniform on [0, 2 every]."""
    every: float = 1800.0
    """Mean seconds between two messages of a node; by centrality, of the least central node."""
    by_centrality: bool = False
    """Whether rates are proportional to centrality."""
    centrality: str = "degree"
    """What that is (AMB-19): `degree`, the number of different nodes met, or `contacts`, how often anybody was met."""
    tags: int = 1
    """Different tags per message, drawn by weight (AMB-20)."""
    smallest: int = 140
    largest: int = 140
    """Bytes, uniform between the two."""

    def __post_init__(self) -> None:
        if self.process not in PROCESSES:
            raise InvalidValueError(f"process {self.process!r}: use {', '.join(PROCESSES)}")
        if not (self.every > 0 and math.isfinite(self.every)):
            raise InvalidValueError(f"messages every {self.every:g} s: the interval must be above 0")
        if self.centrality not in CENTRALITIES:
            raise InvalidValueError(f"centrality {self.centrality!r}: use {', '.join(CENTRALITIES)}")
        if self.tags < 1:
            raise InvalidValueError(f"{self.tags} tags per message: at least 1")
        if not 0 <= self.smallest <= self.largest < 1 << 62:
            raise InvalidValueError(
                f"sizes from {self.smallest} to {self.largest} bytes: the first must be the smaller"
            )


@dataclass(frozen=True)
class WorkloadSettings:
    """A workload to be made for a trace, and the conditions that belong to it."""

    name: str
    pool: TagPool
    interests: InterestSettings = InterestSettings()
    messages: MessageSettings = MessageSettings()
    ttl: float = math.inf
    buffer: int | None = None
    bytes_per_second: float = math.inf
    charge_digests: bool = False


@dataclass(frozen=True)
class People:
    """Who takes part in a trace, and when it begins and ends."""

    node: Ints
    degree: Ints
    """How many different nodes each of them met."""
    contacts: Ints
    """How many contacts each of them had."""
    start: float
    end: float


def people_and_time(contacts: pa.Table) -> People:
    """Everybody who meets somebody, from the first start to the last end."""
    if contacts.num_rows == 0:
        raise WorkloadError("the trace has no contacts: nothing can be simulated on it")
    a, b = contacts.column("a").to_numpy().astype(np.int64), contacts.column("b").to_numpy().astype(np.int64)
    pairs = np.unique(a << 32 | b)
    node, degree = np.unique(np.concatenate((pairs >> 32, pairs & 0xFFFFFFFF)), return_counts=True)
    _, often = np.unique(np.concatenate((a, b)), return_counts=True)
    start, end = contacts.column("start").to_numpy(), contacts.column("end").to_numpy()
    return People(node, degree, often, float(start.min()), float(end.max()))


def generate(settings: WorkloadSettings, contacts: pa.Table, seed: int) -> Workload:
    """The workload of these settings on a trace."""
    if seed < 0:
        raise InvalidValueError(f"seed {seed} is below its limit 0")
    people = people_and_time(contacts)
    return Workload(
        settings.name,
        draw_messages(settings.messages, settings.pool, people, seed),
        draw_interests(settings.interests, settings.pool, people, seed),
        settings.pool.names,
        settings.ttl,
        settings.buffer,
        settings.bytes_per_second,
        {"seed": seed, "interests": asdict(settings.interests), "messages": asdict(settings.messages)},
        charge_digests=settings.charge_digests,
    )


def stream(seed: int, subject: str) -> np.random.Generator:
    """A source of chance for one subject, independent of all others."""
    words = np.frombuffer(subject.encode().ljust(16, b"\0")[:16], np.uint32).tolist()
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words])))


def draw_messages(settings: MessageSettings, pool: TagPool, people: People, seed: int) -> pa.Table:
    """MESSAGES of everybody over the whole trace."""
    chance = stream(seed, "times")
    weight = relative_rates(people, settings.centrality) if settings.by_centrality else np.ones(len(people.node))
    _require_few("messages", weight.sum() * (people.end - people.start) / settings.every, "publish less often")
    times = [_times(settings, chance, settings.every / rate, people.end - people.start) for rate in weight]
    source = np.repeat(people.node, [len(one) for one in times])
    created = people.start + (np.concatenate(times) if times else np.empty(0))
    count = len(created)
    tags = pool.draw(stream(seed, "tags"), count, settings.tags)
    names = pa.array(pool.names, pa.string()).take(pa.array(tags.ravel()))
    lists = pa.ListArray.from_arrays(np.arange(count + 1, dtype=np.int32) * settings.tags, names)
    size = stream(seed, "sizes").integers(settings.smallest, settings.largest, count, endpoint=True)
    return pa.table([source.astype(np.int32), created, lists, size, pa.nulls(count, pa.float64())], schema=MESSAGES)


def relative_rates(people: People, centrality: str) -> Floats:
    """How much more often than the least central each of them publishes (R = C R_min / C_min, [bsub10] VII-A)."""
    central = people.degree if centrality == "degree" else people.contacts
    return np.asarray(central / central.min(), np.float64)


def _require_few(what: str, expected: float, remedy: str) -> None:
    """Refuse what would be too much before any of it is drawn."""
    if not expected <= MOST_ROWS:
        raise InvalidValueError(f"about {expected:,.0f} {what} would be drawn, above the limit {MOST_ROWS:,}: {remedy}")


def _times(settings: MessageSettings, chance: np.random.Generator, every: float, span: float) -> Floats:
    """When one node publishes, from 0 up to `span`."""
    if settings.process == "periodic":
        return np.arange(chance.random() * every, np.nextafter(span, np.inf), every)
    if settings.process == "poisson":
        return np.sort(chance.random(chance.poisson(span / every)) * span)
    times: list[Floats] = []
    last = 0.0
    while last <= span:
        piece = last + np.cumsum(chance.random(int((span - last) / every) + 8) * 2 * every)
        times.append(piece)
        last = float(piece[-1])
    all_times = np.concatenate(times)
    return all_times[all_times <= span]


def draw_interests(settings: InterestSettings, pool: TagPool, people: People, seed: int) -> pa.Table:
    """INTERESTS of everybody."""
    chance = stream(seed, "interests")
    turns = 1.0 if settings.stay is None else 1 + (people.end - people.start) / (settings.stay + settings.away)
    _require_few("interests", len(people.node) * settings.per_node * turns, "let each stay longer, or have fewer")
    _require_few("hop limits", (int(people.node.max()) + 1) * len(pool.names), "have fewer tags")
    limits = (int(people.node.max()) + 1, len(pool.names))
    hops = stream(seed, "hops").integers(settings.fewest_hops, settings.most_hops, limits, endpoint=True)
    if settings.stay is None or settings.per_node == 0:
        tags = pool.draw(chance, len(people.node), max(settings.per_node, 1), settings.weighted)[:, : settings.per_node]
        nodes = np.repeat(people.node, settings.per_node)
        begin, end = np.full(len(nodes), -np.inf), np.full(len(nodes), np.inf)
        return interest_table(pool, nodes, tags.ravel(), begin, end, hops[nodes, tags.ravel()])
    rows = [_stays(settings, chance, people.start, people.end) for _ in range(len(people.node) * settings.per_node)]
    counts = [len(one) for one in rows]
    nodes = np.repeat(np.repeat(people.node, settings.per_node), counts)
    spans = np.concatenate(rows)
    tags = pool.draw(chance, len(nodes), 1, settings.weighted).ravel()
    return interest_table(pool, nodes, tags, spans[:, 0], spans[:, 1], hops[nodes, tags])


def _stays(settings: InterestSettings, chance: np.random.Generator, start: float, end: float) -> Floats:
    """[i, (from, until)]: the stays of one interest after the other; at the start it is present or away at random."""
    assert settings.stay is not None
    spans = []
    now = start
    if chance.random() * (settings.stay + settings.away) >= settings.stay:
        now += chance.exponential(settings.away)
    while now < end:
        leave = now + chance.exponential(settings.stay)
        if leave > now:
            spans.append((now, leave))
        now = leave + (chance.exponential(settings.away) if settings.away else 0.0)
    return np.array(spans, np.float64).reshape(-1, 2)


def interest_table(
    pool: TagPool, nodes: Ints, tags: Ints, begin: Floats, end: Floats, hops: Ints | int = 0
) -> pa.Table:
    """INTERESTS: which nodes want which tags of the pool, by number, from when until when, within how many hops."""
    names = pa.array(pool.names, pa.string()).take(pa.array(tags))
    limits = np.broadcast_to(np.asarray(hops, np.int32), len(nodes))
    columns = [nodes.astype(np.int32), names, begin, end, np.ones(len(nodes)), limits]
    return pa.table(columns, schema=INTERESTS)
