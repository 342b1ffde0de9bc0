"""How hunet's inner loops become machine code, decided in one place.

A kernel is a plain Python function over numpy arrays and scalars. With numba it is compiled; without it (numba not
installed, or `NUMBA_DISABLE_JIT=1`) the same function runs as Python: slowly, but everywhere, and visibly to a
coverage tool. Three decorators:

* `leaf`: a small function that other kernels call. Always inlined.
* `rare`: a larger function that other kernels call. Compiled once, however often it is called. What it takes should be
  few numbers: records come by their address (`borrowed`).
* `loop`: an entry point that Python calls and that runs over many things at once.

Where nothing is compiled, a loop over an array costs a device milliseconds that numpy does not take: such a leaf is
marked `at_once`, with its other form. Called from Python, a `leaf` or a `rare` is the plain function it was written
as: an entry from Python costs more to compile than the function itself, and few are ever entered so. What Python calls
often is a `loop`.

Kernels allocate nothing: callers pass the arrays to fill. That is what allows `_nrt=False`, numba's private switch
that removes reference counting from compiled code (four to six times faster small loops); its version is pinned. What
else makes compiling quick: `hunet.kernel_records`, `kernel_passes`, `kernel_calls`, `kernel_linking`. Compiled loops
are kept on disk, see `hunet.kernel_cache`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

COMPILED: bool = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
if COMPILED:
    try:
        import numba
    except ModuleNotFoundError as error:
        if error.name != "numba":  # numba is there, but something that it needs is not
            raise
        COMPILED = False
if COMPILED:
    from numba.core import config as _numba_config
    from numba.extending import register_jitable

    from hunet.kernel_cache import keep
    from hunet.kernel_calls import compile_callees_once
    from hunet.kernel_key import marked
    from hunet.kernel_linking import link_kernels_once
    from hunet.kernel_passes import KernelPasses
    from hunet.kernel_records import Borrowed

    compile_callees_once()
    link_kernels_once()
    COMPILED = not _numba_config.DISABLE_JIT
    _OPTIONS: dict[str, Any] = {
        "_nrt": False,
        "nogil": True,
        "error_model": "numpy",
        "pipeline_class": KernelPasses,
    }
    _INNER: dict[str, Any] = {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

__all__ = [
    "COMPILED",
    "at_once",
    "borrowed",
    "count_ones",
    "equal_of_eight",
    "for_little",
    "highest_bit",
    "leaf",
    "loop",
    "lowest_bit",
    "rare",
]

F = TypeVar("F", bound=Callable[..., Any])


def leaf(function: F) -> F:
    """Mark a small kernel that other kernels call; it is inlined into them."""
    if not COMPILED:
        return function
    known: F = register_jitable(forceinline=True, **_INNER)(marked(function, "leaf"))
    return known


def rare(function: F) -> F:
    """Mark a larger kernel that other kernels call; it need not be inlined."""
    if not COMPILED:
        return function
    known: F = register_jitable(**_INNER)(marked(function, "rare"))
    return known


def at_once(plain: Callable[..., Any], compiled: Callable[..., Any] = leaf) -> Callable[[F], F]:
    """Mark a `leaf` (or a `rare`) over an array, and say how numpy does the same at once: so it runs uncompiled.

    The loop stays at hand as `looped`, to be held against it.
    """

    def mark(function: F) -> F:
        if not COMPILED:
            plain.looped = function  # type: ignore[attr-defined]
            plain.__doc__ = function.__doc__
        known: Any = compiled(function) if COMPILED else plain
        return known  # type: ignore[no-any-return]

    return mark


def loop(function: F) -> F:
    """Mark a kernel that Python calls. Integers wrap around silently, as they do in machine code."""
    if not COMPILED:
        wrapped: F = np.errstate(over="ignore")(function)
        return wrapped
    compiled: F = keep(numba.njit(**_OPTIONS)(function))
    return compiled


def borrowed(record: Any) -> Any:
    """A named tuple as a `loop` is to get it where it is large: by its address, see `hunet.kernel_records`."""
    return Borrowed(record) if COMPILED else record


def for_little(kernel: F) -> F:
    """A `loop` for so little work that compiling would take longer: plain Python until something else compiles it."""
    if not COMPILED or kernel.signatures:  # type: ignore[attr-defined]
        return kernel
    plain: F = np.errstate(over="ignore")(kernel.py_func)  # type: ignore[attr-defined]
    return plain


def count_ones(word: np.uint64) -> int:
    """How many bits of a 64-bit word are set."""
    return int(word).bit_count()


def lowest_bit(word: np.uint64) -> int:
    """The index of the lowest set bit of a word that is not 0."""
    value = int(word)
    return (value & -value).bit_length() - 1


def highest_bit(word: np.uint64) -> int:
    """The index of the highest set bit of a word that is not 0."""
    return int(word).bit_length() - 1


def equal_of_eight(row: Any, first: np.uint64, value: np.uint32) -> np.uint64:
    """Which of the eight entries of a row of `uint32` from `first` on have a value: a bit for each."""
    return np.uint64(sum(int(row[int(first) + i] == value) << i for i in range(8)))


if COMPILED:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    def _word_intrinsic(instruction: Callable[[Any, Any], Any]) -> Any:
        @intrinsic  # type: ignore[untyped-decorator]
        def compiled(_context: Any, word: Any) -> Any:
            return types.int64(types.uint64), lambda _c, builder, _s, arguments: instruction(builder, arguments[0])

        return compiled

    for _function in (count_ones, lowest_bit, highest_bit, equal_of_eight):
        marked(_function, "intrinsic")

    _DEFINED_AT_ZERO = ir.Constant(ir.IntType(1), 0)
    _ctpop = _word_intrinsic(lambda builder, word: builder.ctpop(word))
    _cttz = _word_intrinsic(lambda builder, word: builder.cttz(word, _DEFINED_AT_ZERO))
    _ctlz = _word_intrinsic(lambda builder, word: builder.ctlz(word, _DEFINED_AT_ZERO))

    # numba compares an overload's signature with that of the function it returns, so these stay without annotations.
    @overload(count_ones)
    def _count_ones(word):  # type: ignore[no-untyped-def]
        return lambda word: _ctpop(word)

    @overload(lowest_bit)
    def _lowest_bit(word):  # type: ignore[no-untyped-def]
        return lambda word: _cttz(word)

    @overload(highest_bit)
    def _highest_bit(word):  # type: ignore[no-untyped-def]
        return lambda word: 63 - _ctlz(word)

    _EIGHT = ir.VectorType(ir.IntType(32), 8)

    @intrinsic  # type: ignore[untyped-decorator]
    def _compare_eight(_context: Any, row: Any, first: Any, value: Any) -> Any:
        """One comparison of a vector: a loop over eight is unrolled before the compiler looks for vectors."""

        def compiled(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            at = builder.bitcast(builder.gep(data, [arguments[1]], inbounds=True), _EIGHT.as_pointer())
            one = builder.insert_element(_EIGHT(ir.Undefined), arguments[2], ir.IntType(32)(0))
            values = builder.shuffle_vector(one, _EIGHT(ir.Undefined), _EIGHT([0] * 8))
            equal = builder.icmp_unsigned("==", builder.load(at, align=4), values)
            return builder.zext(builder.bitcast(equal, ir.IntType(8)), ir.IntType(64))

        return types.uint64(row, types.uint64, types.uint32), compiled

    @overload(equal_of_eight)
    def _equal_of_eight(row, first, value):  # type: ignore[no-untyped-def]
        return lambda row, first, value: _compare_eight(row, first, value)
