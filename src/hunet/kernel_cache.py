"""Compiled loops, kept on disk from one process to the next.

Compiling the event loop of one protocol takes about ten seconds; loading it takes a tenth of one. numba's own cache is
no help: it neither notices changes in other files a kernel is built from, nor recognises loops that are made of a
protocol's functions. Here the name of an entry is a digest of everything that decides the machine code: all of
hunet's sources, the versions of Python, numba and LLVM, the processor, the types of the arguments, and the functions
and values a loop is made of. So an entry never goes stale; a change makes another.

Loops made of functions from elsewhere (a protocol of one's own) are not kept, since nothing here knows when those
change. Entries live in the user's cache directory and are used only where nobody else could have written them, since
unpickling runs what it finds. Removing them is harmless; so is a disk that cannot be written to.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import pickle
import secrets
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from hunet.atomic import whole_file
from hunet.private_folder import is_private, private_folder

__all__ = ["keep"]

_PACKAGE = Path(__file__).parent
_UNUSED = 30 * 24 * 3600
"""After so many seconds entries of other sources are removed."""

# Names of compiled functions end in a number that counts up from 1 in every process. Two entries from two processes
# may be loaded into a third and must not be taken for one another there, so counting begins somewhere at random.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


class _ForeignError(Exception):
    """Something of a loop comes from elsewhere."""


class _Entries:
    """The cache of one loop, in the form that numba's dispatchers ask for."""

    cache_path = ""

    def __init__(self, function: FunctionType) -> None:
        self._function = function

    def load_overload(self, types: Any, target: Any) -> Any:
        target.refresh()
        path = self._path(types, target.codegen())
        if path is None or not is_private(path):
            return None
        try:
            stored = path.read_bytes()
            os.utime(path.parent)
        except OSError:
            return None
        digest, data = stored[:32], stored[32:]
        if hashlib.sha256(data).digest() != digest:
            return None
        return CompileResult._rebuild(target, *pickle.loads(data))

    def save_overload(self, types: Any, compiled: Any) -> None:
        path = self._path(types, compiled.codegen)
        if path is None or compiled.lifted or compiled.library.has_dynamic_globals:
            return
        data = dumps(compiled._reduce())
        with suppress(OSError):
            _write(path, hashlib.sha256(data).digest() + data)

    def flush(self) -> None:
        """Nothing is kept that could be stale."""

    def _path(self, types: Any, code: Any) -> Path | None:
        folder = _folder()
        if folder is None:
            return None
        try:
            made_of = list(_described(self._function))
        except _ForeignError:
            return None
        name = repr((code.magic_tuple(), str(types), made_of))
        return folder / hashlib.sha256(name.encode()).hexdigest()


def keep(dispatcher: Any) -> Any:
    """Have what a dispatcher compiles kept on disk."""
    dispatcher._cache = _Entries(dispatcher.py_func)
    return dispatcher


def _described(value: Any) -> Iterator[str]:
    """All that tells a loop from others that the same sources could make."""
    if isinstance(value, FunctionType):
        if not (value.__module__ or "").startswith("hunet."):
            raise _ForeignError
        yield f"{value.__module__}.{value.__qualname__}:{value.__code__.co_firstlineno}"
        for cell in value.__closure__ or ():
            yield from _described(cell.cell_contents)
        yield "."
    elif isinstance(value, bool | int | float | str | np.generic | np.dtype | None):
        yield repr(value)
    elif isinstance(value, tuple):
        yield type(value).__qualname__
        for part in value:
            yield from _described(part)
        yield "."
    elif hasattr(value, "py_func"):
        yield from _described(value.py_func)
    else:
        raise _ForeignError


@cache
def _folder() -> Path | None:
    """Where entries of these very sources are; None where sources cannot be read, or nothing can be kept safely."""
    sources = sorted(_PACKAGE.rglob("*.py"))
    if not sources:
        return None
    digest = hashlib.sha256(repr((sys.version, numba.__version__, llvmlite.__version__, np.__version__)).encode())
    digest.update(repr(sorted(item for item in os.environ.items() if _decides(item[0]))).encode())
    for path in sources:
        text = path.read_bytes()
        digest.update(f"{path.relative_to(_PACKAGE)} {len(text)} ".encode() + text)
    kernels, name = platformdirs.user_cache_path("hunet") / "kernels", digest.hexdigest()[:32]
    is_new = not (kernels / name).exists()
    folder = private_folder(kernels.parent, kernels.name, name)
    if folder is not None and is_new:
        _remove_unused(kernels)
    return folder


def _decides(variable: str) -> bool:
    """Whether an environment variable may change what is compiled."""
    return variable.startswith("NUMBA_") and variable != "NUMBA_NUM_THREADS"


def _write(path: Path, data: bytes) -> None:
    """All or nothing, whoever else writes the same."""
    with whole_file(path) as draft:
        draft.write_bytes(data)
        draft.chmod(0o600)


def _remove_unused(kernels: Path) -> None:
    with suppress(OSError):  # another process may remove them as well
        for folder in kernels.iterdir():
            if time.time() - folder.stat().st_mtime > _UNUSED:
                shutil.rmtree(folder, ignore_errors=True)
