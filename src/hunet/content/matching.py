"""Matching: which of many subscriptions does an event match?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from hunet.content.curves import Curve
from hunet.content.grid import Points
from hunet.content.rows import Rows
from hunet.content.schema import Box, Schema
from hunet.content.stabbing import Found, StabIndex
from hunet.content.where import Where
from hunet.content.zigzag import CellIndex, ZigZag, keep
from hunet.model.errors import AbsentKeyError, ContentError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Id", "Matcher", "Matches"]

Id = int | str
"""The name of a subscription."""

_FEW = 64  # removed subscriptions that are not worth tidying up


class _Index(Protocol):
    def add(self, lows: Points, highs: Points, owners: npt.NDArray[np.int32]) -> None: ...

    def find(self, points: Points, alive: npt.NDArray[np.uint8]) -> Found: ...


class _BoxIndex:
    """The boxes themselves: exact."""

    def __init__(self, dimensions: int) -> None:
        self._boxes = StabIndex(dimensions)
        self.add = self._boxes.add
        self.find = self._boxes.stab


@dataclass(frozen=True)
class Matches(Sequence[list[Id]]):
    """For each of many events, the ids of the subscriptions it matches, in the order in which they were added."""

    offsets: npt.NDArray[np.int64]
    ids: npt.NDArray[np.object_]

    def __len__(self) -> int:
        return self.offsets.size - 1

    def __getitem__(self, event: int) -> list[Id]:  # type: ignore[override]
        row = range(len(self))[event]
        matched: list[Id] = self.ids[self.offsets[row] : self.offsets[row + 1]].tolist()
        return matched

    def to_arrow(self) -> pa.ListArray:
        """As an Arrow array of lists; the ids must be all numbers or all text."""
        import pyarrow as pa

        return pa.ListArray.from_arrays(pa.array(self.offsets, pa.int32()), pa.array(self.ids))


class Matcher:
    """Subscriptions over a schema, and the question which of them an event matches.

    Exact, unless `how` says which of ZigZag's approximations to use; with `verify` what they find is then compared
    with the subscriptions themselves, so that no false match is left (what a transformation misses stays missed).

    >>> from hunet.content import Category, Number, Schema
    >>> lenses = Matcher(Schema(brand=Category(("Canon", "Nikon")), focal=Number(8, 400)))
    >>> lenses.add("Daniel", "brand = Nikon and 50 <= focal <= 105")
    >>> lenses.match({"brand": "Nikon", "focal": 85})
    ['Daniel']
    """

    def __init__(self, schema: Schema, how: ZigZag | None = None, verify: bool = False) -> None:
        self.schema = schema
        self._how, self._verify = how, verify
        self._grid = None if how is None else schema.grid(Curve(how.curve, len(schema), how.bits))
        self._slots: dict[Id, int] = {}
        self._ids: list[Id] = []
        self._corners = Rows((2, len(schema)), np.float64)
        self._alive = np.ones(0, np.uint8)
        self._index = self._new_index()

    def _new_index(self) -> _Index:
        return (
            _BoxIndex(len(self.schema)) if self._grid is None or self._how is None else CellIndex(self._grid, self._how)
        )

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, id_: Id) -> bool:
        return id_ in self._slots

    def __iter__(self) -> Iterator[Id]:
        return iter(self._slots)

    def add(self, id_: Id, where: Where | Box) -> None:
        """Add a subscription: text, a mapping, or a box."""
        self.add_many([id_], [where])

    def add_many(self, ids: Iterable[Id], wheres: Iterable[Where | Box]) -> None:
        """Add many subscriptions. A bad one raises, and none is added."""
        names = list(ids)
        boxes = [
            where if isinstance(where, Box) else self._box(id_, where) for id_, where in zip(names, wheres, strict=True)
        ]
        shape = (len(boxes), len(self.schema))
        self.add_boxes(names, np.reshape([b.lows for b in boxes], shape), np.reshape([b.highs for b in boxes], shape))

    def _box(self, id_: Id, where: Where) -> Box:
        try:
            return self.schema.box(where)
        except ContentError as error:
            raise ContentError(f"subscription {id_!r}: {error}") from None

    def add_boxes(self, ids: Sequence[Id], lows: Points, highs: Points) -> None:
        """Add many boxes given by their corners, one row each: the fastest way to add a million."""
        lows, highs = (np.ascontiguousarray(corner, np.float64) for corner in (lows, highs))
        if lows.shape != highs.shape or lows.shape != (len(ids), len(self.schema)):
            raise ContentError(f"{len(ids)} ids need {len(self.schema)} columns, got {lows.shape} and {highs.shape}")
        wrong = np.flatnonzero(~(lows <= highs).all(axis=1))
        if wrong.size:
            raise ContentError(f"subscription {ids[int(wrong[0])]!r}: its range is empty")
        self._require_new(ids)
        begin = len(self._ids)
        self._index.add(lows, highs, np.arange(begin, begin + len(ids), dtype=np.int32))
        self._slots.update(zip(ids, range(begin, begin + len(ids)), strict=True))
        self._ids += ids
        self._corners.append(np.stack([lows, highs], axis=1))
        if self._alive.size:
            self._alive = np.append(self._alive, np.ones(len(ids), np.uint8))

    def _require_new(self, ids: Sequence[Id]) -> None:
        seen: set[Id] = set()
        for id_ in ids:
            if isinstance(id_, bool) or not isinstance(id_, int | str):
                raise ContentError(f"the id of a subscription is a whole number or text, got {id_!r}")
            if id_ in self._slots or id_ in seen:
                raise ContentError(f"there is already a subscription {id_!r}; remove it first")
            seen.add(id_)

    def remove(self, id_: Id) -> None:
        """Remove a subscription. Amortised O(1)."""
        slot = self._slots.pop(id_, None)
        if slot is None:
            raise AbsentKeyError(f"there is no subscription {id_!r}")
        if not self._alive.size:
            self._alive = np.ones(len(self._ids), np.uint8)
        self._alive[slot] = 0
        if len(self._ids) > 2 * len(self._slots) + _FEW:
            self._tidy_up()

    def _tidy_up(self) -> None:
        """Number the subscriptions anew, in the same order, without those removed."""
        kept = np.flatnonzero(self._alive)
        corners = self._corners.array[kept]
        self._ids = [self._ids[slot] for slot in kept]
        self._slots = {id_: slot for slot, id_ in enumerate(self._ids)}
        self._corners = Rows(corners.shape[1:], np.float64)
        self._corners.append(corners)
        self._alive = np.ones(0, np.uint8)
        self._index = self._new_index()
        self._index.add(corners[:, 0].copy(), corners[:, 1].copy(), np.arange(kept.size, dtype=np.int32))

    def match(self, event: Mapping[str, object]) -> list[Id]:
        """The ids of the subscriptions that one event matches, in the order in which they were added."""
        _, slots = self.find(self.schema.point(event)[None, :])
        return [self._ids[slot] for slot in slots]

    def match_many(self, events: pa.Table) -> Matches:
        """The same for an Arrow table of events, with a column per attribute; other columns are ignored."""
        return self.match_points(self.schema.points(events))

    def match_points(self, points: Points) -> Matches:
        """The same for events that are points already, one row each."""
        offsets, slots = self.find(points)
        ids = np.empty(len(self._ids), np.object_)
        ids[:] = self._ids
        return Matches(offsets, ids[slots])

    def find(self, points: Points) -> Found:
        """The same for points, as places in the order of addition, without detours: offsets and places."""
        found = self._index.find(points, self._alive)
        return self._exactly(points, found) if self._verify else found

    def _exactly(self, points: Points, found: Found) -> Found:
        offsets, slots = found
        point = points[np.repeat(np.arange(len(points)), np.diff(offsets))]
        corners = self._corners.array[slots]
        return keep(found, np.all((corners[:, 0] <= point) & (point <= corners[:, 1]), axis=1))
