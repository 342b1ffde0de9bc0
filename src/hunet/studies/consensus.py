"""How far people agree on tags: the experiment of [bsub13] 4.2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from hunet.model.errors import InvalidValueError

__all__ = ["consensus"]


def consensus(choices: Sequence[Collection[str]]) -> float:
    """The share of people who chose the tag that most chose; 1 means that one tag is common to all.

    `choices` has the tags that each person gave to one and the same title. With n people the result is a multiple of
    1/n: the printed 0.86 and 0.43 cannot come from 20 people (ERR-12).

    >>> consensus([{"rain", "storm"}, {"storm"}, {"weather", "storm"}, {"flood"}])
    0.75
    """
    if not choices:
        raise InvalidValueError("nobody chose: consensus needs the choices of at least one person")
    counts = Counter(tag for tags in choices for tag in set(tags))
    return max(counts.values(), default=0) / len(choices)
