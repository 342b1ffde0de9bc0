"""What all commands refuse of the words they are given, at one place.

Python's own readers take more than people mean: `1_000` and digits of other scripts for a number, nothing at all for
the current folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import typer
from typer.core import TyperArgument, TyperCommand, TyperOption

__all__ = ["Command", "Commands"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Command(TyperCommand):
    """A command that looks at words as they were typed, before what typer made of them is used."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Typer's reading, but for words that it would take for what nobody means by them."""
        words, _, _ = self.make_parser(ctx).parse_args(args=list(args))
        for parameter in [] if words.get("help") else self.get_params(ctx):
            assert isinstance(parameter, TyperArgument | TyperOption)
            for word in _words(words.get(parameter.name)):
                if wrong := _wrong(word, parameter.type_descriptor.annotation):
                    raise typer.BadParameter(wrong, ctx=ctx, param=parameter)
        return super().parse_args(ctx, args)


class Commands(typer.Typer):
    """Commands of this kind."""

    def command(self, *names: str, **settings: Any) -> Callable[[_Function], _Function]:  # type: ignore[override]
        """As typer's."""
        return super().command(*names, cls=Command, **settings)


def _words(found: Any) -> Iterator[str]:
    for word in found if isinstance(found, list | tuple) else [found]:
        if isinstance(word, str):
            yield word


def _wrong(word: str, kind: Any) -> str | None:
    if kind in (int, float) and (not word.isascii() or "_" in word):
        return f"'{word}' is not a number: write it with digits 0 to 9 alone"
    if kind is Path and not word:
        return "'' is no path: write . for the current folder"
    return None
