"""The name of a run: a hash of everything its answer depends on, the code included.

The code that counts is the module of the experiment and whatever it imports of its own package and of hunet, however
deep: changing a figure or a command leaves results valid, changing a protocol does not. It is found by reading sources,
so that imports inside functions count as well.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
from collections.abc import Iterator
from functools import cache

from hunet.model.errors import SweepError
from hunet.sweeps.data import Data
from hunet.sweeps.experiment import Input, Run

__all__ = ["code_version", "order_of", "run_id"]


def run_id(run: Run) -> str:
    """The hash under which a run is published."""
    module = run.experiment.reference.partition(":")[0]
    return hashlib.sha256(f"{order_of(run)} {code_version(module)}".encode()).hexdigest()[:32]


def order_of(run: Run) -> str:
    """What a worker has to be told to do a run, as JSON."""
    inputs = {name: _plain(value) for name, value in run.inputs.items()}
    order = {"function": run.experiment.reference, "inputs": inputs, "seed": run.seed}
    return json.dumps(order, sort_keys=True)


def _plain(value: Input) -> object:
    return {"data": value.hash} if isinstance(value, Data) else value


@cache
def code_version(module: str) -> str:
    """A hash of the sources of a module and of all it imports of hunet and of its own package."""
    packages = {"hunet", module.partition(".")[0]}
    digest = hashlib.sha256()
    found: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found or name.partition(".")[0] not in packages or (source := _source(name)) is None:
            continue
        found[name] = source
        waiting += _imported(source)
        waiting.append(name.rpartition(".")[0])  # a module's package is imported before it
    if module not in found:
        raise SweepError(f"there is no module {module!r} with the experiment of this sweep: install it there too")
    for name in sorted(found):
        digest.update(f"{name} {len(found[name])} ".encode() + found[name])
    return digest.hexdigest()[:16]


def _source(module: str) -> bytes | None:
    try:
        spec = importlib.util.find_spec(module) if module else None
    except (ModuleNotFoundError, ValueError):
        return None  # a function of a module, or a module that was made by hand
    if spec is None or spec.loader is None or spec.origin is None:
        return None
    return spec.loader.get_data(spec.origin)  # type: ignore[attr-defined, no-any-return]


def _imported(source: bytes) -> Iterator[str]:
    for statement in ast.walk(ast.parse(source)):
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            yield statement.module
            yield from (f"{statement.module}.{alias.name}" for alias in statement.names)
