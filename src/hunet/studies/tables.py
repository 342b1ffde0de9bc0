"""Tables of results on disk: as CSV for people and Parquet for programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from hunet.atomic import whole_file

__all__ = ["Table", "write_csv", "write_table"]

Table: TypeAlias = list[dict[str, Any]]
"""Rows that share their keys."""


def write_table(path: Path, table: Table | pd.DataFrame) -> None:
    """As CSV and Parquet; `path` has no ending."""
    found = (
        pa.Table.from_pylist(table) if isinstance(table, list) else pa.Table.from_pandas(table, preserve_index=False)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    for ending, write in ((".csv", pyarrow.csv.write_csv), (".parquet", pq.write_table)):
        with whole_file(Path(f"{path}{ending}")) as draft:
            write(found, draft)


def write_csv(path: Path, table: Table | pd.DataFrame) -> None:
    """As CSV alone."""
    with whole_file(path) as draft:
        pd.DataFrame(table).to_csv(draft, index=False)
