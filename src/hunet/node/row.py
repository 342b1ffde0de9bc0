"""The functions of a protocol on one row of state: what a simulation runs on many rows, step by step.

A row knows no message's payload, no peer's key beyond its number, no file. Times are seconds on my own clock.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hunet.model.errors import DecodeError, InvalidValueError
from hunet.node.choice import name_of_row
from hunet.node.tables import MOST_OWN_TAGS, MOST_TAGS, Tables, transplanted
from hunet.protocols.protocol import NO, Message, Protocol, interests_from
from hunet.protocols.settings import make_settings

__all__ = ["Row", "Side"]

_ME = np.uint64(0)
_calm = np.errstate(over="ignore")  # as in compiled code


@dataclass(eq=False)
class Side:
    """What a row knows of one contact."""

    hello: Any = None
    """The peer's."""
    face: int = 0
    telling: Any = None
    """My digest that the peer has no answer to yet; `told` and `heard` are of the same round."""
    told: Any = None
    heard: Any = None
    named: tuple[int, int] | None = None
    """Which tags had names when the digests were last looked at."""
    worth: dict[tuple[int, bool], Any] = field(default_factory=dict)
    """What a message with a tag is worth to the peer, if it is my own and if it is not."""


class Row:
    """One row of a protocol, and the tables it is indexed by."""

    def __init__(
        self, protocol: Protocol, settings: Any, number: int, key: bytes, room: float, began: float = 0.0
    ) -> None:
        """`began` is now, when it begins to live or goes on from what was kept (`resume`)."""
        self.protocol, self.settings, self.number, self.room, self.began = protocol, settings, number, room, began
        self.tables = Tables(key)
        self.wants = interests_from(np.zeros(0))
        self.state: Any = None
        self._prepare()

    def _prepare(self) -> None:
        """Make everything anew in the room that the tables have by now, and keep what was there."""
        self._rooms = self.tables.rooms
        self.world = self.tables.world(self.number, self.room, self.began)
        self.params = self.protocol.prepare(self.settings, self.world)
        for name, place in self.tables.names.items():
            self.protocol.name_tag(self.params, self.world, place, name)
        fresh = self.protocol.new_state(self.params, self.world)
        self.state = fresh if self.state is None else transplanted(self.state, fresh)
        (self.wants,) = transplanted([self.wants], [interests_from(np.zeros(self.world.places))])
        self.protocol.subscribe(self.params, self.state, _ME, self.wants)

    @property
    def name(self) -> str:
        """The protocol and its settings, as text."""
        return name_of_row(self.protocol, self.settings)

    # ------------------------------------------------------------------ tables

    def tag(self, name: str, *, own: bool = False) -> int | None:
        """My number for a tag; None if there are too many. What is my person's own has more room."""
        is_new = name not in self.tables.names
        place = self.tables.tag(name, MOST_OWN_TAGS if own else MOST_TAGS)
        if self._rooms != self.tables.rooms:
            self._prepare()
        elif is_new and place is not None:
            self.protocol.name_tag(self.params, self.world, place, name)
            self.protocol.subscribe(self.params, self.state, _ME, self.wants)
        return place

    def forget_tags(self, used: Iterable[int], sides: Sequence[Side]) -> None:
        """Give up all tags but those of my interests and these. `sides` are of contacts that go on: what is told there
        of tags by their numbers is read anew."""
        wanted = np.flatnonzero(self.wants["level"] > 0).tolist()
        digest, told = self.protocol.digest, []
        for side in sides if self._names_tags else []:
            told += [(side, name, digest.encode(self.params, getattr(side, name)))
                     for name in ("telling", "told", "heard") if getattr(side, name) is not None]  # fmt: skip
        for place in self.tables.forget_tags({*used, *wanted}):
            self.protocol.forget_tag(self.params, self.state, _ME, place)
        for side, name, data in told:
            setattr(side, name, self._decoded(data))

    @property
    def _names_tags(self) -> bool:
        """Whether digests name tags, also such as I have not come across."""
        return getattr(self.params, "tag_ids", None) is not None

    def _decoded(self, data: bytes) -> Any:
        """A digest of these bytes. It may name tags that I have not come across: where these took the last places, some
        found none, and it is read again with more room."""
        while True:
            ids = self.tables.tag_ids
            before = ids.copy()
            found = self.protocol.digest.new(self.params, self.world)
            try:
                self.protocol.digest.decode(self.params, data, found)
            except DecodeError:
                ids[:] = before
                raise
            if not self._names_tags or not ids.all():
                return found
            self.tables.make_room(1)
            if self._rooms == self.tables.rooms:
                return found
            self._prepare()

    def know(self, names: Iterable[str]) -> dict[str, int]:
        """My numbers for many tags, all named at once; without those for which there is no room."""
        found = {name: self.tables.tag(name) for name in names}
        self._prepare()
        return {name: place for name, place in found.items() if place is not None}

    def enter(self) -> int | None:
        """A place for what is remembered of a message; None if there are too many."""
        entry = self.tables.enter()
        if self._rooms != self.tables.rooms:
            self._prepare()
        return entry

    def leave(self, entry: int) -> None:
        """The message is gone."""
        self.tables.leave(entry)

    # ------------------------------------------------------------------ interests and time

    def want(self, interests: dict[str, tuple[float, float, int]]) -> None:
        """All my interests: by tag when they end, in seconds, how strong they are, and hops."""
        places = {self.tag(name, own=True): interest for name, interest in interests.items()}
        self.wants[:] = (0.0, 0.0, 0)
        for place, interest in places.items():
            if place is not None:
                self.wants[place] = interest
        self.protocol.subscribe(self.params, self.state, _ME, self.wants)

    def is_wanted(self, tags: tuple[int, ...]) -> bool:
        """Whether I want a message with these tags."""
        return any(self.wants[tag].level > 0 for tag in tags)

    def age(self, now: float) -> None:
        """Bring the row to now."""
        self.protocol.age(self.params, self.state, _ME, now)

    # ------------------------------------------------------------------ a contact

    def greet(self, now: float) -> bytes:
        """My hello; nothing where the protocol has none."""
        if self.protocol.greet is None:
            return b""
        hello = self.protocol.hello.new(self.params, self.world)
        self.protocol.greet(self.params, self.state, _ME, now, hello)
        return self.protocol.hello.encode(self.params, hello)

    def judge(self, side: Side, peer: bytes, data: bytes, now: float) -> int:
        """The peer's hello is here: my verdict on it."""
        hello = self.protocol.hello.new(self.params, self.world)
        self.protocol.hello.decode(self.params, data, hello)
        if self.protocol.greet is None:
            return 0
        number = self.tables.peer(peer)
        if self._rooms != self.tables.rooms:
            self._prepare()
        if number is None:
            if self.protocol.forget_peer is None:
                raise DecodeError("this node knows too many others already")
            number = self.tables.replace_peer(peer)
            self.protocol.forget_peer(self.params, self.state, _ME, number)
        verdict, side.face = self.protocol.meet(self.params, self.state, _ME, number, hello, now)
        side.hello = hello
        return int(verdict)

    def obey(self, verdict: int, now: float) -> None:
        """The peer's verdict on me."""
        self.protocol.obey(self.params, self.state, _ME, verdict, now)

    def tell(self, side: Side, now: float) -> bytes:
        """My digest."""
        hello = side.hello or self.protocol.hello.new(self.params, self.world)
        side.telling = self.protocol.digest.new(self.params, self.world)
        self.protocol.tell(self.params, self.state, _ME, now, hello, side.face, side.telling)
        return self.protocol.digest.encode(self.params, side.telling)

    def peek(self, now: float) -> bytes:
        """My digest as I would tell it now; nothing of mine changes."""
        kept = [part.copy() for part in self.state]
        told = self.tell(Side(), now)
        for part, before in zip(self.state, kept, strict=True):
            part[...] = before
        return told

    def listen(self, side: Side, data: bytes) -> None:
        """The peer's digest is here, and with mine makes the pair that decides from now on."""
        heard = self._decoded(data)
        side.told, side.heard, side.named = side.telling, heard, None

    def hear(self, side: Side, now: float) -> None:
        """Merge what the peer told me."""
        self._refresh(side)
        self.protocol.hear(self.params, self.state, _ME, side.heard, side.face, now)

    def _refresh(self, side: Side) -> None:
        """What filters answer for depends on the tags that I know of."""
        if side.named == self.tables.naming:
            return
        side.named = self.tables.naming
        side.worth.clear()
        for name in ("told", "heard"):
            digest = transplanted(getattr(side, name), self.protocol.digest.new(self.params, self.world))
            self.protocol.digest.refresh(self.params, digest)
            setattr(side, name, digest)

    def parted(self, peer: bytes, now: float) -> None:
        """The peer is out of reach."""
        number = self.tables.peers.get(peer)
        if self.protocol.parted is not None and number is not None:
            self.protocol.parted(self.params, self.state, _ME, number, now)

    # ------------------------------------------------------------------ messages

    @_calm
    def score(self, side: Side, entry: int, message: Message) -> Any:
        """What a message is worth to the peer; at or below `NO` it stays."""
        self._refresh(side)
        own = bool(message.own)
        best = max([self._worth(side, tag, own) for tag in message.tags.tolist()])
        if best <= NO:
            return NO
        return self.protocol.give(self.params, self.state, _ME, entry, message, best, side.heard)

    @_calm
    def wanted(self, side: Side, tag: int) -> Any:
        """What a message of my own with this tag would be worth to the peer, by what it told."""
        self._refresh(side)
        return self._worth(side, tag, True)

    def _worth(self, side: Side, tag: int, own: bool) -> Any:
        if (tag, own) not in side.worth:
            place = np.uint64(tag)
            mine, theirs = (self.protocol.read(self.params, digest, place) for digest in (side.told, side.heard))
            side.worth[tag, own] = self.protocol.want(self.params, mine, theirs, own)
        return side.worth[tag, own]

    @_calm
    def note(self, side: Side, entry: int, message: Message, score: Any) -> tuple[int, bytes]:
        """What travels with it: the note and the parcel."""
        note = self.protocol.note(self.params, self.state, _ME, entry, message, score, side.heard)
        return int(note), self.protocol.parcel(self.params).astype("<u8").tobytes()

    def gave(self, side: Side, entry: int, message: Message, score: Any, note: tuple[int, bytes]) -> bool:
        """The peer has it; whether I keep my copy."""
        self._unpack(note[1])
        return bool(
            self.protocol.gave(self.params, self.state, _ME, entry, message, score, note[0], side.heard),
        )

    def take(self, entry: int, message: Message, note: int, parcel: bytes) -> bool:
        """Whether I carry it on."""
        self._unpack(parcel)
        return bool(self.protocol.take(self.params, self.state, _ME, entry, message, note))

    def _unpack(self, parcel: bytes) -> None:
        words = self.protocol.parcel(self.params)
        words[:] = np.frombuffer(parcel, "<u8") if parcel else 0

    @property
    def sizes(self) -> tuple[int, int]:
        """The largest note, and the bytes of a parcel."""
        return int(self.protocol.most_note(self.params)), int(self.protocol.parcel(self.params).nbytes)

    def rank(self, entry: int, message: Message) -> Any:
        """What my copy is worth to me."""
        if self.protocol.rank is None:
            return NO
        return self.protocol.rank(self.params, self.state, _ME, entry, message)

    def lost(self, entry: int, message: Message, dropped: bool) -> None:
        """My copy is gone."""
        if self.protocol.lost is not None:
            self.protocol.lost(self.params, self.state, _ME, entry, message, dropped)

    # ------------------------------------------------------------------ kept

    def encode_state(self) -> bytes:
        """The state, for the store; the tables go there on their own."""
        return b"".join(part.tobytes() for part in self.state)

    @property
    def kept_as(self) -> str:
        """For the store: what a state that is found there is of."""
        parts = [f"{name} {part.dtype} {part.ndim}" for name, part in zip(self.state._fields, self.state, strict=True)]
        about = {"protocol": self.protocol.name, "rules": self.protocol.rules, "room": str(self.room), "parts": parts}
        return json.dumps({**about, "settings": self.settings._asdict()})

    def resume(self, kept_as: str, tables: bytes, state: bytes, used: set[int]) -> bool:
        """Go on from what was kept, with these entries in use; whether that is possible: it is with the same settings,
        and with others if the protocol can take a row over from these."""
        settings = self._settings_of(kept_as)
        if settings == self.settings:
            self._restore(tables, state, used)
            return True
        if settings is None or self.protocol.adopt is None:
            return False
        former = Row(self.protocol, settings, self.number, self.tables.key, self.room, self.began)
        former._restore(tables, state, used)
        former.age(self.began)
        mine = self.protocol.new_state(self.protocol.prepare(self.settings, former.world), former.world)
        if [(part.dtype, part.shape) for part in mine] != [(part.dtype, part.shape) for part in former.state]:
            return False
        self.tables, self.state = former.tables, former.state
        self._prepare()
        self.protocol.adopt(self.params, self.state, _ME, former.params, self.began)
        return True

    def _settings_of(self, kept_as: str) -> Any:
        """The settings of a state, if it is of this very protocol; None if not."""
        try:
            kept, mine = json.loads(kept_as), json.loads(self.kept_as)
            settings = make_settings(self.protocol, kept.pop("settings"))
        except (ValueError, KeyError, AttributeError, InvalidValueError):  # of another version of hunet
            return None
        del mine["settings"]
        return settings if kept == mine else None

    def _restore(self, tables: bytes, state: bytes, used: set[int]) -> None:
        self.tables.restore(tables, used)
        self._prepare()
        at = 0
        for part in self.state:
            if at + part.nbytes > len(state):
                raise DecodeError("the protocol's state is shorter than its settings say")
            part[...] = np.frombuffer(state, part.dtype, part.size, at).reshape(part.shape)
            at += part.nbytes
        if at != len(state):
            raise DecodeError("the protocol's state is longer than its settings say")
