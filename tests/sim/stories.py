"""Small random stories with every oddity in them, and what the simulator makes of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from hunet.filters import Hashing
from hunet.protocols.protocol import INTEREST, Protocol
from hunet.sim.engine.scene import Scene
from tests.naive.brokers import Bsub10
from tests.naive.envoy import Envoy
from tests.naive.mops import Mops
from tests.naive.mops_live import MopsLive
from tests.naive.simulator import Interest, Message, NaiveSimulator, Story
from tests.naive.sptbf import Sptbf
from tests.naive.tag_protocols import Bsub13, BsubP, Neighbors, Prophet, Pull, Push, Spray
from tests.naive.zigzag import ZigZag
from tests.sim.probe import Probe

NAIVE: dict[str, type[Push]] = {
    "push": Push,
    "pull": Pull,
    "bsub10": Bsub10,
    "bsub13": Bsub13,
    "bsubp": BsubP,
    "neighbors": Neighbors,
    "spray": Spray,
    "prophet": Prophet,
    "zigzag": ZigZag,
    "mops": Mops,
    "mops-live": MopsLive,
    "sptbf": Sptbf,
    "envoy": Envoy,
    "probe": Probe,
}

# Small filters that collide, counters that overflow and die, windows and buffers that matter within a short story.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "push": [{}, {"shuffled": True}],
    "pull": [{"m": 24, "k": 2}, {"m": 24, "k": 2, "any_holder": True}],
    "bsub10": [
        {"m": 32, "k": 2, "initial": 6, "decay_cycle": 90.0, "window": 600.0, "low": 1, "up": 2},
        {
            "m": 32,
            "k": 2,
            "initial": 6,
            "decay_cycle": 90.0,
            "window": 400.0,
            "low": 1,
            "up": 1,
            "copies": 1,
            "broker_deletes_delivered": True,
        },
        {"m": 40, "k": 3, "initial": 9, "decay": "online", "delay_limit": 900.0, "window": 900.0, "low": 2, "up": 2},
        {
            "m": 32,
            "k": 2,
            "initial": 20,
            "decay": "feedback",
            "delay_limit": 2000.0,
            "feedback_period": 100.0,
            "target_rate": 0.05,
            "low": 2,
            "up": 4,
        },
        {"m": 32, "k": 2, "initial": 9, "decay": "eq5", "nodes_met": 7, "delay_limit": 1200.0, "delta": 1e-4, "low": 2},
        {"m": 32, "k": 2, "initial": 6, "filters": 3, "threshold": 0.15, "decay_cycle": 120.0, "low": 2, "up": 2},
        {"m": 32, "k": 2, "initial": 9, "copies": 2, "producer_keeps_for_direct": True, "decay_cycle": 120.0, "low": 1},
        {"m": 32, "k": 2, "low": 1, "up": 1, "window": 400.0, "demoted_carry": False, "broker_carries_wanted": True},
    ],
    "bsub13": [
        {"m": 32, "k": 2, "decay_cycle": 60.0},
        {"m": 32, "k": 3, "decay_cycle": 200.0, "ceiling": 12},
        {"m": 200, "k": 3, "decay_cycle": 100.0, "preference": "raw"},
        {"m": 40, "k": 4, "decay_cycle": math.inf, "initial": 40, "relay_first": True},
        {"m": 32, "k": 2, "decay_cycle": 100.0, "preference": "above", "relays_wanted": False},
    ],
    "bsubp": [
        {"m": 32, "k": 2, "decay_cycle": 60.0},
        {"m": 32, "k": 3, "decay_cycle": 200.0, "ceiling": 12, "reference": "mixed"},
        {"m": 200, "k": 3, "decay_cycle": 100.0, "preference": "raw"},
        {"m": 32, "k": 2, "decay_cycle": 100.0, "preference": "above", "relays_wanted": False},
    ],
    "neighbors": [{"m": 32, "k": 2, "neighbors": 2}, {"m": 100, "k": 3}, {"m": 64, "k": 2, "any_holder": True}],
    "spray": [{"m": 32, "k": 2, "copies": 4}, {"m": 32, "k": 2, "copies": 1}, {"m": 64, "k": 3, "copies": 7}],
    "prophet": [{"aging_unit": 10.0}, {"aging": 0.5, "aging_unit": 300.0}, {"aging": 1.0, "encounter": 1.0}],
    "zigzag": [
        {"m": 32, "k": 2, "lifetime": 400},
        {"m": 32, "k": 2, "lifetime": 1500, "table": 2, "subscriptions": 2},
        {"m": 32, "k": 2, "lifetime": 800, "summary": True, "renew": "largest"},
        {"m": 200, "k": 3, "lifetime": 900, "table": 5, "aggregate": 300},
    ],
    "mops": [
        {},
        {"threshold": 0.8, "default_weight": 0.0},
        {"threshold": 0.2, "k": 4, "default_weight": 0.0, "broadcast": "weights"},
        {"threshold": 0.4, "k": 3, "lists": "at_once", "a": 0.6},
        {"threshold": 0.9, "k": 3, "betweenness": 0.3, "exclude_peer_community": True, "a": 0.3},
        {"threshold": 0.5, "gateway_size": 2, "default_weight": 0.0},
    ],
    "mops-live": [
        {"people": 9, "every": 100.0},
        {"people": 6, "every": 300.0, "threshold": 0.2, "k": 3, "default_weight": 0.0},
        {"people": 5, "every": 50.0, "threshold": 0.8, "k": 1, "boundary": "inner", "a": 0.6},
        {"people": 12, "every": 200.0, "k": 4, "gateway_size": 2, "boundary": "tail", "betweenness": 0.3},
        {"people": 9, "every": 30.0, "threshold": 0.7, "default_weight": 0.0},
    ],
    "sptbf": [
        {"m": 32, "k": 2, "hops": 3, "lifetime": 400},
        {"m": 32, "k": 2, "hops": 2, "lifetime": 1900, "time_bits": 3},
        {"m": 24, "k": 3, "hops": 1, "lifetime": 63},
        {"m": 40, "k": 3, "hops": 7, "lifetime": 1000, "time_bits": 5},
    ],
    "envoy": [{"m": 16, "horizon": 600.0}, {"m": 5, "worth": 0.2, "horizon": 100.0}, {"worth": 0.0}],
}


def variants_of(protocol: Protocol) -> list[dict[str, Any]]:
    """Settings to try a protocol with; one that is not listed is tried as it is, with small filters if it has any."""
    small = {name: value for name, value in (("m", 32), ("k", 2)) if name in protocol.settings._fields}
    return VARIANTS.get(protocol.name, [small])


# The same with positions and counters of more than a byte. Compiled code would have to be compiled anew for these.
WIDE: dict[str, dict[str, Any]] = {
    "pull": {"m": 300, "k": 5},
    "bsub10": {"m": 300, "k": 4, "initial": 200, "ceiling": 1000, "decay_cycle": 3.0, "low": 3, "window": 300.0},
    "bsub13": {"m": 300, "k": 2, "initial": 40000, "ceiling": 70000, "decay_cycle": 0.1},
    "bsubp": {"m": 600, "k": 2, "initial": 400, "ceiling": 1000, "decay_cycle": 2.0},
    "neighbors": {"m": 300, "k": 2},
    "spray": {"m": 70000, "k": 2},
    "zigzag": {"m": 300, "k": 3, "lifetime": 700, "table": 3},
    "sptbf": {"m": 300, "k": 2, "hops": 5, "lifetime": 700, "time_bits": 16},
}


def random_story(seed: int, nodes: int = 0, contacts: int = 50, messages: int = 24, tags: int = 6) -> Story:
    """Times on a coarse grid, so that everything happens at once now and then."""
    random = np.random.default_rng(seed)
    nodes = nodes or int(random.integers(3, 9))
    span, grid = 2000, int(random.choice([1, 10, 100]))

    def times(count: int) -> list[float]:
        return sorted((random.integers(0, span // grid, count) * grid).astype(float).tolist())

    met: list[tuple[int, int, float, float]] = []
    free_from: dict[tuple[int, int], float] = {}
    for start in times(contacts):
        a, b = sorted(random.choice(nodes, 2, replace=False).tolist())
        end = start + float(random.choice([0, 0, grid, 5 * grid, 300]))
        if free_from.get((a, b), 0.0) <= start and (a, b, start) not in {contact[:3] for contact in met}:
            free_from[a, b] = end
            met.append((a, b, start, end))
    met.sort(key=lambda contact: (contact[2], contact[0], contact[1]))

    published = []
    for number, created in enumerate(times(messages)):
        lifetime = float(random.choice([0, 100, 500, 1000, math.inf]))
        several = tuple(random.choice(tags, random.choice([1, 1, 1, 2, 3]), replace=False).tolist())
        source, size = int(random.integers(nodes)), int(random.integers(1, 141))
        published.append(Message(number, created, created + lifetime, source, size, several))

    def interest() -> Interest:
        level, hops, lasts = random.choice([0.25, 0.5, 1, 1]), random.integers(4), random.choice([span, math.inf])
        return Interest(float(level), int(hops), float(lasts))

    changes = [
        (at, int(random.integers(nodes)), int(random.integers(tags)), interest() if random.integers(2) else None)
        for at in times(int(random.integers(0, 10)))
        if at <= max(contact[3] for contact in met)  # a run is over when the last contact is
    ]
    wanted = [random.choice(tags, random.integers(0, 3), replace=False).tolist() for _ in range(nodes)]
    interests = [{tag: interest() for tag in some} for some in wanted]
    pairs = {contact[:2] for contact in met}
    closeness = {pair: float(random.choice([0.0, 0.25, 0.5, 0.5, 0.9])) for pair in sorted(pairs)}
    return Story(nodes, met, published, changes, interests, tags, closeness)


def random_conditions(seed: int) -> dict[str, Any]:
    """Half of the stories have all room and time; the others little of one or both."""
    random = np.random.default_rng([seed, 1])
    return {
        "buffer": [None, None, 1, 2, 5][random.integers(5)],
        "bytes_per_second": [math.inf, math.inf, 0.5, 2.0, 20.0][random.integers(5)],
        "shared": bool(random.integers(2)),
    }


def tag_names(story: Story) -> list[str]:
    return [f"tag-{i}" for i in range(story.tags)]


def scene_of(story: Story) -> Scene:
    """The story as arrays."""
    a, b, start, end = zip(*story.contacts, strict=True) if story.contacts else ((), (), (), ())
    at, node, tag, to = zip(*story.changes, strict=True) if story.changes else ((), (), (), ())
    different = sorted({one for some in story.interests for one in some.values()} | {one for one in to if one})
    number = {interest: i for i, interest in enumerate(different, 1)}
    wants = np.zeros((story.nodes, story.tags), np.uint8)
    for i, interests in enumerate(story.interests):
        wants[i, list(interests)] = [number[one] for one in interests.values()]
    rows = [(one.until, one.level, one.hops) for one in different]
    published = story.messages
    return Scene(
        a=np.array(a, np.uint32),
        b=np.array(b, np.uint32),
        start=np.array(start, np.float64),
        end=np.array(end, np.float64),
        created=np.array([message.created for message in published], np.float64),
        expires=np.array([message.expires for message in published], np.float64),
        source=np.array([message.source for message in published], np.uint32),
        size=np.array([message.size for message in published], np.int64),
        tag_start=np.cumsum([0, *(len(message.tags) for message in published)], dtype=np.int64),
        tag=np.array([tag for message in published for tag in message.tags], np.uint32),
        change_at=np.array(at, np.float64),
        change_node=np.array(node, np.uint32),
        change_tag=np.array(tag, np.uint32),
        change_to=np.array([number[one] if one else 0 for one in to], np.uint32),
        wants=wants,
        interests=np.array([(0.0, 0.0, 0), *rows], INTEREST).view(np.recarray),
    )


def run_naively(
    story: Story,
    protocol: str,
    settings: Any,
    *,
    continuous: bool,
    buffer: int | None,
    bytes_per_second: float,
    shared: bool = False,
    eviction: str = "oldest",
    clocks: tuple[float, ...] | None = None,
    own_outside: bool | None = None,
    ids: Sequence[int] | None = None,
) -> tuple[NaiveSimulator, Any]:
    """The naive simulator, run, and its naive protocol."""
    table = Hashing(m=getattr(settings, "m", 1), k=getattr(settings, "k", 1)).table(tag_names(story))
    positions = [tuple(column.tolist()) for column in table.T]
    behaviour = NAIVE[protocol](story, positions, **settings._asdict())
    room = math.inf if buffer is None else buffer
    naive = NaiveSimulator(
        story,
        behaviour,
        continuous,
        room,
        bytes_per_second,
        shared,
        eviction=eviction,
        clocks=clocks,
        own_outside=own_outside,
        ids=ids,
    )
    return naive.run(), behaviour
