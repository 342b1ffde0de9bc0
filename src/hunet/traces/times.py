"""The times of a table: numbers of seconds, milliseconds or microseconds, or ISO 8601 date-times; all become seconds.

A date-time becomes Unix seconds. One without a zone counts as UTC: only differences matter to a trace, unless clocks
were put forward or back meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.names import one_of
from hunet.traces.fields import Sheet, is_text, one_array, parse_numbers
from hunet.traces.format import Options

UNITS = {"s": 1.0, "ms": 1e3, "us": 1e6}
"""Units of times, and how many of each a second has."""

_UNIX_FROM = {"us": 1e14, "ms": 1e11}
"""A time from here on is a Unix time in this unit, of 1973 or later; in a coarser one it would be the year 5138."""
_UNIT = re.compile(r"_(us|usec|micros|microseconds|ms|msec|millis|milliseconds|s|sec|secs|seconds)$")
_DATE_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?$"
_WRONG = "is neither a number nor a date-time such as 2026-05-01T18:00"


def plain_name(name: str) -> str:
    """A column's name in lower case, its words joined by `_`, without a unit: `start` for `Start (ms)`."""
    return _UNIT.sub("", _words(name))


def unit_in(name: str) -> str | None:
    """The unit in which a column's name ends, if any."""
    said = _UNIT.search(_words(name))
    if said is None:
        return None
    return "us" if said[1].startswith(("u", "mic")) else "ms" if said[1].startswith("m") else "s"


def find_unit(options: Options, names: Sequence[str], times: Sequence[float]) -> str:
    """The unit of times: as the user says, else by the column's name, else by the size of the times seen."""
    unit = options.get("unit")
    if unit is not None:
        return one_of("unit", str(unit), UNITS)
    said = [unit for name in names if (unit := unit_in(name)) is not None]
    if said:
        return said[0]
    return unit_by_size(times)


def unit_by_size(times: Sequence[float]) -> str:
    """The unit in which times can be Unix times; seconds where they are none."""
    return next((unit for unit, first in _UNIX_FROM.items() if times and min(times) >= first), "s")


def unix_time(text: str) -> float | None:
    """The Unix seconds of a field of the head that is a date-time; None for any other."""
    if re.match(_DATE_TIME, text) is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:  # the 30th of February
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def read_times(sheet: Sheet, column: pa.Array, name: str, unit: str) -> pa.Array:
    """A column of numbers in `unit`, of date-times or of both as seconds; lines where it is neither are bad."""
    column = one_array(column)
    if pa.types.is_timestamp(column.type):
        return sheet.require(_unix_seconds(column), column, name, _WRONG)
    numbers = in_seconds(parse_numbers(column), unit)
    if numbers.null_count > column.null_count and is_text(column.type):
        import pandas as pd  # the only one to read all forms of ISO 8601; loaded where there are some

        others = pc.and_(pc.is_null(numbers), pc.is_valid(column))
        said = column.filter(others)
        dated = pc.if_else(pc.match_substring_regex(said, _DATE_TIME), said, None)
        moments = pd.to_datetime(dated.to_pandas(), format="ISO8601", utc=True, errors="coerce")
        numbers = pc.replace_with_mask(numbers, others, _unix_seconds(pa.array(moments)))
    return sheet.require(numbers, column, name, _WRONG)


def in_seconds(times: pa.Array, unit: str) -> pa.Array:
    """Numbers in a unit as seconds. Division keeps whole milliseconds exact where a product would not."""
    return times if unit == "s" else pc.divide(times, UNITS[unit])


def _words(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def _unix_seconds(moments: pa.Array) -> pa.Array:
    micros = pc.cast(moments, pa.timestamp("us", moments.type.tz), safe=False)  # what is finer is dropped
    return pc.divide(pc.cast(pc.cast(micros, pa.int64()), pa.float64()), 1e6)
