"""A node without links: what it carries and wants (`carrier.py`), and what it says and does in contacts.

Every method is one atomic step: it does not wait, so between steps other contacts go on and nothing is locked. Three
rules keep that right. Both ends decide in the very step that takes the peer's digest. A message on its way to one peer
does not leave for another before the first has answered. And whether it is for the peer is asked again when it leaves.

Times are whole milliseconds on the node's own clock. What a peer says is checked first: a step that raises has changed
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hunet.model.errors import DecodeError
from hunet.node.answers import LATER, MOST_IDS, NO_THANKS, PLEASE, decode_sections, encode_sections
from hunet.node.budget import in_turns
from hunet.node.carrier import Carrier
from hunet.node.held import Held
from hunet.node.line import Line
from hunet.node.message import Copy, Envelope
from hunet.node.row import Side
from hunet.protocols.order import CHOICE, fit
from hunet.protocols.protocol import NO

__all__ = ["Host", "Line"]

_REMEMBERED = 256
"""Peers of whom the node remembers what they have."""


class Host(Carrier):
    """A node without links."""

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
        wall, row = None if self.wall is None else self.wall(), self.rows[envelope.kind]
        about = self.now, wall, row, self.shelf.held.values()
        if reason := self.admission.objection(envelope, copy, line.peer, *about):
            self.gone[reason] += 1
            return False
        held = self._keep(envelope, copy, line.peer)
        if held is not None:
            self._spread(held)
        return True

    def done(self, line: Line) -> list[int]:
        """The peer sent all it wanted to: what I acknowledge, once it is on the disk."""
        for mid in line.asked:  # it did not come; another may bring it
            self.coming.pop(mid, None)
        line.asked.clear()
        answers, line.got = line.got, []
        self.commit(on_disk=PLEASE in answers)
        return answers


def _fitting(going: list[tuple[Held, Any]], used: int, capacity: float) -> list[tuple[Held, Any]]:
    """What fits into what a contact carries, by the rule of the simulator."""
    chosen = np.zeros((2, len(going)), CHOICE).view(np.recarray)
    for i, (held, score) in enumerate(going):  # best first, of equals the newest, as they come
        chosen[0, i].message, chosen[0, i].length, chosen[0, i].score = -i, held.size, score
    counts = np.array([len(going), 0])
    fit(chosen, counts, 0, used, capacity)
    return [going[-int(chosen[0, i].message)] for i in range(counts[0])]
