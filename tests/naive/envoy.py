"""Envoy as dicts and sets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from tests.naive import wire_sizes
from tests.naive.simulator import BOTH, NO, Message, Story
from tests.naive.tag_protocols import Positions, Push

Cell = tuple[int, int]
"""Position, place."""


def place_of(node: int) -> int:
    folded = (node ^ node >> 31) % 2**31
    return folded * 0x9E3779B1 % 2**32 >> 27


def either(one: int, other: int) -> int:
    return one + ((15 - one) * other + 7) // 15


class Told(NamedTuple):
    filter: frozenset[int]
    place: int
    strangers: int
    bar: int
    reach: Mapping[Cell, int]


class Carried(NamedTuple):
    """What goes with a message."""

    covered: Mapping[int, int]
    doublings: int
    strange: int


@dataclass
class Acquaintance:
    wants: frozenset[int] = frozenset()
    place: int = 0
    likely: float = 0.0
    last: float = 0.0


@dataclass
class Person:
    now: float = 0.0
    known: dict[int, Acquaintance] = field(default_factory=dict)
    strangers: float = 0.0
    told: float | None = None
    bar: float = 0.0
    dropped: float = 0.0
    losses: list[int] = field(default_factory=list)
    reach: dict[Cell, int] = field(default_factory=dict)
    wanting: dict[int, int] = field(default_factory=dict)


class Envoy(Push):
    own_outside = True

    def __init__(self, story: Story, positions: Positions, **settings: Any) -> None:
        super().__init__(story, positions, **settings)
        self.people = [Person() for _ in range(story.nodes)]
        self.covered: dict[tuple[int, int], dict[int, int]] = {}
        self.doublings: dict[tuple[int, int], int] = {}
        self.strange: dict[tuple[int, int], int] = {}

    def fade(self, since: float, now: float) -> float:
        horizon = float(self.settings["horizon"])
        return horizon / (horizon + max(0.0, now - since))

    # -------------------------------------------------------------- people

    def age(self, node: int, now: float) -> None:
        self.people[node].now = now

    def greet(self, a: int, b: int, now_a: float, now_b: float) -> int:
        for node, peer in ((a, b), (b, a)):
            if peer not in self.people[node].known:
                self.people[node].known[peer] = Acquaintance()
                self.people[node].strangers += 1
        return 0

    def tell(self, node: int, peer: int) -> Told:
        me = self.people[node]
        reach: dict[Cell, int] = defaultdict(int)
        me.wanting = defaultdict(int)
        for one in me.known.values():
            level = int(15 * one.likely * self.fade(one.last, me.now) + 0.5)
            for position in one.wants:
                me.wanting[position] += 1
                reach[position, one.place] = either(reach[position, one.place], level)
        cells = sorted((cell for cell in reach if reach[cell]), key=lambda cell: (-reach[cell], cell))
        me.reach = {cell: reach[cell] for cell in cells[:96]}
        me.strangers *= self.fade(self.ahead[node] if me.told is None else me.told, me.now)
        me.told = me.now
        if me.losses:
            me.bar = (9 * me.bar + sum(me.losses) / 65536) / (9 + len(me.losses))
            me.losses = []
        bar = me.bar * self.fade(me.dropped, me.now)
        strangers = int(min(255.0, 4 * me.strangers))
        return Told(
            frozenset(self.genuine(node)), place_of(node), strangers, int(min(2.0**20 - 1, 65536 * bar)), dict(me.reach)
        )

    def size(self, digest: Told) -> int:
        cells = sorted(32 * position + place for position, place in digest.reach)
        gaps = [cell - before - 1 for cell, before in zip(cells, [-1, *cells], strict=False)]
        bits = sum(gap // 64 + 1 + 6 + 4 for gap in gaps)
        numbers = sum(map(wire_sizes.number, (digest.place, digest.strangers, digest.bar, len(cells))))
        return wire_sizes.positions(len(digest.filter), self.settings["m"]) + numbers + (bits + 7) // 8

    def hear(self, node: int, peer: int, digest: Told, now: float) -> None:
        one = self.people[node].known[peer]
        again = one.likely * self.fade(one.last, now)
        one.likely = again + (1 - again) * 0.5
        one.last, one.wants, one.place = now, digest.filter, digest.place

    # -------------------------------------------------------------- messages

    def rows(self, message: Message) -> list[int]:
        return [self.positions[tag][0] for tag in message.tags]

    def from_strangers(self, node: int, message: Message, strangers: float) -> float:
        me = self.people[node]
        most = max(me.wanting.get(position, 0) for position in self.rows(message))
        return strangers * (most + 0.5) / (len(me.known) + 10)

    def promise(
        self, node: int, message: Message, reach: Mapping[Cell, int], strangers: float, beyond_me: bool
    ) -> float:
        covered, mine = self.covered[node, message.number], self.people[node].reach
        total = 0
        for position in self.rows(message):
            for place in range(32):
                level = reach.get((position, place), 0) * (15 - covered.get(place, 0))
                total += level * (15 - (mine.get((position, place), 0) if beyond_me else 0))
        unmet = (15 - self.strange[node, message.number]) / 15
        return total / 15.0**3 + unmet * self.from_strangers(node, message, strangers)

    def shared(self, doublings: int, age: float) -> float:
        return 2.0**doublings * (1 + max(0.0, age) / 3600)

    def score(self, node: int, told: Told, heard: Told, message: Message) -> np.float32:
        if any(self.matches(set(heard.filter), tag) for tag in message.tags):
            return BOTH
        promised = self.promise(node, message, heard.reach, heard.strangers / 4, True)
        doublings = self.doublings[node, message.number]
        if promised <= 0 or promised < self.settings["worth"] * 2.0**doublings:
            return NO
        there = self.promise(node, message, heard.reach, heard.strangers / 4, False)
        age = self.people[node].now - self.created_here(node, message)
        if heard.bar and there < 2 * (heard.bar / 65536) * self.shared(doublings + 1, age):
            return NO
        return np.float32(promised)

    def created_here(self, node: int, message: Message) -> float:
        """By the node's own clock."""
        return message.created + self.ahead[node]

    def gave(self, node: int, message: Message, score: np.float32, heard: Told) -> tuple[bool, Any]:
        at = node, message.number
        peer_place = heard.place
        met = int(min(15.0, 15 * self.from_strangers(node, message, heard.strangers / 4)))
        carried = Carried(dict(self.covered[at]), min(self.doublings[at] + 1, 60), either(self.strange[at], met))
        if score == BOTH:
            carried.covered[peer_place] = 15  # type: ignore[index]
        for place in range(32):
            for position in self.rows(message):
                level = self.covered[at].get(place, 0)
                self.covered[at][place] = either(level, heard.reach.get((position, place), 0))
        if score == BOTH:
            self.covered[at][peer_place] = 15
        else:
            self.doublings[at] = carried.doublings
        self.strange[at] = carried.strange
        return True, carried

    def take(self, node: int, message: Message, note: Any) -> bool:
        at = node, message.number
        carried = Carried({}, 0, 0) if message.source == node else note
        self.covered[at] = dict(carried.covered)
        self.doublings[at], self.strange[at] = carried.doublings, carried.strange
        if any(self.matches(self.genuine(node), tag) for tag in message.tags):
            self.covered[at][place_of(node)] = 15
        return True

    def rank(self, node: int, message: Message) -> float:
        me = self.people[node]
        age = 0.0 if message.source == node else me.now - self.created_here(node, message)
        promised = self.promise(node, message, me.reach, me.strangers, False)
        return float(np.float32(promised / self.shared(self.doublings[node, message.number], age)))

    def lost(self, node: int, message: Message, dropped: bool) -> None:
        me = self.people[node]
        if dropped:
            me.losses.append(int(65536 * self.rank(node, message)))
            me.dropped = me.now
