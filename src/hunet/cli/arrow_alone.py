"""Arrow without pandas, for commands that have no use for it."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["arrow_alone"]


class _NoPandas:
    """Finds no pandas, and has nothing to say of other modules."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not needed here", name=name)


def arrow_alone() -> None:
    """Keep pyarrow from loading pandas, which takes a fifth of a second, to recognise arrays that nobody has here.

    It looks for pandas with the first array that it makes, and then knows; only `to_pandas` looks again.
    """
    if "pandas" in sys.modules:
        return
    import pyarrow as pa

    sys.meta_path.insert(0, _NoPandas)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(_NoPandas)
