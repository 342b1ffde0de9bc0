"""What devices are called on a screen: two words and a number, made of a key, since nobody can compare keys.

A name is of this network: the same device is called otherwise in another. It is no proof of anything, and two devices
may share one by chance (1 in 400,000): where it matters, the key is shown beside it.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

__all__ = ["name_of"]

_FIRST, _SECOND = (line.split() for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines())


def name_of(key: bytes, salt: bytes) -> str:
    """The name of a device or an author, by its public key, in the network with this salt.

    >>> name_of(bytes(32), bytes(16))
    'quiet magpie 15'
    """
    number = int.from_bytes(blake2b(key, digest_size=8, key=salt, person=b"hunet name").digest(), "big")
    number, first = divmod(number, len(_FIRST))
    number, second = divmod(number, len(_SECOND))
    return f"{_FIRST[first]} {_SECOND[second]} {number % 100:02}"
