"""How hunet's inner loops become machine code, decided in one place.

A kernel is a plain Python function over numpy arrays and scalars. With numba it is compiled; without it (numba not
installed, or `NUMBA_DISABLE_JIT=1`) the same function runs as Python: slowly, but everywhere, and visibly to a
coverage tool. Two decorators:

* `leaf`: a small function that other kernels call. Always inlined, because a call that is not copies every field
  of the records passed to it.
* `loop`: an entry point that Python calls and that runs over many things at once.

Kernels allocate nothing: callers pass the arrays to fill. That is what allows `_nrt=False`, numba's private switch
that removes reference counting from compiled code (four to six times faster small loops). numba's disk cache is not
used: it does not notice changes in the other files a kernel is built from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

try:
    import numba
    from numba.core import config as _numba_config

    COMPILED: bool = not _numba_config.DISABLE_JIT
except ImportError:
    COMPILED = False

__all__ = ["COMPILED", "count_ones", "leaf", "loop"]

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"_nrt": False, "nogil": True, "error_model": "numpy"}


def leaf(function: F) -> F:
    """Mark a small kernel that other kernels call; it is inlined into them."""
    if not COMPILED:
        return function
    compiled: F = numba.njit(forceinline=True, **_OPTIONS)(function)
    return compiled


def loop(function: F) -> F:
    """Mark a kernel that Python calls. Integers wrap around silently, as they do in machine code."""
    if not COMPILED:
        wrapped: F = np.errstate(over="ignore")(function)
        return wrapped
    compiled: F = numba.njit(**_OPTIONS)(function)
    return compiled


def count_ones(word: np.uint64) -> int:
    """How many bits of a 64-bit word are set."""
    return int(word).bit_count()


if COMPILED:
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic  # type: ignore[untyped-decorator]
    def _ctpop(_context: Any, word: Any) -> Any:
        def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), emit

    @overload(count_ones)
    def _count_ones(word):  # type: ignore[no-untyped-def]  # numba compares this signature with the inner one
        return lambda word: _ctpop(word)
