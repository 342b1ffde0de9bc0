"""B-SUB 2010 as dicts and sets: election, lists of filters, decay factors that brokers set themselves."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from tests.naive import wire_sizes
from tests.naive.simulator import BOTH, DIRECT, NO, YES, Message, Story
from tests.naive.tag_protocols import Positions, Push, preference

Filters = list[Counter[int]]


class Bsub10(Push):
    def __init__(self, story: Story, positions: Positions, **settings: Any) -> None:
        super().__init__(story, positions, **settings)
        self.broker = [False] * story.nodes
        self.window: list[dict[int, tuple[float, bool, int]]] = [{} for _ in range(story.nodes)]
        self.relay: list[Filters] = [[] for _ in range(story.nodes)]
        self.aged = [0.0] * story.nodes
        self.cycle = [self.first_cycle()] * story.nodes
        self.tuned = [-math.inf] * story.nodes
        self.copies: dict[tuple[int, int], int] = {}

    # ---------------------------------------------------------- decay

    def cycle_by_eq5(self, keys: int) -> float:
        m, k = self.settings["m"], self.settings["k"]
        p = min(1.0, k / m)
        at_least = [
            math.fsum(math.comb(keys, i) * p**i * (1 - p) ** (keys - i) for i in range(x, keys + 1))
            for x in range(1, keys + 1)
        ]
        expected_minimum = math.fsum(share**k for share in at_least)
        factor = self.settings["initial"] / self.settings["delay_limit"] * (1 + expected_minimum)
        return float(1 / (factor + self.settings["delta"]))

    def first_cycle(self) -> float:
        match self.settings["decay"]:
            case "given":
                return float(self.settings["decay_cycle"])
            case "eq5":
                return self.cycle_by_eq5(self.settings["nodes_met"])
            case "online":
                return self.cycle_by_eq5(0)
        return float(self.settings["delay_limit"] / self.settings["initial"])

    def tune(self, node: int, now: float) -> None:
        if self.settings["decay"] == "online":
            self.cycle[node] = self.cycle_by_eq5(len(self.window[node]))
        if self.settings["decay"] == "feedback" and now - self.tuned[node] >= self.settings["feedback_period"]:
            self.tuned[node] = now
            right = 1.0
            for filled in self.relay[node]:
                rate = 1.0
                for _ in range(self.settings["k"]):
                    rate *= len(filled) / self.settings["m"]
                right *= 1.0 - rate
            longest = self.settings["delay_limit"] / self.settings["initial"]
            shortest = min(longest, self.settings["feedback_period"] / self.settings["initial"])
            if right < 1.0 - self.settings["target_rate"]:
                self.cycle[node] = max(shortest, self.cycle[node] / 1.25)
            else:
                self.cycle[node] = min(longest, self.cycle[node] * 1.25)

    def age(self, node: int, now: float) -> None:
        if self.broker[node]:
            lost = math.floor(now / self.cycle[node]) - math.floor(self.aged[node] / self.cycle[node])
            decayed = [Counter({i: c - lost for i, c in filled.items() if c > lost}) for filled in self.relay[node]]
            self.relay[node] = [filled for filled in decayed if filled]
        self.aged[node] = now
        oldest = now - self.settings["window"]
        self.window[node] = {peer: met for peer, met in self.window[node].items() if met[0] >= oldest}

    # ---------------------------------------------------------- election

    def greet(self, a: int, b: int, now_a: float, now_b: float) -> int:
        degrees = {node: len(self.window[node]) for node in (a, b)}
        size = sum(wire_sizes.number(2 * degrees[node] + self.broker[node]) for node in (a, b))
        for judge, other, now, others_now in ((a, b, now_a, now_b), (b, a, now_b, now_a)):
            if not self.broker[judge]:
                brokers = {peer: degree for peer, (_, broker, degree) in self.window[judge].items() if broker}
                if not self.broker[other] and len(brokers) < self.settings["low"]:
                    self.promote(other, others_now)
                elif self.broker[other] and len(brokers) > self.settings["up"]:
                    others = [degree for peer, degree in brokers.items() if peer != other]
                    if others and degrees[other] * len(others) < sum(others):
                        self.broker[other] = False
                        self.relay[other] = []
            self.window[judge][other] = (now, self.broker[other], degrees[other])
            if self.broker[judge]:
                self.tune(judge, now)
        return size

    def promote(self, node: int, now: float) -> None:
        self.broker[node] = True
        self.cycle[node] = self.first_cycle()
        self.tuned[node] = -math.inf
        self.tune(node, now)

    # ---------------------------------------------------------- messages

    def tell(self, node: int, peer: int) -> Any:
        shows = ("counters" if self.broker[peer] else "positions") if self.broker[node] else "nothing"
        return shows, self.genuine(node), [Counter(filled) for filled in self.relay[node]]

    def size(self, digest: Any) -> int:
        shows, genuine, relay = digest
        m = self.settings["m"]
        size = 1 + wire_sizes.positions(len(genuine), m)
        if shows != "nothing":
            size += wire_sizes.number(len(relay))
        for filled in relay:
            if shows == "counters":
                size += wire_sizes.counters(filled.values(), m, self.settings["ceiling"])
            else:
                size += wire_sizes.positions(len(filled), m)
        return size

    def value(self, relay: Filters, tag: int) -> int:
        return max((min(filled[i] for i in self.positions[tag]) for filled in relay), default=0)

    def want(self, told: Any, heard: Any, tag: int, own: bool) -> np.float32:
        shows, genuine, relay = heard
        theirs = self.value(relay, tag)
        if not own and told[0] == "nothing" and not self.settings["demoted_carry"]:
            return NO
        if own or told[0] != "counters" or shows != "counters":
            score = YES if theirs > 0 else NO
        else:
            score = preference(self.value(told[2], tag), theirs)
        if self.matches(genuine, tag):
            return BOTH if score > 0 else DIRECT
        return score

    def give(self, node: int, message: Message, score: np.float32) -> np.float32:
        if message.source == node and self.copies[node, message.number] == 0:
            return DIRECT if score in (DIRECT, BOTH) else NO
        return score

    def gave(self, node: int, message: Message, score: np.float32, heard: Any) -> tuple[bool, int]:
        if score == DIRECT:
            return message.source == node or not self.settings["broker_deletes_delivered"], 0
        if message.source != node:
            return False, 1
        self.copies[node, message.number] -= 1
        return bool(self.copies[node, message.number] > 0 or self.settings["producer_keeps_for_direct"]), 1

    def take(self, node: int, message: Message, note: int) -> bool:
        if message.source == node:
            self.copies[node, message.number] = self.settings["copies"]
        carries = self.broker[node] and self.settings["broker_carries_wanted"]
        return message.source == node or note == 1 or carries

    def hear(self, node: int, peer: int, digest: Any, now: float) -> None:
        if not self.broker[node]:
            return
        shows, genuine, theirs = digest
        mine = self.relay[node]
        if genuine:
            covering = [filled for filled in mine if genuine <= set(filled)]
            if not covering:
                full = mine and len(mine[-1]) > self.settings["threshold"] * self.settings["m"]
                if not mine or (full and len(mine) < self.settings["filters"]):
                    mine.append(Counter())
                covering = [mine[-1]]
            for i in genuine:
                covering[0][i] = min(self.settings["ceiling"], covering[0][i] + self.settings["initial"])
        if shows == "counters":
            for i, other in enumerate(theirs):
                if i >= len(mine) and len(mine) < self.settings["filters"]:
                    mine.append(Counter(other))
                else:
                    place = min(i, len(mine) - 1)
                    mine[place] = mine[place] | other
