"""`hunet node run`, read without the machinery that other commands are read with.

A node runs for days on a small board. What typer loads to read options (pydantic, 12 MB and a sixth of a second) would
stay with it. So plain options of that one command are read here, by the very declarations that typer has; where
anything is unusual (--help, a mistake) typer reads it all, and says what it has to say.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args, get_type_hints

from typer.models import OptionInfo

__all__ = ["understood"]


def understood(arguments: Sequence[str]) -> Callable[[], None] | None:
    """The command as a call that is ready to be made; None for others, and for what only typer understands."""
    if list(arguments[:2]) != ["node", "run"]:
        return None
    from hunet.cli import node
    from hunet.cli.node_context import without_numba

    options = dict(_options(node.run))
    values: dict[str, Any] = {
        name: Path(os.environ[str(option.envvar)])
        for _, (name, _, option) in options.items()
        if option.envvar and os.environ.get(str(option.envvar))
    }
    left = list(arguments[2:])
    while left:
        word, equals, value = left.pop(0).partition("=")
        if word not in options:
            return None
        name, kind, _ = options[word]
        if kind is bool:
            if equals:
                return None
            values[name] = True
            continue
        if not equals:
            if not left:
                return None
            value = left.pop(0)
        if not value:  # typer says what is missing
            return None
        if kind == list[str]:
            values.setdefault(name, []).append(value)
        else:
            values[name] = kind(value)
    without_numba()
    return partial(node.run, **values)


def _options(function: Callable[..., None]) -> Iterator[tuple[str, tuple[str, Any, OptionInfo]]]:
    """By what is typed: the parameter, what it is, and how it was declared."""
    hints = get_type_hints(function, include_extras=True)
    for name in inspect.signature(function).parameters:
        kind, declared = get_args(hints[name])
        assert isinstance(declared, OptionInfo)
        if type(None) in get_args(kind):
            kind = get_args(kind)[0]
        for typed in declared.param_decls or (f"--{name}",):
            yield typed, (name, kind, declared)
