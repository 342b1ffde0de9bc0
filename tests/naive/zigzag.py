"""ZigZag's routing with sets and a list of [filter, second of expiry] per node."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.naive import wire_sizes
from tests.naive.simulator import BOTH, NO, Story
from tests.naive.tag_protocols import Positions, Push


class ZigZag(Push):
    def __init__(self, story: Story, positions: Positions, **settings: Any) -> None:
        super().__init__(story, positions, **settings)
        self.heard: list[list[tuple[frozenset[int], int]]] = [[] for _ in range(story.nodes)]
        self.second = [0] * story.nodes

    def age(self, node: int, now: float) -> None:
        self.second[node] = int(now)
        self.heard[node] = [(words, expires) for words, expires in self.heard[node] if expires > int(now)]

    def each(self, node: int) -> list[frozenset[int]]:
        """My own subscriptions, one filter each."""
        return [
            frozenset(self.positions[tag]) for tag in sorted(self.interests[node], key=lambda tag: self.positions[tag])
        ]

    def subscriptions(self, node: int) -> list[frozenset[int]]:
        """As they are told: so many one by one, the others with the last; or all as one."""
        most = 1 if self.settings["summary"] else self.settings["subscriptions"]
        filters = self.each(node)
        return [*filters[: most - 1], *([frozenset().union(*filters[most - 1 :])] if len(filters) >= most else [])]

    def tell(self, node: int, peer: int) -> Any:
        left = [(words, expires - self.second[node]) for words, expires in self.heard[node]]
        return self.subscriptions(node), left

    def size(self, digest: Any) -> int:
        own, heard = digest
        m = self.settings["m"]
        total = wire_sizes.number(len(own)) + sum(wire_sizes.positions(len(words), m) for words in own)
        total += wire_sizes.number(len(heard))
        return total + sum(wire_sizes.positions(len(words), m) + wire_sizes.number(left) for words, left in heard)

    def want(self, told: Any, heard: Any, tag: int, own: bool) -> np.float32:
        """Every pair of Algorithm 1, by the AND of the two filters."""
        wanted, theirs = heard
        if any(self.matches(set(words), tag) for words in wanted):
            return BOTH
        everything = frozenset(range(self.settings["m"]))
        mine = [(words, left) for words, left in told[1] if self.matches(set(words), tag)] or [(everything, 0)]
        best = 0
        for words, left in theirs:
            for own_words, own_left in mine:
                if left > own_left and self.matches(set(words & own_words), tag):
                    best = max(best, left - own_left)
        return np.float32(best) if best else NO

    def hear(self, node: int, peer: int, digest: Any, now: float) -> None:
        own, heard = digest
        for words, left in [*heard, *((one, self.settings["lifetime"]) for one in own)]:
            self.collect(node, words, self.second[node] + left)

    def collect(self, node: int, words: frozenset[int], expires: int) -> None:
        table = self.heard[node]
        if not words or words in self.subscriptions(node):
            return
        for i, (known, until) in enumerate(table):
            if known == words:
                table[i] = words, expires if self.settings["renew"] == "newest" else max(expires, until)
                return
        group = self.settings["aggregate"]
        for i, (known, until) in enumerate(table):
            if group and until // group == expires // group:
                table[i] = known | words, min(expires, until)
                return
        if len(table) < self.settings["table"]:
            table.append((words, expires))
            return
        least = min(range(len(table)), key=lambda i: table[i][1])
        if table[least][1] < expires:
            table[least] = words, expires
