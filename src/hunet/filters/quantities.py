"""What the parameters of the array core are: the names that signatures use. All are written in place."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Answers", "Column", "Count", "Counter", "Counters", "Hops", "Millis", "Pool", "Table", "Times", "Words"]

Table: TypeAlias = npt.NDArray[Any]
"""[hash function, key]: the positions of keys, as `Hashing.table` makes it, in any whole type."""
Column: TypeAlias = "int | np.integer[Any]"
"""A key, by its column in a table."""
Words: TypeAlias = npt.NDArray[np.uint64]
"""A row of bits, 64 to a word."""
Answers: TypeAlias = npt.NDArray[Any]
"""[key]: what a filter says of every key of a table."""
Counters: TypeAlias = npt.NDArray[Any]
"""A row of counters, of any unsigned type."""
Pool: TypeAlias = npt.NDArray[Any]
"""[filter, position]: several such rows."""
Counter: TypeAlias = "int | np.integer[Any]"
"""The value of a counter, or a limit of it."""
Count: TypeAlias = "int | np.integer[Any]"
"""How many."""
Hops: TypeAlias = npt.NDArray[np.uint8]
"""A row of hops that are left."""
Times: TypeAlias = npt.NDArray[Any]
"""A row of milliseconds that are left, of the same length."""
Millis: TypeAlias = "int | np.integer[Any]"
