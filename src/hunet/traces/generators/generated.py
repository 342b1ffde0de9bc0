"""What every generator shares: its settings, what it hands back, and the record by which it is listed."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.model.errors import InvalidValueError
from hunet.model.tables import CONTACTS, NODES

Floats = npt.NDArray[np.float64]


class Generated(NamedTuple):
    """A generated trace: CONTACTS (sorted by pair and start), NODES and, from a mobility model, POSITIONS."""

    contacts: pa.Table
    nodes: pa.Table
    positions: pa.Table | None = None


@dataclasses.dataclass(frozen=True)
class TraceGenerator:
    """One generator, as a command line or a study finds it: `generate(settings(...), seed)`."""

    name: str
    title: str
    settings: type[Any]
    generate: Callable[[Any, int], Generated]
    surrogate: bool = False
    """Stands in for a real trace that is not to be had: 'surrogate' must appear in the name of what it makes."""


def setting(default: Any, meaning: str, low: float | None = None, high: float | None = None) -> Any:
    """A field of a settings record: its default, what it means (with the unit), and its inclusive limits."""
    return dataclasses.field(default=default, metadata={"help": meaning, "low": low, "high": high})


def check_settings(generator: str, settings: Any) -> None:
    """Refuse a setting outside its limits, and numbers that are not finite."""
    for each in dataclasses.fields(settings):
        value = getattr(settings, each.name)
        low, high = each.metadata.get("low"), each.metadata.get("high")
        if isinstance(value, float) and not math.isfinite(value):
            raise InvalidValueError(f"{generator}: {each.name} {value} is not a finite number")
        if low is not None and value < low:
            raise InvalidValueError(f"{generator}: {each.name} {value} is below its limit {low:g}")
        if high is not None and value > high:
            raise InvalidValueError(f"{generator}: {each.name} {value} is above its limit {high:g}")


def seeded(generator: str, seed: int) -> np.random.Generator:
    """The one source of chance of a run: the same seed gives the same trace."""
    if not 0 <= seed < 1 << 63:
        raise InvalidValueError(f"{generator}: seed {seed} is not within its limits, 0 to {(1 << 63) - 1}")
    return np.random.Generator(np.random.PCG64(seed))


def sorted_contacts(
    a: npt.NDArray[Any], b: npt.NDArray[Any], start: npt.NDArray[Any], end: npt.NDArray[Any]
) -> pa.Table:
    """CONTACTS from columns that are already sorted by pair and start, with a < b."""
    return pa.table([a.astype(np.int32), b.astype(np.int32), start, end], schema=CONTACTS)


def nodes_table(names: list[str], classes: list[str] | None = None) -> pa.Table:
    """NODES of internal devices, numbered in the order of their names."""
    count = len(names)
    group = pa.array(classes, pa.string()) if classes else pa.nulls(count, pa.string())
    return pa.table([np.arange(count, dtype=np.int32), names, ["internal"] * count, group], schema=NODES)


def heavy_tailed(chance: np.random.Generator, tail: float, shortest: float, longest: float, size: int) -> Floats:
    """Draws of a power law between two limits: P(X > x) falls like x^-tail (density exponent tail + 1)."""
    low, high = shortest**-tail, longest**-tail
    return np.asarray((low - chance.random(size) * (low - high)) ** (-1.0 / tail))
