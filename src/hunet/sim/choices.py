"""Choosing something by its name, and saying which name was probably meant when there is none of that name."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TypeVar

from hunet.model.errors import InvalidValueError

__all__ = ["choose", "unknown"]

T = TypeVar("T")

_SHOWN = 12


def unknown(kind: str, name: str, options: Mapping[str, object]) -> str:
    """The sentence for a name that does not exist, with the nearest that does.

    >>> unknown("protocol", "bsub-13", {"push": 0, "bsub13": 0})
    "there is no protocol 'bsub-13'; did you mean 'bsub13'? There are: push, bsub13"
    """
    folded = {option.lower(): option for option in options}
    near = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.5)
    near = near or [option for option in folded if name.lower().startswith(option)]  # hours for h
    guess = f"; did you mean {folded[near[0]]!r}?" if near else "."
    shown = list(options)[:_SHOWN]
    rest = f" and {len(options) - _SHOWN} more" if len(options) > _SHOWN else ""
    listed = f" There are: {', '.join(shown)}{rest}" if shown else " There are none"
    return f"there is no {kind} {name!r}{guess}{listed}"


def choose(kind: str, name: str, options: Mapping[str, T]) -> T:
    """The option of that name, or an error with the nearest name."""
    if name not in options:
        raise InvalidValueError(unknown(kind, name, options))
    return options[name]
