"""What the nodes of a network agreed to run: now, next and before; kept in the store.

The holder of the network's settings key signs a notice (`notice.py`), contacts spread it, and every node changes at the
moment that it names. What a node cannot or may not run it passes on all the same, for others. A node that was told by
its person what to run never changes.

Nothing here touches a row: `host.py` asks what should run, and changes when no contact is under way.
"""

from __future__ import annotations

import json
from typing import Any

from hunet.model.errors import InvalidValueError, NodeError
from hunet.node.budget import SECOND, Meter, Quota
from hunet.node.choice import Choice, permitted
from hunet.node.message import Author, Envelope
from hunet.node.notice import MOST_WAIT, Notice
from hunet.node.store import Store
from hunet.protocols import make_settings, protocol_named

__all__ = ["Agreement"]

APART = 600 * SECOND
"""Milliseconds between two changes, whatever is signed."""
_NOTICES = Quota(8, 1 / 600)
"""New notices that are taken in."""
_KEPT = "agreement"


class Agreement:
    """Times are milliseconds on my clock."""

    def __init__(self, store: Store, holder: bytes | None, given: Choice, pinned: bool) -> None:
        """`given` is what runs as long as nothing was taken over; where `pinned`, for ever. `holder` is the public
        settings key, None where nobody has it."""
        self._store, self.holder, self._given, self.pinned = store, holder, given, pinned
        kept = json.loads(store.get(_KEPT) or "{}") if holder is not None else {}
        self._taken, self.previous = (_choice(kept.get(name)) for name in ("taken", "previous"))
        self.notice: Notice | None = None
        """The newest that I know of."""
        self._born: int = kept.get("born", 0)
        """When it was written, on my clock: now, less its age when it came."""
        self._settled: int = kept.get("settled", 0)
        """The serial of the newest that was taken over, or that my person went back from."""
        self._changed: int | None = kept.get("changed")
        self._since: int | None = kept.get("since")
        self._went_back: bool = kept.get("back", False)
        self.next: Choice | None = None
        """What the newest notice asks for, as long as it is to come."""
        self.refusal = ""
        """Why I do not take over the newest notice; nothing if I do, or did."""
        self._hasty = False
        self._meter = Meter(_NOTICES)
        if kept.get("notice"):
            self._look_at(Notice.read(Envelope.decode(bytes.fromhex(kept["notice"])), holder))

    @property
    def runs(self) -> Choice:
        """What should run now."""
        return self._given if self.pinned or self._taken is None else self._taken

    @property
    def since(self) -> int | None:
        """When what runs was taken over, or gone back to; None where it ran from the beginning."""
        return self._since if self.runs is self._taken else None

    @property
    def chosen_by(self) -> str:
        """Who decided on what runs: `holder`, who has the settings key; `person`, who started this node with it or
        went back to it here; or `default`."""
        if self.runs is self._taken:
            return "person" if self._went_back else "holder"
        return "person" if self.pinned else "default"

    @property
    def serial(self) -> int:
        """Of the newest notice; 0 if there is none."""
        return 0 if self.notice is None else self.notice.serial

    @property
    def at(self) -> int:
        """When `next` is taken over."""
        assert self.notice is not None
        planned = 0 if self._hasty else self._born + self.notice.wait
        return planned if self._changed is None else max(planned, self._changed + APART)

    def told(self, now: int) -> bytes:
        """The newest notice, for a peer."""
        assert self.notice is not None
        return self.notice.told(max(0, now - self._born))

    # ------------------------------------------------------------------ what comes

    def learn(self, envelope: Envelope, age: int, now: int) -> bool:
        """A peer told a notice, so old by now: whether it is new to me. `DecodeError` for what the holder did not
        sign."""
        if envelope.written <= self.serial or not self._meter.left(None, now) >= 1:
            return False
        notice = Notice.read(envelope, self.holder)
        self._meter.use(None, now)
        self._take_in(notice, now - age)
        return True

    def announce(self, holder: Author, choice: Choice, wait: int, now: int, wall: int) -> Notice:
        """A notice of my own, newer than any other."""
        if holder.public != self.holder:
            raise NodeError("the settings key of this node is not that of its network")
        if not 0 <= wait <= MOST_WAIT:
            raise NodeError(f"settings in {wait / SECOND:g} s: give 0 to {MOST_WAIT // SECOND:,} s")
        permitted(choice.protocol.name, choice.settings._asdict())
        notice = Notice.signed(holder, max(wall, self.serial + 1), choice, wait)
        self._take_in(notice, now)
        return notice

    def _take_in(self, notice: Notice, born: int) -> None:
        self._born = born
        self._look_at(notice)
        self._save()

    def _look_at(self, notice: Notice) -> None:
        """The newest notice: is it for me, and can I run what it asks for?"""
        self.notice, self.next, self.refusal, self._hasty = notice, None, "", False
        if notice.serial <= self._settled:
            return
        if self.pinned:
            self.refusal = "this node was started with --settings or --protocol, and keeps to it"
            return
        try:
            self.next = permitted(notice.protocol, notice.settings)
        except InvalidValueError as error:
            self.refusal = str(error)

    def hasten(self) -> None:
        """Somebody has changed already: do not wait for the moment. Whoever's clock ran, or was told a false age, is
        not left alone."""
        self._hasty = True

    # ------------------------------------------------------------------ changing

    def advance(self, now: int) -> None:
        """Take over what is next, if its moment has come."""
        if self.next is None or now < self.at:
            return
        if self.next.name != self.runs.name:
            self._taken, self.previous = self.next, self.runs
            self._changed, self._since, self._went_back = now, now, False
        self._settled, self.next = self.serial, None
        self._save()

    def back(self, now: int) -> Choice:
        """Withdraw what is next; or, where nothing is, return to what ran before. What runs from now on. It stays so
        until a newer notice comes."""
        if self.pinned:
            raise NodeError(
                self.refusal or "this node was started with --settings or --protocol: stop it, and choose anew"
            )
        if self.next is None:
            self._taken, self.previous = self.earlier, self.runs
            self._since, self._went_back = now, True
        self._settled, self.next = self.serial, None
        self._save()
        return self.runs

    @property
    def earlier(self) -> Choice:
        """What `back` leads to."""
        if self.next is not None:
            return self.runs
        if self.previous is None:
            raise NodeError("there are no earlier settings to go back to: none were taken over here yet")
        return self.previous

    def _save(self) -> None:
        kept: dict[str, Any] = {
            "taken": None if self._taken is None else self._taken.facts,
            "previous": None if self.previous is None else self.previous.facts,
            "notice": None if self.notice is None else self.notice.envelope.encode().hex(),
            "born": self._born,
            "settled": self._settled,
            "changed": self._changed,
            "since": self._since,
            "back": self._went_back,
        }
        self._store.put(_KEPT, json.dumps(kept))


def _choice(facts: dict[str, Any] | None) -> Choice | None:
    if facts is None:
        return None
    try:
        protocol = protocol_named(facts["protocol"])
        return Choice(protocol, make_settings(protocol, facts["settings"]))
    except InvalidValueError:  # another version of hunet took it over
        return None
