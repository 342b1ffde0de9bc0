"""PUSH, PULL, Spray-and-Wait, Neighbors, PRoPHET, B-SUB 2013 and B-SUB-P as dicts and sets."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.naive import wire_sizes
from tests.naive.simulator import BOTH, DIRECT, NO, YES, Interest, Message, Story

Positions = Sequence[tuple[int, ...]]
"""Of every tag."""


def toss(seed: int, node: int, number: int) -> float:
    """SplitMix64's steps on a mixture of the three."""
    x = (seed * 0x9E3779B97F4A7C15 + node) * 0xD1B54A32D192ED03 + number & 2**64 - 1
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & 2**64 - 1
    x = (x ^ x >> 27) * 0x94D049BB133111EB & 2**64 - 1
    return (x ^ x >> 31) / 2**11 // 1 / 2**53


class Push:
    """Everything to everyone; also what all others do where they do nothing special."""

    own_outside = False
    room = math.inf
    ahead: Sequence[float] = ()

    def __init__(self, story: Story, positions: Positions, **settings: Any) -> None:
        self.story = story
        self.positions = positions
        self.settings = settings
        self.interests: list[set[int]] = [set() for _ in range(story.nodes)]

    def genuine(self, node: int) -> set[int]:
        """A Bloom filter is the set of the positions of its keys."""
        return {position for tag in self.interests[node] for position in self.positions[tag]}

    def matches(self, bloom: set[int], tag: int) -> bool:
        return set(self.positions[tag]) <= bloom

    def subscribe(self, node: int, wants: dict[int, Interest]) -> None:
        self.interests[node] = set(wants)

    def age(self, node: int, now: float) -> None:
        pass

    def greet(self, a: int, b: int, now_a: float, now_b: float) -> int:
        return 0

    def tell(self, node: int, peer: int) -> Any:
        return None

    def size(self, digest: Any) -> int:
        return 0

    def want(self, told: Any, heard: Any, tag: int, own: bool) -> np.float32:
        return YES

    def give(self, node: int, message: Message, score: np.float32) -> np.float32:
        return np.float32(1 + toss(1, node, message.number)) if self.settings.get("shuffled") else score

    def score(self, node: int, told: Any, heard: Any, message: Message) -> np.float32:
        best = max(self.want(told, heard, tag, message.source == node) for tag in message.tags)
        return self.give(node, message, best) if best > 0 else NO

    def gave(self, node: int, message: Message, score: np.float32, heard: Any) -> tuple[bool, int]:
        return True, 0

    def take(self, node: int, message: Message, note: int) -> bool:
        return True

    def errand(self, node: int, peer: int, message: Message) -> np.float32:
        return NO

    def pass_errands(self, node: int, peer: int, message: Message) -> None:
        pass

    def hear(self, node: int, peer: int, digest: Any, now: float) -> None:
        pass

    def rank(self, node: int, message: Message) -> float:
        return 0.0

    def lost(self, node: int, message: Message, dropped: bool) -> None:
        pass

    def parted(self, node: int, peer: int, now: float) -> None:
        pass


class Pull(Push):
    own_outside = True

    def tell(self, node: int, peer: int) -> Any:
        return self.genuine(node)

    def size(self, digest: Any) -> int:
        return wire_sizes.positions(len(digest), self.settings["m"])

    def want(self, told: Any, heard: Any, tag: int, own: bool) -> np.float32:
        return DIRECT if self.matches(heard, tag) else NO

    def take(self, node: int, message: Message, note: int) -> bool:
        return bool(message.source == node or self.settings["any_holder"])


class Spray(Pull):
    own_outside = False
    room = math.inf

    def __init__(self, story: Story, positions: Positions, **settings: Any) -> None:
        super().__init__(story, positions, **settings)
        self.copies: dict[tuple[int, int], int] = {}

    def want(self, told: Any, heard: Any, tag: int, own: bool) -> np.float32:
        return BOTH if self.matches(heard, tag) else YES

    def give(self, node: int, message: Message, score: np.float32) -> np.float32:
        if self.copies[node, message.number] > 1:
            return score
        return DIRECT if score == BOTH else NO

    def gave(self, node: int, message: Message, score: np.float32, heard: Any) -> tuple[bool, int]:
        if score == DIRECT:
            return True, 0
        have = self.copies[node, message.number]
        self.copies[node, message.number] = have - have // 2
        return True, have // 2

    def take(self, node: int, message: Message, note: int) -> bool:
        self.copies[node, message.number] = self.settings["copies"] if message.source == node else note
        return self.copies[node, message.number] > 0


class Neighbors(Push):
    def __init__(self, story: Story, positions: Positions, **settings: Any) -> None:
        super().__init__(story, positions, **settings)
        self.heard: dict[tuple[int, int], set[int]] = {}
        self.nearest = []
        for node in range(story.nodes):
            met: list[int] = []  # in order of first meeting
            for a, b, _, _ in story.contacts:
                if node in (a, b) and a + b - node not in met:
                    met.append(a + b - node)
            close = {peer: story.closeness.get((min(node, peer), max(node, peer)), 0.0) for peer in met}
            by_closeness = sorted((peer for peer in met if close[peer] > 0), key=lambda peer: -close[peer])
            self.nearest.append(by_closeness[: settings["neighbors"]])

    def tell(self, node: int, peer: int) -> Any:
        weights: Counter[int] = Counter()
        for neighbour in self.nearest[node]:
            weights.update(self.heard.get((node, neighbour), set()))
        return self.genuine(node), weights

    def size(self, digest: Any) -> int:
        genuine, weights = digest
        m = self.settings["m"]
        return wire_sizes.positions(len(genuine), m) + wire_sizes.counters(weights.values(), m)

    def want(self, told: Any, heard: Any, tag: int, own: bool) -> np.float32:
        genuine, weights = heard
        collected = own or self.settings["any_holder"]
        if self.matches(genuine, tag):
            return BOTH if collected else DIRECT
        return np.float32(min(weights[position] for position in self.positions[tag])) if collected else NO

    def gave(self, node: int, message: Message, score: np.float32, heard: Any) -> tuple[bool, int]:
        return True, int(message.source == node or self.settings["any_holder"])

    def take(self, node: int, message: Message, note: int) -> bool:
        return message.source == node or note == 1

    def hear(self, node: int, peer: int, digest: Any, now: float) -> None:
        if peer in self.nearest[node]:
            self.heard[node, peer] = digest[0]


class Prophet(Push):
    """Predictabilities in 1/32768."""

    def __init__(self, story: Story, positions: Positions, **settings: Any) -> None:
        super().__init__(story, positions, **settings)
        self.predictability: list[Counter[int]] = [Counter() for _ in range(story.nodes)]
        self.heard_at = [0] * story.nodes
        self.unit = [0] * story.nodes
        self.encounter = min(32767, round(settings["encounter"] * 32768))
        self.indirect = self.encounter * round(settings["transitivity"] * 32768) >> 15

    def age(self, node: int, now: float) -> None:
        self.unit[node] = int(now / self.settings["aging_unit"])

    def present(self, node: int) -> dict[int, int]:
        left = 1 << 48
        for _ in range(self.unit[node] - self.heard_at[node]):
            left = left * round(self.settings["aging"] * 2**48) >> 48
        faded = {tag: value * (left >> 33) >> 15 for tag, value in self.predictability[node].items()}
        return {tag: value for tag, value in faded.items() if value}

    def tell(self, node: int, peer: int) -> Any:
        return self.present(node), set(self.interests[node])

    def size(self, digest: Any) -> int:
        return 6 * len(set(digest[0]) | digest[1])

    def want(self, told: Any, heard: Any, tag: int, own: bool) -> np.float32:
        theirs, wanted = heard
        if tag in wanted:
            return BOTH
        return np.float32(theirs.get(tag, 0)) if theirs.get(tag, 0) > told[0].get(tag, 0) else NO

    def hear(self, node: int, peer: int, digest: Any, now: float) -> None:
        theirs, wanted = digest
        mine = Counter(self.present(node))
        for tag in set(theirs) | wanted:
            if tag in wanted:
                mine[tag] += (32768 - mine[tag]) * self.encounter >> 15
            mine[tag] += (32768 - mine[tag]) * (theirs.get(tag, 0) * self.indirect >> 15) >> 15
        self.predictability[node] = +mine
        self.heard_at[node] = self.unit[node]


def preference(mine: int, theirs: int) -> np.float32:
    if mine == 0:
        return np.float32(theirs)
    return (np.float32(theirs) - np.float32(mine)) / np.float32(mine)


class Bsub13(Push):
    def __init__(self, story: Story, positions: Positions, **settings: Any) -> None:
        super().__init__(story, positions, **settings)
        self.relay: list[Counter[int]] = [Counter() for _ in range(story.nodes)]
        self.tick = [0] * story.nodes
        self.best: dict[tuple[int, int], np.float32] = {}

    def age(self, node: int, now: float) -> None:
        tick = int(now / self.settings["decay_cycle"])
        lost = tick - self.tick[node]
        self.tick[node] = tick
        self.relay[node] = Counter({position: c - lost for position, c in self.relay[node].items() if c > lost})

    def value(self, counters: Counter[int], tag: int) -> int:
        return min(counters[position] for position in self.positions[tag])

    def with_interests(self, counters: Counter[int], bloom: set[int]) -> Counter[int]:
        """A-merge."""
        merged = Counter(counters)
        for position in bloom:
            merged[position] = min(self.settings["ceiling"], merged[position] + self.settings["initial"])
        return merged

    def worth(self, mine: int, theirs: int) -> np.float32:
        if self.settings["preference"] == "above" and theirs <= mine:
            return NO
        return preference(mine, theirs) if self.settings["preference"] == "ratio" else np.float32(theirs)

    def tell(self, node: int, peer: int) -> Any:
        return self.genuine(node), Counter(self.relay[node])

    def size(self, digest: Any) -> int:
        genuine, relay = digest
        m, ceiling = self.settings["m"], self.settings["ceiling"]
        return wire_sizes.positions(len(genuine), m) + wire_sizes.counters(relay.values(), m, ceiling)

    def want(self, told: Any, heard: Any, tag: int, own: bool) -> np.float32:
        genuine, relay = heard
        if self.matches(genuine, tag):
            return BOTH
        return self.worth(self.value(told[1], tag), self.value(relay, tag))

    def give(self, node: int, message: Message, score: np.float32) -> np.float32:
        return score if score > self.best[node, message.number] else NO

    def gave(self, node: int, message: Message, score: np.float32, heard: Any) -> tuple[bool, int]:
        if score != BOTH:
            self.best[node, message.number] = score
        return True, 0

    def take(self, node: int, message: Message, note: int) -> bool:
        self.best[node, message.number] = NO
        wanted = any(self.matches(self.genuine(node), tag) for tag in message.tags)
        return self.settings["relays_wanted"] or message.source == node or not wanted

    def hear(self, node: int, peer: int, digest: Any, now: float) -> None:
        genuine, relay = digest
        if self.settings["relay_first"]:
            self.relay[node] = self.with_interests(self.relay[node] | relay, genuine)  # | of Counters is the maximum
        else:
            self.relay[node] = self.with_interests(self.relay[node], genuine) | relay


class BsubP(Bsub13):
    def tell(self, node: int, peer: int) -> Any:
        """The mixture travels; the relay filter beside it is my own memory of that moment."""
        return self.with_interests(self.relay[node], self.genuine(node)), Counter(self.relay[node])

    def size(self, digest: Any) -> int:
        return wire_sizes.counters(digest[0].values(), self.settings["m"], self.settings["ceiling"])

    def want(self, told: Any, heard: Any, tag: int, own: bool) -> np.float32:
        mine = told[0] if self.settings["reference"] == "mixed" else told[1]
        return self.worth(self.value(mine, tag), self.value(heard[0], tag))

    def hear(self, node: int, peer: int, digest: Any, now: float) -> None:
        self.relay[node] = self.relay[node] | digest[0]
