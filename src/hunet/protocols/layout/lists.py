"""Parts that say something of a few tags: lists of those of which there is something to say.

A tag is named by its place in the list of `params.tags` that all have, or by its hash where `params.tag_ids` has any
room for these (`tag_ids`).
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, rare
from hunet.model.errors import DecodeError
from hunet.protocols.layout.arrays import array
from hunet.protocols.layout.part import Part
from hunet.protocols.tag_ids import place_of
from hunet.protocols.wire import Reader, Writer, number_bytes

if TYPE_CHECKING:
    from hunet.protocols.protocol import World

__all__ = ["values", "weights"]

_VALUE_BYTES = 2
_WEIGHT = struct.Struct(">f")
_WEIGHT_BYTES = _WEIGHT.size


def _one_per_tag(params: Any, world: World) -> tuple[int, ...]:
    return (params.tags,)


# ------------------------------------------------------------------ whole numbers, to the end of the digest


def values(name: str) -> Part:
    """[tag]: a whole number of 16 bits. Of each that is not 0 its tag, `params.tag_bytes`, and itself, 2 bytes; they
    rise by tag, and nothing may follow. The layout is `measured_by="tag_bytes"`."""
    return array(name, _one_per_tag, np.uint16, _values_bytes, _write_values, _read_values)


@leaf
def _values_bytes(row: Any, tag_bytes: Any) -> Any:
    told = 0
    for tag in range(row.size):
        told += row[tag] != 0
    return (tag_bytes + _VALUE_BYTES) * told


def _write_values(out: Writer, params: Any, row: npt.NDArray[np.uint16]) -> None:
    told = np.flatnonzero(row)
    names = params.tag_ids[told] if params.tag_ids.size else told
    for name, value in sorted(zip(names.tolist(), row[told].tolist(), strict=True)):
        out.raw(name.to_bytes(params.tag_bytes, "big") + value.to_bytes(_VALUE_BYTES, "big"))


def _read_values(reader: Reader, params: Any) -> npt.NDArray[np.uint16]:
    named = params.tag_ids.size > 0
    limit = 2**64 if named else params.tags
    told: dict[int, int] = {}
    last = 0 if named else -1
    while reader.left:
        tag, value = (int.from_bytes(reader.raw(length), "big") for length in (params.tag_bytes, _VALUE_BYTES))
        if not last < tag < limit:
            raise DecodeError(f"tag {tag} after {last}, of {limit} tags")
        if value == 0:
            raise DecodeError(f"tag {tag} is named, but nothing is told of it")
        told[tag] = value
        last = tag
    row = np.zeros(params.tags, np.uint16)
    for tag, value in told.items():
        place = place_of(params.tag_ids, tag) if named else tag
        if place is not None:  # of what there is no room for nothing is known
            row[place] = value
    return row


# ------------------------------------------------------------------ weights


def weights(name: str, *, named: bool = False) -> Part:
    """[row, tag], with one row outside of a `repeat`: weights above 0.

    How many there are, and of each the distance of its tag from the one before and four bytes. Where tags may be
    `named`, the layout is `measured_by="tag_bytes"`: if these are not 0, the hash of each tag, rising, and four bytes.
    """
    size = _named_weights_bytes if named else _weights_bytes
    return array(name, _one_per_tag, np.float32, size, _write_weights, _read_weights, one_row=True)


@rare
def _named_weights_bytes(row: Any, tag_bytes: Any) -> Any:
    count, before, total = 0, -1, 0
    for tag in range(row.size):
        if row[tag] > 0:
            total += (tag_bytes if tag_bytes > 0 else number_bytes(tag - before - 1)) + _WEIGHT_BYTES
            before = tag
            count += 1
    return number_bytes(count) + total


@leaf
def _weights_bytes(row: Any, _m: Any) -> Any:
    """Filters beside it do not matter."""
    return _named_weights_bytes(row, 0)


def _write_weights(out: Writer, params: Any, row: npt.NDArray[np.float32]) -> None:
    tags = np.flatnonzero(row)
    out.number(tags.size)
    if _names_tags(params):
        for name, weight in sorted(zip(params.tag_ids[tags].tolist(), row[tags].tolist(), strict=True)):
            out.raw(name.to_bytes(params.tag_bytes, "big") + _WEIGHT.pack(weight))
        return
    before = -1
    for tag in tags.tolist():
        out.number(tag - before - 1)
        out.raw(_WEIGHT.pack(row[tag]))
        before = tag


def _read_weights(reader: Reader, params: Any) -> npt.NDArray[np.float32]:
    row = np.zeros(params.tags, np.float32)
    if _names_tags(params):
        last = 0
        for _ in range(reader.number()):
            tag = int.from_bytes(reader.raw(params.tag_bytes), "big")
            if tag <= last:
                raise DecodeError(f"tag {tag} after {last} in a list")
            weight, last = _read_weight(reader), tag
            place = place_of(params.tag_ids, tag)
            if place is not None:  # of what there is no room for nothing is known
                row[place] = weight
        return row
    tag = -1
    for _ in range(reader.number(row.size)):
        tag += 1 + reader.number(row.size)
        if tag >= row.size:
            raise DecodeError(f"a list of tag {tag}, where there are {row.size}")
        row[tag] = _read_weight(reader)
    return row


def _names_tags(params: Any) -> bool:
    return bool(getattr(params, "tag_bytes", 0))


def _read_weight(reader: Reader) -> float:
    (weight,) = _WEIGHT.unpack(reader.raw(_WEIGHT_BYTES))
    if not 0 < weight < np.inf:
        raise DecodeError(f"a weight of {weight} in a list")
    return float(weight)
