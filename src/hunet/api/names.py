"""`names`: what can be asked for by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any

from hunet.model.names import choose
from hunet.report.numbers import short
from hunet.report.table import Table

__all__ = ["names"]


def names(kind: str | None = None) -> Table:
    """The names that `generate`, `simulate`, `compare` and `sweep` know, what each stands for, and its settings.

    kind    only these: protocol, workload or generator

    >>> import hunet as hn
    >>> [row["name"] for row in hn.names("protocol")][:4]
    ['push', 'pull', 'bsub10', 'bsub13']
    >>> hn.names("protocol")[3]["settings"]["decay_cycle"]
    256.0
    """
    asked = _KINDS if kind is None else {kind: choose("kind of name", kind, _KINDS)}
    rows = [{"kind": one, **row, "defaults": _written(row["settings"])} for one in asked for row in asked[one]()]
    return Table("names", rows, {"kind": "kind", "name": "name", "what": "what it is", "defaults": "settings"})


def _protocols() -> Iterator[dict[str, Any]]:
    from hunet.protocols import PROTOCOLS

    for one in PROTOCOLS:
        yield {"name": one.name, "what": one.title, "settings": one.settings()._asdict()}


def _workloads() -> Iterator[dict[str, Any]]:
    from hunet.sim.workload.profiles import PROFILES, TITLES

    for name in PROFILES:
        yield {"name": name, "what": TITLES[name], "settings": {}}


def _generators() -> Iterator[dict[str, Any]]:
    from hunet.traces.generators import GENERATORS

    for one in GENERATORS:
        settings = {field.name: None if field.default is MISSING else field.default for field in fields(one.settings)}
        yield {"name": one.name, "what": one.title, "settings": settings}


_KINDS: Mapping[str, Callable[[], Iterator[dict[str, Any]]]] = {
    "protocol": _protocols,
    "workload": _workloads,
    "generator": _generators,
}


def _written(settings: Mapping[str, Any]) -> str:
    return ", ".join(name if value is None else f"{name} {short(value)}" for name, value in settings.items())
