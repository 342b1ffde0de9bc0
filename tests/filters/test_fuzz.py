"""A fixed share of the million damaged byte strings that `make fuzz` tries."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from benchmarks import fuzz_decoders
from hunet.filters import TCBF, Hashing
from hunet.filters.codec import pack, unpack
from hunet.filters.encodings import COUNTER_ENCODINGS, Encoding
from hunet.kernels import COMPILED

CASES, SIZES = (20_000, fuzz_decoders.SIZES) if COMPILED else (600, (1, 7, 20, 64))


def test_damaged_bytes_raise_only_the_documented_error_in_bounded_memory() -> None:
    report = fuzz_decoders.fuzz(CASES, seed=2, sizes=SIZES)
    assert report.failures == []
    assert report.cases.total() == CASES
    assert all(report.accepted[name] for name in fuzz_decoders.DECODERS), (
        "every decoder also accepts some: the cases are near misses"
    )
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
    assert peak <= fuzz_decoders.honest_bytes(m, 1, 1, len(data))
