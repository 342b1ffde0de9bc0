"""Tables of results on disk: as CSV for people and Parquet for programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

__all__ = ["Table", "write_table"]

Table: TypeAlias = list[dict[str, Any]]
"""Rows that share their keys."""


def write_table(path: Path, table: Table | pd.DataFrame) -> None:
    """As CSV and Parquet; `path` has no ending."""
    found = (
        pa.Table.from_pylist(table) if isinstance(table, list) else pa.Table.from_pandas(table, preserve_index=False)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    pyarrow.csv.write_csv(found, f"{path}.csv")
    pq.write_table(found, f"{path}.parquet")
