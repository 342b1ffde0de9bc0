"""Buffers as bits against buffers as sets, and hash tables of entries against a dict."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hunet.kernels import loop
from hunet.sim.buffers import Buffers, buffer_functions, new_buffers, newest_word, ring_words
from hunet.sim.entries import entry_functions, new_entries

KINDS = ("put", "put own", "let go", "forget")


def _make(own_outside: bool) -> Any:
    _, forget_span, let_go, put = buffer_functions(own_outside)

    @loop
    def act(buffers: Any, kind: Any, message: Any, oldest: Any, room: Any) -> Any:
        node = np.uint32(0)
        if kind == 0 or kind == 1:
            return put(buffers, node, message, oldest, room, kind == 1)
        if kind == 2:
            let_go(buffers, node, message)
        else:
            forget_span(buffers, node, oldest, message)
        return np.int64(-1)

    return act


@loop
def _walk(buffers: Any, oldest: Any, newest: Any, out: Any) -> Any:
    """The words that hold something, newest first."""
    count = 0
    word = newest_word(buffers, np.uint32(0), (newest - 1) >> 6, oldest >> 6)
    while word >= oldest >> 6:
        out[count] = word
        count += 1
        word = newest_word(buffers, np.uint32(0), word - 1, oldest >> 6)
    return count


ACT = {own_outside: _make(own_outside) for own_outside in (False, True)}


def _held(buffers: Buffers, newest: int) -> set[int]:
    ring = buffers.held.shape[1] * 64
    bits = np.unpackbits(buffers.held[0].view(np.uint8), bitorder="little")
    return {m for m in range(max(0, newest - ring), newest) if bits[m % ring]}


@pytest.mark.parametrize("own_outside", [False, True])
@settings(max_examples=150, deadline=None)
@given(
    words=st.sampled_from([1, 2, 4, 64, 128]),
    room=st.sampled_from([0, 1, 3, 50]),
    steps=st.lists(
        st.tuples(st.sampled_from(range(4)), st.integers(0, 10**6), st.sampled_from([1, 1, 1, 7, 70, 5000])),
        max_size=80,
    ),
)
def test_buffers_of_bits_do_what_sets_do(own_outside: bool, words: int, room: int, steps: Any) -> None:
    act, buffers = ACT[own_outside], new_buffers(1, words, own_outside)
    held: dict[int, bool] = {}  # message -> does it count?
    oldest, newest = 0, 1
    found = np.zeros(words + 1, np.int64)
    for kind, pick, births in steps:
        if kind == 3:
            newest += births
            stop = max(oldest, newest - words * 64 + 130, oldest + pick % 100 if pick % 2 else oldest)
            stop = min(stop, newest) if newest - stop <= words * 64 - 64 else newest
            act(buffers, 3, stop, oldest, room)
            oldest = stop
            held = {m: counts for m, counts in held.items() if m >= oldest}
        elif kind == 2 and held:
            message = sorted(held)[pick % len(held)]
            act(buffers, 2, message, oldest, room)
            del held[message]
        elif kind < 2 and newest > oldest and (message := oldest + pick % (newest - oldest)) not in held:
            if newest - oldest > words * 64 - 64:
                continue
            dropped = act(buffers, kind, message, oldest, room)
            held[message] = not (own_outside and kind == 1)
            counted = [m for m, counts in held.items() if counts]
            if held[message] and len(counted) > room:
                assert dropped == min(counted)
                del held[min(counted)]
            else:
                assert dropped == -1
        assert _held(buffers, newest) == set(held)
        assert buffers.node[0].count == sum(held.values())
        count = _walk(buffers, oldest, newest, found)
        assert found[:count].tolist() == sorted({m >> 6 for m in held}, reverse=True)


def test_a_node_that_was_away_for_longer_than_the_ring_forgets_everything() -> None:
    buffers = new_buffers(1, 4, False)
    for message in range(256):
        ACT[False](buffers, 0, message, 0, 1000)
    buffers.seen[:] = buffers.held
    ACT[False](buffers, 3, 10 * 64 + 5, 0, 1000)
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
    places, present = 12, set[int]()
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
