"""Noise_XXpsk0_25519_ChaChaPoly_SHA256, after revision 34 of the Noise specification: who lacks the key gets no answer.

Three messages, `-> psk, e`, `<- e, ee, s, es`, `-> s, se`, each with a payload. The network's key is mixed in before
anything else, so the first message proves that its sender knows it, at the price of hashing: no operation on the curve
is done for a stranger. Nothing here knows a socket; whatever is wrong with a message is a `LinkError`.
"""

from __future__ import annotations

import hmac
import struct
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from hunet.model.errors import LinkError

__all__ = ["KEY_BYTES", "TAG_BYTES", "Cipher", "Handshake"]

NAME = b"Noise_XXpsk0_25519_ChaChaPoly_SHA256"
TOKENS = (("psk", "e"), ("e", "ee", "s", "es"), ("s", "se"))
"""What each of the three messages consists of, before its payload."""
KEY_BYTES = 32
TAG_BYTES = 16


class Cipher:
    """One direction: every text is sealed under the next nonce."""

    def __init__(self, key: bytes) -> None:
        self._aead = ChaCha20Poly1305(key)
        self._nonce = 0

    def seal(self, text: bytes, beside: bytes = b"") -> bytes:
        """The text, sealed; `beside` is not sent, but must be the same at the other end."""
        sealed = self._aead.encrypt(struct.pack("<4xQ", self._nonce), text, beside)
        self._nonce += 1
        return sealed

    def open(self, sealed: bytes, beside: bytes = b"") -> bytes:
        """The text that the other end sealed at this place of the stream, or a `LinkError`."""
        try:
            text = self._aead.decrypt(struct.pack("<4xQ", self._nonce), sealed, beside)
        except InvalidTag:
            raise LinkError("bytes that were not sealed with our key") from None
        self._nonce += 1
        return text


class Handshake:
    """One end of the three messages: `write` and `read` take turns, then `split` gives the ciphers.

    The `ephemeral` key is drawn when it is needed; only tests bring their own.
    """

    def __init__(
        self,
        dialled: bool,
        static: X25519PrivateKey,
        psk: bytes,
        prologue: bytes,
        ephemeral: X25519PrivateKey | None = None,
    ) -> None:
        self._dialled, self._psk = dialled, psk
        self._mine = {"s": static, "e": ephemeral}
        self._theirs: dict[str, bytes] = {}
        self._chain = self._hash = NAME.ljust(32, b"\0") if len(NAME) <= 32 else sha256(NAME).digest()
        self._cipher: Cipher | None = None
        self._turn = 0
        self._mix_hash(prologue)

    @property
    def transcript(self) -> bytes:
        """The hash of all that went over: the same at both ends, and nowhere else."""
        return self._hash

    @property
    def peer_static(self) -> bytes:
        """The key that the peer has proved to have."""
        return self._theirs["s"]

    def write(self, payload: bytes = b"") -> bytes:
        """The next message."""
        out = []
        for token in self._tokens():
            if token == "psk":
                self._mix_psk()
            elif token == "e":
                public = self._ephemeral().public_key().public_bytes_raw()
                out.append(public)
                self._mix_ephemeral(public)
            elif token == "s":
                out.append(self._seal(self._key("s").public_key().public_bytes_raw()))
            else:
                self._exchange(token)
        out.append(self._seal(payload))
        return b"".join(out)

    def read(self, message: bytes) -> bytes:
        """The payload of the peer's next message."""
        at = 0
        for token in self._tokens():
            if token == "psk":
                self._mix_psk()
            elif token == "e":
                public = self._theirs["e"] = _part(message, at, KEY_BYTES)
                at += KEY_BYTES
                self._mix_ephemeral(public)
            elif token == "s":
                self._theirs["s"] = self._open(_part(message, at, KEY_BYTES + self._sealing))
                at += KEY_BYTES + self._sealing
            else:
                self._exchange(token)
        return self._open(message[at:])

    def split(self) -> tuple[Cipher, Cipher]:
        """For what I send, and for what I receive."""
        assert self._turn == len(TOKENS)
        of_dialler, of_answerer = (Cipher(key) for key in _derive(self._chain, b"", 2))
        return (of_dialler, of_answerer) if self._dialled else (of_answerer, of_dialler)

    def _tokens(self) -> tuple[str, ...]:
        self._turn += 1
        return TOKENS[self._turn - 1]

    def _key(self, which: str) -> X25519PrivateKey:
        key = self._mine[which]
        assert key is not None
        return key

    def _ephemeral(self) -> X25519PrivateKey:
        key = self._mine["e"] = self._mine["e"] or X25519PrivateKey.generate()
        return key

    def _exchange(self, token: str) -> None:
        """Diffie and Hellman: the first letter is the dialler's key, the second the answerer's."""
        mine, theirs = (token[0], token[1]) if self._dialled else (token[1], token[0])
        try:
            shared = self._key(mine).exchange(X25519PublicKey.from_public_bytes(self._theirs[theirs]))
        except ValueError:  # a point of small order
            raise LinkError("a public key that is none") from None
        self._mix_key(shared)

    def _mix_hash(self, data: bytes) -> None:
        self._hash = sha256(self._hash + data).digest()

    def _mix_key(self, secret: bytes) -> None:
        self._chain, key = _derive(self._chain, secret, 2)
        self._cipher = Cipher(key)

    def _mix_psk(self) -> None:
        self._chain, extra, key = _derive(self._chain, self._psk, 3)
        self._mix_hash(extra)
        self._cipher = Cipher(key)

    def _mix_ephemeral(self, public: bytes) -> None:
        self._mix_hash(public)
        self._mix_key(public)  # beside the hash, in every handshake with a shared key

    @property
    def _sealing(self) -> int:
        return 0 if self._cipher is None else TAG_BYTES

    def _seal(self, text: bytes) -> bytes:
        sealed = text if self._cipher is None else self._cipher.seal(text, self._hash)
        self._mix_hash(sealed)
        return sealed

    def _open(self, sealed: bytes) -> bytes:
        text = sealed if self._cipher is None else self._cipher.open(sealed, self._hash)
        self._mix_hash(sealed)
        return text


def _part(message: bytes, at: int, length: int) -> bytes:
    if len(message) < at + length:
        raise LinkError(f"a handshake message of {len(message)} bytes, at least {at + length} are due")
    return message[at : at + length]


def _derive(chain: bytes, secret: bytes, count: int) -> list[bytes]:
    """HKDF with SHA-256 (RFC 5869), as Noise uses it."""
    root = hmac.digest(chain, secret, "sha256")
    out: list[bytes] = []
    for i in range(count):
        out.append(hmac.digest(root, (out[-1] if out else b"") + bytes([i + 1]), "sha256"))
    return out
