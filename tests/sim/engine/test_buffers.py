"""Buffers as bits against buffers as sets, and hash tables of entries against a dict."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hunet.kernels import loop, lowest_bit
from hunet.sim.engine.arrays import new_scratch
from hunet.sim.engine.buffers import Buffers, buffer_functions, new_buffers, ring_words, words_lacking
from hunet.sim.engine.entries import entry_functions, in_groups, new_entries


def _make(own_outside: bool) -> Any:
    _, forget_span, oldest_word, remove, put = buffer_functions(own_outside)

    @loop
    def act(buffers: Any, kind: Any, message: Any, oldest: Any) -> Any:
        node = np.uint32(0)
        if kind == 0 or kind == 1:
            put(buffers, node, message, kind == 1)
        elif kind == 2:
            place = np.uint64((message >> 6) & (buffers.held.shape[1] - 1))
            remove(buffers, node, place, np.uint64(1) << np.uint64(message & 63))
        elif kind == 3:
            forget_span(buffers, node, oldest, message)
        else:
            word, bits = oldest_word(buffers, node, np.int64(oldest >> 6))
            return (word << 6) + lowest_bit(bits)
        return np.int64(-1)

    return act


@loop
def _lacking(buffers: Any, oldest: Any, newest: Any, words: Any) -> Any:
    return words_lacking(buffers, np.uint32(0), np.uint32(1), oldest, newest, words)


ACT = {own_outside: _make(own_outside) for own_outside in (False, True)}


def _held(buffers: Buffers, newest: int) -> set[int]:
    ring = buffers.held.shape[1] * 64
    bits = np.unpackbits(buffers.held[0].view(np.uint8), bitorder="little")
    return {m for m in range(max(0, newest - ring), newest) if bits[m % ring]}


@pytest.mark.parametrize("own_outside", [False, True])
@settings(max_examples=150, deadline=None)
@given(
    words=st.sampled_from([1, 2, 4, 64, 128]),
    steps=st.lists(
        st.tuples(st.sampled_from(range(4)), st.integers(0, 10**6), st.sampled_from([1, 1, 1, 7, 70, 5000])),
        max_size=80,
    ),
)
def test_buffers_of_bits_do_what_sets_do(own_outside: bool, words: int, steps: Any) -> None:
    act, buffers = ACT[own_outside], new_buffers(2, words, own_outside, waits=False)
    held: dict[int, bool] = {}  # message -> does it count?
    oldest, newest = 0, 1
    found = new_scratch(words, 0, False, evicts=False).words[0]
    for kind, pick, births in steps:
        if kind == 3:
            newest += births
            stop = max(oldest, newest - words * 64 + 130, oldest + pick % 100 if pick % 2 else oldest)
            stop = min(stop, newest) if newest - stop <= words * 64 - 64 else newest
            act(buffers, 3, stop, oldest)
            oldest = stop
            held = {m: counts for m, counts in held.items() if m >= oldest}
        elif kind == 2 and held:
            message = sorted(held)[pick % len(held)]
            act(buffers, 2, message, oldest)
            del held[message]
        elif kind < 2 and newest > oldest and (message := oldest + pick % (newest - oldest)) not in held:
            if newest - oldest > words * 64 - 64:
                continue
            act(buffers, kind, message, oldest)
            held[message] = not (own_outside and kind == 1)
        assert _held(buffers, newest) == set(held)
        assert buffers.node[0].count == sum(held.values())
        counted = [m for m, counts in held.items() if counts]
        if counted:
            assert act(buffers, 4, 0, oldest) == min(counted)
        count, messages = _lacking(buffers, oldest, newest, found)
        assert messages == len(held)
        assert found["number"][:count].tolist() == sorted({m >> 6 for m in held}, reverse=True)


def test_what_the_peer_has_seen_it_does_not_lack() -> None:
    buffers, found = new_buffers(2, 4, False, waits=False), new_scratch(4, 0, False, evicts=False).words[0]
    for message in (3, 70, 71, 200):
        ACT[False](buffers, 0, message, 0)
    buffers.seen[1, 1] = np.uint64(1) << np.uint64(70 - 64)
    buffers.seen[1, 3] = np.uint64(1) << np.uint64(200 - 192)
    assert _lacking(buffers, 0, 201, found) == (2, 2)
    assert found["number"][:2].tolist() == [1, 0]
    assert found["mask"][:2].tolist() == [1 << 7, 1 << 3]


def test_a_node_that_was_away_for_longer_than_the_ring_forgets_everything() -> None:
    buffers = new_buffers(1, 4, False, waits=False)
    for message in range(256):
        ACT[False](buffers, 0, message, 0)
    buffers.seen[:] = buffers.held
    ACT[False](buffers, 3, 10 * 64 + 5, 0)
    assert not buffers.held.any()
    assert not buffers.seen.any()
    assert not buffers.busy.any()
    assert buffers.node[0].count == 0


def test_the_ring_spans_all_messages_alive_together_when_lifetimes_differ() -> None:
    created = np.arange(1000.0)
    expires = created + 5
    assert ring_words(created, expires) * 64 >= 6 + 64
    expires[10] = 800.0  # everything from message 10 on must stay in the ring until then
    assert ring_words(created, expires) * 64 >= 791 + 64
    assert ring_words(created[:0], expires[:0]) == 1


@loop
def _table(entries: Any, kinds: Any, messages: Any, out: Any) -> None:
    for i in range(kinds.size):
        if kinds[i] == 0:
            out[i] = ENTER(entries, np.uint32(0), messages[i])
        elif kinds[i] == 1:
            LEAVE(entries, np.uint32(0), messages[i])
        else:
            out[i] = FIND(entries, np.uint32(0), messages[i])


FIND, ENTER, LEAVE = entry_functions(True)


@settings(max_examples=100, deadline=None)
@given(
    steps=st.lists(st.tuples(st.booleans(), st.integers(0, 40)), max_size=120), stride=st.sampled_from([1, 64, 2**20])
)
def test_a_table_of_entries_does_what_a_dict_does(steps: list[tuple[bool, int]], stride: int) -> None:
    places, present = in_groups(12), set[int]()
    entries = new_entries(1, 64, places, True, False)
    place_of: dict[int, int] = {}
    for add, pick in steps:
        message = pick * stride
        if add and message not in present and len(present) < places:
            kind = 0
        elif not add and message in present:
            kind = 1
        else:
            continue
        out = np.zeros(1, np.int64)
        _table(entries, np.array([kind]), np.array([message]), out)
        if kind == 0:
            present.add(message)
            place_of[message] = int(out[0])
        else:
            present.remove(message)
            del place_of[message]
        known = np.array(sorted(present), np.int64)
        found = np.zeros(known.size, np.int64)
        _table(entries, np.full(known.size, 2), known, found)
        assert found.tolist() == [place_of[m] for m in known.tolist()], "entries stay where they are"
        assert len(set(found.tolist())) == len(present)
        assert all(0 <= place < places for place in found.tolist())
