"""What the tests look at in a trace: gaps between a pair's contacts, counts, activity per hour."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.model.tables import CONTACTS

Floats = npt.NDArray[np.float64]


class Shape(NamedTuple):
    a: npt.NDArray[np.int64]
    b: npt.NDArray[np.int64]
    start: Floats
    length: Floats
    gaps: Floats

    def share_of_gaps_above(self, seconds: float) -> float:
        return float((self.gaps > seconds).mean())

    def per_pair(self) -> dict[tuple[int, int], tuple[int, float]]:
        """Pair -> number of contacts and their total length."""
        found: dict[tuple[int, int], tuple[int, float]] = {}
        for a, b, length in zip(self.a.tolist(), self.b.tolist(), self.length.tolist(), strict=True):
            count, total = found.get((a, b), (0, 0.0))
            found[a, b] = (count + 1, total + length)
        return found

    def per_node(self) -> npt.NDArray[np.int64]:
        return np.bincount(np.concatenate((self.a, self.b)))

    def per_hour(self, hours: int) -> Floats:
        counts = np.histogram(self.start, bins=np.arange(hours + 1) * 3600.0)[0]
        return counts / len(self.start)


def shape_of(contacts: pa.Table, nodes: int, end: float) -> Shape:
    """Check what every trace must keep (a < b, sorted, per pair apart, within its time) and take its measures."""
    assert contacts.schema == CONTACTS
    a, b = (contacts[side].to_numpy().astype(np.int64) for side in ("a", "b"))
    start, stop = contacts["start"].to_numpy(), contacts["end"].to_numpy()
    assert (a >= 0).all()
    assert (a < b).all()
    assert (b < nodes).all()
    assert (start <= stop).all()
    assert start.min() >= 0
    assert stop.max() <= end
    key = a * nodes + b
    assert (np.diff(key) >= 0).all()
    gaps = (start[1:] - stop[:-1])[np.diff(key) == 0]
    assert (gaps > 0).all()
    return Shape(a, b, start, stop - start, gaps)
