"""What `hunet.filters` shows: everything that is meant for users, and each thing explained."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from types import ModuleType

import pytest

import hunet.filters
from hunet.filters.base import Filter

MODULES = [
    importlib.import_module(f"hunet.filters.{found.name}") for found in pkgutil.iter_modules(hunet.filters.__path__)
]
SHOWN = [(module, name) for module in [hunet.filters, *MODULES] for name in module.__all__]


def subclasses(kind: type) -> set[type]:
    children: list[type] = kind.__subclasses__()
    return {kind}.union(*(subclasses(child) for child in children))


def test_every_filter_and_the_hash_family_are_in_the_public_namespace() -> None:
    ours = {kind.__name__ for kind in subclasses(Filter) if kind.__module__.startswith("hunet.filters.")}
    assert set(hunet.filters.__all__) == ours - {"Filter"} | {"Hashing", "PUBLIC_KEY"}


def test_nothing_public_is_reachable_from_the_room_without_being_named() -> None:
    modules = {module.__name__.rpartition(".")[2] for module in MODULES}
    visible = {name for name in vars(hunet.filters) if not name.startswith("_")}
    assert visible - modules == set(hunet.filters.__all__)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_module_says_what_it_is_for_and_what_it_offers(module: ModuleType) -> None:
    assert module.__doc__
    assert module.__all__
    assert all(hasattr(module, name) for name in module.__all__)


@pytest.mark.parametrize(("module", "name"), SHOWN, ids=lambda value: getattr(value, "__name__", value))
def test_everything_offered_is_explained(module: ModuleType, name: str) -> None:
    thing = inspect.unwrap(getattr(module, name))
    thing = getattr(thing, "py_func", thing)  # the function that numba compiled
    if inspect.isfunction(thing) or inspect.isclass(thing):
        assert inspect.getdoc(thing), f"{name} has no docstring"
    if inspect.isclass(thing) and thing.__module__.startswith("hunet."):
        for member, value in inspect.getmembers(thing):
            if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"{name}.{member} has no docstring"
