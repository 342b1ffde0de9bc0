"""Secret topics: what is published under one can be read, and even recognised, only by those who know its phrase.

A secret topic is a tag that begins with `secret:`; the rest is the phrase that its people agreed on. Two keys follow
from the phrase and the network's salt by scrypt, so a guess costs a tenth of a second, and one network's guesses are of
no use in another. Under one key the day gives the tag that travels: whoever lacks the phrase sees another every day,
and cannot tell whether two of them are one topic. Under the other the text is sealed, by ChaCha20-Poly1305 with a
random nonce.

A reader wants the tags of the days that a message may still be alive from, and of tomorrow, since clocks differ.
"""

from __future__ import annotations

import base64
import hmac
import os
from collections.abc import Sequence
from functools import cached_property, lru_cache
from hashlib import scrypt

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from hunet.model.errors import DecodeError, InvalidValueError
from hunet.node.budget import DAY

__all__ = ["OVERHEAD", "PREFIX", "SHOWN", "Secret", "day_of", "is_secret", "secret_of"]

PREFIX = "secret:"
"""What the tag of a secret topic begins with, as people write it."""
SHOWN = "~"
"""What the tag that travels begins with."""
DAYS = 8
"""Days back that a message may still be alive from, today among them."""
LEAST_PHRASE = 8
"""Letters."""
_NONCE, _TAG = 12, 16
OVERHEAD = _NONCE + _TAG
"""Bytes that sealing adds."""
_COST = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26}


def is_secret(tag: str) -> bool:
    """Whether a tag is that of a secret topic."""
    return tag.startswith(PREFIX)


def day_of(wall: int) -> int:
    """The number of the day, from milliseconds since 1970."""
    return wall // DAY


class Secret:
    """One secret topic."""

    def __init__(self, name: str, salt: bytes) -> None:
        phrase = name.removeprefix(PREFIX)
        if len(phrase) < LEAST_PHRASE:
            raise InvalidValueError(
                f"a secret of {len(phrase)} letters is guessed at once: give {LEAST_PHRASE} or more"
            )
        self.name, self._phrase, self._salt = name, phrase, salt

    @cached_property
    def _keys(self) -> tuple[bytes, bytes]:
        both = scrypt(self._phrase.encode(), salt=b"hunet secret topic" + self._salt, dklen=64, **_COST)
        return both[:32], both[32:]

    def tag(self, day: int) -> str:
        """The tag that travels on this day."""
        shown = hmac.digest(self._keys[0], day.to_bytes(8, "big"), "sha256")[:16]
        return SHOWN + base64.b32encode(shown).decode().rstrip("=").lower()

    def tags(self, today: int) -> list[str]:
        """All that a reader wants."""
        return [self.tag(day) for day in range(today - DAYS + 1, today + 2)]

    def seal(self, text: bytes, tag: str) -> bytes:
        """A payload for a message with this tag."""
        nonce = os.urandom(_NONCE)
        return nonce + ChaCha20Poly1305(self._keys[1]).encrypt(nonce, text, tag.encode())

    def open(self, payload: bytes, tags: Sequence[str]) -> bytes:
        """The text of a message with these tags; `DecodeError` if it is of another topic."""
        try:
            return ChaCha20Poly1305(self._keys[1]).decrypt(payload[:_NONCE], payload[_NONCE:], tags[0].encode())
        except (InvalidTag, ValueError, IndexError):
            raise DecodeError("a message that was not sealed with this secret") from None


@lru_cache(256)
def secret_of(name: str, salt: bytes) -> Secret:
    """The topic of this name in the network with this salt; its keys are worked out once."""
    return Secret(name, salt)
