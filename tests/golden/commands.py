"""hunet's commands as people type them, compiled and in a home where nothing is stored; and the tables they write."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

import hunet
from tests.golden.canonical import digest, rounded

UNLIKE = ("runs", "plan")
"""Tables with times, versions and names of modules."""
WORK = ("data", "done")
"""Folders that a sweep works in."""


def run(home: Path, *words: str | Path) -> str:
    """What a command, in a process of its own, says on stderr."""
    environment = {**os.environ, "HUNET_HOME": str(home), "PYTHONPATH": str(Path(hunet.__file__).parents[1])}
    environment.pop("NUMBA_DISABLE_JIT", None)
    command = [sys.executable, "-m", "hunet.cli", *map(str, words)]
    done = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def tables(folder: Path, lasting: Callable[[pa.Table], pa.Table] = lambda table: table) -> dict[str, dict[str, Any]]:
    """Rows and digest of each table in a folder, by its path; of one that is there in two formats, the Parquet file.

    `lasting` takes out of a table what is different in every run.
    """
    found = [path.relative_to(folder) for ending in ("csv", "parquet") for path in folder.rglob(f"*.{ending}")]
    found = [path for path in found if path.stem not in UNLIKE and not set(path.parts) & set(WORK)]
    files = {str(path.with_suffix("")): folder / path for path in found}
    return {name: of_table(lasting(read_table(files[name]))) for name in sorted(files)}


def read_table(file: Path) -> pa.Table:
    return pq.read_table(file) if file.suffix == ".parquet" else pyarrow.csv.read_csv(file)


def of_table(table: pa.Table) -> dict[str, Any]:
    """Runs are numbered in their order: their names follow from versions and from where functions lie."""
    columns = table.to_pydict()
    if "run" in columns:
        numbers = {run: i for i, run in enumerate(dict.fromkeys(columns["run"]))}
        columns["run"] = [numbers[run] for run in columns["run"]]
    return {"rows": table.num_rows, "digest": digest(rounded(list(columns.items())))}
