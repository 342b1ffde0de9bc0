"""What the first lines of a table without a header give away: which columns may be ids, times, coordinates, lengths.

Numbers alone do not say what they mean. Every format that reads bare tables asks the same `Sample` for its own
evidence, and `hunet.traces.formats.recognise` weighs the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from hunet.traces.columns import find_layout, is_number, split_head
from hunet.traces.times import UNITS, unit_by_size, unix_time

ORDERED_SHARE = 0.9
"""In so many rows of a table of contacts the start is not above the end; of two coordinates, in about half."""

_FROM, _UNTIL = 631_152_000.0, 4_102_444_800.0  # Unix times of the years 1990 to 2099
_FARTHEST = 1e8  # metres; no coordinate on Earth is larger
_DEGREES_APART = 2.0  # nodes of one trace are not farther from each other in its first lines


@dataclass(frozen=True)
class Column:
    """The fields of one column of the sample."""

    texts: tuple[str, ...]

    @cached_property
    def numbers(self) -> list[float]:
        """Its numbers; empty where one field is none."""
        return [float(text) for text in self.texts] if all(map(is_number, self.texts)) else []

    @cached_property
    def times(self) -> list[float]:
        """Its times, numbers as they are and date-times as Unix seconds; empty where one field is neither."""
        found = [float(text) if is_number(text) else unix_time(text) for text in self.texts]
        known = [time for time in found if time is not None]
        return known if len(known) == len(found) else []

    @property
    def may_be_ids(self) -> bool:
        """Names or whole numbers: nobody is called 37.75153. A date-time is no name."""
        numbers = (float(text) for text in self.texts if is_number(text))
        return all(number.is_integer() for number in numbers) and not any(map(unix_time, self.texts))

    @property
    def is_dated(self) -> bool:
        """Are these dates of our time: date-times, or Unix times of 1990 to 2099 in any unit?"""
        if not self.times:
            return False
        scale = UNITS[unit_by_size(self.numbers)]
        return not self.numbers or all(_FROM * scale <= time < _UNTIL * scale for time in self.times)

    @property
    def runs(self) -> bool:
        """Do its times go one way, forwards or backwards? A constant does not."""
        ascending = sorted(self.times)
        return ascending[:1] != ascending[-1:] and self.times in (ascending, ascending[::-1])

    @property
    def decimals(self) -> int:
        """How many digits most fields have behind the point, at least."""
        found = sorted(len(text.partition(".")[2]) for text in self.texts)
        return found[len(found) // 4]

    def may_be_degrees(self, limit: float) -> bool:
        """Fractions of degrees up to a limit, all in one region."""
        values = self.numbers
        return bool(values) and (
            self.decimals >= 3 and max(map(abs, values)) <= limit and max(values) - min(values) < _DEGREES_APART
        )

    @property
    def may_be_metres(self) -> bool:
        """Numbers that can be coordinates on Earth."""
        return bool(self.numbers) and not self.is_dated and max(map(abs, self.numbers)) < _FARTHEST


@dataclass(frozen=True)
class Sample:
    """The columns of the first lines of a table that has no header."""

    separator: str | None
    columns: tuple[Column, ...]

    @classmethod
    def of(cls, head: Sequence[str]) -> Sample | None:
        """The sample of a file, or None where it is no table or has a header. Lines of another width are left out."""
        layout = find_layout(head)
        if layout is None or layout.header is not None:
            return None
        said = (line.strip() for line in head if line.strip() and not line.lstrip().startswith("#"))
        rows = [row for line in said if len(row := split_head(line, layout.separator)) == len(layout.names)]
        return cls(layout.separator, tuple(Column(texts) for texts in zip(*rows, strict=True)))

    @property
    def is_numeric(self) -> bool:
        """Is every field a number?"""
        return all(column.numbers for column in self.columns)

    def may_pair(self, a: int, b: int, time: int) -> bool:
        """May columns a and b name two nodes that met at a time? Dates are no names where the time is no date."""
        people = (self.columns[a], self.columns[b])
        dated = self.columns[time].is_dated
        return all(one.may_be_ids and (dated or not one.is_dated) for one in people)

    @property
    def begins_with_a_span(self) -> bool:
        """May it be `start end a b`? Ids that come first come again, and are not in order with what follows them."""
        first = self.columns[0]
        grows = first.runs and 2 * len(set(first.texts)) > len(first.texts) and self.ordered_share(0, 1) == 1.0
        return grows and self.columns[2].may_be_ids and self.columns[3].may_be_ids and self.share_names(2, 3)

    def share_names(self, a: int, b: int) -> bool:
        """Do two columns have a value in common, as those of who met whom have?"""
        return not set(self.columns[a].texts).isdisjoint(self.columns[b].texts)

    def ordered_share(self, low: int, high: int) -> float:
        """In which share of the rows one column of times is not above another."""
        pairs = list(zip(self.columns[low].times, self.columns[high].times, strict=False))
        return sum(one <= other for one, other in pairs) / len(pairs) if pairs else 0.0

    def runs_within(self, name: int, time: int) -> bool:
        """Does a column of times go one way for each name?"""
        of_name: dict[str, list[str]] = {}
        for one, at in zip(self.columns[name].texts, self.columns[time].texts, strict=True):
            of_name.setdefault(one, []).append(at)
        several = [Column(tuple(times)) for times in of_name.values() if len(times) > 1]
        return bool(self.columns[time].times) and bool(several) and all(column.runs for column in several)


def bare_contacts(head: Sequence[str]) -> str | None:
    """Why four or six bare columns are `a b start end ...`; None where they are something else."""
    sample = Sample.of(head)
    if sample is None or len(sample.columns) not in (4, 6) or not sample.may_pair(0, 1, 2):
        return None
    start, end = sample.columns[2:4]
    if start.is_dated != end.is_dated or sample.ordered_share(2, 3) < ORDERED_SHARE:
        return None
    if sample.begins_with_a_span and not start.runs:
        return None
    return "columns 1 and 2 are names or whole numbers, and column 3 is hardly ever above column 4"


def bare_lengths(head: Sequence[str]) -> str | None:
    """Why four bare columns are `a b start length`; None where they are something else."""
    sample = Sample.of(head)
    if sample is None or len(sample.columns) != 4 or not sample.may_pair(0, 1, 2):
        return None
    start, length = sample.columns[2:]
    if not start.times or not length.numbers or length.is_dated or min(length.numbers) < 0:
        return None
    if start.is_dated:
        return "columns 1 and 2 are names or whole numbers, column 3 has dates of our time and column 4 has none"
    below = sample.ordered_share(2, 3) < ORDERED_SHARE or 0 <= max(start.times) < min(length.numbers)
    if start.runs and below and not length.runs:
        return "columns 1 and 2 are names or whole numbers, column 3 goes one way and column 4 does not follow it"
    return None


def bare_sightings(head: Sequence[str], a: int, b: int, time: int) -> str | None:
    """Why three bare columns are sightings with the time in this column; None where they are something else.

    Many a list begins with a number that grows. So a time that comes first and is no date needs names in common.
    """
    sample = Sample.of(head)
    if sample is None or len(sample.columns) != 3 or not sample.may_pair(a, b, time):
        return None
    when = sample.columns[time]
    if when.is_dated:
        return f"column {time + 1} has dates of our time, the others names or whole numbers"
    if when.runs and sample.share_names(a, b):
        return f"column {time + 1} goes one way, and the others have names in common"
    last = time == 2 and not sample.share_names(1, 2)
    if last and (when.runs or (len(when.times) == 1 and not sample.columns[0].numbers)):
        return "column 3 goes one way, the others are names or whole numbers"
    return None


def bare_positions(head: Sequence[str]) -> str | None:
    """Why four bare columns are `id t x y`; None where they are something else."""
    sample = Sample.of(head)
    if sample is None or len(sample.columns) != 4:
        return None
    name, time, x, y = sample.columns
    if not name.may_be_ids or not time.times or not (x.may_be_metres and y.may_be_metres):
        return None
    if sample.begins_with_a_span:
        return None
    if not (time.is_dated or time.runs or sample.runs_within(0, 1) or not time.may_be_ids):
        return None
    if degrees(sample):
        return "column 2 has times, and columns 3 and 4 are degrees of one region"
    if time.is_dated or sample.ordered_share(2, 3) < ORDERED_SHARE:
        return "column 2 has times, and columns 3 and 4 are numbers in no order"
    return None


def degrees(sample: Sample) -> tuple[str, str] | None:
    """Which of lat and lon columns 3 and 4 are; None where they are no degrees."""
    third, fourth = sample.columns[2:4]
    if third.may_be_degrees(90.0) and fourth.may_be_degrees(180.0):
        return "lat", "lon"
    if third.may_be_degrees(180.0) and fourth.may_be_degrees(90.0):
        return "lon", "lat"
    return None
