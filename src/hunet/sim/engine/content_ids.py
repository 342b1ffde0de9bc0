"""Messages told apart by a hash of their content, as [bsub13] 6.1 does it: "a 32-bit ID by hashing its content".

Two messages with the same id are one to everybody: who has seen the one takes the other for a duplicate, and never gets
it. Contents are all different here, so that ids are drawn at random.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf
from hunet.protocols.quantities import Row
from hunet.sim.engine.arrays import BIRTH, OLDEST

__all__ = ["ADDED", "MOST_ID_BITS", "content_ids", "next_alike", "seems_seen"]

MOST_ID_BITS = 63
ADDED = {
    "messages_alike": "messages that share their id with another",
    "mistaken_for_seen": "offers that were refused because of that",
}
"""Measures that a run has where messages are told apart so, and what they say."""
_STREAM = 0x1D5


def content_ids(messages: int, bits: int, seed: int) -> npt.NDArray[np.int64]:
    """[message]: its id, of so many bits."""
    chance = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, _STREAM])))
    return chance.integers(0, 2**bits, messages, np.int64)


def next_alike(ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """[message]: the next one with the same id, and of the last the first; one that is alone is next to itself."""
    order = np.argsort(ids, kind="stable")
    alike = np.empty(ids.size, np.int64)
    if not ids.size:
        return alike
    first = np.flatnonzero(np.append(True, ids[order][1:] != ids[order][:-1]))
    follower = np.arange(1, ids.size + 1)
    follower[np.append(first[1:], ids.size) - 1] = first
    alike[order] = order[follower]
    return alike


@leaf
def seems_seen(host: Any, node: Row, m: Any) -> Any:
    """Whether a node has seen another message of this id, of those that are not over."""
    seen, cursor = host.buffers.seen, host.scratch.cursor
    other = host.alike[m]
    while other != m:
        if cursor[OLDEST] <= other < cursor[BIRTH]:
            word = seen[node, np.uint64((other >> 6) & (seen.shape[1] - 1))]
            if (word >> np.uint64(other & 63)) & np.uint64(1) != np.uint64(0):
                return True
        other = host.alike[other]
    return False
