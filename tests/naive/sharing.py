"""Grapevine the slow and obvious way, with dicts and lists, after spec section 9. Imports only the naive filters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.naive.hashing import NaiveHashing


class Summary(NamedTuple):
    origin: int
    version: int
    left: int
    values: dict[int, int]


class Beacon(NamedTuple):
    interests: dict[int, tuple[int, int]] | None
    """Slot -> (hops, whole seconds)."""
    summaries: list[Summary]


@dataclass
class Entry:
    summary: Summary
    due: bool
    heard: int


@dataclass(frozen=True)
class NaiveSettings:
    variant: str
    hops: int
    lifetime: int
    m: int
    table: int
    slots: Sequence[Sequence[int]]
    """Per label: its slots."""


@dataclass
class NaiveNode:
    number: int
    settings: NaiveSettings
    own: dict[int, int]
    groups: Sequence[tuple[int, int, str, int, int]] = ()
    """label, of, how, least, most"""
    interests: dict[int, tuple[int, int | None]] = field(default_factory=dict)
    """Label -> (hops, end in ms of my clock)."""
    known: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Slot -> (hops, the ms of my clock in which it ends)."""
    entries: list[Entry] = field(default_factory=list)
    version: int = 0
    forgotten: int = 0

    def wanted(self, now: int) -> dict[int, tuple[int, int]]:
        """Label -> (hops, ms left)."""
        most = self.settings.lifetime * 1000
        left = {
            label: (hops, most if end is None else min(most, end - now))
            for label, (hops, end) in self.interests.items()
        }
        return {label: (hops, time) for label, (hops, time) in left.items() if hops and time > 0}

    def is_wanted_near(self, label: int, now: int) -> bool:
        slots = [self.known.get(slot, (0, 0)) for slot in self.settings.slots[label]]
        return all(hops > 0 and end > now for hops, end in slots)

    def tell(self, now: int) -> Beacon:
        self.version += 1
        for label, of, how, least, most in self.groups:
            near = [self.own] + [
                entry.summary.values for entry in self.entries if now - entry.heard < self.settings.lifetime * 1000
            ]
            values = [context[of] for context in near if of in context and least <= context[of] <= most]
            self.own.pop(label, None)
            if values:
                self.own[label] = {
                    "count": len(values),
                    "smallest": min(values),
                    "largest": max(values),
                    "mean": sum(values) // len(values),
                }[how]
        aware = self.settings.variant != "agnostic"
        summaries = []
        mine = {label: v for label, v in self.own.items() if not aware or self.is_wanted_near(label, now)}
        if mine:
            summaries.append(Summary(self.number, self.version, self.settings.hops - 1, mine))
        for entry in self.entries:
            if entry.due:
                summaries.append(entry.summary._replace(left=entry.summary.left - 1))
                entry.due = False
        self.entries = [entry for entry in self.entries if now - entry.heard < self.settings.lifetime * 1000]
        if not aware:
            return Beacon(None, summaries)
        outgoing = {slot: (hops - 1, end - now) for slot, (hops, end) in self.known.items() if hops > 1 and end > now}
        for label, (hops, left) in self.wanted(now).items():
            for slot in self.settings.slots[label]:
                old = outgoing.get(slot, (0, 0))
                outgoing[slot] = (max(old[0], hops), max(old[1], left))
        seconds = {slot: (hops, left // 1000) for slot, (hops, left) in outgoing.items() if left >= 1000}
        return Beacon(seconds, summaries)

    def hear(self, beacon: Beacon, now: int) -> None:
        self.known = {slot: (hops, end) for slot, (hops, end) in self.known.items() if end > now}
        for slot, (hops, seconds) in (beacon.interests or {}).items():
            old = self.known.get(slot, (0, 0))
            self.known[slot] = (max(old[0], hops), max(old[1], now + 1000 * seconds))
        for summary in beacon.summaries:
            if summary.origin != self.number:
                self.learn(summary, now)

    def learn(self, summary: Summary, now: int) -> None:
        entry = Entry(summary, summary.left > 0, now)
        for i, old in enumerate(self.entries):
            if old.summary.origin == summary.origin:
                if (summary.version, summary.left) > (old.summary.version, old.summary.left):
                    self.entries[i] = entry
                return
        if len(self.entries) < self.settings.table:
            self.entries.append(entry)
            return
        oldest = min(range(len(self.entries)), key=lambda i: self.entries[i].heard)
        self.entries[oldest] = entry
        self.forgotten += 1


@dataclass(frozen=True)
class NaiveStory:
    nodes: int
    labels: int
    contacts: Sequence[tuple[int, int, int, int]]
    """a, b, start, end in ms."""
    interests: Sequence[tuple[int, int, int, int | None, int]]
    """node, label, from, until (None: for ever), hops."""
    beacons: Sequence[tuple[int, int, int]]
    """time, node, number."""
    clocks: Sequence[int]
    groups: Sequence[tuple[int, int, str, int, int]]
    lost: Callable[[int, int, int], bool]
    """sender, number, receiver"""
    every: int
    until: int


@dataclass
class NaiveOutcome:
    nodes: list[NaiveNode]
    beacons: int = 0
    bytes: int = 0
    values: int = 0
    own_values: int = 0
    heard: int = 0
    lost: int = 0
    within: set[tuple[int, int, int]] = field(default_factory=set)
    arrived: set[tuple[int, int, int]] = field(default_factory=set)
    looked: int = 0
    there: int = 0


def slots_of(variant: str, labels: Sequence[str], m: int, k: int, key: bytes) -> list[list[int]]:
    if variant == "exact":
        return [[i] for i in range(len(labels))]
    return [list(NaiveHashing(m, k, key).positions(label)) for label in labels]


def neighbours(story: NaiveStory, node: int, now: int) -> list[int]:
    ends = [(a, b) for a, b, start, end in story.contacts if node in (a, b) and start <= now < end]
    return [a + b - node for a, b in ends]


def within_reach(story: NaiveStory, node: int, hops: int, now: int) -> set[int]:
    reached = {node}
    for _ in range(hops):
        reached |= {other for one in reached for other in neighbours(story, one, now)}
    return reached - {node}


def simulate(story: NaiveStory, settings: NaiveSettings) -> NaiveOutcome:
    nodes = [
        NaiveNode(i, settings, {label: i * story.labels + label for label in range(story.labels)}, story.groups)
        for i in range(story.nodes)
    ]
    outcome = NaiveOutcome(nodes)
    looks = range(story.every, story.until, story.every)
    events = [(now, 0, 0, 0) for now in looks] + [(now, 1, node, number) for now, node, number in story.beacons]
    events += [(since, -1, i, 0) for i, (_, _, since, _, _) in enumerate(story.interests)]
    for now, kind, one, number in sorted(events):
        if kind == -1:
            node, label, _, until, hops = story.interests[one]
            nodes[node].interests[label] = hops, None if until is None else until + story.clocks[node]
        elif kind == 0:
            look(story, outcome, settings.hops, now)
        else:
            send(story, outcome, one, number, now)
    return outcome


def look(story: NaiveStory, outcome: NaiveOutcome, hops: int, now: int) -> None:
    for node in outcome.nodes:
        known = {entry.summary.origin: entry.summary.values for entry in node.entries}
        wanted = node.wanted(now + story.clocks[node.number])
        for label, (reach, _) in wanted.items():
            for producer in within_reach(story, node.number, min(hops, reach), now):
                outcome.within.add((node.number, producer, label))
                outcome.looked += 1
                outcome.there += label in known.get(producer, {})


def send(story: NaiveStory, outcome: NaiveOutcome, sender: int, number: int, now: int) -> None:
    me = outcome.nodes[sender]
    beacon = me.tell(now + story.clocks[sender])
    outcome.beacons += 1
    outcome.bytes += size(beacon, me.settings.m, story.labels)
    outcome.values += sum(len(summary.values) for summary in beacon.summaries)
    outcome.own_values += sum(len(summary.values) for summary in beacon.summaries if summary.origin == sender)
    for other in neighbours(story, sender, now):
        if story.lost(sender, number, other):
            outcome.lost += 1
            continue
        outcome.heard += 1
        clock = now + story.clocks[other]
        outcome.nodes[other].hear(beacon, clock)
        wanted = outcome.nodes[other].wanted(clock)
        outcome.arrived |= {(other, s.origin, label) for s in beacon.summaries for label in s.values if label in wanted}


def size(beacon: Beacon, m: int, labels: int) -> int:
    """m + 4 for interests; per summary three numbers, the set of labels (length, code, content) and 4 bytes a value."""
    total = 0 if beacon.interests is None else m + 4
    numbers = [len(beacon.summaries)]
    for summary in beacon.summaries:
        position = max(1, math.ceil(math.log2(labels)))
        labels_set = 1 + math.ceil(min(labels, len(summary.values) * position) / 8)
        numbers += [summary.origin, summary.version, summary.left, labels_set]
        total += labels_set + 4 * len(summary.values)
    return total + sum(max(1, math.ceil(number.bit_length() / 7)) for number in numbers)
