"""A node by itself: what it carries, what it wants, and what it runs. `host.py` has its contacts.

Times are whole milliseconds on the node's own clock.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from hunet.filters.hashing import PUBLIC_KEY
from hunet.model.errors import InvalidValueError
from hunet.node.admission import Admission
from hunet.node.agreement import Agreement
from hunet.node.budget import DAY, Limits
from hunet.node.choice import Choice
from hunet.node.clock import Clock
from hunet.node.held import Held, Shelf
from hunet.node.interests import Interests
from hunet.node.line import Line
from hunet.node.message import TEXT, Author, Copy, Envelope, number_of
from hunet.node.notice import TAG
from hunet.node.row import Row
from hunet.node.secret import day_of, is_secret, secret_of
from hunet.node.store import Store
from hunet.protocols.protocol import Protocol
from hunet.protocols.zigzag import ZIGZAG

if TYPE_CHECKING:
    from hunet.node.ranges import Ranges

__all__ = ["Carrier"]


class Carrier:
    """A node by itself."""

    def __init__(
        self,
        store: Store,
        me: bytes,
        author: Author,
        protocol: Protocol,
        settings: Any,
        *,
        clock: Clock,
        wall: Clock | None = None,
        key: bytes = PUBLIC_KEY,
        limits: Limits = Limits(),  # noqa: B008  (frozen)
        number: Callable[[bytes], int] = number_of,
        ranges: Ranges | None = None,
        holder: bytes | None = None,
        pinned: bool = False,
    ) -> None:
        """`me` is my public key for links, `key` that of the network's filters, `wall` a clock of the day that can be
        trusted, if there is one; `number` says how protocols know nodes, by their keys. Where the network has `ranges`,
        ZigZag finds events in a row of its own. The protocol and its settings run until the `holder` of the network's
        settings key sends others; where `pinned`, for ever."""
        self.store, self.me, self.author, self.clock, self.wall = store, me, author, clock, wall
        self.limits, self.number = limits, number
        self._key, self._ranges = key, ranges
        self.agreement = Agreement(store, holder, Choice(protocol, settings), pinned)
        self.now = int(store.get("now") or 0)
        self.lines: list[Line] = []
        """Contacts that go on."""
        self.flying: dict[bytes, Line] = {}
        """Messages that were sent and are not acknowledged yet."""
        self.coming: dict[bytes, Line] = {}
        """Messages that I asked somebody for."""
        self.leaving = False
        self.drops = self.control_bytes = self.forwards = 0
        self.gone: Counter[str] = Counter()
        """Messages that were let go or refused since the start, by reason."""
        self.on_delivery: Callable[[], None] = lambda: None
        """Called when something was delivered or published, and is committed."""
        self._known: OrderedDict[bytes, set[bytes]] = OrderedDict()
        """By peer, messages that it is known to have."""
        self._heard_at: OrderedDict[bytes, int] = OrderedDict()
        """By peer, when its digest was last merged."""
        self.admission = Admission(limits)
        self.on_change: Callable[[], None] = lambda: None
        """Called when other settings were taken over."""
        self._furnish()
        self.wake()

    # ------------------------------------------------------------------ settings

    def _furnish(self) -> None:
        """The rows, as what should run has them; and what I carry and want, from the store."""
        self.runs = self.agreement.runs
        choices = [self.runs, *([] if self._ranges is None else [Choice(ZIGZAG, ZIGZAG.settings())])]
        about = self.number(self.me), self._key, self.limits.messages, max(self.now, self.clock()) / 1000
        self.rows = [Row(protocol, settings, *about) for protocol, settings in choices]
        self.fingerprint = self._fingerprint(self.runs)
        self.shelf = Shelf(self.store, self.rows, self.author.public, self.number, self.limits)
        self.interests = Interests(self.store, self.rows, self._key, self._today(), self._ranges)

    def _fingerprint(self, choice: Choice) -> bytes:
        """The same at nodes that run the same protocol with the same settings."""
        names = [choice.name, *(row.name for row in self.rows[1:])]
        return blake2b("\n".join(names).encode(), digest_size=8).digest()

    @property
    def changing(self) -> bool:
        """Whether other settings are to run than do: contacts end, and when none is left they are taken over."""
        return self.agreement.runs is not self.runs

    def _change(self) -> None:
        """Run what should run. Messages, interests and what was seen stay; what the protocol knew too, where other
        settings of the same protocol can go on from it (`Row.resume`)."""
        self.commit()
        self._furnish()
        if not self.shelf.resumed:
            self._heard_at.clear()
        self.commit()
        self.on_change()

    def learn(self, envelope: Envelope, age: int) -> None:
        """A peer told me of settings, so old by now."""
        self.wake()
        if self.agreement.learn(envelope, age, self.now):
            self._spread_notice(on_disk=False)

    def tell_settings(self) -> bytes:
        """The newest settings that I know of, for a peer."""
        self.wake()
        return self.agreement.told(self.now)

    def announce(self, holder: Author, choice: Choice, wait: int) -> int:
        """Send settings to all nodes, to be taken over in so many milliseconds; the serial number."""
        self.wake()
        notice = self.agreement.announce(holder, choice, wait, self.now, self.now if self.wall is None else self.wall())
        self._spread_notice(on_disk=True)
        return notice.serial

    def _spread_notice(self, *, on_disk: bool) -> None:
        self.commit(on_disk=on_disk)
        for line in self.lines:
            line.inform()

    def go_back(self) -> Choice:
        """To earlier settings, on this node alone."""
        self.wake()
        chosen = self.agreement.back(self.now)
        self.commit()
        self.wake()
        return chosen

    def follows(self, fingerprint: bytes, serial: int) -> bool:
        """Whether a peer that runs something else has taken over what I am about to: then so do I, now."""
        coming = self.agreement.next
        if coming is None or serial != self.agreement.serial or fingerprint != self._fingerprint(coming):
            return False
        self.agreement.hasten()
        return True

    # ------------------------------------------------------------------ time, interests, publishing

    def wake(self) -> None:
        """Bring what I carry and want to now, and what I run where nothing is under way; time never runs back."""
        self.now = max(self.now, self.clock())
        self.agreement.advance(self.now)
        if self.changing and not self.lines:
            self._change()
        for held in self.shelf.over(self.now):
            self.gone["its time was over"] += 1
            self._lose(held, dropped=False)
        self.interests.end(self.now, self._today())

    def _age(self) -> None:
        """The same, and the rows too."""
        self.wake()
        for row in self.rows:
            row.age(self.now / 1000)

    def subscribe(
        self, text: str, *, level: float = 1.0, hops: int = 0, until: int | None = None, kind: int = TEXT
    ) -> None:
        """Want a tag (of other kinds, what the text says), so strongly, from so far away, until this time if at all."""
        self._age()
        self.interests.add(text, level, hops, until, kind)
        self.commit()

    def catch_up(self) -> None:
        """Deliver what I carry for others and want by now myself; what was delivered before stays as it is."""
        for held in self.shelf.held.values():
            if held.own or not self.rows[held.kind].is_wanted(held.tags):
                continue
            envelope = Envelope.decode(self.shelf.envelope(held))
            if self.interests.match(envelope, held.tags):
                copy = Copy(envelope.encode(), self.now - held.born, held.hops)
                self.shelf.deliver(held.id, self.opened(envelope), self.now, copy, held.peer)
        self.commit()

    def unsubscribe(self, text: str, *, kind: int = TEXT) -> bool:
        """Want it no more; whether I did."""
        self._age()
        found = self.interests.remove(text, kind)
        self.commit()
        return found

    def publish(
        self, payload: bytes, tags: Sequence[str], *, lifetime: int = DAY, kind: int = TEXT, commit: bool = True
    ) -> bytes:
        """The id of a new message, once it is on the disk. `lifetime` in milliseconds, 0 for no end.

        Without `commit` it is there with the next commit, which whoever publishes many at once makes himself.
        """
        self.wake()
        if TAG in tags:
            raise InvalidValueError(f"the tag {TAG} is for settings of the network: hunet tune NAME --send")
        if not 0 < (lifetime or math.inf) <= self.limits.lifetime:
            most = f"{self.limits.lifetime / DAY:g} days"
            raise InvalidValueError(f"a lifetime of {lifetime / DAY:g} days: give one above 0, and at most {most}")
        written = self.now if self.wall is None else self.wall()
        tags, payload = self._sealed(tags, payload)
        envelope = Envelope.signed(self.author, written, lifetime, tuple(tags), payload, kind)
        while self.shelf.seen([envelope.id]):  # the same was said in this very millisecond, and is said again
            written += 1
            envelope = Envelope.signed(self.author, written, lifetime, tuple(tags), payload, kind)
        copy = Copy(envelope.encode(), 0, 0)
        held = self._keep(envelope, copy, self.me)
        self.shelf.deliver(envelope.id, self.opened(envelope), self.now, copy, self.me)
        if commit:
            self.trim()
            self.commit()
        if held is not None:
            self._spread(held)
        return envelope.id

    def _today(self) -> int:
        return day_of(self.now if self.wall is None else self.wall())

    def _sealed(self, tags: Sequence[str], payload: bytes) -> tuple[Sequence[str], bytes]:
        """What travels of a message: one of a secret topic is sealed, under the tag of the day."""
        if not any(map(is_secret, tags)):
            return tags, payload
        if len(tags) > 1:
            raise InvalidValueError("a message of a secret topic has no other tag: it would give the topic away")
        topic = secret_of(tags[0], self.rows[0].tables.key)
        tag = topic.tag(self._today())
        return [tag], topic.seal(payload, tag)

    def opened(self, envelope: Envelope) -> Envelope:
        """A message as my person reads it."""
        return self.interests.opened(envelope)

    # ------------------------------------------------------------------ what comes in

    def _keep(self, envelope: Envelope, copy: Copy, peer: bytes) -> Held | None:
        """Take a message in that is not here yet: deliver it, and carry it on if the protocol says so."""
        row = self.rows[envelope.kind]
        tags = self._numbered(envelope)
        self.shelf.see(envelope.id, self.now)
        if peer != self.me and self.interests.match(envelope, tags):
            self.shelf.deliver(envelope.id, self.opened(envelope), self.now, copy, peer)
        entry = row.enter() if tags else None
        if entry is None:
            return None
        held = self.shelf.held_of(envelope, len(copy.envelope), self.now - copy.age, copy.hops, entry, tags, peer)
        if not row.take(entry, held.message(self.number(peer)), copy.note, copy.parcel):
            row.leave(entry)
            return None
        self.shelf.put(held, copy.envelope)
        return held

    def _numbered(self, envelope: Envelope) -> tuple[int, ...]:
        """My numbers for a message's tags, as far as there is room. Where there is none, tags are given up that nothing
        here has any more."""
        row, own = self.rows[envelope.kind], envelope.author == self.author.public
        found = [row.tag(name, own=own) for name in envelope.tags]
        if None in found:
            used = {tag for held in self.shelf.held.values() if held.kind == envelope.kind for tag in held.tags}
            row.forget_tags(
                {*used, *(tag for tag in found if tag is not None)}, [line.sides[envelope.kind] for line in self.lines]
            )
            found = [row.tag(name, own=own) for name in envelope.tags]
        return tuple(tag for tag in found if tag is not None)

    def _spread(self, held: Held) -> None:
        """A message is new here, and contacts go on."""

    # ------------------------------------------------------------------ what leaves

    def trim(self) -> None:
        """What does not fit any more leaves; not in the middle of an exchange, that may give some of it away."""
        for held in self.shelf.too_many():
            self.drops += 1
            self.gone["no room"] += 1
            self._lose(held, dropped=True)

    def _lose(self, held: Held, dropped: bool) -> None:
        self.rows[held.kind].lost(held.entry, held.message(self.number(self.me)), dropped)
        self._forget(held)

    def _forget(self, held: Held) -> None:
        self.shelf.remove(held)
        self.rows[held.kind].leave(held.entry)
        for known in self._known.values():
            known.discard(held.id)

    def commit(self, *, on_disk: bool = True) -> None:
        """Everything since the last commit, at once."""
        self.store.put("now", str(self.now))
        for i, row in enumerate(self.rows):
            if row.tables.changed:
                self.store.put(f"tables {i}", row.tables.encode())
            self.store.put(f"state {i}", row.encode_state())
        self.shelf.commit(on_disk)
        if self.shelf.news:
            self.shelf.news = False
            self.on_delivery()
