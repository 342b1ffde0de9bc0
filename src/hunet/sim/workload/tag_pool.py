"""The tags of a workload and how popular each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hunet.model.errors import InvalidValueError

__all__ = ["TagPool", "trends_2009", "zipf_pool"]

Floats = npt.NDArray[np.float64]

MOST_TAGS = 1_000_000
MOST_ZIPF = 20
"""Beyond it everything is the first tag."""

_HEAD = {"NewMoon": 0.132, "Twitter'sNew": 0.103, "funnybutnotcool": 0.0887, "openwebawards": 0.0739}
"""Table II of [bsub10]."""
_TAIL_LENGTHS = (*(8, 9, 10, 11, 12, 13, 14, 15) * 4, 11, 11)
"""Bytes of the 34 invented keys: with the four known ones they make 11.5 on average."""


@dataclass(frozen=True)
class TagPool:
    """Tags with weights that sum to 1."""

    names: tuple[str, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.names:
            raise InvalidValueError("a workload needs at least one tag")
        if len(self.names) != len(self.weights):
            raise InvalidValueError(f"{len(self.names)} tags have {len(self.weights)} weights: give one for each")
        if len(set(self.names)) != len(self.names):
            seen: set[str] = set()
            twice = next(name for name in self.names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise InvalidValueError(f"tag {twice!r} occurs twice")
        for name in self.names:
            if not name or ";" in name:
                raise InvalidValueError(f"tag {name!r}: a tag has at least one character and no semicolon")
        if not all(weight >= 0 and np.isfinite(weight) for weight in self.weights) or sum(self.weights) <= 0:
            raise InvalidValueError("weights of tags must be finite, not negative, and not all 0")

    def draw(
        self, chance: np.random.Generator, count: int, each: int = 1, weighted: bool = True
    ) -> npt.NDArray[np.int64]:
        """[i, j]: the j-th tag of the i-th draw; the tags of one draw differ."""
        if each > len(self.names):
            raise InvalidValueError(f"{each} different tags are asked of a pool of {len(self.names)}")
        share = np.asarray(self.weights) if weighted else np.ones(len(self.names))
        if each == 1:
            cumulated = np.cumsum(share)
            found = np.searchsorted(cumulated, chance.random(count) * cumulated[-1], side="right")
            return np.asarray(np.minimum(found, len(share) - 1), np.int64)[:, None]
        # Drawing without replacement by weight is taking the first arrivals of exponential clocks.
        with np.errstate(divide="ignore"):
            clocks = [chance.exponential(size=len(share)) / share for _ in range(count)]
        return np.array([np.argsort(one, kind="stable")[:each] for one in clocks], np.int64).reshape(count, each)


def zipf_pool(count: int, exponent: float = 1.0, names: Sequence[str] | None = None) -> TagPool:
    """Tags whose weight falls with their rank r as r^-exponent; 0 makes all alike."""
    if not 1 <= count <= MOST_TAGS:
        raise InvalidValueError(f"{count} tags: a workload has 1 to {MOST_TAGS:,}")
    if not 0 <= exponent <= MOST_ZIPF:
        raise InvalidValueError(f"zipf {exponent:g}: an exponent from 0 to {MOST_ZIPF}")
    weights = np.arange(1, count + 1) ** -float(exponent)
    digits = len(str(count))
    chosen = tuple(names) if names is not None else tuple(f"tag{rank:0{digits}d}" for rank in range(1, count + 1))
    return TagPool(chosen, tuple((weights / weights.sum()).tolist()))


def trends_2009() -> TagPool:
    """The 38 keys of [bsub10], Twitter's trends of a week in 2009: the printed head, and a Zipf tail from rank 4 on
    whose exponent makes the weights sum to 1 (AMB-18). The keys of the tail are invented words of the right length.
    """
    last = list(_HEAD.values())[-1]
    ranks = np.arange(5, 39) / 4.0
    missing = 1.0 - sum(_HEAD.values())
    low, high = 0.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if last * (ranks**-middle).sum() > missing else (low, middle)
    tail = last * ranks**-low
    words = [f"trend{rank:02d}abcdefgh"[:length] for rank, length in enumerate(_TAIL_LENGTHS, start=5)]
    return TagPool((*_HEAD, *words), (*_HEAD.values(), *(tail * missing / tail.sum()).tolist()))
