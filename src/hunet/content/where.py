"""Conditions of a subscription, from text or from a mapping (JSON), to one list of (attribute, comparison, value).

    brand = Nikon and 50 <= focal <= 105
    {"brand": "Nikon", "focal": [50, 105]}           ends of a range, null for an open one
    {"brand": "Nikon", "focal": {">=": 50, "<": 105}}

A subscription is a conjunction: who wants this *or* that subscribes twice. Words with blanks or signs are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from hunet.model.errors import ContentError
from hunet.model.names import did_you_mean

__all__ = ["COMPARISONS", "Condition", "Where", "read_conditions"]

Where = str | Mapping[str, object]
"""A subscription as people give it."""

COMPARISONS = ("=", "<", "<=", ">", ">=")
_MIRRORED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ALSO = {"==": "=", "≤": "<=", "≥": ">="}
_TOKEN = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|(<=|>=|==|!=|[<>=≤≥])|([^\s<>=!"'≤≥]+)|(\S))""")


class Condition(NamedTuple):
    """One comparison of an attribute with a value."""

    attribute: str
    comparison: str
    value: object


class _Token(NamedTuple):
    text: str
    kind: str  # word, quoted or comparison


def read_conditions(where: Where, attributes: Collection[str]) -> list[Condition]:
    """The conditions that a text or a mapping states, about attributes that exist."""
    if isinstance(where, str):
        return [condition for clause in _clauses(where) for condition in _from_clause(clause, where, attributes)]
    if isinstance(where, Mapping):
        return [condition for name, value in where.items() for condition in _from_entry(name, value, attributes)]
    raise ContentError(f"a subscription is text or a mapping of attributes, got {where!r}")


def _known(name: object, attributes: Collection[str]) -> str:
    if isinstance(name, str) and name in attributes:
        return name
    raise ContentError(f"there is no attribute {name!r}; {did_you_mean(str(name), attributes)}")


def _clauses(text: str) -> list[list[_Token]]:
    """The text in pieces, without the `and` between them."""
    clauses: list[list[_Token]] = [[]]
    for found in _TOKEN.finditer(text):
        double, single, comparison, word, odd = found.groups()
        if odd:
            raise ContentError(f"{odd!r} is out of place in {text!r}")
        if comparison:
            clauses[-1].append(_Token(_comparison(comparison, text), "comparison"))
        elif word is None:
            clauses[-1].append(_Token(double if double is not None else single, "quoted"))
        elif word.lower() == "and":
            clauses.append([])
        elif word.lower() in ("or", "not"):
            raise ContentError(f"{word!r} in {text!r}: conditions are joined by 'and' only; for 'or' subscribe twice")
        else:
            clauses[-1].append(_Token(word, "word"))
    return [] if clauses == [[]] else clauses


def _comparison(sign: str, text: str) -> str:
    sign = _ALSO.get(sign, sign)
    if sign not in COMPARISONS:
        raise ContentError(f"{sign!r} in {text!r}: comparisons are {' '.join(COMPARISONS)}")
    return sign


def _from_clause(clause: list[_Token], text: str, attributes: Collection[str]) -> list[Condition]:
    """`attribute < value`, `value < attribute` or `value < attribute < value`."""
    kinds = ["comparison" if token.kind == "comparison" else "word" for token in clause]
    words = [token.text for token in clause]
    if kinds == ["word", "comparison", "word", "comparison", "word"]:
        name = _known(words[2], attributes)
        return [Condition(name, _MIRRORED[words[1]], words[0]), Condition(name, words[3], words[4])]
    if kinds != ["word", "comparison", "word"]:
        said = " ".join(words) or "nothing"
        raise ContentError(
            f"{text!r} has {said!r} where a condition such as brand = Nikon or 50 <= focal <= 105 is expected; "
            "quote words that contain blanks"
        )
    left, comparison, right = words
    if left not in attributes and (right in attributes or _looks_like_a_value(clause[0])):
        return [Condition(_known(right, attributes), _MIRRORED[comparison], left)]
    return [Condition(_known(left, attributes), comparison, right)]


def _looks_like_a_value(token: _Token) -> bool:
    return token.kind == "quoted" or token.text[0] in "+-.0123456789"


def _from_entry(name: object, value: object, attributes: Collection[str]) -> list[Condition]:
    attribute = _known(name, attributes)
    if isinstance(value, Mapping):
        for comparison in value:
            if comparison not in COMPARISONS:
                raise ContentError(f"{attribute}: {comparison!r} is no comparison; there are {' '.join(COMPARISONS)}")
        return [Condition(attribute, comparison, limit) for comparison, limit in value.items()]
    if isinstance(value, list | tuple):
        if len(value) != 2:
            raise ContentError(f"{attribute}: a range has two ends, null for an open one; got {value!r}")
        ends = zip((">=", "<="), value, strict=True)
        return [Condition(attribute, comparison, limit) for comparison, limit in ends if limit is not None]
    return [Condition(attribute, "=", value)]
