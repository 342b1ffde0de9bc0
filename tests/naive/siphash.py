"""SipHash-2-4 with 128 bits of output, in plain Python integers, as its authors describe it."""

from __future__ import annotations

from functools import cache

WORD = 2**64


def rotate(word: int, bits: int) -> int:
    return (word << bits | word >> (64 - bits)) % WORD


def mix(state: list[int], rounds: int) -> None:
    for _ in range(rounds):
        a, b, c, d = state
        a = (a + b) % WORD
        c = (c + d) % WORD
        b = rotate(b, 13) ^ a
        d = rotate(d, 16) ^ c
        a = rotate(a, 32)
        c = (c + b) % WORD
        a = (a + d) % WORD
        b = rotate(b, 17) ^ c
        d = rotate(d, 21) ^ a
        c = rotate(c, 32)
        state[:] = a, b, c, d


@cache
def siphash128(key: bytes, message: bytes) -> bytes:
    """16 bytes: the first 8 are the low word, the last 8 the high word, both little-endian."""
    first, second = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    a, b, c, d = (int.from_bytes(text, "big") for text in (b"somepseu", b"dorandom", b"lygenera", b"tedbytes"))
    state = [a ^ first, b ^ second ^ 0xEE, c ^ first, d ^ second]
    padded = message + bytes(-(len(message) + 1) % 8) + bytes([len(message) % 256])
    for start in range(0, len(padded), 8):
        word = int.from_bytes(padded[start : start + 8], "little")
        state[3] ^= word
        mix(state, 2)
        state[0] ^= word
    output = b""
    for position, constant in ((2, 0xEE), (1, 0xDD)):
        state[position] ^= constant
        mix(state, 4)
        output += (state[0] ^ state[1] ^ state[2] ^ state[3]).to_bytes(8, "little")
    return output
