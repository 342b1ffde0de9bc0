"""How compiled functions come together: what only other kernels call becomes machine code once, within the loop.

numba makes every function that it compiles ready to run on its own: it links all that the function calls into it,
optimises that and generates code, and so again for each of its callers, up to the loop. Kernels that Python never
calls (they have no wrapper for it) need none of this. They are put aside as they were lowered; the loop links all of
them, each once, and is optimised as one piece. That is private to numba, whose version is pinned.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc
from numba.core.codegen import CPUCodeLibrary
from numba.core.cpu import CPUContext

__all__ = ["link_kernels_once"]

_executable = CPUContext.get_executable
_finalize = CPUCodeLibrary.finalize


def _executable_if_entered(context: Any, library: Any, description: Any, environment: Any) -> Any:
    if library._finalized or _is_defined(library, description.llvm_cpython_wrapper_name):
        return _executable(context, library, description, environment)
    library.is_inner = True
    module, name = description.lookup_module(), description.qualname.rpartition(".")[2]
    return _dynfunc.make_function(module, name, "", 0, environment, (library,))  # at address 0: nobody enters


def _is_defined(library: Any, name: str) -> bool:
    try:
        library.get_function(name)
    except NameError:
        return False
    return True


def _finalize_unless_inner(library: Any) -> None:
    if getattr(library, "is_inner", False):
        library._finalized = True
        return
    found: dict[Any, None] = {}
    _reach(library, found)
    library._linking_libraries = list(reversed(found))
    _finalize(library)


def _reach(library: Any, found: dict[Any, None]) -> None:
    """All that a library needs to be whole, what is called before what calls it. The linker takes over a function only
    where it is called by what is there already, so they are linked the other way round."""
    for linked in library._linking_libraries:
        if linked not in found:
            if getattr(linked, "is_inner", False):
                _reach(linked, found)
            found[linked] = None


def link_kernels_once() -> None:
    """Have numba do so from now on."""
    CPUContext.get_executable = _executable_if_entered
    CPUCodeLibrary.finalize = _finalize_unless_inner
