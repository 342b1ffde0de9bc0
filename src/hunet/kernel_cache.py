"""Compiled loops, kept on disk from one process to the next.

Compiling the event loop of a protocol takes seconds, loading it a fraction of one. numba's own cache is no help: it
neither notices changes in other files a kernel is built from, nor recognises loops that are made of a protocol's
functions. Here the name of an entry is a digest of everything that decides the machine code, see `hunet.kernel_key`. So
an entry never goes stale; a change makes another, of the loops that it changes. A loop that reaches something which
cannot be described is compiled in every process.

Processes that start together want the same loops: one compiles each, the others wait for it (`hunet.kernel_turns`).

Entries live in the user's cache directory, compiled for this very processor. Some may come with the package, in its
folder `kernels`, compiled for all processors of a level (`hunet.kernel_level`); there it is looked second, whoever owns
the installed files. Entries are used only where nobody else could have written them, since unpickling runs what it
finds. Removing them is harmless; so is a disk that cannot be written to.
"""

from __future__ import annotations

import gc
import hashlib
import itertools
import os
import pickle
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import platformdirs
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from hunet.atomic import whole_file
from hunet.kernel_key import UnknownError, marked, text_of
from hunet.kernel_level import Processor, at_level, has_level
from hunet.kernel_turns import in_turn
from hunet.private_folder import is_as_safe_as, is_private, private_folder

__all__ = ["keep"]

_UNUSED = 30 * 24 * 3600
"""Entries that were not used for so many seconds are removed."""

# Names of compiled functions end in a number that counts up from 1 in every process. Two entries from two processes
# may be loaded into a third and must not be taken for one another there, so counting begins somewhere at random.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))

Place: TypeAlias = tuple[Path, Callable[[Path], bool], Callable[[Processor], Processor]]
"""A folder of entries, whether an entry there may be used, and what it is compiled for where it runs on a processor."""


class _Entries:
    """The cache of one loop, in the form that numba's dispatchers ask for."""

    cache_path = ""

    def __init__(self, loop: Any) -> None:
        self._loop = loop
        self._compile_anew = loop._compiler.compile

    def load_overload(self, types: Any, target: Any) -> Any:
        # What an entry is linked against. `target.refresh()` would have all that numba can compile imported as well,
        # which takes longer than all the rest of loading; whoever compiles does that anyway.
        rtsys.initialize(target)
        text = self._text(types)
        data = _stored(text, target.codegen().magic_tuple()) if text is not None else None
        return CompileResult._rebuild(target, *pickle.loads(data)) if data is not None else None

    def compile(self, types: Any, return_type: Any) -> Any:
        """In place of the dispatcher's own compiler, which is asked for what is not found: keep what it makes."""
        folder, text, target = _own_folder(), self._text(types), self._loop.targetctx
        if folder is None or text is None:
            with _garbage_left():
                return self._compile_anew(types, return_type)
        path = folder / _name(text, target.codegen().magic_tuple())
        with in_turn(path):
            found = self.load_overload(types, target) if path.exists() else None
            if found is not None:
                target.insert_user_function(found.entry_point, found.fndesc, [found.library])
                return found
            with _garbage_left():
                compiled = self._compile_anew(types, return_type)
            if not (compiled.lifted or compiled.library.has_dynamic_globals):
                data = dumps(compiled._reduce())
                with suppress(OSError):
                    _write(path, hashlib.sha256(data).digest() + data)
                _remove_unused(folder)
        return compiled

    def save_overload(self, types: Any, compiled: Any) -> None:
        """That is done, before others have their turn."""

    def flush(self) -> None:
        """Nothing is kept that could be stale."""

    def _text(self, types: Any) -> str | None:
        try:
            return text_of(self._loop, types)
        except UnknownError:
            return None


def keep(loop: Any) -> Any:
    """Have what a dispatcher compiles kept on disk."""
    entries = _Entries(loop)
    loop._cache, loop._compiler.compile = entries, entries.compile
    return marked(loop, "loop")


@contextmanager
def _garbage_left() -> Iterator[None]:
    """Compiling makes a million objects that last until it ends. To look for garbage among them, again and again, takes
    an eighth of its time."""
    looked_for = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked_for:
            gc.enable()


def _name(text: str, processor: Processor) -> str:
    return hashlib.sha256(repr((text, processor)).encode()).hexdigest()


def _stored(text: str, processor: Processor) -> bytes | None:
    """The entry of what is described so, if there is one that is whole."""
    for folder, may_be_used, compiled_for in _places():
        path = folder / _name(text, compiled_for(processor))
        if not may_be_used(path):
            continue
        try:
            stored = path.read_bytes()
        except OSError:
            continue
        if hashlib.sha256(stored[32:]).digest() == stored[:32]:
            with suppress(OSError):  # what came with the package may be read only
                os.utime(path)  # it was used
            return stored[32:]
    return None


@cache
def _places() -> tuple[Place, ...]:
    """Where entries may be: the user's cache, then what came with the package."""
    own, package = _own_folder(), Path(__file__).parent
    places: list[Place] = [(own, is_private, lambda this: this)] if own is not None else []
    came_with_it = package / "kernels"
    if is_as_safe_as(package, came_with_it) and has_level():
        places.append((came_with_it, partial(is_as_safe_as, package), at_level))
    return tuple(places)


@cache
def _own_folder() -> Path | None:
    """The user's cache; None where nothing can be kept safely."""
    return private_folder(platformdirs.user_cache_path("hunet"), "kernels")


def _write(path: Path, data: bytes) -> None:
    """All or nothing, whoever else writes the same."""
    with whole_file(path) as draft:
        draft.write_bytes(data)
        draft.chmod(0o600)


@cache
def _remove_unused(folder: Path) -> None:
    """Once in a process: what nobody used for long, and folders of entries that older versions made."""
    with suppress(OSError):  # another process may remove them as well
        for path in folder.iterdir():
            if time.time() - path.stat().st_mtime > _UNUSED:
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()
