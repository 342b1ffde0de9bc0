"""The filters beside other libraries, on one core, in one run."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import probables
import pyarrow as pa
import rbloom

from benchmarks.measure import Row, compare, cpu_seconds
from hunet.filters import TCBF, BloomFilter, CountingBloomFilter, Hashing
from hunet.filters.codec import pack, unpack
from hunet.filters.counters import a_merge, decay, m_merge
from hunet.kernels import loop

KEYS = 1_000_000
RATE = 0.01
ROWS = 2000
NANO = 1e9

CORES = 1


def run() -> list[Row]:
    """All rows of the report."""
    return [*_bulk(), *_counting(), *_single(), *_rows(), *_codec(), *_start()]


def _strings(count: int, prefix: str) -> pa.Array:
    return pa.array([f"{prefix}{i * 7919 % 1_000_003}tag" for i in range(count)])


def _bulk() -> list[Row]:
    """Insert and query a million strings from Arrow.

    rbloom gets lists of Python strings, made anew before each run and outside the measured time: Python remembers the
    hash of a string it has hashed once, and a second run over the same objects would measure no hashing at all.
    """
    present, absent = _strings(KEYS, "user"), _strings(KEYS, "other")
    filled = rbloom.Bloom(KEYS, RATE)
    filled.update(present.to_pylist())

    def ask(keys: list[str]) -> list[bool]:
        return [key in filled for key in keys]

    rb_insert = cpu_seconds(lambda keys: rbloom.Bloom(KEYS, RATE).update(keys), present.to_pylist)
    rb_hit = cpu_seconds(ask, present.to_pylist)
    rb_miss = cpu_seconds(ask, absent.to_pylist)

    rows = []
    for k, insert_target, query_target in ((4, 1.0, 2.5), (7, None, None)):
        family = Hashing.for_keys(KEYS, RATE, k=k)
        ours = BloomFilter(family, present)  # compiled before the clock starts
        ours.contains(present[:10])
        insert = cpu_seconds(BloomFilter, family, present)
        hit = cpu_seconds(ours.contains, present)
        miss = cpu_seconds(ours.contains, absent)
        label = f"k={k}, {family.m / filled.size_in_bits:.2f}x its memory"
        for what, mine, peer, theirs, target in (
            ("insert", insert, "rbloom update", rb_insert, insert_target),
            ("query, present", hit, "rbloom loop", rb_hit, query_target),
            ("query, absent", miss, "rbloom loop", rb_miss, query_target),
        ):
            each = NANO / KEYS
            rows.append(compare(f"bulk {what} ({label})", "ns/key", mine * each, peer, theirs * each, target))
    return rows


def _counting() -> list[Row]:
    """Counting filters: pyprobables is pure Python, so it gets a fiftieth of the keys."""
    keys, few = _strings(KEYS, "user"), 20_000
    family = Hashing.for_keys(KEYS, RATE, k=4)
    CountingBloomFilter(family, keys[:10])
    ours = cpu_seconds(CountingBloomFilter, family, keys) * NANO / KEYS
    listed = keys[:few].to_pylist()

    def insert() -> None:
        theirs = probables.CountingBloomFilter(est_elements=few, false_positive_rate=RATE)
        for key in listed:
            theirs.add(key)

    return [compare("counting filter, bulk insert", "ns/key", ours, "pyprobables", cpu_seconds(insert) * NANO / few)]


def _single() -> list[Row]:
    """One key at a time through the Python class, where the call costs more than the work."""
    listed = _strings(20_000, "user").to_pylist()
    ours = BloomFilter(Hashing.for_keys(len(listed), RATE), listed)
    theirs = rbloom.Bloom(len(listed), RATE)
    theirs.update(listed)
    mine = cpu_seconds(lambda: [key in ours for key in listed]) * NANO / len(listed)
    other = cpu_seconds(lambda: [key in theirs for key in listed]) * NANO / len(listed)
    return [compare("one key at a time, `key in f`", "ns/key", mine, "rbloom", other)]


@loop
def _decay_all(rows: Any, ticks: int) -> None:
    for i in range(rows.shape[0]):
        decay(rows[i], ticks)


@loop
def _a_merge_all(rows: Any, others: Any) -> None:
    for i in range(rows.shape[0]):
        a_merge(rows[i], others[i], 255)


@loop
def _m_merge_all(rows: Any, others: Any) -> None:
    for i in range(rows.shape[0]):
        m_merge(rows[i], others[i])


def _fifty_times(action: Callable[..., None], *arguments: object) -> None:
    for _ in range(50):
        action(*arguments)


def _rows() -> list[Row]:
    """TCBF operations on 256 one-byte counters inside a compiled loop; the peer is the target of 25 ns."""
    rng = np.random.default_rng(1)
    rows, others = (rng.integers(0, 200, (ROWS, 256)).astype(np.uint8) for _ in range(2))
    result = []
    for name, action, arguments in (
        ("decay", _decay_all, (rows, 1)),
        ("A-merge", _a_merge_all, (rows, others)),
        ("M-merge", _m_merge_all, (rows, others)),
    ):
        action(*arguments)
        ours = cpu_seconds(partial(_fifty_times, action), *arguments) * NANO / 50 / ROWS
        result.append(compare(f"TCBF {name}, 256 counters", "ns", ours, "target of 25 ns", 25.0, target=1.0))
    return result


def _codec() -> list[Row]:
    """A relay filter of 30 tags to bytes and back."""
    family = Hashing(m=256, k=3)
    relay = TCBF(family, initial=5, decay_cycle=256.0)
    for i in range(30):
        relay.decay(64.0 * i)
        relay.m_merge(TCBF(family, initial=5, decay_cycle=256.0, now=64.0 * i, keys=[f"tag{i % 20}", f"tag{i}"]))
        relay.a_merge(TCBF(family, initial=5, decay_cycle=256.0, now=64.0 * i, keys=[f"tag{i % 3}"]))
    empty = TCBF(family, initial=5, decay_cycle=256.0)
    unpack(pack(relay), empty)
    ours = cpu_seconds(lambda: [unpack(pack(relay), empty) for _ in range(500)]) * 1e6 / 500
    theirs = cpu_seconds(lambda: [pickle.loads(pickle.dumps(relay)) for _ in range(500)]) * 1e6 / 500
    sizes = f"{len(pack(relay))} bytes against {len(pickle.dumps(relay))}"
    return [compare(f"relay filter, encode + decode ({sizes})", "us", ours, "pickle", theirs)]


def _start() -> list[Row]:
    """`hunet --help` in a new process; the peer is the promise of half a second."""

    def seconds(*command: str) -> float:
        times = []
        for _ in range(5):
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times.append(time.perf_counter() - start)
        return min(times)

    ours = seconds(sys.executable, "-m", "hunet.cli", "--help")
    return [compare("hunet --help", "s", ours, "target of 0.5 s", 0.5, target=1.0)]
