"""What a node carries, has seen and was delivered. Payloads lie in the store; the rest is small and in memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hunet.node.budget import DAY, HOUR, Limits
from hunet.node.message import Copy, Envelope, number_of
from hunet.node.row import Row
from hunet.node.store import Store
from hunet.protocols.order import HELD, mark_leaving
from hunet.protocols.protocol import Message

__all__ = ["Held", "Shelf"]

HISTORY = 100_000
"""Messages that stay readable after they came."""
WEEK = 7 * DAY
_AT_ONCE = 500
"""Ids that one query asks for."""


@dataclass(frozen=True, eq=False)
class Held:
    """A message that I carry."""

    id: bytes
    author: bytes
    source: int
    """The author's number."""
    kind: int
    own: bool
    born: int
    """When it was published, on my clock: now, less its age when it came."""
    ends: float
    hops: int
    size: int
    """Bytes of payload."""
    length: int
    """Bytes in the store."""
    entry: int
    """Where the protocol remembers something of it."""
    tags: tuple[int, ...]
    """My numbers for them."""
    peer: bytes
    """Who brought it."""

    @cached_property
    def _about(self) -> tuple[Any, ...]:
        tags = np.array(self.tags, np.uint32)
        times = self.born / 1000, self.ends / 1000
        return number_of(self.id), *times, self.size, self.own, self.source, tags, 0, tags.size

    @property
    def rank(self) -> tuple[int, bytes]:
        """Later ones are higher."""
        return self.born, self.id

    def message(self, peer: int) -> Message:
        """As the protocol sees it, with this peer at the other end."""
        return Message._make((*self._about, peer, False))


class Shelf:
    """Everything of messages that is kept."""

    def __init__(
        self, store: Store, rows: Sequence[Row], me: bytes, number: Callable[[bytes], int], limits: Limits
    ) -> None:
        self._store, self._rows, self._me, self._number, self._limits = store, rows, me, number, limits
        self.held: dict[bytes, Held] = {}
        self._fresh: dict[bytes, bytes] = {}
        """Envelopes that are not in the store yet."""
        self._new: dict[bytes, int] = {}
        """Ids that were seen and are not in the store yet."""
        self._bytes, self._own = 0, [0] * len(rows)
        """Bytes of all that I carry; how many of each kind are my own."""
        self._next_end = math.inf
        self._swept = -math.inf
        self.news = False
        """Whether something was delivered since somebody last looked."""
        self.resumed = True
        """Whether all rows went on from what was kept."""
        self._restore()

    def _restore(self) -> None:
        """As the last commit left it. A row that cannot go on from what was kept begins anew and takes in what I carry:
        what I published and passed on already like copies of others, so that it is not spread once more."""
        kept = [(Envelope.decode(row[0]), *row[1:], len(row[0])) for row in self._store.rows(
            "SELECT envelope, born, hops, entry, peer FROM message ORDER BY born, id")]  # fmt: skip
        passed_on = {mid for (mid,) in self._store.rows("SELECT DISTINCT id FROM taken")}
        for kind, row in enumerate(self._rows):
            mine = [one for one in kept if one[0].kind == kind]
            kept_as, tables, state = (self._store.get(f"{what} {kind}") for what in ("protocol", "tables", "state"))
            same = state is not None and row.resume(kept_as, tables, state, {one[3] for one in mine})
            self.resumed &= same
            self._store.put(f"protocol {kind}", row.kept_as)
            for envelope, born, hops, entry, peer, length in mine:
                tags = tuple(place for tag in envelope.tags if (place := row.tag(tag, own=True)) is not None)
                place = entry if same else row.enter()
                if place is None or not tags:
                    continue
                held = self.held_of(envelope, length, born, hops, place, tags, peer)
                if not same:
                    message = held.message(row.number)
                    row.take(place, message._replace(own=held.own and held.id not in passed_on), 0, b"")
                    self._store.write("UPDATE message SET entry = ? WHERE id = ?", place, held.id)
                self._carry(held)

    # ------------------------------------------------------------------ what I carry

    def held_of(
        self, envelope: Envelope, length: int, born: int, hops: int, entry: int, tags: tuple[int, ...], peer: bytes
    ) -> Held:
        """What is remembered of an envelope of so many bytes."""
        author, own = envelope.author, envelope.author == self._me
        whose = author, self._number(author), envelope.kind, own
        ends = born + (envelope.lifetime or math.inf)
        return Held(envelope.id, *whose, born, ends, hops, len(envelope.payload), length, entry, tags, peer)

    def put(self, held: Held, envelope: bytes) -> None:
        """Carry a message."""
        self._carry(held)
        self._fresh[held.id] = envelope
        self._store.write(
            "INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?, ?, ?)",
            held.id, envelope, held.born, held.hops, held.own, held.entry, held.peer,
        )  # fmt: skip

    def _carry(self, held: Held) -> None:
        self.held[held.id] = held
        self._bytes += held.length
        self._own[held.kind] += held.own
        self._next_end = min(self._next_end, held.ends)

    def envelope(self, held: Held) -> bytes:
        """What its author signed."""
        found = self._fresh.get(held.id)
        if found is None:
            ((found,),) = self._store.rows("SELECT envelope FROM message WHERE id = ?", held.id)
        return found

    def remove(self, held: Held) -> None:
        """Carry it no more."""
        del self.held[held.id]
        self._bytes -= held.length
        self._own[held.kind] -= held.own
        self._fresh.pop(held.id, None)
        self._store.write("DELETE FROM message WHERE id = ?", held.id)

    def over(self, now: int) -> list[Held]:
        """What has come to its end."""
        if now <= self._next_end:
            return []
        gone = [held for held in self.held.values() if now > held.ends]
        self._next_end = min((held.ends for held in self.held.values() if now <= held.ends), default=math.inf)
        return gone

    # ------------------------------------------------------------------ what does not fit

    def too_many(self) -> list[Held]:
        """What must leave: by the number of messages, then by bytes of each author, of all others, and of my own."""
        limits, outside = self._limits, self._outside
        mine, others = limits.store * (1 - limits.others), limits.store * limits.others
        leaving: set[Held] = set()
        if len(self.held) - sum(own for own, out in zip(self._own, outside, strict=True) if out) > limits.messages:
            counted = [held for held in self.held.values() if not (held.own and outside[held.kind])]
            leaving = set(self._excess(counted, limits.messages, None))
        if self._bytes > min(mine, limits.author * limits.store):
            by_author: dict[bytes, list[Held]] = {}
            for held in self.held.values():
                by_author.setdefault(held.author, []).append(held)
            for author, some in by_author.items():
                share = mine if author == self._me else limits.author * limits.store
                leaving |= set(self._excess([held for held in some if held not in leaving], math.inf, share))
            rest = [held for held in self.held.values() if held not in leaving and not held.own]
            leaving |= set(self._excess(rest, math.inf, others))
        return sorted(leaving, key=lambda held: held.rank)

    @property
    def _outside(self) -> list[bool]:
        """Whether my own messages of each kind lie outside of the buffer."""
        asked = self._limits.own_outside
        return [row.protocol.own_outside if asked is None else asked for row in self._rows]

    def _excess(self, among: list[Held], most: float, most_bytes: float | None) -> Iterator[Held]:
        """Which of these leave, so that so many, or so many bytes, stay."""
        excess = max(0, len(among) - most) if most_bytes is None else 0
        total = sum(held.length for held in among)
        if excess == 0 and (most_bytes is None or total <= most_bytes):
            return
        among = sorted(among, key=lambda held: held.rank)
        rows = np.zeros(len(among), HELD).view(np.recarray)
        rows.message = np.arange(len(among))
        rows.author = [held.source for held in among]
        rows.worth = [self._worth(held) for held in among]
        while True:
            if most_bytes is not None:
                excess = min(len(among), max(1, 2 * int(excess)))
            mark_leaving(rows, len(among), int(excess), self._limits.fair)
            gone = [held for held, leaves in zip(among, rows.leaves, strict=True) if leaves]
            if most_bytes is None or total - sum(held.length for held in gone) <= most_bytes:
                yield from gone
                return

    def _worth(self, held: Held) -> Any:
        row = self._rows[held.kind]
        return row.rank(held.entry, held.message(row.number))

    # ------------------------------------------------------------------ what I have seen, and got

    def see(self, mid: bytes, now: int) -> None:
        """Never take it again."""
        until = now + self._limits.seen_for
        self._new[mid] = now
        self._store.write("INSERT OR REPLACE INTO seen VALUES (?, ?)", mid, int(min(until, 2**62)))
        if now - self._swept > HOUR:
            self._swept = now
            self._store.write("DELETE FROM seen WHERE until < ?", now)
            self._store.write("DELETE FROM delivery WHERE seq <= (SELECT max(seq) FROM delivery) - ?", HISTORY)
            self._store.write("DELETE FROM delivery_tag WHERE seq < (SELECT min(seq) FROM delivery)")
            self._store.write("DELETE FROM taken WHERE at < ?", now - 5 * WEEK)
            self._store.write("DELETE FROM contact WHERE ended < ?", now - WEEK)

    def seen(self, ids: Sequence[bytes]) -> set[bytes]:
        """Which of these I have seen."""
        found = {mid for mid in ids if mid in self.held or mid in self._new}
        unknown = [mid for mid in ids if mid not in found]
        for at in range(0, len(unknown), _AT_ONCE):
            part = unknown[at : at + _AT_ONCE]
            marks = ",".join("?" * len(part))
            found |= {mid for (mid,) in self._store.rows(f"SELECT id FROM seen WHERE id IN ({marks})", *part)}
        return found

    def deliver(self, mid: bytes, opened: Envelope, now: int, copy: Copy, peer: bytes) -> None:
        """Show it to my person: I wanted it, and here it is; or I published it myself."""
        text = opened.payload.decode(errors="ignore")
        words = " ".join([text, *opened.tags]).casefold()
        self._store.write(
            "INSERT OR IGNORE INTO delivery (id, at, hops, peer, envelope, born, words) VALUES (?, ?, ?, ?, ?, ?, ?)",
            mid, now, copy.hops, peer, copy.envelope, now - copy.age, words,
        )  # fmt: skip
        for tag in opened.tags:
            self._store.write("INSERT OR IGNORE INTO delivery_tag SELECT ?, seq FROM delivery WHERE id = ?", tag, mid)
        self.news = True

    def commit(self, on_disk: bool) -> None:
        """All of it is in the store from here on."""
        self._store.commit(on_disk=on_disk)
        self._fresh.clear()
        self._new.clear()
