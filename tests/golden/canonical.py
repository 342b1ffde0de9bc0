"""One digest for one content, whatever types, chunks or files carry it; and golden files, which people can read."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa

FOLDER = Path(__file__).parent


def digest(value: Any) -> str:
    """SHA-256 of lists, dicts, texts and numbers; a float counts with every bit."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def table_digest(table: pa.Table) -> str:
    """Of names, order and content, rows in their order."""
    return digest([[name, table.column(name).to_pylist()] for name in table.column_names])


def rounded(value: Any) -> Any:
    """With 9 significant digits, for what is computed by sums and logarithms, whose last digits machines differ in."""
    if isinstance(value, float) and math.isfinite(value):
        return float(f"{value:.9g}") + 0.0  # no zero with a sign
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return value


def read(name: str) -> dict[str, Any]:
    """A golden file."""
    found: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found


def write(name: str, content: dict[str, Any]) -> None:
    """A golden file, one line for every part of its content, so that a difference is seen at once."""
    (FOLDER / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
