"""Damaged bytes through the decoders of filters; `tests/fuzz` has the others, and more of them."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from hunet.filters import TCBF, Hashing
from hunet.filters.codec import pack, unpack
from hunet.filters.encodings import COUNTER_ENCODINGS, Encoding
from hunet.kernels import COMPILED
from tests.fuzz.filter_decoders import SIZES, filter_decoders, honest_bytes
from tests.fuzz.fuzz import fuzz

CASES, TRIED = (55_000, SIZES) if COMPILED else (600, (1, 7, 20, 64))


def test_damaged_bytes_raise_only_the_documented_error_in_bounded_memory() -> None:
    decoders = filter_decoders(TRIED)
    report = fuzz(decoders, CASES, seed=2)
    assert report.failures == []
    assert report.cases.total() == CASES
    assert all(report.accepted[decoder.name] for decoder in decoders), "the cases are near misses"
    assert len(report.reasons) > 15


@pytest.mark.parametrize("encoding", [e for e in COUNTER_ENCODINGS if e != Encoding.E2])
def test_a_large_full_filter_is_read_within_the_same_bound(encoding: Encoding) -> None:
    m = 2**14
    f = TCBF(Hashing(m, 3), 5)
    f.counters[:] = np.arange(m) % 5 + 1
    data = pack(f, encoding)
    tracemalloc.start()
    unpack(data, f)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= honest_bytes(m, 1, 1, len(data))
