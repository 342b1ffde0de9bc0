"""Values in a study file: one, a list of them, or a range; and all combinations of several."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hunet.model.errors import InvalidValueError
from hunet.model.names import unknown

__all__ = ["MOST_COMBINATIONS", "combinations", "require_few", "values_of"]

_RANGE = ("from", "to", "step", "factor")
_MOST = 10_000

MOST_COMBINATIONS = 20_000
"""Of the values of one section of a study: each is looked at before anything runs."""


def values_of(name: str, found: Any) -> list[Any]:
    """What a key stands for.

    >>> values_of("k", 3), values_of("k", [1, 3]), values_of("k", {"from": 16, "to": 128, "factor": 2})
    ([3], [1, 3], [16, 32, 64, 128])
    """
    if isinstance(found, list):
        if not found:
            raise InvalidValueError(f"{name} = []: the list is empty")
        if any(isinstance(one, list | dict) for one in found):
            raise InvalidValueError(f"{name} has a list or range inside a list: write the values side by side")
        if len(set(map(repr, found))) < len(found):
            raise InvalidValueError(f"{name} = {found!r} has a value twice")
        return found
    return _range(name, found) if isinstance(found, dict) else [found]


def _range(name: str, found: Mapping[str, Any]) -> list[Any]:
    for key, value in found.items():
        if key not in _RANGE:
            raise InvalidValueError(f"{name}: {unknown('key of a range', key, dict.fromkeys(_RANGE))}")
        if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
            raise InvalidValueError(f"{name}: {key} = {value!r} is not a number")
    if not ("from" in found and "to" in found and ("step" in found) != ("factor" in found)):
        raise InvalidValueError(f"{name}: a range has from, to, and either step or factor")
    first, last = found["from"], found["to"]
    step, factor = found.get("step", 0), found.get("factor", 1)
    if first > last:
        raise InvalidValueError(f"{name}: the range goes from {first:g} to {last:g}; write the smaller first")
    if "step" in found and step <= 0:
        raise InvalidValueError(f"{name}: step {step:g} must be above 0")
    if "factor" in found and not (factor > 1 and first > 0):
        raise InvalidValueError(f"{name}: a range by a factor starts above 0, with a factor above 1")
    values: list[Any] = []
    for place in itertools.count():
        value = first + place * step if "step" in found else first * factor**place
        if value > last * (1 + 1e-12):
            return values
        if place == _MOST:
            raise InvalidValueError(f"{name}: the range has more than {_MOST:,} values")
        values.append(value if isinstance(value, int) else float(f"{value:.12g}"))
    raise AssertionError


def require_few(values: Mapping[str, Sequence[Any]], most: int) -> None:
    """Refuse lists whose combinations would be too many; they are counted before any is made."""
    count = math.prod(map(len, values.values()))
    if count > most:
        lists = " x ".join(f"{len(several):,} of {name}" for name, several in values.items() if len(several) > 1)
        raise InvalidValueError(f"{lists} are {count:,} combinations: the limit is {most:,}, so shorten the lists")


def combinations(values: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Every combination, the first key changing slowest."""
    for chosen in itertools.product(*values.values()):
        yield dict(zip(values, chosen, strict=True))
