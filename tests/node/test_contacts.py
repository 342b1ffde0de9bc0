"""Which of two links stays, and whom to dial when; on a clock that is set by hand."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from hunet.node.beacon import Sighting
from hunet.node.contacts import MOST_LINKS, Contacts
from hunet.node.dialling import Call, Dialling

KEY, OLD = b"k" * 32, b"o" * 32
KEYS = (KEY, OLD)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class FakeLink:
    def __init__(self, peer: bytes, clock: Clock) -> None:
        self.peer, self.heard_at, self.aborted = peer, clock(), False

    def abort(self) -> None:
        self.aborted = True


def link(peer: bytes, clock: Clock) -> Any:
    return FakeLink(peer, clock)


@pytest.mark.parametrize("first_dialled", [True, False])
@pytest.mark.parametrize(("me", "peer"), [(b"a", b"b"), (b"b", b"a")])
def test_of_two_links_made_at_once_both_ends_keep_the_one_that_the_smaller_key_dialled(
    me: bytes, peer: bytes, first_dialled: bool
) -> None:
    clock = Clock()
    contacts = Contacts(me, clock)
    first, second = link(peer, clock), link(peer, clock)
    contacts.admit(first, first_dialled, ("here", 1))
    clock.now += 0.5
    contacts.admit(second, not first_dialled, ("here", 1))
    (kept,) = contacts
    assert kept.dialled == (me < peer)
    assert first.aborted == (kept.link is second)


def test_a_link_that_is_in_use_stays_and_a_silent_one_is_replaced() -> None:
    clock = Clock()
    contacts = Contacts(b"a", clock)
    old, new = link(b"b", clock), link(b"b", clock)
    contacts.admit(old, True, ("here", 1))
    clock.now += 60
    old.heard_at = clock.now - 4
    assert contacts.admit(new, False, ("there", 1)) is None
    clock.now += 6
    standing = contacts.admit(new, False, ("there", 1))
    assert standing is not None
    assert old.aborted
    assert [one.link for one in contacts] == [new]
    contacts.end(standing)
    assert len(contacts) == 0


def test_nobody_is_linked_with_himself_nor_with_more_than_the_limit() -> None:
    clock = Clock()
    contacts = Contacts(b"me", clock)
    assert contacts.admit(link(b"me", clock), True, ("here", 1)) is None
    for i in range(MOST_LINKS + 5):
        contacts.admit(link(b"%03d" % i, clock), False, ("here", 1))
    assert len(contacts) == MOST_LINKS


def dialling(*given: tuple[str, int]) -> tuple[Dialling, Contacts, Clock]:
    clock = Clock()
    contacts = Contacts(b"me", clock)
    return Dialling(given, contacts, clock), contacts, clock


def sighting(name: bytes = b"z" * 8, key: bytes = KEY, port: int = 7) -> Sighting:
    return Sighting(name, "10.0.0.2", port, key)


def test_the_smaller_name_dials_at_once_and_the_larger_only_if_nobody_called() -> None:
    for smaller in (True, False):
        calls, contacts, clock = dialling()
        my_name = b"a" * 8 if smaller else b"zz" * 4
        for _ in range(9):
            calls.see(sighting(name=b"y" * 8), my_name, KEYS)
            if calls.due(KEYS):
                break
            clock.now += 1
        assert clock.now - 1000 == (0 if smaller else 4)
        if not smaller:
            calls, contacts, clock = dialling()
            contacts.admit(link(b"peer", clock), False, ("10.0.0.2", 50000))
            for _ in range(9):
                calls.see(sighting(name=b"y" * 8), my_name, KEYS)
                clock.now += 1
                assert calls.due(KEYS) == []


def test_who_is_near_already_is_not_dialled_and_who_walked_away_is_forgotten() -> None:
    calls, contacts, clock = dialling()
    calls.see(sighting(), b"a" * 8, KEYS)
    (call,) = calls.due(KEYS)
    assert calls.due(KEYS) == []  # it is being dialled
    standing = contacts.admit(link(b"peer", clock), True, call.address)
    calls.answered(call, b"peer")
    clock.now += 5
    calls.see(sighting(name=b"y" * 8), b"a" * 8, KEYS)  # the same node by its next name
    assert calls.due(KEYS) == []
    assert standing is not None
    contacts.end(standing)
    calls.ended(call, lasted=60)
    clock.now += 1
    assert calls.due(KEYS) == [call]
    calls.ended(call, lasted=0)
    clock.now += 10
    assert calls.due(KEYS) == []


def test_who_cannot_be_reached_is_tried_less_and_less_often() -> None:
    calls, _, clock = dialling(("10.0.0.9", 1))
    times = []
    while clock.now < 1200:
        for call in calls.due(KEYS):
            times.append(clock.now - 1000)
            calls.ended(call, lasted=0)
        clock.now += 0.5
    pauses = [after - before for before, after in pairwise(times)]
    assert pauses == [1, 2, 4, 8, 16, 30, 30, 30, 30, 30]


def test_a_given_address_is_tried_with_every_key_and_a_beacon_says_which() -> None:
    calls, _, clock = dialling(("10.0.0.9", 1))
    tried: list[bytes] = []
    while len(tried) < 4:
        for call in calls.due(KEYS):
            tried.append(call.key)
            calls.ended(call, lasted=0)
        clock.now += 1
    assert tried == [KEY, OLD, KEY, OLD]
    calls, _, clock = dialling()
    calls.see(sighting(key=OLD), b"a" * 8, KEYS)
    assert calls.due(KEYS) == [Call(("10.0.0.2", 7), OLD)]
    calls, _, clock = dialling()
    for key in (KEY, OLD):  # it knows both, and says so by a beacon each
        calls.see(sighting(key=key), b"a" * 8, KEYS)
    assert calls.due(KEYS) == [Call(("10.0.0.2", 7), KEY)]


def test_a_member_cannot_fill_the_memory_with_addresses() -> None:
    calls, _, clock = dialling(("10.0.0.9", 1))
    for i in range(5000):
        calls.see(sighting(port=1 + i), b"a" * 8, KEYS)
    assert len(calls.addresses()) == 1000
    clock.now += 60
    calls.see(sighting(port=9999), b"a" * 8, KEYS)
    assert sorted(calls.addresses()) == [("10.0.0.2", 9999), ("10.0.0.9", 1)]
