"""Keys to positions, one small step at a time (spec AMB-01)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import count

from tests.naive.siphash import siphash128


@dataclass(frozen=True)
class NaiveHashing:
    """The i-th position is the i-th 32-bit slice of the PRF's output, scaled to [0, m).

    After four slices the output is extended: block 1, 2, ... has its number XORed into the upper half of the key.
    With `distinct`, slices that fall on a position already taken are skipped.
    """

    m: int
    k: int
    key: bytes
    distinct: bool = False

    def positions(self, key: str | bytes) -> tuple[int, ...]:
        return _positions(self, key.encode("utf-8") if isinstance(key, str) else key)


@cache
def _positions(hashing: NaiveHashing, message: bytes) -> tuple[int, ...]:
    found: list[int] = []
    for block in count():
        upper = int.from_bytes(hashing.key[8:], "little") ^ block
        output = siphash128(hashing.key[:8] + upper.to_bytes(8, "little"), message)
        for part in range(4):
            piece = int.from_bytes(output[4 * part : 4 * part + 4], "little")
            position = piece * hashing.m // 2**32
            if len(found) < hashing.k and not (hashing.distinct and position in found):
                found.append(position)
        if len(found) == hashing.k:
            break
    return tuple(found)
