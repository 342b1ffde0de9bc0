"""Whole numbers in few bytes: columns as differences in as few bytes as each needs, deflated, written as text.

A page of a conference with 6,000 messages holds some hundred thousand events. Most columns hardly change from one row
to the next, so that differences are small and alike, which is what deflate is good at. `assets/data.js` reads it again.

    4 bytes     length of the header
    header      JSON; `columns` says by name where each begins and how many numbers it has
    columns     differences to the number before, zigzag (0, -1, 1, -2, ...), 7 bits per byte, the last without the 8th
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["pack", "varints"]

Ints = npt.NDArray[np.int64]


def pack(header: Mapping[str, Any], columns: Mapping[str, npt.NDArray[Any]]) -> str:
    """Header and columns of whole numbers as one text of letters, digits and `+/=`."""
    packed = {name: varints(_differences(np.asarray(values, np.int64))) for name, values in columns.items()}
    places, begin = {}, 0
    for name, content in packed.items():
        places[name] = [begin, len(columns[name])]
        begin += len(content)
    # ASCII: whatever letters names have, also halves of a surrogate pair, arrive as they are.
    head = json.dumps({**header, "columns": places}, allow_nan=False, separators=(",", ":")).encode("ascii")
    whole = b"".join((len(head).to_bytes(4, "little"), head, *packed.values()))
    return base64.b64encode(zlib.compress(whole, 9)).decode("ascii")


def _differences(values: Ints) -> npt.NDArray[np.uint64]:
    steps = np.diff(values, prepend=0)
    return np.asarray((steps << 1) ^ (steps >> 63)).astype(np.uint64)


def varints(values: npt.NDArray[np.uint64]) -> bytes:
    """Numbers in 7 bits per byte, lowest first; the eighth says that more follow.

    >>> varints(np.array([1, 127, 128, 300], np.uint64)).hex()
    '017f8001ac02'
    """
    lengths = np.ones(values.size, np.int64)
    for bits in range(7, 64, 7):
        lengths += values >= np.uint64(1 << bits)
    begins = np.cumsum(lengths) - lengths
    out = np.zeros(int(lengths.sum()), np.uint8)
    for place in range(int(lengths.max(initial=0))):
        there = lengths > place
        more = np.where(lengths[there] > place + 1, np.uint64(128), np.uint64(0))
        out[begins[there] + place] = ((values[there] >> np.uint64(7 * place)) & np.uint64(127)) | more
    return out.tobytes()
