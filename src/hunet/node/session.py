"""A contact as frames. Both ends run the same lines; a task sends, another receives, and neither waits for the other.

    PING      my clock in milliseconds, for the logs, what protocol I run, and which settings are the newest that I
              know of: first of all, and whenever there is nothing else to say
    SETTINGS  settings that are newer than those that the peer knows of
    GREET     my hello, where the protocol has one          } a round: both ends tell, and decide in the
    VERDICT   what I make of the peer                       } very step that takes the other's digest.
    DIGEST    what I tell; the last of a round              } Another round renews.
    OFFER     ids of what is for the peer, best first
    WANT      for each: no, yes, or later: somebody else is about to send it
    MESSAGE   a message that was wanted
    DONE      no more of what was wanted follows
    ACK       for each message that came: new and on my disk, or not
    BYE       I have nothing more to give. When both have said so, the contact is over

Offers go in both directions independently, also between rounds when something new comes in. A message counts at the
sender once the receiver has it on its disk: a link that breaks at any point loses nothing and at worst leaves a copy
too many. Every frame has a deadline, and so has every answer: who is silent, or talks without answering, is left.

Ends that run different settings understand nothing of each other but PING and SETTINGS: the one that knows newer ones
tells them, and they leave.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from hunet.model.errors import DecodeError, LinkError
from hunet.node.answers import PLEASE, decode_answers, decode_ids, encode_answers, encode_ids
from hunet.node.host import Host
from hunet.node.link import (
    ACK,
    BYE,
    DIGEST,
    DONE,
    GREET,
    KINDS,
    MESSAGE,
    OFFER,
    PING,
    SETTINGS,
    VERDICT,
    WANT,
    Link,
)
from hunet.node.log import NodeLog
from hunet.node.notice import read_told
from hunet.node.pace import PING_EVERY, RENEW, SILENCE, Pace
from hunet.protocols.wire import Reader, Writer

__all__ = ["Outcome", "SettingsError", "session"]


class SettingsError(LinkError):
    """The two ends run different settings, so there is nothing that they could say to each other."""


@dataclass
class Outcome:
    """What a contact brought."""

    given: int = 0
    """Messages that the peer acknowledged as new."""
    taken: int = 0
    """Messages that were new to me."""
    rounds: int = 0


class _Mine(Enum):
    """How far my offer is."""

    IDLE, OFFERED, SENDING, SENT = range(4)


async def session(
    host: Host,
    link: Link,
    *,
    once: bool = False,
    capacity: float = math.inf,
    renew: float = RENEW,
    silence: float = SILENCE,
    log: NodeLog | None = None,
) -> Outcome:
    """Live through a contact, until the peer leaves, or `host.leave()` is called; with `once` until both have given
    what they had for each other at the beginning. Closes the link. `LinkError` if it broke, or the peer misbehaved;
    what was achieved until then is kept either way.

    `capacity` limits the bytes of payload each way, in replays of traces.
    """
    contact = _Session(host, link, once, capacity, renew, silence, log)
    try:
        return await contact.run()
    finally:
        contact.end()
        await link.close()


class _Session:
    def __init__(
        self, host: Host, link: Link, once: bool, capacity: float, renew: float, silence: float, log: NodeLog | None
    ) -> None:
        self._stale = asyncio.Event()
        """My interests are not those any more that I told."""
        self.host, self.link, self.renew, self.log = host, link, renew, log
        self.line = host.open(link.peer, capacity)
        self.line.kick = self._go_on
        self.line.renew = self._stale.set
        self.line.inform = self._inform
        self.outcome = Outcome()
        self._leaving = self._once = once
        self._outbox: deque[tuple[int, bytes]] = deque()
        self._plan: deque[bytes] = deque()
        self._work = asyncio.Event()
        self._mine, self._asked = _Mine.IDLE, False
        self._begun = self._met = 0
        self._due = self._first = GREET if host.greets else DIGEST
        """The frame of a round that the peer sends next, and the one that it begins with."""
        self._hello = b""
        self._differ = False
        """Whether the peer runs something else."""
        self._theirs = self._told = 0
        """The newest settings that the peer knows of, and how often it told me some."""
        self.pace = Pace(silence, host.now)
        self._up = self._said_bye = self._heard_bye = False

    async def run(self) -> Outcome:
        loop = asyncio.get_running_loop()
        self.pace.heard()
        self._say(PING, self._time())
        self._begin()
        tasks = [loop.create_task(part) for part in (self._send(), self._receive(), self._renew())]
        try:
            await asyncio.gather(*tasks[:2])
        except DecodeError as error:
            raise LinkError(f"the peer said what it must not: {error}") from None
        except SettingsError:
            raise
        except LinkError:
            if self._differ:
                raise SettingsError("it runs older settings, and was told the newer ones") from None
            raise
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return self.outcome

    def end(self) -> None:
        self.host.close(self.line, parted=not self._once)
        if self.log is not None and self._up and not self._differ:
            self.log.contact(self.host.now, self.link, up=False)

    # ------------------------------------------------------------------ sending

    def _say(self, kind: int, body: bytes = b"") -> None:
        self._outbox.append((kind, body))
        self._work.set()

    def _time(self) -> bytes:
        out = Writer()
        out.number(self.host.clock())
        out.raw(self.host.fingerprint)
        out.number(self.host.agreement.serial)
        return out.bytes()

    async def _send(self) -> None:
        """What is asked goes before messages; these are made when they leave."""
        while self._outbox or not (self._said_bye and self._heard_bye):
            if self._outbox:
                kind, body = self._outbox.popleft()
            elif self._mine is _Mine.SENDING:
                kind, body = self._next_message()
                if kind == 0:
                    continue
            else:
                self._work.clear()
                try:
                    async with asyncio.timeout(PING_EVERY):
                        await self._work.wait()
                except TimeoutError:
                    self._say(PING, self._time())
                continue
            try:
                async with asyncio.timeout(self.pace.silence):
                    await self.link.send(kind, body)
            except TimeoutError:
                raise LinkError(f"the peer took nothing for {self.pace.silence:g} s") from None

    def _next_message(self) -> tuple[int, bytes]:
        if not self._plan:
            self._mine = _Mine.SENT
            self.pace.asked()
            return DONE, b""
        body = self.host.pack(self.line, self._plan.popleft())
        return (0, b"") if body is None else (MESSAGE, body)

    def _begin(self) -> None:
        """A round."""
        self._begun += 1
        self.pace.asked()
        self._say(*((GREET, self.host.greet()) if self.host.greets else (DIGEST, self.host.tell(self.line))))

    async def _renew(self) -> None:
        """Now and then a new round, and soon where my interests changed; the end that judges first comes before the
        other."""
        lag = 0.0 if self.host.judges_first(self.line) else SILENCE
        begun = self._begun
        while True:
            try:
                async with asyncio.timeout(self.renew + lag):
                    await self._stale.wait()
            except TimeoutError:
                pass
            if self._stale.is_set():
                await asyncio.sleep(self.pace.before_another(self._begun, self.host.clock()))
            idle = self._begun == self._met and self._due == self._first and not self._leaving
            if idle and (self._stale.is_set() or begun == self._begun):
                self._stale.clear()
                self._begin()
            begun = self._begun

    def _go_on(self) -> None:
        """Offer what is due, once the last offer is settled; when there is nothing and it is time to leave, say so."""
        self._leaving |= self.host.leaving or self.host.changing
        if self._mine is not _Mine.IDLE or self.outcome.rounds == 0 or self._said_bye:
            return
        if ids := self.host.offer(self.line):
            self._mine = _Mine.OFFERED
            self.pace.asked()
            self._say(OFFER, encode_ids(ids))
            return
        if self._leaving and self._begun == self._met and self._due == self._first:
            self._said_bye = True
            self._say(BYE)
        elif not self._asked:
            self.host.rest()

    # ------------------------------------------------------------------ receiving

    async def _receive(self) -> None:
        steps: dict[int, Callable[[bytes], None]] = {
            PING: self._ping,
            GREET: self._greet,
            VERDICT: self._verdict,
            DIGEST: self._digest,
            OFFER: self._offer,
            WANT: self._want,
            MESSAGE: self._message,
            DONE: self._done,
            ACK: self._ack,
            BYE: self._bye,
            SETTINGS: self._settings,
        }
        while not (self._heard_bye and self._said_bye):
            kind, body = await self.link.receive(self.pace.patience())
            if kind not in steps:
                raise DecodeError(f"a frame of kind {kind}")
            if not self._up and kind != PING:
                raise DecodeError(f"a {KINDS[kind - 1]} before anything else")
            if self._differ and kind not in (PING, SETTINGS):
                continue
            if kind != PING and not self._differ:
                self.pace.heard()
            steps[kind](body)

    def _ping(self, body: bytes) -> None:
        reader = Reader(body)
        time, runs, serial = reader.number(), reader.raw(len(self.host.fingerprint)), reader.number()
        reader.finish()
        self._theirs = max(self._theirs, serial)
        if runs != self.host.fingerprint:
            self._differs(runs, serial)
        if not self._up:
            self._up = True
            if self.log is not None and not self._differ:
                self.host.wake()
                self.log.contact(self.host.now, self.link, up=True, peer_time=time)

        self._inform()

    def _differs(self, runs: bytes, serial: int) -> None:
        """The peer runs something else. If one of us knows newer settings, they are told before we leave."""
        if self.host.follows(runs, serial):
            raise SettingsError("it has taken over the next settings already: so does this node")
        if self.host.agreement.holder is None or serial == self.host.agreement.serial:
            raise SettingsError("it runs another protocol, or other settings: nodes of a network must agree on these")
        self._differ = True
        self.pace.still_asked()

    def _inform(self) -> None:
        """Tell the peer the newest settings, if it does not know them."""
        newest = self.host.agreement.serial
        if self._up and self._theirs < newest and not self._said_bye:
            self._theirs = newest
            self._say(SETTINGS, self.host.tell_settings())

    def _settings(self, body: bytes) -> None:
        self._told += 1
        self.pace.refuse_haste(self._told, "settings", self.host.now)
        age, envelope = read_told(body)
        self._theirs = max(self._theirs, envelope.written)
        self.host.learn(envelope, age)
        if self._differ:
            raise SettingsError("it runs other settings, and told this node the newer ones")

    def _round(self, kind: int) -> None:
        """Is this frame of a round due?"""
        if kind != self._due or self._heard_bye:
            raise DecodeError(f"a {KINDS[kind - 1]} that is not due")
        if kind == self._first:
            self._met += 1
            self.pace.refuse_haste(self._met, "rounds", self.host.now)
            if self._met > self._begun:
                self._begin()

    def _greet(self, body: bytes) -> None:
        self._round(GREET)
        self._due, self._hello = VERDICT, body
        if self.host.judges_first(self.line):
            self._say(VERDICT, self.host.judge(self.line, body))

    def _verdict(self, body: bytes) -> None:
        self._round(VERDICT)
        self._due = DIGEST
        self.host.obey(self.line, body)
        if not self.host.judges_first(self.line):
            self._say(VERDICT, self.host.judge(self.line, self._hello))
        self._say(DIGEST, self.host.tell(self.line))

    def _digest(self, body: bytes) -> None:
        self._round(DIGEST)
        self._due = self._first
        self.host.hear(self.line, body)
        self.outcome.rounds += 1
        self._settled()

    def _offer(self, body: bytes) -> None:
        ids = decode_ids(body)
        if self._asked or self.outcome.rounds == 0 or self._heard_bye or not ids:
            raise DecodeError("an offer that is not due, or of nothing")
        answers = self.host.answer(self.line, ids)
        self._asked = PLEASE in answers
        self._say(WANT, encode_answers(answers))

    def _want(self, body: bytes) -> None:
        if self._mine is not _Mine.OFFERED:
            raise DecodeError("an answer to no offer")
        answers = decode_answers(body, len(self.line.offered))
        self._plan.extend(self.host.plan(self.line, answers))
        self._mine = _Mine.SENDING if PLEASE in answers else _Mine.IDLE
        self._work.set()
        self._settled()

    def _message(self, body: bytes) -> None:
        if not self._asked:
            raise DecodeError("a message that nobody asked for")
        self.host.receive(self.line, body)

    def _done(self, body: bytes) -> None:
        if not self._asked or body:
            raise DecodeError("an end of what was not asked for")
        self._asked = False
        answers = self.host.done(self.line)
        self.outcome.taken += answers.count(PLEASE)
        self._say(ACK, encode_answers(answers))
        self._settled()

    def _ack(self, body: bytes) -> None:
        if self._mine is not _Mine.SENT:
            raise DecodeError("an acknowledgement of nothing")
        answers = decode_answers(body, len(self.line.sent))
        self._mine = _Mine.IDLE
        self.outcome.given += answers.count(PLEASE)
        self.host.acknowledged(self.line, answers)
        self._settled()

    def _bye(self, body: bytes) -> None:
        if self._heard_bye or self._asked or self._due != self._first or body:
            raise DecodeError("a goodbye that is not due")
        self._heard_bye = self._leaving = True
        self._work.set()
        self._settled()

    def _settled(self) -> None:
        """A question was answered; is there another?"""
        waits = self._mine in (_Mine.OFFERED, _Mine.SENT) or self._begun > self._met or self._due != self._first
        if not waits:
            self.pace.answered()
        self._go_on()
