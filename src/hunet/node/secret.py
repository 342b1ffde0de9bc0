"""Secret topics: a tag and a phrase that some people share, inside a network whose members do not.

From both a key is made, slowly (scrypt), so that guessing phrases is dear. What travels is a tag that changes every
day, an HMAC of the day under that key, and a payload that only the key opens. A member who lacks the phrase sees that
somebody follows something secret, and that messages of one day belong together; not what they say, nor what it is
called.

Days are those of the wall clock. Clocks may be wrong, and messages live for days, so whoever follows a topic wants the
tags of the last days and of tomorrow.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from hunet.model.errors import NodeError

__all__ = ["DAY", "PREFIX", "Topic", "days_around"]

DAY = 86_400
PREFIX = "secret:"
"""What the tags of secret topics begin with: nobody else's may."""
LONGEST = 7
"""Days that a message may live."""
_COST = 2**15
"""Of scrypt: 32 MB and a tenth of a second for each guess."""
_NONCE, _MARK = 12, 10


@dataclass(frozen=True)
class Topic:
    """A topic whose name and phrase somebody knows."""

    name: str
    key: bytes

    @classmethod
    def of(cls, name: str, phrase: str, salt: bytes) -> Topic:
        """The topic of this name and phrase in the network with this salt."""
        if not name or not phrase:
            raise NodeError("a secret topic has a tag and a phrase, neither of which is empty")
        mixed = salt + hashlib.sha256(name.encode()).digest()
        key = hashlib.scrypt(phrase.encode(), salt=mixed, n=_COST, r=8, p=1, maxmem=2**26, dklen=32)
        return cls(name, key)

    def tag(self, day: int) -> str:
        """What messages of a day are found by."""
        mark = hmac.digest(self.key, b"hunet secret tag:%d" % day, "sha256")[:_MARK]
        return PREFIX + base64.b32encode(mark).decode()

    def seal(self, tag: str, payload: bytes) -> bytes:
        """For those who know the phrase, under this tag only."""
        nonce = os.urandom(_NONCE)
        return nonce + ChaCha20Poly1305(self._sealing()).encrypt(nonce, payload, tag.encode())

    def open(self, tag: str, sealed: bytes) -> bytes | None:
        """What was sealed; None if it was not sealed by this topic."""
        if len(sealed) < _NONCE:
            return None
        try:
            return ChaCha20Poly1305(self._sealing()).decrypt(sealed[:_NONCE], sealed[_NONCE:], tag.encode())
        except InvalidTag:
            return None

    def _sealing(self) -> bytes:
        return hmac.digest(self.key, b"hunet secret payload", "sha256")


def days_around(now: float) -> range:
    """The days whose messages may come now, on a clock that may be a day off."""
    today = int(now // DAY)
    return range(today - LONGEST, today + 2)
