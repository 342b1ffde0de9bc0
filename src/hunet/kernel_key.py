"""What a compiled loop is made of, as text: two loops with the same text are the same machine code.

numba compiles a function from its bytecode, its default arguments, and the values it finds in its closure and in the
globals it names, and goes on so through every function that it calls. The same walk is done here, across files, over
the very objects that are compiled: so a comment, a docstring, a caption, another function of a module, a package's
`__init__` and imports that no kernel names do not count, and a constant, a leaf far away and a field of a record do.

What else decides is in the text too: the types of the arguments (with the fields of records and named tuples, for
kernels find them by name), what numba is told (all of `hunet.kernels`, its options, its configuration), and the
versions of Python, numpy, numba and LLVM. What comes with those is described by its name. Not in it is the processor:
`hunet.kernel_cache` adds it, and looks for more than one.

What cannot be described raises `UnknownError`: whatever else numba would take, such as a function that somebody taught
it elsewhere, and a global that was bound anew, since numba may have compiled what was there before.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import operator
import sys
from collections.abc import Iterator
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from types import CodeType, EllipsisType, FunctionType, ModuleType, NoneType
from typing import Any, TypeAlias, TypeVar

import llvmlite
import numba
import numpy as np
from numba.core import config

from hunet.kernel_records import BorrowedRecord

__all__ = ["COMPILED_BY", "UnknownError", "marked", "text_of"]

T = TypeVar("T")

types: Any = numba.types  # some of its names are unknown to type checkers

Text: TypeAlias = "str | int | tuple[Text, ...]"
"""Nested, so that its repr can be read in one way only."""

_LIBRARIES = {"numpy", *sys.stdlib_module_names}
"""Packages whose versions are part of every text."""

_PLAIN = (bool, int, float, complex, str, bytes, NoneType, EllipsisType)
_PLAIN_TYPES = (types.Number, types.Boolean, types.NoneType, types.UnicodeType, types.CharSeq, types.UnicodeCharSeq)
_NOT_CODE = ("CUDA_", "NUMBA_", "CACHE_", "CPU_")
"""numba's settings of graphics cards, of how many threads run and of its own cache change no machine code; which
processor it makes code for is not of this text."""

COMPILED_BY = (
    "hunet.kernels",
    "hunet.kernel_calls",
    "hunet.kernel_records",
    "hunet.kernel_passes",
    "hunet.kernel_linking",
    __name__,
)
"""Modules that say how kernels are compiled: all that is in them counts."""

_FLAGS = 0x3FF
"""Of a code's flags, those that change what it does; others tell of docstrings and of imports from `__future__`."""

_ABSENT = object()

_marks: dict[Any, str] = {}
_first_seen: dict[FunctionType, tuple[Any, ...]] = {}


class UnknownError(Exception):
    """A loop reaches something of which nobody here knows when it changes."""


def marked(kernel: T, how: str) -> T:
    """Say how a kernel is compiled: one of the decorators of `hunet.kernels`, whose options are part of every text."""
    _marks[kernel] = how
    return kernel


def text_of(loop: Any, arguments: Any) -> str:
    """All that decides the machine code of a loop (a dispatcher) for these types, but for the processor.

    Raises UnknownError.
    """
    found = _Description()
    made_of = found.of(loop), tuple(map(found.of_type, arguments))
    return repr((_compiler(), _settings(), made_of, found.functions))


class _Description:
    """What was met on the way from a loop through all it reaches."""

    def __init__(self) -> None:
        self.functions: list[Text] = []
        self._numbers: dict[FunctionType, int] = {}

    def of(self, value: Any) -> Text:
        """A value that compiled code names."""
        if type(value) in _PLAIN:
            return type(value).__name__, repr(value)
        if isinstance(value, FunctionType) and value in _marks:
            return _marks[value], self._number(value)
        if isinstance(value, numba.core.dispatcher.Dispatcher) and value in _marks:
            return _marks[value], self._number(value.py_func)
        if isinstance(value, tuple):
            kind = () if type(value) is tuple else self.of(type(value))
            return "tuple", kind, tuple(map(self.of, value))
        if isinstance(value, frozenset):
            return "set", tuple(sorted(map(self.of, value), key=repr))
        if isinstance(value, slice):
            return "slice", self.of(value.start), self.of(value.stop), self.of(value.step)
        if isinstance(value, np.generic) and not value.dtype.hasobject:
            return "scalar", repr(value.dtype), value.tobytes().hex()
        if isinstance(value, np.dtype):
            return "dtype", repr(value)
        if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_field_defaults"):
            defaults = tuple((name, self.of(default)) for name, default in value._field_defaults.items())
            return "fields", _name(value), tuple(value._fields), defaults  # type: ignore[attr-defined]
        if value is _ABSENT:
            return "absent"
        return "library", _library_name(value)

    def of_type(self, type_: Any) -> Text:
        """The type of an argument. numba's own names of types do not have the fields of named tuples."""
        if isinstance(type_, BorrowedRecord):
            return "borrowed", self.of_type(type_.record)
        if isinstance(type_, types.BaseTuple):
            kind = self.of(type_.instance_class) if isinstance(type_, types.BaseNamedTuple) else ()
            return "tuple", kind, tuple(map(self.of_type, type_))
        if type(type_) is types.Array:
            return str(type_), self.of_type(type_.dtype)
        if isinstance(type_, types.Record):
            return str(type_), tuple(self.of_type(type_.typeof(field)) for field in type_.fields)
        if isinstance(type_, types.NestedArray):
            return str(type_), self.of_type(type_.dtype)
        if isinstance(type_, types.Literal):
            return "literal", self.of(type_.literal_value)
        if isinstance(type_, types.Omitted):
            return "omitted", self.of(type_.value)
        if isinstance(type_, _PLAIN_TYPES):
            return type(type_).__name__, str(type_)
        raise UnknownError(f"an argument of type {type_}")

    def _number(self, function: FunctionType) -> int:
        """The place of a function among those that were met; a function may call itself."""
        if function not in self._numbers:
            self._numbers[function] = len(self._numbers)
            self.functions.append((self._numbers[function], *self._parts(function)))
        return self._numbers[function]

    def _parts(self, function: FunctionType) -> Iterator[Text]:
        if function.__module__ not in sys.modules:
            raise UnknownError(f"{function.__qualname__} of no module")
        text, paths = _decoded(function.__code__)
        values = (function.__defaults__, *_keyword_defaults(function), *_enclosed(function), *_named(function, paths))
        for first, now in zip(_first_seen.setdefault(function, values), values, strict=True):
            if first is not now:
                raise UnknownError(f"a global of {function.__qualname__} that was bound anew")
        yield from (function.__module__, function.__qualname__, text, paths)
        yield from map(self.of, values)


def _keyword_defaults(function: FunctionType) -> Iterator[Any]:
    for name, value in (function.__kwdefaults__ or {}).items():
        yield from (name, value)


def _enclosed(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # nothing in it yet
            yield _ABSENT


def _named(function: FunctionType, paths: tuple[tuple[str, ...], ...]) -> Iterator[Any]:
    """The values of globals; of a module, those of its attributes that are named."""
    for name, *attributes in paths:
        value = function.__globals__.get(name, getattr(builtins, name, _ABSENT))
        for attribute in attributes:
            if isinstance(value, ModuleType):
                value = getattr(value, attribute, _ABSENT)
        yield value


@cache
def _decoded(code: CodeType) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """A digest of code, without its lines and docstring; and the globals it names, with the attributes behind each."""
    consts = _Description()
    steps: list[Text] = []
    paths: dict[tuple[str, ...], None] = {}
    path: tuple[str, ...] = ()
    for step in dis.get_instructions(code):
        value = code.co_consts[step.arg or 0] if step.opcode in dis.hasconst else step.argval
        if isinstance(value, CodeType):
            inner, inner_paths = _decoded(value)
            steps.append((step.opcode, inner))
            paths |= dict.fromkeys(inner_paths)
        elif step.opcode in dis.hasconst:
            steps.append((step.opcode, consts.of(value)))
        else:
            steps.append((step.opcode, step.arg or 0))
        if step.opname == "LOAD_GLOBAL":
            paths |= dict.fromkeys([path] if path else [])
            path = (value,)
        elif path and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            path += (value,)
        elif path and step.opname != "EXTENDED_ARG":
            paths[path] = None
            path = ()
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    shape = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & _FLAGS
    text = repr((shape, names, code.co_exceptiontable, steps))
    return hashlib.sha256(text.encode()).hexdigest(), tuple(paths)


def _name(value: Any) -> str:
    """module.name, by which a class or function is found again, also by what unpickles an entry."""
    module, name = value.__module__, value.__qualname__
    try:
        found = operator.attrgetter(name)(sys.modules[module])
    except (KeyError, AttributeError):
        found = _ABSENT
    if found is not value or module == "__main__":
        raise UnknownError(f"{name} of {module}, which is not found there by its name")
    return f"{module}.{name}"


def _library_name(value: Any) -> str:
    """The name of a module, class or function that comes with Python or numpy."""
    if isinstance(value, ModuleType):
        name = value.__name__
    elif hasattr(value, "__module__") and hasattr(value, "__qualname__"):
        name = _name(value)
    else:
        raise UnknownError(f"a value of type {type(value).__qualname__}")
    if name.partition(".")[0] not in _LIBRARIES:
        raise UnknownError(name)
    return name


@cache
def _compiler() -> tuple[Text, ...]:
    """The compiler's versions, and what it is told: how kernels are marked, and how they are described here."""
    versions = (*sys.version_info, EXTENSION_SUFFIXES[0], np.__version__, numba.__version__, llvmlite.__version__)
    return versions, *map(_module_text, COMPILED_BY)


def _module_text(name: str) -> Text:
    code = find_spec(name).loader.get_code(name)  # type: ignore[union-attr]
    says = sys.modules[name].__doc__
    return _decoded(code.replace(co_consts=tuple("" if value == says else value for value in code.co_consts)))[0]


def _settings() -> Text:
    """numba's configuration, from the environment, a file or whoever changed it."""
    found = ((name, repr(value)) for name, value in vars(config).items() if name.isupper())
    return tuple(sorted((name, value) for name, value in found if not name.startswith(_NOT_CODE)))
