"""Who got what when. Of a huge simulation that is more than memory should hold, so it is asked for piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

__all__ = ["Deliveries", "Held"]


class Deliveries(Protocol):
    """message, node, at, hops (null unless asked for by the extra `hops`): one row per delivered pair."""

    def __len__(self) -> int: ...

    def pieces(self) -> Iterator[pa.Table]:
        """All of them once, in any order."""
        ...

    def table(self) -> pa.Table:
        """All of them in the order of time."""
        ...


@dataclass(frozen=True)
class Held:
    """Deliveries in memory, in pieces that follow one another in time."""

    held: Sequence[pa.Table]

    def __len__(self) -> int:
        return sum(piece.num_rows for piece in self.held)

    def pieces(self) -> Iterator[pa.Table]:
        return iter(self.held)

    def table(self) -> pa.Table:
        return pa.concat_tables(self.held)
