"""What digests would cost in each encoding, and as raw strings: a measure, taken when asked for; nothing of it travels.

`out[e]` adds up bytes as if encoding Ee were used for every filter that it can hold, and the smallest
that can for all others. `out[RAW]` is what the tags themselves would take: a length byte and the text of each, and one
byte more for its weight where the filter has counters (AMB-07).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.filters.bits import matches
from hunet.filters.counters import tally, value
from hunet.filters.encodings import Encoding, encoded_bits, smallest
from hunet.filters.quantities import Count, Counters, Words
from hunet.kernels import count_ones, leaf
from hunet.protocols.wire import framed_bytes

__all__ = ["ACCOUNTS", "RAW", "account_bloom", "account_counters", "account_positions"]

RAW = len(Encoding)
ACCOUNTS = (*(f"control_bytes_E{e}" for e in range(RAW)), "control_bytes_raw")
"""The names of what is added up."""


@leaf
def _account(
    has_counters: bool, m: Count, set_count: Count, distinct: Count, width: Count, out: npt.NDArray[np.int64]
) -> None:
    _, least = smallest(has_counters, m, set_count, distinct, width)
    for encoding in range(RAW):
        bits = encoded_bits(encoding, m, set_count, distinct, width)
        if (encoding >= 2) != has_counters or bits < 0:
            bits = least
        out[encoding] += framed_bytes(bits)


@leaf
def account_bloom(params: Any, words: Words, tag_bytes: npt.NDArray[np.int64], out: npt.NDArray[np.int64]) -> None:
    """A plain filter, and the tags it answers for."""
    set_count = 0
    for i in range(words.size):
        set_count += count_ones(words[i])
    _account(False, params.m, set_count, 0, 8, out)
    for tag in range(tag_bytes.size):
        if matches(words, params.table, np.uint64(tag)):
            out[RAW] += 1 + tag_bytes[tag]


@leaf
def account_counters(params: Any, row: Counters, tag_bytes: npt.NDArray[np.int64], out: npt.NDArray[np.int64]) -> None:
    """A filter with its counters."""
    set_count, distinct = tally(row)
    _account(True, row.size, set_count, distinct, 8 * row.itemsize, out)
    for tag in range(tag_bytes.size):
        if value(row, params.table, np.uint64(tag)) > 0:
            out[RAW] += 2 + tag_bytes[tag]


@leaf
def account_positions(params: Any, row: Counters, tag_bytes: npt.NDArray[np.int64], out: npt.NDArray[np.int64]) -> None:
    """A filter of counters that is sent without them."""
    set_count, _ = tally(row)
    _account(False, row.size, set_count, 0, 8, out)
    for tag in range(tag_bytes.size):
        if value(row, params.table, np.uint64(tag)) > 0:
            out[RAW] += 1 + tag_bytes[tag]
