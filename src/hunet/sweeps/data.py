"""Tables that runs take in, such as a trace: kept once per sweep, in a folder named by their content.

Runs are small records that Spark hands around; what is large lies in the folder of the sweep, which every worker can
read anyway because it publishes there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from hunet.atomic import whole_file

__all__ = ["Data", "read_table", "store_data"]


@dataclass(frozen=True)
class Data:
    """Tables by name. Two are equal if their contents are."""

    hash: str
    tables: Mapping[str, pa.Table] = field(compare=False, repr=False)

    @classmethod
    def of(cls, **tables: pa.Table) -> Data:
        """Data of these tables."""
        digest = hashlib.sha256()
        for name in sorted(tables):
            for column, values in zip(tables[name].column_names, tables[name].columns, strict=True):
                digest.update(f"{name}.{column} {values.type} {len(values)} ".encode())
                digest.update(_bytes_of(values))
        return cls(digest.hexdigest()[:32], tables)


def _bytes_of(values: pa.ChunkedArray) -> bytes | memoryview:
    if pa.types.is_primitive(values.type) and values.null_count == 0:
        return np.ascontiguousarray(values.to_numpy()).data
    return repr(values.to_pylist()).encode()


def store_data(root: Path, data: Data) -> None:
    """Put tables into their folder under `root`, those that are not there."""
    place = root / data.hash
    place.mkdir(parents=True, exist_ok=True)
    for name, table in data.tables.items():
        path = _file(place, name)
        if not path.exists():
            with whole_file(path) as draft, pa.ipc.new_file(str(draft), table.schema) as writer:
                writer.write_table(table)


def read_table(folder: Path, name: str) -> pa.Table:
    """One table of a folder that `store_data` wrote. It stays there: all who read it share the memory it takes."""
    return pa.ipc.open_file(pa.memory_map(str(_file(folder, name)))).read_all()


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.arrow"
