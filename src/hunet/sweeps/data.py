"""Tables that runs take in, such as a trace: kept once per sweep, in a folder named by their content.

Runs are small records that Spark hands around; what is large lies in the folder of the sweep, which every worker can
read anyway because it publishes there.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

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


def _bytes_of(values: pa.ChunkedArray) -> bytes:
    if pa.types.is_primitive(values.type) and values.null_count == 0:
        return np.ascontiguousarray(values.to_numpy()).tobytes()
    return repr(values.to_pylist()).encode()


def store_data(root: Path, data: Data) -> None:
    """Put tables into their folder under `root`, all at once, unless they are there."""
    place = root / data.hash
    if place.exists():
        return
    root.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=root))
    for name, table in data.tables.items():
        pq.write_table(table, draft / f"{name}.parquet")
    draft.chmod(0o755)  # other users may run the workers
    try:
        draft.rename(place)
    except OSError:
        shutil.rmtree(draft)
        if not place.exists():  # else somebody else was faster with the same content
            raise


def read_table(folder: Path, name: str) -> pa.Table:
    """One table of a folder that `store_data` wrote."""
    return pq.read_table(folder / f"{name}.parquet")
