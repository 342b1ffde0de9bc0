"""What all filters have in common: a hash family, equality, copies, and the refusal of strangers."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np

from hunet.filters.hashing import Hashing
from hunet.filters.sizing import false_positive_rate_of, keys_from_fill_ratio
from hunet.model.errors import InvalidValueError, MismatchError

__all__ = ["Filter"]


class Filter(ABC):
    """A set of keys in a small array: no key that was put in is ever denied, some that were not are confirmed.

    Filters are changed in place, so they have no hash. `==` compares shape, settings and content.
    """

    __slots__ = ("_hashing",)
    __hash__ = None  # type: ignore[assignment]
    __iter__ = None  # what is in a filter can be asked, not listed; without this, `list(f)` would try f[0], f[1], ...

    def __init__(self, hashing: Hashing) -> None:
        if not isinstance(hashing, Hashing):
            raise InvalidValueError(f"a filter is made from a Hashing(m=..., k=...), got {hashing!r}")
        self._hashing = hashing

    @property
    def hashing(self) -> Hashing:
        """The hash family: m, k and the network's key."""
        return self._hashing

    @property
    @abstractmethod
    def set_bits(self) -> int:
        """How many of the m positions are set."""

    @abstractmethod
    def __contains__(self, key: str | bytes) -> bool: ...

    @abstractmethod
    def _content(self) -> tuple[Any, ...]:
        """Everything beside the hash family that makes two filters equal; arrays first."""

    @property
    def fill_ratio(self) -> float:
        """The share of positions that are set (Eq. 3, [bsub10])."""
        return self.set_bits / self._hashing.m

    @property
    def false_positive_rate(self) -> float:
        """The probability that an absent key is confirmed, from the positions set now: fill ratio to the power k."""
        return false_positive_rate_of(self.fill_ratio, self._hashing.k)

    def __len__(self) -> int:
        """The number of different keys, estimated from the fill ratio; exact only for an empty filter."""
        m, k = self._hashing.m, self._hashing.k
        # A full filter says only "very many": the estimate with half a position left free stands for it.
        ratio = min(self.set_bits, m - 0.5) / m
        return 0 if ratio == 0.0 else max(1, round(keys_from_fill_ratio(ratio, m, k)))

    def __bool__(self) -> bool:
        return self.set_bits > 0

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Filter)
        return self._hashing == other._hashing and all(
            np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs
            for mine, theirs in zip(self._content(), other._content(), strict=True)
        )

    def copy(self) -> Self:
        """An independent copy."""
        return copy.deepcopy(self)

    def _require_same_family(self, other: Filter) -> None:
        if not isinstance(other, type(self)):
            raise MismatchError(f"a {type(self).__name__} combines with its like, not with {type(other).__name__}")
        mine, theirs = self._hashing, other._hashing
        if mine != theirs:
            what = "network keys" if mine.key != theirs.key else "shapes"
            raise MismatchError(
                f"filters of different {what} cannot be combined: m={mine.m}, k={mine.k}, distinct={mine.distinct} "
                f"and m={theirs.m}, k={theirs.k}, distinct={theirs.distinct}"
            )

    def _repr_shape(self) -> str:
        return f"m={self._hashing.m}, k={self._hashing.k}"

    @abstractmethod
    def _check(self) -> None:
        """Assert the invariants; tests call this after every action."""
