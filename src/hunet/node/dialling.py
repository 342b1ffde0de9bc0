"""Whom to dial, and when: those whose beacons were heard, and those whose addresses were given.

Of two that hear each other's beacons the one with the smaller name dials at once. The other waits a little, for maybe
it was not heard. Whoever could not be reached is tried again after 1, 2, 4 and at most 30 seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hunet.node.beacon import Sighting
from hunet.node.contacts import Address, Contacts

__all__ = ["Call", "Dialling"]

WAIT = 4.0
"""Seconds that the one with the larger name waits for the other to dial."""
FRESH = 6.0
"""Seconds for which a beacon counts: who has not been heard for longer has gone."""
SHORTEST, LONGEST = 1.0, 30.0
SHORT = 5.0
"""Seconds: a contact that ends sooner was none."""
MOST_SEEN = 1_000
"""Addresses that are kept: only members can add one."""


@dataclass
class _Seen:
    """An address at which somebody is, or may be."""

    given: bool
    """By my person: tried for ever. Others are forgotten."""
    key: bytes | None = None
    """Which key of the network it used last; None if nobody knows."""
    first: float = 0.0
    last: float = 0.0
    smaller: bool = True
    """Whether my name is the smaller one."""
    peer: bytes | None = None
    """Who answered there the last time."""
    next: float = 0.0
    pause: float = SHORTEST
    tries: int = 0
    busy: bool = False


@dataclass(frozen=True)
class Call:
    """Somebody to dial, with which of the network's keys."""

    address: Address
    key: bytes


class Dialling:
    """Keeps addresses; `due` says whom to dial now."""

    def __init__(self, given: Iterable[Address], contacts: Contacts, clock: Callable[[], float]) -> None:
        self._contacts, self._clock = contacts, clock
        self._seen = {address: _Seen(given=True) for address in given}

    def see(self, sighting: Sighting, my_name: bytes, keys: tuple[bytes, ...]) -> None:
        """A beacon was heard. Of several keys a node announces each: the newest counts."""
        now, address = self._clock(), (sighting.host, sighting.port)
        if address not in self._seen:
            if len(self._seen) >= MOST_SEEN:
                self._forget(now)
            if len(self._seen) >= MOST_SEEN:
                return
            self._seen[address] = _Seen(given=False)
        seen = self._seen[address]
        if now - seen.last > FRESH:
            seen.first, seen.key, seen.next, seen.pause = now, None, now, SHORTEST
        seen.last, seen.smaller = now, my_name < sighting.name
        if seen.key not in keys or keys.index(sighting.key) <= keys.index(seen.key):
            seen.key = sighting.key

    def due(self, keys: tuple[bytes, ...]) -> list[Call]:
        """Whom to dial now; `ended` must be told of each."""
        now, calls = self._clock(), []
        for address, seen in self._seen.items():
            if seen.busy or now < seen.next or (seen.peer is not None and self._contacts.is_alive(seen.peer)):
                continue
            heard = now - seen.last < FRESH and seen.key in keys
            if not heard and not seen.given:
                continue
            mine = seen.given or seen.smaller
            if not mine and (now - seen.first < WAIT or self._contacts.has_caller_from(address[0])):
                continue
            seen.busy = True
            # Nobody knows which keys a given address has by now: the newest first, then the older ones.
            key = seen.key if heard and seen.key is not None else keys[seen.tries % len(keys)]
            calls.append(Call(address, key))
        return calls

    def answered(self, call: Call, peer: bytes) -> None:
        """Somebody is there."""
        seen = self._seen[call.address]
        seen.busy, seen.peer, seen.tries = False, peer, 0
        seen.next = self._clock() + seen.pause

    def ended(self, call: Call, lasted: float) -> None:
        """The contact is over, or there was none (it lasted 0 s): one that hardly began is not tried again at once."""
        seen = self._seen.get(call.address)
        if seen is None:
            return
        seen.tries += seen.busy
        seen.busy = False
        seen.next = self._clock() + seen.pause
        seen.pause = SHORTEST if lasted > SHORT else min(2 * seen.pause, LONGEST)

    def anew(self) -> None:
        """Whoever did not fit before may fit now: nobody waits."""
        for seen in self._seen.values():
            seen.next, seen.pause = self._clock(), SHORTEST

    def addresses(self) -> list[Address]:
        """Where somebody was, or may be: to be probed."""
        return list(self._seen)

    def _forget(self, now: float) -> None:
        self._seen = {
            address: seen for address, seen in self._seen.items() if seen.given or seen.busy or now - seen.last < FRESH
        }
