"""The deliveries of a simulation in parts, which stay in the files of its parts until somebody asks for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["PartsDelivered"]

_ORDER = [("at", "ascending"), ("message", "ascending"), ("node", "ascending")]


@dataclass(frozen=True)
class PartsDelivered:
    """Deliveries in Parquet files, one of each part, in time order."""

    files: Sequence[Path]
    lifeline: Any
    """What keeps the files as long as this is kept."""

    def __len__(self) -> int:
        return sum(pq.read_metadata(file).num_rows for file in self.files)

    def pieces(self) -> Iterator[pa.Table]:
        for file in self.files:
            yield from _pieces_of(file)

    def table(self) -> pa.Table:
        return pa.concat_tables(self._merged())

    def _merged(self) -> Iterator[pa.Table]:
        """In the order of time, those of one instant by message and node, a piece of each part at a time."""
        coming = [_pieces_of(file) for file in self.files]
        waiting = [next(pieces) for pieces in coming]
        open_ = set(range(len(coming)))
        while open_:
            # Up to the earliest end of all pieces, but without it: more of that instant may follow.
            first = min(open_, key=lambda part: _last(waiting[part]))
            until = _last(waiting[first])
            cuts = [int(piece["at"].to_numpy().searchsorted(until)) for piece in waiting]
            yield pa.concat_tables(piece.slice(0, cut) for piece, cut in zip(waiting, cuts, strict=True)).sort_by(
                _ORDER
            )
            waiting = [piece.slice(cut) for piece, cut in zip(waiting, cuts, strict=True)]
            more = next(coming[first], None)
            if more is None:
                open_.remove(first)
            else:
                waiting[first] = pa.concat_tables([waiting[first], more])
        yield pa.concat_tables(waiting).sort_by(_ORDER)


def _pieces_of(file: Path) -> Iterator[pa.Table]:
    """One row group after the other, at least one piece."""
    with pq.ParquetFile(file) as parquet:
        if not parquet.num_row_groups:
            yield parquet.schema_arrow.empty_table()
        for group in range(parquet.num_row_groups):
            yield parquet.read_row_group(group)


def _last(piece: pa.Table) -> float:
    return float(piece["at"][-1].as_py()) if piece.num_rows else -float("inf")
