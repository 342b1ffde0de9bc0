"""What a node's person wants: tags, each so strongly, from so far away and until some time; kept in the store."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from hunet.model.errors import DecodeError, InvalidValueError
from hunet.node.message import Envelope
from hunet.node.row import Row
from hunet.node.secret import SHOWN, is_secret, secret_of
from hunet.node.store import Store
from hunet.protocols.wire import MAX_HOPS, MAX_TEXT

__all__ = ["Interest", "Interests"]

MOST_INTERESTS = 1024


class Interest(NamedTuple):
    """One thing that is wanted."""

    kind: int
    text: str
    level: float
    """Above 0, up to 1."""
    hops: int
    """How many it is worth; 0 for any number."""
    until: int | None
    """The millisecond of my clock in which it ends."""


class Interests:
    """All that is wanted, and what the rows know of it."""

    def __init__(self, store: Store, rows: Sequence[Row], salt: bytes, today: int) -> None:
        """`salt` is the network's, `today` the number of the day: secret topics have other tags every day."""
        self._store, self._rows, self._salt, self._today = store, rows, salt, today
        found = [Interest(*row) for row in store.rows("SELECT kind, text, level, hops, until FROM interest")]
        self.all = {(one.kind, one.text): one for one in found}
        self._tell(range(len(rows)))

    def add(self, text: str, level: float, hops: int, until: int | None, kind: int) -> None:
        """Want something, or want it otherwise than before."""
        if not 0 <= kind < len(self._rows):
            raise InvalidValueError(f"interests of kind {kind}: this network has none")
        if is_secret(text):
            secret_of(text, self._salt)  # refuses what is none
        if not 1 <= len(text.encode()) <= MAX_TEXT:
            raise InvalidValueError(f"a tag of {len(text.encode())} bytes: give 1 to {MAX_TEXT}")
        if not 0 < level <= 1 or not 0 <= hops <= MAX_HOPS:
            raise InvalidValueError(
                f"level {level:g}, {hops} hops: give a level above 0 to 1, and 0 to {MAX_HOPS} hops"
            )
        if len(self.all) >= MOST_INTERESTS and (kind, text) not in self.all:
            raise InvalidValueError(f"more than {MOST_INTERESTS} interests: give one up first")
        self.all[kind, text] = Interest(kind, text, level, hops, until)
        self._store.write("INSERT OR REPLACE INTO interest VALUES (?, ?, ?, ?, ?)", *self.all[kind, text])
        self._tell([kind])

    def remove(self, text: str, kind: int) -> bool:
        """Want it no more; whether it was wanted."""
        if self.all.pop((kind, text), None) is None:
            return False
        self._store.write("DELETE FROM interest WHERE kind = ? AND text = ?", kind, text)
        self._tell([kind])
        return True

    def end(self, now: int, today: int) -> None:
        """Give up what has come to its end; and on a new day, look for secret topics under their new tags."""
        if today != self._today:
            self._today = today
            self._tell({one.kind for one in self.all.values() if is_secret(one.text)})
        for one in [one for one in self.all.values() if one.until is not None and now > one.until]:
            self.remove(one.text, one.kind)

    def match(self, envelope: Envelope, tags: tuple[int, ...]) -> bool:
        """Whether a message, with these numbers for its tags, is wanted."""
        return self._rows[envelope.kind].is_wanted(tags)

    def opened(self, envelope: Envelope) -> Envelope:
        """The message as my person reads it: one of a secret topic that I know, under its name and in the clear."""
        for one in self.all.values():
            if is_secret(one.text) and envelope.tags[0].startswith(SHOWN):
                try:
                    text = secret_of(one.text, self._salt).open(envelope.payload, envelope.tags)
                except DecodeError:
                    continue
                return replace(envelope, tags=(one.text,), payload=text)
        return envelope

    def _tell(self, kinds: Iterable[int]) -> None:
        for kind in kinds:
            wanted: dict[str, tuple[float, float, int]] = {}
            for one in self.all.values():
                if one.kind == kind:
                    until = math.inf if one.until is None else one.until / 1000
                    wanted |= dict.fromkeys(self._tags(one.text), (until, one.level, one.hops))
            self._rows[kind].want(wanted)

    def _tags(self, text: str) -> list[str]:
        return secret_of(text, self._salt).tags(self._today) if is_secret(text) else [text]
