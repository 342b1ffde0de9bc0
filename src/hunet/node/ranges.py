"""Ranges among nodes: a network's schema cuts its content into cells, and cells are what a protocol sees as tags.

Each level cuts every attribute into twice as many slices as the one before. An event is in one cell of every level, and
carries the names of all of them. A subscription is the cells that its box touches, of the finest level at which they
are few. So both share a cell if the event is in the box; that it really is, is looked at once more before it is
delivered. Which cells travel how is ZigZag's business ([zigzag] III, IV), in a row of state of its own.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from hunet.content.attributes import Category
from hunet.content.schema import Box, Schema, schema_from
from hunet.input_files import parse_toml
from hunet.model.errors import ContentError

__all__ = ["Ranges"]

LEVELS = 7
"""The finest has 64 slices of every attribute."""
MOST_CELLS = 32
"""Of one subscription."""


class Ranges:
    """The schema of a network, as TOML."""

    def __init__(self, toml: str) -> None:
        self.schema: Schema = schema_from(parse_toml(toml, Path("schema"), ContentError))
        self._box = lru_cache(1024)(self.schema.box)

    def cells_of_event(self, event: Mapping[str, object]) -> tuple[str, ...]:
        """One of every level."""
        point = self.schema.point(event)
        return tuple(_name(level, self._slices(point, level)) for level in range(LEVELS))

    def cells_of_range(self, where: str) -> tuple[str, ...]:
        """All that the box of a subscription touches, of the finest level at which they are few."""
        box = self._box(where)
        for level in reversed(range(LEVELS)):
            low, high = self._slices(box.lows, level), self._slices(box.highs, level)
            if math.prod(last - first + 1 for first, last in zip(low, high, strict=True)) <= MOST_CELLS:
                break
        sides = (range(first, last + 1) for first, last in zip(low, high, strict=True))
        return tuple(_name(level, cell) for cell in itertools.product(*sides))

    def matches(self, where: str, event: Mapping[str, object]) -> bool:
        """Whether an event is in the box of a subscription; one that the schema does not allow is in none."""
        try:
            point, box = self.schema.point(event), self._box(where)
        except ContentError:
            return False
        return _holds(box, point)

    def _slices(self, point: Any, level: int) -> tuple[int, ...]:
        """In which slice of each attribute a point is; what is open or outside counts as the first or last."""
        count, found = 2**level, []
        for value, attribute in zip(point, self.schema.values(), strict=True):
            least, most = attribute.domain
            span = most - least + isinstance(attribute, Category)  # a word fills a slice, its place is where it begins
            share = min(max((min(max(float(value), least), most) - least) / span, 0.0), 1.0)
            found.append(min(int(share * count), count - 1))
        return tuple(found)


def _holds(box: Box, point: Any) -> bool:
    return bool((box.lows <= point).all() and (point <= box.highs).all())


def _name(level: int, cell: tuple[int, ...]) -> str:
    return f"{level}:{'.'.join(map(str, cell))}"
