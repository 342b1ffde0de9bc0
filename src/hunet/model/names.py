"""Names: which can be given, choosing something by its name, and which was probably meant where there is none of it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from hunet.model.errors import InvalidValueError

__all__ = ["as_name", "choose", "did_you_mean", "is_name", "one_of", "unknown"]

T = TypeVar("T")

_SHOWN = 16
_LONGEST = 100
"""Letters of a name that are looked at: it may come from anywhere."""


def is_name(text: str) -> bool:
    """Whether it can be the name of a trace or a study, which folders are called by."""
    return re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", text) is not None


def as_name(text: str, otherwise: str) -> str:
    """Such a name, made of any text; if nothing is left of it, another.

    >>> as_name("Infocom '05", "trace"), as_name("...", "trace")
    ('Infocom-05', 'trace')
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-._")[:100] or otherwise


def did_you_mean(name: str, options: Iterable[str]) -> str:
    """The end of an error message: the nearest valid name, or those that there are.

    >>> did_you_mean("nikon", ["Canon", "Nikon"])
    "did you mean 'Nikon'?"
    >>> did_you_mean("Xyz", ["Canon", "Nikon"])
    'there are: Canon, Nikon'
    """
    name = name[:_LONGEST]
    folded = {option.lower(): option for option in options}
    near = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.5)
    near = near or [option for option in folded if option and name.lower().startswith(option)]  # hours for h
    return f"did you mean {folded[near[0]]!r}?" if near else f"there are{_listed(list(folded.values()))}"


def unknown(kind: str, name: str, options: Iterable[str]) -> str:
    """The sentence for a name that does not exist, with the nearest that does and those that there are.

    >>> unknown("protocol", "bsub-13", ["push", "bsub13"])
    "there is no protocol 'bsub-13'; did you mean 'bsub13'? There are: push, bsub13"
    """
    choices = list(options)
    hint = did_you_mean(name, choices)
    more = f" There are{_listed(choices)}" if hint.endswith("?") else ""
    shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}..."
    return f"there is no {kind} {shown!r}; {hint}{more}"


def choose(kind: str, name: str, options: Mapping[str, T]) -> T:
    """The option of that name, or an error with the nearest name."""
    return options[one_of(kind, name, options)]


def one_of(kind: str, name: str, options: Iterable[str]) -> str:
    """The name, where it is one of the options, or an error with the nearest."""
    choices = list(options)
    if name not in choices:
        raise InvalidValueError(unknown(kind, name, choices))
    return name


def _listed(options: list[str]) -> str:
    """The first of them, and how many more there are."""
    rest = f" and {len(options) - _SHOWN} more" if len(options) > _SHOWN else ""
    return f": {', '.join(options[:_SHOWN])}{rest}" if options else " none"
