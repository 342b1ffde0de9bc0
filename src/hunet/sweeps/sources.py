"""The sources that an answer may depend on: the module of an experiment and what it imports, found by reading.

Of hunet and of the experiment's own package, however deep, these count:

* a module that is imported, also inside a function: an experiment may well compute with what it imports late;
* where a name is imported from a package, the module it comes from. That is the package's `__init__` itself if the name
  is written there (`PROTOCOLS`), and then all that this imports.

These do not:

* a package's `__init__` that is only on the way. Python runs it first, but what it offers and nobody takes changes no
  answer. (One that changes something elsewhere would; none of hunet's does.)
* imports for types, under `if TYPE_CHECKING`, but for those by which an `__init__` says where names are that it loads
  when they are asked for;
* imports inside functions from the rooms that draw and print: they make pictures and words of tables, when somebody
  looks at a result. At the top of a module they count, since then what comes from there may be computed with.

Modules that are found by a name put together while running (importlib) are not seen.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["sources_behind"]

_DRAWING = ("hunet.report", "hunet.cli")
"""Rooms whose functions no answer depends on, if they are imported late."""


def sources_behind(module: str) -> dict[str, bytes]:
    """The source of each module that counts, by its name; none if there is no such module."""
    reader = _Reader({"hunet", module.partition(".")[0]})
    found: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        read = reader.read(name)
        if name not in found and read is not None:
            found[name] = read.text
            waiting += reader.needed(read)
    return found


class _Import(NamedTuple):
    """`from module import attribute as name`, or `import module as name`.

    `import a.b` makes two: `a` under its name, by which what is used of `a.b` is found, and `a.b` without one.
    """

    name: str
    module: str
    attribute: str | None
    for_types: bool
    is_late: bool

    @property
    def draws(self) -> bool:
        target = f"{self.module}.{self.attribute}."
        return self.is_late and any(target.startswith(f"{room}.") for room in _DRAWING)


class _Source(NamedTuple):
    """What a module imports, which names it binds itself, and which attributes it takes of which name."""

    text: bytes
    is_package: bool
    imports: list[_Import]
    own: set[str]
    uses: dict[str, set[tuple[str, ...]]]


class _Reader:
    """The sources of some packages, each read once."""

    def __init__(self, packages: set[str]) -> None:
        self._packages = packages
        self._read: dict[str, _Source | None] = {}

    def read(self, module: str) -> _Source | None:
        """A module of these packages, or None."""
        if module not in self._read:
            ours = module.partition(".")[0] in self._packages
            self._read[module] = _read(module) if ours else None
        return self._read[module]

    def needed(self, source: _Source) -> Iterator[str]:
        """The modules that a module takes something from when it runs."""
        for one in source.imports:
            read = self.read(one.module)
            if read is None or one.for_types or one.draws:
                continue
            uses = source.uses.get(one.name, set())
            if one.attribute is not None:
                uses = {(one.attribute, *use) for use in uses or {()}}
            for use in uses if read.is_package else {()}:
                yield from self._homes(one.module, use)

    def _homes(self, module: str, attributes: tuple[str, ...], on_the_way: tuple[object, ...] = ()) -> Iterator[str]:
        """Where that which is reached by attributes of a module is written: of a package, behind its `__init__`."""
        source = self.read(module)
        if source is None or (module, attributes) in on_the_way:
            return
        if not source.is_package:
            yield module
            return
        name, *rest = attributes or (None,)
        passed_on = [one for one in source.imports if not one.is_late and name in (one.name, None)]
        for one in passed_on:
            behind = rest if one.attribute is None else (one.attribute, *rest)
            yield from self._homes(one.module, tuple(behind), (*on_the_way, (module, attributes)))
        below = f"{module}.{name}"
        is_module = name is not None and self.read(below) is not None
        if is_module:
            yield from self._homes(below, tuple(rest), on_the_way)
        if name is None or name in source.own or not (passed_on or is_module):
            yield module


def _read(module: str) -> _Source | None:
    try:
        spec = importlib.util.find_spec(module)
    except (ModuleNotFoundError, ValueError):
        return None  # a function of a module
    if spec is None:
        return None
    is_package = spec.submodule_search_locations is not None
    if spec.loader is None or spec.origin is None:  # a package without `__init__`, or a module that was made by hand
        return _Source(b"", is_package, [], set(), {}) if is_package else None
    text: bytes = spec.loader.get_data(spec.origin)  # type: ignore[attr-defined]
    visitor = _Visitor(module if is_package else module.rpartition(".")[0])
    visitor.visit(ast.parse(text))
    return _Source(text, is_package, visitor.imports, visitor.own, visitor.uses)


class _Visitor(ast.NodeVisitor):
    """Fills in what a module imports, binds and uses. `package` is what relative imports start from."""

    def __init__(self, package: str) -> None:
        self.imports: list[_Import] = []
        self.own: set[str] = set()
        self.uses: dict[str, set[tuple[str, ...]]] = {}
        self._package = package
        self._for_types = self._is_late = False

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            first, dot, _ = alias.name.partition(".")
            self._import(alias.asname or (first if not dot else ""), alias.name)
            if dot and not alias.asname:
                self._import(first, first)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        relative = "." * node.level + (node.module or "")
        module = importlib.util.resolve_name(relative, self._package) if node.level else relative
        for alias in node.names:
            self._import(alias.asname or alias.name, module, alias.name)

    def _import(self, name: str, module: str, attribute: str | None = None) -> None:
        self.imports.append(_Import(name, module, attribute, self._for_types, self._is_late))

    def visit_If(self, node: ast.If) -> None:
        test = node.test
        if "TYPE_CHECKING" not in (getattr(test, "id", ""), getattr(test, "attr", "")):
            self.generic_visit(node)
            return
        self._for_types = True
        for statement in node.body:
            self.visit(statement)
        self._for_types = False
        for statement in node.orelse:
            self.visit(statement)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.own.add(node.name)
        before, self._is_late = self._is_late, True
        self.generic_visit(node)
        self._is_late = before

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.own.add(node.name)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.own.add(node.id)
        else:
            self.uses.setdefault(node.id, set()).add(())

    def visit_Attribute(self, node: ast.Attribute) -> None:
        names: list[str] = []
        behind: ast.expr = node
        while isinstance(behind, ast.Attribute):
            names.insert(0, behind.attr)
            behind = behind.value
        if isinstance(behind, ast.Name):
            self.uses.setdefault(behind.id, set()).add(tuple(names))
        else:
            self.visit(behind)
