"""The filters as dicts and sets, written from the papers and not from the code (spec sections 1, 2, 4.3 and 9)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction

from hunet.model.errors import AbsentKeyError, ClockError, MergedFilterError
from tests.naive.hashing import NaiveHashing

Key = str | bytes


@dataclass
class NaiveBloom:
    """A set of positions."""

    hashing: NaiveHashing
    positions: set[int] = field(default_factory=set)

    def add(self, key: Key) -> None:
        self.positions |= set(self.hashing.positions(key))

    def has(self, key: Key) -> bool:
        return set(self.hashing.positions(key)) <= self.positions


@dataclass
class NaiveCounting:
    """Position -> count. A count that reached 255 is lost and stays."""

    hashing: NaiveHashing
    counters: dict[int, int] = field(default_factory=dict)

    def add(self, key: Key) -> None:
        for position in self.hashing.positions(key):
            self.counters[position] = min(255, self.counters.get(position, 0) + 1)

    def remove(self, key: Key) -> None:
        if self.count(key) == 0:
            raise AbsentKeyError(str(key))
        for position in self.hashing.positions(key):
            if 0 < self.counters.get(position, 0) < 255:
                self.counters[position] -= 1
        self.counters = {position: number for position, number in self.counters.items() if number}

    def count(self, key: Key) -> int:
        return min(self.counters.get(position, 0) for position in self.hashing.positions(key))

    def copy(self) -> NaiveCounting:
        return replace(self, counters=dict(self.counters))

    def plus(self, other: NaiveCounting) -> NaiveCounting:
        every = self.counters.keys() | other.counters.keys()
        return NaiveCounting(
            self.hashing, {p: min(255, self.counters.get(p, 0) + other.counters.get(p, 0)) for p in every}
        )


@dataclass
class NaiveTCBF:
    """Position -> counter above 0, and the time for which the counters hold."""

    hashing: NaiveHashing
    initial: int
    ceiling: int
    cycle: float
    now: float = 0.0
    merged: bool = False
    counters: dict[int, int] = field(default_factory=dict)

    def copy(self) -> NaiveTCBF:
        return replace(self, counters=dict(self.counters))

    def insert(self, key: Key) -> None:
        if self.merged:
            raise MergedFilterError(str(key))
        for position in self.hashing.positions(key):
            self.counters.setdefault(position, self.initial)

    def decay(self, now: float) -> None:
        """Ticks are the multiples of the cycle since time 0 (AMB-04)."""
        if now < self.now:
            raise ClockError(str(now))
        ticks = 0 if math.isinf(self.cycle) else math.floor(now / self.cycle) - math.floor(self.now / self.cycle)
        self.counters = {p: counter - ticks for p, counter in self.counters.items() if counter > ticks}
        self.now = now

    def a_merge(self, other: NaiveTCBF) -> None:
        theirs = self._meet(other)
        for position, counter in theirs.items():
            self.counters[position] = min(self.ceiling, self.counters.get(position, 0) + counter)

    def m_merge(self, other: NaiveTCBF) -> None:
        theirs = self._meet(other)
        for position, counter in theirs.items():
            self.counters[position] = min(self.ceiling, max(self.counters.get(position, 0), counter))

    def _meet(self, other: NaiveTCBF) -> dict[int, int]:
        """Both come to the later time first (AMB-05), each with its own cycle; the other itself stays."""
        now = max(self.now, other.now)
        theirs = other.copy()
        theirs.decay(now)
        self.decay(now)
        self.merged = True
        return theirs.counters

    def value(self, key: Key) -> int:
        return min(self.counters.get(position, 0) for position in self.hashing.positions(key))

    def preference(self, key: Key, than: NaiveTCBF) -> Fraction:
        mine, theirs = self.value(key), than.value(key)
        return Fraction(mine - theirs, theirs) if theirs else Fraction(mine)


@dataclass
class NaivePool:
    """A list of TCBFs; the last is the current one (AMB-09)."""

    empty: NaiveTCBF
    threshold: float
    limit: int
    filters: list[NaiveTCBF] = field(default_factory=list)

    def copy(self) -> NaivePool:
        return replace(self, empty=self.empty.copy(), filters=[single.copy() for single in self.filters])

    def insert(self, key: Key) -> None:
        fresh = self._fresh()
        fresh.insert(key)
        self.a_merge(fresh)

    def a_merge(self, other: NaiveTCBF) -> None:
        now = max(self.empty.now, other.now)
        self.decay(now)
        theirs = other.copy()
        theirs.decay(now)
        if not theirs.counters:
            return
        for mine in self.filters:
            if theirs.counters.keys() <= mine.counters.keys():
                mine.a_merge(theirs)
                return
        if not self.filters or (self._is_full(self.filters[-1]) and len(self.filters) < self.limit):
            self.filters.append(self._fresh())
        self.filters[-1].a_merge(theirs)

    def m_merge(self, other: NaivePool) -> None:
        now = max(self.empty.now, other.empty.now)
        self.decay(now)
        theirs = other.copy()
        theirs.decay(now)
        for index, single in enumerate(theirs.filters):
            if index >= len(self.filters) and len(self.filters) < self.limit:
                self.filters.append(self._fresh())
            self.filters[min(index, len(self.filters) - 1)].m_merge(single)

    def decay(self, now: float) -> None:
        self.empty.decay(now)
        for single in self.filters:
            single.decay(now)
        self.filters = [single for single in self.filters if single.counters]

    def value(self, key: Key) -> int:
        return max((single.value(key) for single in self.filters), default=0)

    def _fresh(self) -> NaiveTCBF:
        return self.empty.copy()

    def _is_full(self, single: NaiveTCBF) -> bool:
        return len(single.counters) / self.empty.hashing.m > self.threshold


@dataclass
class NaiveSpTBF:
    """Position -> (hops, milliseconds from the time base), as the equations of the paper have it.

    The time base moves only where the paper moves it. By default a slot of which one part is spent counts as (0, 0)
    (AMB-65); `strict` keeps the other part.
    """

    hashing: NaiveHashing
    strict: bool
    timebase: int = 0
    now: int = 0
    slots: dict[int, tuple[int, int]] = field(default_factory=dict)

    def copy(self) -> NaiveSpTBF:
        return replace(self, slots=dict(self.slots))

    def insert(self, label: Key, hops: int, lifetime: int, now: int) -> None:
        self._advance(now)
        for position in self.hashing.positions(label):
            old_hops, old_time = self._slot(position)
            self.slots[position] = (max(old_hops, hops), max(old_time, lifetime + self.now - self.timebase))

    def query(self, label: Key, now: int) -> bool:
        if now < self.now:
            raise ClockError(str(now))
        slots = [self.slots.get(position, (0, 0)) for position in self.hashing.positions(label)]
        return all(hops != 0 and time - (now - self.timebase) > 0 for hops, time in slots)

    def merge(self, other: NaiveSpTBF, now: int) -> None:
        theirs = other.copy()
        theirs.adjust_time(now)
        self.adjust_time(now)
        for position in theirs.slots:
            (my_hops, my_time), (hops, time) = self._slot(position), theirs._slot(position)
            self.slots[position] = (max(my_hops, hops), max(my_time, time))

    def decrement_hops(self) -> None:
        self.slots = {p: (max(hops - 1, 0), time) for p, (hops, time) in self.slots.items()}

    def adjust_time(self, now: int) -> None:
        self._advance(now)
        passed = self.now - self.timebase
        every = {position: self._slot(position) for position in self.slots}
        self.slots = {p: (hops, max(time - passed, 0)) for p, (hops, time) in every.items()}
        self.timebase = self.now

    def hand_over(self, now: int) -> None:
        """Sender: times count from its present; receiver: from its own present."""
        self.adjust_time(self.now)
        self.timebase = self.now = now

    def live(self) -> dict[int, tuple[int, int]]:
        """The slots that count at the latest time told, with the milliseconds left to them."""
        passed = self.now - self.timebase
        return {p: (hops, time - passed) for p, (hops, time) in self.slots.items() if hops and time > passed}

    def _slot(self, position: int) -> tuple[int, int]:
        hops, time = self.slots.get(position, (0, 0))
        is_dead = hops == 0 or time <= self.now - self.timebase
        return (0, 0) if is_dead and not self.strict else (hops, time)

    def _advance(self, now: int) -> None:
        if now < self.now:
            raise ClockError(str(now))
        self.now = now
