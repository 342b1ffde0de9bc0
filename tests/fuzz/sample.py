"""What a decoder is tried with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hunet.model.errors import DecodeError, HunetError

__all__ = ["FIXED_BYTES", "Decoder", "Sample"]

FIXED_BYTES = 16_384
"""What any call may take beside its arrays: Python objects, the message of an error, its traceback."""


@dataclass(frozen=True)
class Sample:
    """A valid encoding, how to decode its like, and how the result is written again."""

    data: bytes
    read: Callable[[bytes], Any]
    """Bytes -> result; it raises `refusal`, and nothing else."""
    write: Callable[[Any, bytes], bytes]
    """Result and the bytes it was read from -> the same bytes."""
    most_memory: Callable[[bytes], int]
    """The most bytes that reading these may take."""
    refusal: type[HunetError] = DecodeError
    about: str = ""


@dataclass(frozen=True)
class Decoder:
    """A way from bytes to something, by name, with samples of what it accepts."""

    name: str
    samples: Callable[[], Iterator[Sample]]
    sealed: bool = False
    """Whether a checksum or a seal makes it refuse everything that is damaged."""
