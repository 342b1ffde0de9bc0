"""What an attribute can be: a number, a category or a moment in time; each turns values into coordinates.

A coordinate is a float64: the number itself, the place of a category in its list, microseconds since 1970 of a
moment. Comparing coordinates is comparing values, exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hunet.model.errors import ContentError
from hunet.model.names import did_you_mean
from hunet.model.numbers import plain_number

if TYPE_CHECKING:  # a device has none; it knows single values, not columns
    import pyarrow as pa

__all__ = ["Attribute", "Category", "Number", "Time"]

Column: TypeAlias = "pa.Array | pa.ChunkedArray"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Number:
    """A number between two limits, both included."""

    low: float
    high: float

    def __post_init__(self) -> None:
        for limit in (self.low, self.high):
            if isinstance(limit, bool) or not isinstance(limit, int | float) or not math.isfinite(limit):
                raise ContentError(f"min and max must be finite numbers, got {limit!r}")
        if not self.low < self.high:
            raise ContentError(f"min must be below max, got {self.low:g} and {self.high:g}")

    @property
    def domain(self) -> tuple[float, float]:
        """The smallest and the largest coordinate."""
        return float(self.low), float(self.high)

    def coordinate(self, value: object) -> float:
        """A number, or text that is one."""
        if isinstance(value, str | int | float | np.integer | np.floating) and not isinstance(value, bool):
            try:
                number = plain_number(value) if isinstance(value, str) else float(value)
            except OverflowError:
                number = None
            if number is not None and math.isfinite(number):
                return number
        raise ContentError(f"{value!r} is not a number")

    def show(self, coordinate: float) -> str:
        """A coordinate as people write it."""
        return f"{coordinate:.12g}"

    def coordinates(self, column: Column) -> npt.NDArray[np.float64]:
        """A whole Arrow column; what is no number becomes NaN."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_decimal(column.type):
            numbers = pc.cast(column, pa.float64(), safe=False)
            return _floats(pc.fill_null(numbers, math.nan))
        return _one_by_one(self, column)


@dataclass(frozen=True, slots=True)
class Category:
    """One of several words. Only equality is asked for; the order of the list means nothing."""

    values: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))
        for value in self.values:
            if not isinstance(value, str) or not value:
                raise ContentError(f"values must be words, got {value!r}")
        if not self.values or len(set(self.values)) != len(self.values):
            raise ContentError(f"values must be different words, at least one, got {list(self.values)}")

    @property
    def domain(self) -> tuple[float, float]:
        """The smallest and the largest coordinate."""
        return 0.0, float(len(self.values) - 1)

    def coordinate(self, value: object) -> float:
        """The place of a word in the list."""
        if value in self.values:
            return float(self.values.index(str(value)))
        raise ContentError(f"there is no {value!r}; {did_you_mean(str(value), self.values)}")

    def show(self, coordinate: float) -> str:
        """A coordinate as people write it."""
        return self.values[int(coordinate)]

    def coordinates(self, column: Column) -> npt.NDArray[np.float64]:
        """A whole Arrow column; what is in no list becomes NaN."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if pa.types.is_dictionary(column.type):
            column = pc.cast(column, column.type.value_type)
        if pa.types.is_nested(column.type):
            return np.full(len(column), np.nan)
        places = pc.index_in(pc.cast(column, pa.string()), value_set=pa.array(self.values))
        return _floats(pc.fill_null(pc.cast(places, pa.float64()), math.nan))


@dataclass(frozen=True, slots=True)
class Time:
    """A moment between two limits, both included; without a time zone it is UTC, without a time of day midnight."""

    low: datetime
    high: datetime

    def __post_init__(self) -> None:
        low, high = self.domain
        if not low < high:
            raise ContentError(f"min must be before max, got {self.low} and {self.high}")

    @property
    def domain(self) -> tuple[float, float]:
        """The smallest and the largest coordinate."""
        return self.coordinate(self.low), self.coordinate(self.high)

    def coordinate(self, value: object) -> float:
        """A datetime, a date, or text in ISO 8601 such as 2026-05-01T18:00."""
        moment = value
        if isinstance(moment, str):
            try:
                moment = datetime.fromisoformat(moment)
            except ValueError:
                raise ContentError(f"{value!r} is not a date or time such as 2026-05-01T18:00") from None
        if isinstance(moment, date) and not isinstance(moment, datetime):
            moment = datetime(moment.year, moment.month, moment.day)
        if not isinstance(moment, datetime):
            raise ContentError(f"{value!r} is not a date or time such as 2026-05-01T18:00")
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return float((aware - _EPOCH) // _MICROSECOND)

    def show(self, coordinate: float) -> str:
        """A coordinate as people write it."""
        return (_EPOCH + coordinate * _MICROSECOND).replace(tzinfo=None).isoformat()

    def coordinates(self, column: Column) -> npt.NDArray[np.float64]:
        """A whole Arrow column; what is no moment becomes NaN."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
            zone = column.type.tz if pa.types.is_timestamp(column.type) else None
            ticks = pc.cast(pc.cast(column, pa.timestamp("us", zone), safe=False), pa.int64())
            return _floats(pc.fill_null(pc.cast(ticks, pa.float64()), math.nan))
        return _one_by_one(self, column)


Attribute = Number | Category | Time


def _floats(column: Column) -> npt.NDArray[np.float64]:
    chunked = hasattr(column, "chunks")
    floats: npt.NDArray[np.float64] = column.to_numpy(**({} if chunked else _COPY))
    return floats


_COPY: dict[str, Any] = {"zero_copy_only": False}


def _one_by_one(attribute: Number | Time, column: Column) -> npt.NDArray[np.float64]:
    """Text and the like: every different value once."""
    known: dict[object, float] = {None: math.nan}
    values = column.to_pylist()
    for value in set(values) - {None}:
        try:
            known[value] = attribute.coordinate(value)
        except ContentError:
            known[value] = math.nan
    return np.array([known[value] for value in values], np.float64)
