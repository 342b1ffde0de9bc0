"""The array functions, called from another compiled loop over many filters at once, do what the classes do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hunet.filters import TCBF, BloomFilter, Hashing, SpTBF, TCBFPool
from hunet.filters.bits import matches, set_bits
from hunet.filters.codec import pack
from hunet.filters.counters import a_merge, decay, m_merge, preference, set_counters, tally, ticks_between, value
from hunet.filters.encodings import encoded_bits, smallest
from hunet.filters.pool import decay_rows, m_merge_rows, receive, value_in_rows
from hunet.filters.slots import adjust, alive, decrement, insert, merge
from hunet.kernels import loop

NODES, KEYS = 6, 10
FAMILY = Hashing(m=100, k=3)
NAMES = [f"key {i}" for i in range(KEYS)]
TABLE = FAMILY.table(NAMES)
CYCLE, THRESHOLD, LIMIT = 0.7, 0.08, 3

WIDTHS = [(255, np.uint8), (1000, np.uint16), (2**32 - 1, np.uint32)]


@loop
def meet_all(state: Any, then: Any, now: Any, cycle: Any, ceiling: Any, additive: Any) -> None:
    """Every node decays; then each takes in its left neighbour's row, as it is by then."""
    for node in range(state.shape[0]):
        decay(state[node], ticks_between(then, now, cycle))
    for node in range(1, state.shape[0]):
        if additive:
            a_merge(state[node], state[node - 1], ceiling)
        else:
            m_merge(state[node], state[node - 1])


@loop
def ask_all(state: Any, table: Any, values: Any, preferences: Any) -> None:
    for node in range(state.shape[0]):
        for key in range(table.shape[1]):
            values[node, key] = value(state[node], table, key)
            mine = value(state[0], table, key)
            preferences[node, key] = preference(mine, values[node, key])


@loop
def insert_all(state: Any, table: Any, initial: Any) -> None:
    for node in range(state.shape[0]):
        for key in range(node + 1):
            set_counters(state[node], table, key, initial)


@loop
def measure_all(state: Any, counter_bits: Any, out: Any) -> None:
    for node in range(state.shape[0]):
        set_count, distinct = tally(state[node])
        code, bits = smallest(True, state.shape[1], set_count, distinct, counter_bits)
        out[node, 0] = set_count
        out[node, 1] = distinct
        out[node, 2] = code
        out[node, 3] = bits
        out[node, 4] = encoded_bits(4, state.shape[1], set_count, distinct, counter_bits)


@pytest.mark.parametrize("additive", [True, False])
@pytest.mark.parametrize(("ceiling", "kind"), WIDTHS)
def test_rows_of_counters_in_a_loop_equal_tcbfs(ceiling: int, kind: Any, additive: bool) -> None:
    state = np.zeros((NODES, FAMILY.m), kind)
    insert_all(state, TABLE, state.dtype.type(100))
    filters = [TCBF(FAMILY, 100, CYCLE, ceiling=ceiling, keys=NAMES[: node + 1]) for node in range(NODES)]
    now = 0.0
    for step in (0.3, 0.7, 10.0, 0.0, 33.3):
        meet_all(state, now, now + step, CYCLE, ceiling, additive)
        now += step
        for f in filters:
            f.decay(now)
        for f, left in zip(filters[1:], filters, strict=False):
            (f.a_merge if additive else f.m_merge)(left)
        assert np.array_equal(state, [f.counters for f in filters])
    assert state.any()

    values, preferences = np.zeros((NODES, KEYS), kind), np.zeros((NODES, KEYS), np.float32)
    ask_all(state, TABLE, values, preferences)
    assert values.tolist() == [f.values(NAMES).tolist() for f in filters]
    assert preferences.tolist() == [[f.preference(key, than=filters[0]) for key in NAMES] for f in filters]

    sizes = np.zeros((NODES, 5), np.int64)
    measure_all(state, 8 * state.itemsize, sizes)
    for f, (set_count, distinct, code, bits, e4) in zip(filters, sizes.tolist(), strict=True):
        assert set_count == f.set_bits
        assert distinct == np.unique(f.counters[f.counters > 0]).size
        packed = pack(f)
        assert (packed[0] & 7, len(packed)) == (code, 1 + -(-bits // 8))
        assert e4 == f.hashing.m + f.set_bits * 8 * state.itemsize


@loop
def match_all(words: Any, table: Any, out: Any) -> None:
    for node in range(words.shape[0]):
        set_bits(words[node], table, node)
    for node in range(words.shape[0]):
        for key in range(table.shape[1]):
            out[node, key] = matches(words[node], table, key)


def test_rows_of_bits_in_a_loop_equal_bloom_filters() -> None:
    words, out = np.zeros((NODES, 2), np.uint64), np.zeros((NODES, KEYS), np.bool_)
    match_all(words, TABLE, out)
    filters = [BloomFilter(FAMILY, [NAMES[node]]) for node in range(NODES)]
    assert np.array_equal(words, [f.words for f in filters])
    assert out.tolist() == [f.contains(NAMES).tolist() for f in filters]


@loop
def pool_all(rows: Any, used: Any, genuine: Any, ceiling: Any, threshold: Any, ticks: Any) -> None:
    """rows: node, filter, position. Every node receives all genuine filters, in turn with decay."""
    for node in range(rows.shape[0]):
        for other in range(genuine.shape[0]):
            used[node] = receive(rows[node], used[node], genuine[other], ceiling, threshold)
            used[node] = decay_rows(rows[node], used[node], ticks * node)


@loop
def exchange_all(rows: Any, used: Any) -> None:
    for node in range(1, rows.shape[0]):
        used[node] = m_merge_rows(rows[node], used[node], rows[node - 1], used[node - 1])


@loop
def ask_pools(rows: Any, used: Any, table: Any, out: Any) -> None:
    for node in range(rows.shape[0]):
        for key in range(table.shape[1]):
            out[node, key] = value_in_rows(rows[node], used[node], table, key)


@pytest.mark.parametrize(("ceiling", "kind"), WIDTHS)
def test_pools_in_a_loop_equal_pools(ceiling: int, kind: Any) -> None:
    genuine = [TCBF(FAMILY, 50, ceiling=ceiling, keys=[NAMES[i], NAMES[i // 2]]) for i in range(KEYS)]
    rows, used = np.zeros((NODES, LIMIT, FAMILY.m), kind), np.zeros(NODES, np.int64)
    pool_all(rows, used, np.array([f.counters for f in genuine]), ceiling, THRESHOLD, 4)
    pools = [TCBFPool(TCBF(FAMILY, 50, 1.0, ceiling=ceiling), THRESHOLD, LIMIT) for _ in range(NODES)]
    for node, pool in enumerate(pools):
        for received in genuine:
            pool.a_merge(TCBF(FAMILY, 50, ceiling=ceiling, now=pool.template.now) | received)
            pool.decay(pool.template.now + 4 * node)
    assert used.tolist() == [pool.filters for pool in pools]
    assert len(set(used.tolist())) > 1
    for node, pool in enumerate(pools):
        assert np.array_equal(rows[node, : used[node]], pool.rows[: pool.filters])

    exchange_all(rows, used)
    still = [TCBFPool(TCBF(FAMILY, 50, ceiling=ceiling), THRESHOLD, LIMIT) for _ in pools]
    for pool, frozen in zip(pools, still, strict=True):
        frozen.replace(pool.to_filters())
    for pool, left in zip(still[1:], still, strict=False):
        pool.m_merge(left)
    answers = np.zeros((NODES, KEYS), kind)
    ask_pools(rows, used, TABLE, answers)
    assert answers.tolist() == [[pool[key] for key in NAMES] for pool in still]


@loop
def spread_all(hops: Any, times: Any, table: Any, elapsed: Any, literal: Any, out: Any) -> None:
    """Every node inserts a label, time passes, and what a node knows goes to its right neighbour, one hop on."""
    for node in range(hops.shape[0]):
        insert(hops[node], times[node], table, node, 1 + node % 3, 1000 * (node + 1))
    for node in range(hops.shape[0]):
        adjust(hops[node], times[node], elapsed, literal)
        decrement(hops[node], times[node], literal)
    for node in range(1, hops.shape[0]):
        merge(hops[node], times[node], hops[node - 1], times[node - 1])
    for node in range(hops.shape[0]):
        for key in range(table.shape[1]):
            out[node, key] = alive(hops[node], times[node], table, key, 500)


@pytest.mark.parametrize("literal", [False, True])
def test_slots_in_a_loop_equal_sptbfs(literal: bool) -> None:
    hops, times = np.zeros((NODES, FAMILY.m), np.uint8), np.zeros((NODES, FAMILY.m), np.int64)
    out = np.zeros((NODES, KEYS), np.bool_)
    filters = [SpTBF(FAMILY, strict_equations=literal) for _ in range(NODES)]
    now = 0.0
    for _ in range(3):
        spread_all(hops, times, TABLE, 2500, literal, out)
        for node, f in enumerate(filters):
            f.insert(NAMES[node], 1 + node % 3, node + 1, now)
        now += 2.5
        for f in filters:
            f.adjust_time(now)
            f.decrement_hops()
        for f, left in zip(filters[1:], filters, strict=False):
            f.merge(left, now)
        assert np.array_equal(hops, [f.hops for f in filters])
        assert np.array_equal(times, [f.times for f in filters])
        assert out.tolist() == [[f.query(key, now + 0.5) for key in NAMES] for f in filters]
    assert out.any()
