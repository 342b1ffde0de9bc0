"""Tags by numbers of one's own: nobody knows all tags of a village, and every node numbers those it comes across.

Where a digest must name a tag, it does so by a keyed hash of 8 bytes: whoever knows the tag recognises it, others learn
that there is one more, and strangers to the network learn nothing.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
import numpy.typing as npt

__all__ = ["TagIds", "place_of", "tag_id"]

TagIds = npt.NDArray[np.uint64]
"""[place]: the hash of the tag that has this number; 0 where none has."""


def tag_id(name: str, key: bytes) -> int:
    """The hash of a tag in the network with this key; never 0."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8, key=key).digest(), "big") or 1


def place_of(ids: TagIds, wanted: int) -> int | None:
    """The number of a tag: the one it has, or the next that is free, which it gets; None where there is none left.

    >>> ids = np.zeros(2, np.uint64)
    >>> [place_of(ids, tag_id(name, b"key")) for name in ("jazz", "chess", "jazz", "go")]
    [0, 1, 0, None]
    """
    for sought in (wanted, 0):
        places = np.flatnonzero(ids == np.uint64(sought))
        if places.size:
            ids[places[0]] = wanted
            return int(places[0])
    return None
