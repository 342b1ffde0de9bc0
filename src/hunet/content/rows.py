"""An array that grows at its end, amortised O(1) per row."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Rows"]


class Rows:
    """Rows of a fixed shape and type."""

    def __init__(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> None:
        self._array = np.zeros((0, *shape), dtype)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    @property
    def array(self) -> npt.NDArray[Any]:
        """What there is; a view, valid until the next append."""
        return self._array[: self._used]

    def append(self, rows: npt.NDArray[Any]) -> None:
        """Add rows at the end."""
        end = self._used + len(rows)
        if end > len(self._array):
            wide = np.zeros((2 * end, *self._array.shape[1:]), self._array.dtype)
            wide[: self._used] = self.array
            self._array = wide
        self._array[self._used : end] = rows
        self._used = end
