"""What an experiment is, and a run of it.

An experiment is a pure function of a module: inputs and a seed in, measures (and tables) out. Workers find it by the
name of its module, so a study only has to write the function and this record; there is nothing to register.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import pyarrow as pa

from hunet.model.errors import InvalidValueError
from hunet.sweeps.data import Data

__all__ = ["Answer", "Experiment", "Input", "Run", "function_named"]

Answer: TypeAlias = tuple[Mapping[str, float], Mapping[str, pa.Table]]
"""Measures by name, and tables by name: `deliveries`, for example."""

_OWN_COLUMNS = ("run", "experiment", "seed", "code", "seconds", "memory", "error")

Input: TypeAlias = "str | int | float | bool | Data | None"


def _a_second(_inputs: Mapping[str, Any]) -> float:
    return 1.0


def _alike(_inputs: Mapping[str, Any]) -> str:
    return ""


@dataclass(frozen=True)
class Experiment:
    """A kind of run.

    `function(inputs, seed)` is called on a worker, with the inputs of a run, where `Data` has become the folder its
    tables lie in. It may take nothing else into account, for its answer is kept under a hash of these. Its first call
    in a process may take longer by `start_seconds` (compiling, loading): runs of the same `kind` share that.
    """

    name: str
    function: Callable[[Mapping[str, Any], int], Answer]
    seconds: Callable[[Mapping[str, Any]], float] = _a_second
    """About how long one run takes, by its inputs: tasks are balanced by it."""
    kind: Callable[[Mapping[str, Any]], str] = _alike
    start_seconds: float = 0.0

    def __post_init__(self) -> None:
        try:
            found = function_named(self.reference)
        except (ImportError, AttributeError):
            found = None
        if found is not self.function or self.function.__module__ == "__main__":
            raise InvalidValueError(
                f"experiment {self.name!r}: workers cannot import {self.reference!r}; "
                "its function must stand at the top of a module, not in a script or notebook"
            )

    @property
    def reference(self) -> str:
        """module:function, by which workers find it."""
        return f"{self.function.__module__}:{self.function.__qualname__}"


def function_named(reference: str) -> Callable[[Mapping[str, Any], int], Answer]:
    """The function that module:function names."""
    module, _, name = reference.partition(":")
    function: Callable[[Mapping[str, Any], int], Answer] = getattr(importlib.import_module(module), name)
    return function


@dataclass(frozen=True)
class Run:
    """One run: an experiment, its inputs and the seed of all its chance.

    Inputs and labels become columns of the table of runs. Labels say what a person wants to read there (the name of
    a study, of a trace); they are no part of what makes a run this run, and stand in front of an input of that name.
    """

    experiment: Experiment
    inputs: Mapping[str, Input]
    seed: int
    labels: Mapping[str, str | int | float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, value in (*self.inputs.items(), *self.labels.items()):
            if name in _OWN_COLUMNS:
                raise InvalidValueError(f"{name!r} cannot be an input or label: the table of runs has its own {name}")
            if not (value is None or isinstance(value, str | int | float | Data)):
                kind = type(value).__name__
                raise InvalidValueError(f"input {name!r} is a {kind}: give a number, text, true, false, None or Data")
