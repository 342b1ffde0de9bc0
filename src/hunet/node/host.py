"""A node without links: what it carries, what it wants, and its rows of protocol state.

Every method is one atomic step: it does not wait, so between steps other contacts go on and nothing is locked. Three
rules keep that right. Both ends decide in the very step that takes the peer's digest. A message on its way to one peer
does not leave for another before the first has answered. And whether it is for the peer is asked again when it leaves.

Times are whole milliseconds on the node's own clock. What a peer says is checked first: a step that raises has changed
nothing.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from hunet.filters.hashing import PUBLIC_KEY
from hunet.model.errors import DecodeError, InvalidValueError
from hunet.node.agreement import Agreement
from hunet.node.answers import LATER, MOST_IDS, NO_THANKS, PLEASE, decode_sections, encode_sections
from hunet.node.budget import DAY, Limits, Meter, in_turns
from hunet.node.choice import Choice
from hunet.node.clock import Clock
from hunet.node.held import Held, Shelf
from hunet.node.interests import Interests
from hunet.node.message import TEXT, Author, Copy, Envelope, number_of
from hunet.node.notice import TAG
from hunet.node.row import Row, Side
from hunet.node.secret import day_of, is_secret, secret_of
from hunet.node.store import Store
from hunet.node.tables import MOST_TAGS
from hunet.protocols.order import CHOICE, fit
from hunet.protocols.protocol import NO, Protocol
from hunet.protocols.zigzag import ZIGZAG

if TYPE_CHECKING:
    from hunet.node.ranges import Ranges

__all__ = ["Host", "Line"]

_REMEMBERED = 256
"""Peers of whom the node remembers what they have."""
_LATE = 86_400_000
"""Milliseconds that an author's wall clock may be wrong by where it is looked at."""


@dataclass(eq=False)
class Line:
    """My end of a contact."""

    peer: bytes
    number: int
    """As protocols know the peer."""
    began: int
    sides: list[Side]
    has: set[bytes]
    """Messages that the peer is known to have."""
    capacity: float = math.inf
    """Bytes of payload that go over this contact each way: of a simulated one; a real one ends when it ends."""
    todo: dict[bytes, Any] = field(default_factory=dict)
    """What is for the peer, with its score."""
    offered: list[bytes] = field(default_factory=list)
    sent: list[tuple[Held, Any, tuple[int, bytes]]] = field(default_factory=list)
    """What went over and is not acknowledged, with score and note."""
    used: int = 0
    """Bytes of payload that went over."""
    asked: set[bytes] = field(default_factory=set)
    """What I asked the peer for."""
    got: list[int] = field(default_factory=list)
    """What came since, as it will be acknowledged."""
    taken: int = 0
    """Bytes that came since the last digest."""
    kick: Callable[[], None] = lambda: None
    """Called when there may be something more to offer."""
    renew: Callable[[], None] = lambda: None
    """Called when the peer should be told anew what I want."""
    inform: Callable[[], None] = lambda: None
    """Called when there are settings that the peer may not know of."""


class Host:
    """A node without links."""

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
        self.flying: dict[bytes, Line] = {}
        """Messages that were sent and are not acknowledged yet."""
        self.coming: dict[bytes, Line] = {}
        """Messages that I asked somebody for."""
        self.drops = self.control_bytes = self.forwards = 0
        self.gone: Counter[str] = Counter()
        """Messages that were let go or refused since the start, by reason."""
        self.on_delivery: Callable[[], None] = lambda: None
        """Called when something was delivered or published, and is committed."""
        self.leaving = False
        self._known: OrderedDict[bytes, set[bytes]] = OrderedDict()
        self._heard_at: OrderedDict[bytes, int] = OrderedDict()
        self._authors, self._peers, self._all = (
            Meter(quota) for quota in (limits.from_author, limits.from_peer, limits.from_all)
        )
        self.on_change: Callable[[], None] = lambda: None
        """Called when other settings were taken over."""
        self._furnish()
        self.wake()

    # ------------------------------------------------------------------ settings

    def _furnish(self) -> None:
        """The rows, as what should run has them; and what I carry and want, from the store."""
        self.runs = self.agreement.runs
        choices = [self.runs, *([] if self._ranges is None else [Choice(ZIGZAG, ZIGZAG.settings())])]
        about = self.number(self.me), self._key, self.limits.messages, self.clock() / 1000
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
        """Run what should run. Messages, interests and what was seen stay; what a protocol knew begins anew."""
        self.commit()
        self._heard_at.clear()
        self._furnish()
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
        chosen = self.agreement.back()
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

    # ------------------------------------------------------------------ a contact begins

    def open(self, peer: bytes, capacity: float = math.inf) -> Line:
        """A contact with this peer."""
        self.wake()
        self._known.setdefault(peer, set())
        self._known.move_to_end(peer)
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        line = Line(peer, self.number(peer), self.clock(), [Side() for _ in self.rows], self._known[peer], capacity)
        self.lines.append(line)
        return line

    def close(self, line: Line, *, parted: bool = True) -> None:
        """The contact is over, however it ended; what came is kept. Not `parted`: the peer stays near (`part`)."""
        self.lines.remove(line)
        if parted:
            self.part(line.peer)
        self.store.write("INSERT INTO contact VALUES (?, ?, ?)", line.peer, line.began, self.clock())
        self._settle(line)
        for mid in line.asked:
            self.coming.pop(mid, None)
        self.trim()
        self.commit(on_disk=False)

    def part(self, peer: bytes) -> None:
        """A peer is out of reach, unless there is another line to it."""
        if not any(line.peer == peer for line in self.lines):
            self.wake()
            for row in self.rows:
                row.parted(peer, self.now / 1000)

    def leave(self) -> None:
        """End every contact as soon as what is under way in it is done."""
        self.leaving = True
        for line in list(self.lines):
            line.kick()

    def tell_anew(self) -> None:
        """My person wants something else than before: whoever is near shall know it now, not at the next renewal."""
        for line in self.lines:
            line.renew()

    def rest(self) -> None:
        """A contact goes on with nothing under way: what does not fit leaves now."""
        self.trim()
        self.commit(on_disk=False)

    @property
    def greets(self) -> bool:
        """Whether a contact begins with hellos."""
        return any(row.protocol.greet is not None for row in self.rows)

    def judges_first(self, line: Line) -> bool:
        """Of two ends the lower judges first, the other with the role it has by then."""
        return self.me < line.peer

    def greet(self) -> bytes:
        """My hello."""
        self._age()
        return self._counted([row.greet(self.now / 1000) for row in self.rows])

    def judge(self, line: Line, data: bytes) -> bytes:
        """My verdict on the peer, by its hello."""
        self._age()
        hellos = decode_sections(data, len(self.rows))
        judged = zip(self.rows, line.sides, hellos, strict=True)
        return bytes(row.judge(side, line.peer, hello, self.now / 1000) for row, side, hello in judged)

    def obey(self, line: Line, data: bytes) -> None:
        """The peer's verdict on me; one that comes too soon after its last digest changes nothing."""
        if len(data) != len(self.rows) or max(data) > 2:
            raise DecodeError("a verdict that is none of 0, 1 and 2")
        self._age()
        if self._is_due(line.peer):
            for row, verdict in zip(self.rows, data, strict=True):
                row.obey(verdict, self.now / 1000)

    def tell(self, line: Line) -> bytes:
        """My digest."""
        self._age()
        told = zip(self.rows, line.sides, strict=True)
        return self._counted([row.tell(side, self.now / 1000) for row, side in told])

    def hear(self, line: Line, data: bytes) -> None:
        """The peer's digest. In one step: decide what is for it, and merge what it told."""
        self._age()
        digests = decode_sections(data, len(self.rows))
        for row, side, digest in zip(self.rows, line.sides, digests, strict=True):
            row.listen(side, digest)
        line.todo.clear()
        line.taken = 0
        self._choose(line, self.shelf.held.values())
        if self._is_due(line.peer):
            for row, side in zip(self.rows, line.sides, strict=True):
                row.hear(side, self.now / 1000)
            self._heard_at[line.peer] = self.now
            self._heard_at.move_to_end(line.peer)
            if len(self._heard_at) > 16 * _REMEMBERED:
                self._heard_at.popitem(last=False)

    def _is_due(self, peer: bytes) -> bool:
        return self.now - self._heard_at.get(peer, -math.inf) >= self.limits.hear_every

    def _counted(self, sections: list[bytes]) -> bytes:
        self.control_bytes += sum(map(len, sections))
        return encode_sections(sections)

    # ------------------------------------------------------------------ what I give

    def _choose(self, line: Line, among: Iterable[Held]) -> None:
        for held in among:
            if held.id not in line.has:
                score = self._score(line, held)
                if score > NO:
                    line.todo[held.id] = score

    def _score(self, line: Line, held: Held) -> Any:
        return self.rows[held.kind].score(line.sides[held.kind], held.entry, held.message(line.number))

    def offer(self, line: Line) -> list[bytes]:
        """The ids of what is for the peer and free to go, best first, of equals the newest."""
        ready = [mid for mid in line.todo if mid in self.shelf.held and mid not in self.flying]
        ready.sort(key=lambda mid: self.shelf.held[mid].rank, reverse=True)
        ready.sort(key=lambda mid: -line.todo[mid])
        line.offered = ready[:MOST_IDS]
        return line.offered

    def plan(self, line: Line, answers: Sequence[int]) -> list[bytes]:
        """The peer answered: what goes over, as far as it fits."""
        wanted = []
        for mid, answer in zip(line.offered, answers, strict=True):
            if answer == NO_THANKS:
                line.has.add(mid)
            if answer != LATER and (score := line.todo.pop(mid, None)) is not None and answer == PLEASE:
                wanted.append((mid, score))
        line.offered = []
        going = [(self.shelf.held[mid], score) for mid, score in wanted if mid in self.shelf.held]
        sizes = [held.length for held, _ in going]
        going = [going[i] for i in in_turns([held.author for held, _ in going], sizes, self.limits.contact)]
        if math.isfinite(line.capacity):
            going = _fitting(going, line.used, line.capacity)
        return [held.id for held, _ in going]

    def pack(self, line: Line, mid: bytes) -> bytes | None:
        """A message leaves now, if it is still for the peer and not on its way to another; then it waits."""
        self._age()
        held = self.shelf.held.get(mid)
        if held is None:
            return None
        score = self._score(line, held)
        if score <= NO:
            return None
        if mid in self.flying:
            line.todo[mid] = score
            return None
        row, side = self.rows[held.kind], line.sides[held.kind]
        note = row.note(side, held.entry, held.message(line.number), score)
        self.flying[mid] = line
        line.sent.append((held, score, note))
        line.used += held.size
        return Copy(self.shelf.envelope(held), self.now - held.born, held.hops + 1, *note).encode(held.kind)

    def acknowledged(self, line: Line, answers: Sequence[int]) -> None:
        """The peer has what was new to it, on its disk."""
        self.wake()
        for (held, score, note), answer in zip(line.sent, answers, strict=True):
            line.has.add(held.id)
            if answer == PLEASE:
                self.forwards += 1
                if held.own:
                    self.store.write("INSERT OR IGNORE INTO taken VALUES (?, ?, ?)", held.id, line.peer, self.now)
            if answer == PLEASE and self.shelf.held.get(held.id) is held:
                row, side = self.rows[held.kind], line.sides[held.kind]
                if not row.gave(side, held.entry, held.message(line.number), score, note):
                    self._forget(held)
        self._settle(line)
        self.commit(on_disk=False)

    def _settle(self, line: Line) -> None:
        """Nothing is on its way to this peer any more."""
        landed = [held.id for held, _, _ in line.sent if self.flying.get(held.id) is line]
        line.sent.clear()
        for mid in landed:
            del self.flying[mid]
        for other in self.lines:
            if any(mid in other.todo for mid in landed):
                other.kick()

    def _spread(self, held: Held) -> None:
        """A message is new here: over the contacts that last, decided by the digests with which they began."""
        for line in self.lines:
            if line.sides[held.kind].heard is not None:
                self._choose(line, [held])
                if held.id in line.todo:
                    line.kick()

    # ------------------------------------------------------------------ what I take

    def answer(self, line: Line, ids: Sequence[bytes]) -> list[int]:
        """What I say to an offer."""
        self.wake()
        line.has.update(mid for mid in ids if mid in self.shelf.held)
        seen = self.shelf.seen(ids)
        answers = []
        for mid in ids:
            if mid in seen:
                answers.append(NO_THANKS)
            elif mid in self.coming:
                answers.append(LATER)
            else:
                self.coming[mid] = line
                line.asked.add(mid)
                answers.append(PLEASE)
        return answers

    def receive(self, line: Line, data: bytes) -> None:
        """A message that I asked for."""
        if line.taken + len(data) > 2 * self.limits.contact:
            raise DecodeError(f"more than {self.limits.contact:.0f} bytes of messages in one exchange")
        copy = Copy.decode(data, [row.sizes for row in self.rows])
        envelope = Envelope.decode(copy.envelope)
        if envelope.id not in line.asked:
            raise DecodeError("a message that nobody asked for")
        if envelope.kind >= len(self.rows):
            raise DecodeError(f"a message of kind {envelope.kind}, which this network has none of")
        envelope.verify()
        self.wake()
        line.taken += len(data)
        line.asked.discard(envelope.id)
        line.has.add(envelope.id)
        self.coming.pop(envelope.id, None)
        line.got.append(PLEASE if self._accept(line, envelope, copy) else NO_THANKS)

    def _accept(self, line: Line, envelope: Envelope, copy: Copy) -> bool:
        if self.shelf.seen([envelope.id]):
            return False
        meters = {
            "too many of this author": (self._authors, envelope.author),
            "too many from this peer": (self._peers, line.peer),
            "too many at once": (self._all, None),
        }
        reason = self._objection(envelope, copy)
        for why, (meter, name) in meters.items():
            reason = reason or ("" if meter.left(name, self.now) >= 1 else why)
        if reason:
            self.gone[reason] += 1
            return False
        for meter, name in meters.values():
            meter.use(name, self.now)
        held = self._keep(envelope, copy, line.peer)
        if held is not None:
            self._spread(held)
        return True

    def _objection(self, envelope: Envelope, copy: Copy) -> str:
        """Why a message is not taken, whoever brings it; nothing if there is no reason."""
        lifetime = envelope.lifetime or math.inf
        if TAG in envelope.tags:
            return "a reserved tag"
        if lifetime > self.limits.lifetime:
            return "it would live too long"
        if copy.age > lifetime:
            return "its time was over"
        if self.wall is not None and envelope.written + lifetime + _LATE < self.wall():
            return "its time was over"  # its author signed that, whatever carriers say of its age
        if len(copy.envelope) > self.limits.author * self.limits.store:
            return "too large"
        if self._names_too_much(envelope):
            return "too many tags of this author"
        return ""

    def _names_too_much(self, envelope: Envelope) -> bool:
        """Whether an author's messages here would have more than his share of all tags; asked where room runs out."""
        names = self.rows[envelope.kind].tables.names
        if len(names) < MOST_TAGS // 2:
            return False
        his = (
            held for held in self.shelf.held.values() if (held.author, held.kind) == (envelope.author, envelope.kind)
        )
        more = sum(name not in names for name in envelope.tags)
        return more + len({tag for held in his for tag in held.tags}) > self.limits.author * MOST_TAGS

    def done(self, line: Line) -> list[int]:
        """The peer sent all it wanted to: what I acknowledge, once it is on the disk."""
        for mid in line.asked:  # it did not come; another may bring it
            self.coming.pop(mid, None)
        line.asked.clear()
        answers, line.got = line.got, []
        self.commit(on_disk=PLEASE in answers)
        return answers

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


def _fitting(going: list[tuple[Held, Any]], used: int, capacity: float) -> list[tuple[Held, Any]]:
    """What fits into what a contact carries, by the rule of the simulator."""
    chosen = np.zeros((2, len(going)), CHOICE).view(np.recarray)
    for i, (held, score) in enumerate(going):  # best first, of equals the newest, as they come
        chosen[0, i].message, chosen[0, i].length, chosen[0, i].score = -i, held.size, score
    counts = np.array([len(going), 0])
    fit(chosen, counts, 0, used, capacity)
    return [going[-int(chosen[0, i].message)] for i in range(counts[0])]
