"""Routing by scoped interests with a dict of (hops, end) per node; ends are points in time, nothing counts down."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.naive import wire_sizes
from tests.naive.simulator import NO, Interest, Message, Story
from tests.naive.tag_protocols import Positions, Push


class Sptbf(Push):
    def __init__(self, story: Story, positions: Positions, **settings: Any) -> None:
        super().__init__(story, positions, **settings)
        self.own: list[dict[int, Interest]] = [{} for _ in range(story.nodes)]
        self.known: list[dict[int, tuple[int, int]]] = [{} for _ in range(story.nodes)]
        """By slot: hops left, and the millisecond in which it ends."""
        self.now = [0] * story.nodes
        self.travelled: dict[tuple[int, int], int] = {}
        self.step = 1000 * math.ceil(settings["lifetime"] / (2 ** settings["time_bits"] - 1))

    def subscribe(self, node: int, wants: dict[int, Interest]) -> None:
        self.own[node] = dict(wants)

    def age(self, node: int, now: float) -> None:
        self.now[node] = round(1000 * now)
        self.known[node] = {slot: entry for slot, entry in self.known[node].items() if entry[1] > self.now[node]}

    def tell(self, node: int, peer: int) -> Any:
        """By slot: hops left, and steps of time left."""
        now, most = self.now[node], self.settings["hops"]
        entries = [(slot, hops - 1, end) for slot, (hops, end) in self.known[node].items() if hops > 1]
        for tag, interest in self.own[node].items():
            end = min(1000 * interest.until, now + 1000 * self.settings["lifetime"])
            if end > now:
                entries += [(slot, min(interest.hops or most, most), int(end)) for slot in self.positions[tag]]
        mixed: dict[int, tuple[int, int]] = {}
        for slot, hops, end in entries:
            before = mixed.get(slot, (0, 0))
            mixed[slot] = max(before[0], hops), max(before[1], (end - now) // self.step)
        return {slot: entry for slot, entry in mixed.items() if entry[1] > 0}

    def size(self, digest: Any) -> int:
        bits = self.settings["hops"].bit_length() + self.settings["time_bits"]
        slots = (hops * 2 ** self.settings["time_bits"] + steps for hops, steps in digest.values())
        return wire_sizes.counters(slots, self.settings["m"], 2**bits - 1)

    def want(self, told: Any, heard: Any, tag: int, own: bool) -> np.float32:
        slots = [heard.get(slot, (0, 0)) for slot in self.positions[tag]]
        hops, steps = (min(part) for part in zip(*slots, strict=True))
        return np.float32(hops * 2 ** self.settings["time_bits"] + steps) if hops else NO

    def give(self, node: int, message: Message, score: np.float32) -> np.float32:
        hops = int(score) // 2 ** self.settings["time_bits"]
        return score if self.travelled[node, message.number] + 1 <= hops else NO

    def gave(self, node: int, message: Message, score: np.float32, heard: Any) -> tuple[bool, int]:
        return True, self.travelled[node, message.number] + 1

    def take(self, node: int, message: Message, note: int) -> bool:
        self.travelled[node, message.number] = note
        return True

    def hear(self, node: int, peer: int, digest: Any, now: float) -> None:
        for slot, (hops, steps) in digest.items():
            known_hops, known_end = self.known[node].get(slot, (0, 0))
            self.known[node][slot] = max(known_hops, hops), max(known_end, self.now[node] + steps * self.step)
