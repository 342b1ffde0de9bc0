"""Keys in the forms people have them, brought to the one form that kernels read: bytes and offsets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from hunet.model.errors import InvalidKeyError

if TYPE_CHECKING:
    import pyarrow as pa  # a device has none: it is loaded for those who bring Arrow arrays

__all__ = ["KeyBuffer", "Keys", "key_buffer", "single_key_buffer"]

Keys: TypeAlias = "Iterable[str | bytes] | pa.Array | pa.ChunkedArray"
"""Many keys: an Arrow array (string or binary of any kind), or anything that yields text or bytes."""


@dataclass(frozen=True, slots=True)
class KeyBuffer:
    """count keys; key i is data[offsets[i]:offsets[i + 1]]."""

    data: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]
    count: int


def key_buffer(keys: Keys) -> KeyBuffer:
    """Bring keys to bytes and offsets, without copying Arrow string data; refuse null and empty keys by row."""
    if isinstance(keys, str | bytes):
        raise InvalidKeyError(f"many keys are expected here, got the single key {keys!r}; put it into a list")
    if not _is_arrow(keys):
        return _key_list(_all_bytes(list(keys)))
    import pyarrow as pa

    array = _binary_array(keys)
    if array.null_count:
        raise InvalidKeyError(f"key {_first(array.is_null())} is null; drop nulls before hashing")
    wide = pa.types.is_large_binary(array.type)
    _, offset_bytes, data_bytes = array.buffers()
    every_offset = np.frombuffer(offset_bytes or b"\0" * 8, np.int64 if wide else np.int32)
    offsets = every_offset[array.offset : array.offset + len(array) + 1].astype(np.int64)
    data = np.frombuffer(data_bytes or b"", np.uint8)
    data.flags.writeable = False  # as for a single key: kernels are compiled per kind of array
    empty = offsets[1:] == offsets[:-1]
    if np.any(empty):
        raise InvalidKeyError(f"key {int(np.argmax(empty))} is empty; a key has at least one byte")
    return KeyBuffer(data, offsets, len(array))


def _is_arrow(keys: Keys) -> TypeGuard[pa.Array | pa.ChunkedArray]:
    return type(keys).__module__.partition(".")[0] == "pyarrow"


def _all_bytes(keys: list[str | bytes]) -> list[bytes]:
    try:
        return [key if isinstance(key, bytes) else str.encode(key) for key in keys]
    except (TypeError, UnicodeEncodeError):  # one of them is to be named
        return [_bytes(key, f"key {row}") for row, key in enumerate(keys)]


def _key_list(keys: list[bytes]) -> KeyBuffer:
    lengths = np.fromiter(map(len, keys), np.int64, len(keys))
    if not lengths.all():
        raise InvalidKeyError(f"key {int(np.argmin(lengths))} is empty; a key has at least one byte")
    offsets = np.zeros(len(keys) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return KeyBuffer(np.frombuffer(b"".join(keys), np.uint8), offsets, len(keys))


def single_key_buffer(key: str | bytes) -> KeyBuffer:
    """The same for one key, without the detour over Arrow."""
    data = _bytes(key, "the key")
    if not data:
        raise InvalidKeyError("the key is empty; a key has at least one byte")
    return KeyBuffer(np.frombuffer(data, np.uint8), np.array([0, len(data)], np.int64), 1)


def _bytes(key: str | bytes, which: str) -> bytes:
    if isinstance(key, bytes):
        return key
    if not isinstance(key, str):
        raise InvalidKeyError(f"{which} is {key!r}; keys are text or bytes")
    try:
        return key.encode()
    except UnicodeEncodeError as error:
        raise InvalidKeyError(f"{which} is {key!r}, which is not valid text: {error.reason}") from None


def _first(mask: pa.Array) -> int:
    import pyarrow.compute as pc

    return int(pc.index(mask, True).as_py())


def _binary_array(keys: pa.Array | pa.ChunkedArray) -> pa.Array:
    """One contiguous Arrow array of (large) binary."""
    import pyarrow as pa

    if isinstance(keys, pa.ChunkedArray):
        keys = keys.combine_chunks()
        if isinstance(keys, pa.ChunkedArray):  # more than 2 GB of text does not fit into one narrow array
            keys = keys.cast(pa.large_binary()).combine_chunks()
    kind = keys.type
    if pa.types.is_string(kind):
        return keys.view(pa.binary())
    if pa.types.is_large_string(kind):
        return keys.view(pa.large_binary())
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return keys
    if pa.types.is_dictionary(kind):
        return _binary_array(keys.dictionary_decode())
    if pa.types.is_fixed_size_binary(kind) or str(kind) in ("string_view", "binary_view"):
        return keys.cast(pa.large_binary())
    raise InvalidKeyError(f"keys are text or bytes, got an Arrow array of {kind}; cast it to string first")
