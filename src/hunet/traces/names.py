"""Names of nodes: their order, and which of them are internal devices.

Dense ids follow the natural order of the original names: runs of digits compare as numbers, so 2 comes before 10 and n2
before n10; purely numeric ids are in numeric order. Names that differ only in leading zeros are ordered as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hunet.model.errors import InvalidValueError

_DIGITS = re.compile(r"([0-9]+)")
# Numbers of up to 18 digits can stand in a range; Python refuses to make a number of some thousands.
_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
_NUMBERED = re.compile(r"[^0-9]*0*([0-9]{1,18})")


def natural_order(names: Iterable[str]) -> list[str]:
    """Names in the order in which they get their dense ids.

    >>> natural_order(["n10", "n9", "10", "9"])
    ['9', '10', 'n9', 'n10']
    """
    return sorted(names, key=_natural_key)


def _natural_key(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    # Splitting by a group alternates text and digits, text first (it may be empty).
    parts = enumerate(_DIGITS.split(name))
    return [_size(part) if place % 2 else (True, 0, part) for place, part in parts if part], name


def _size(digits: str) -> tuple[bool, int, str]:
    """Digits so that they compare as the numbers they are, however many there are."""
    digits = digits.lstrip("0")
    return False, len(digits), digits


@dataclass(frozen=True)
class Internal:
    """The ids of the devices of the experiment; all others are external, merely seen by them.

    Written as names and number ranges: `1-41`, or `1-20,25,base`. A range also holds numbers behind a prefix: 1-41
    holds n7.
    """

    ranges: tuple[tuple[int, int], ...]
    names: frozenset[str]

    @classmethod
    def parse(cls, text: str) -> Internal:
        ranges, names = [], set()
        for item in filter(None, (part.strip() for part in text.split(","))):
            bounds = _RANGE.fullmatch(item)
            if bounds is None:
                names.add(item)
                continue
            low, high = int(bounds[1]), int(bounds[2])
            if low > high:
                raise InvalidValueError(f"internal ids {item!r}: the range is empty (write {high}-{low})")
            ranges.append((low, high))
        if not ranges and not names:
            raise InvalidValueError(f"internal ids {text!r}: write ranges and names such as 1-41 or 1-20,25,base")
        return cls(tuple(ranges), frozenset(names))

    def __contains__(self, name: str) -> bool:
        number = _NUMBERED.fullmatch(name)
        if number is not None and any(low <= int(number[1]) <= high for low, high in self.ranges):
            return True
        return name in self.names
