"""Parts that are one array: numbers, filters, and what does not travel.

Filters have `params.m` positions; `params.table` has those of every tag.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hunet.filters.bits import answer, words_for
from hunet.filters.temporal import counter_type
from hunet.kernels import leaf
from hunet.protocols.accounts import account_bloom, account_counters, account_positions
from hunet.protocols.layout.part import Arrays, Kernel, Limit, Part, Places, Several, limit_of
from hunet.protocols.quantities import Digest
from hunet.protocols.wire import Reader, Writer, bloom_bytes, counter_bytes, number_bytes, position_bytes

if TYPE_CHECKING:
    from hunet.protocols.protocol import World

__all__ = ["array", "bloom", "counters", "local", "number", "positions"]

Shape: TypeAlias = "Callable[[Any, World], tuple[int, ...]]"
Kind: TypeAlias = "type[Any] | Callable[[Any], npt.DTypeLike]"
"""The type of an array's entries, or a function of the parameters."""

_MOST = 2**63 - 1


@dataclass(frozen=True)
class _Local(Part):
    name: str
    shape: Shape
    kind: Kind
    one_row: bool = False

    @property
    def names(self) -> Sequence[str]:
        return (self.name,)

    def new(self, params: Any, world: World, rows: int | None = None) -> Arrays:
        rows = 1 if self.one_row and rows is None else rows
        kind = self.kind if isinstance(self.kind, type) else self.kind(params)
        shape = self.shape(params, world)
        return {self.name: np.zeros(shape if rows is None else (rows, *shape), kind)}


@dataclass(frozen=True, kw_only=True)
class _Array(_Local):
    bytes_of: Kernel
    to_bytes: Callable[[Writer, Any, Any], None]
    from_bytes: Callable[[Reader, Any], Any]
    cost_of: Kernel | None

    def size(self, at: Places, in_rows: bool) -> Kernel | None:
        return _size_at(at[self.name], in_rows or self.one_row, self.bytes_of)

    def account(self, at: Places, in_rows: bool) -> Kernel | None:
        return self.cost_of and _account_at(at[self.name], in_rows or self.one_row, self.cost_of)

    def write(self, out: Writer, params: Any, digest: Digest, row: int | None = None) -> None:
        self.to_bytes(out, params, getattr(digest, self.name)[self._index(row)])

    def read(self, reader: Reader, params: Any, digest: Digest, row: int | None = None) -> None:
        getattr(digest, self.name)[self._index(row)] = self.from_bytes(reader, params)

    def _index(self, row: int | None) -> Any:
        return row if row is not None else 0 if self.one_row else ...


def _size_at(at: int, in_rows: bool, bytes_of: Kernel) -> Kernel:
    @leaf
    def size(m: Any, digest: Digest, row: Any) -> Any:
        return bytes_of(digest[at][row] if in_rows else digest[at], m)

    return size


def _account_at(at: int, in_rows: bool, cost_of: Kernel) -> Kernel:
    @leaf
    def account(params: Any, digest: Digest, row: Any, tag_bytes: Any, out: Any) -> None:
        cost_of(params, digest[at][row] if in_rows else digest[at], tag_bytes, out)

    return account


def array(
    name: str,
    shape: Shape,
    kind: Kind,
    bytes_of: Kernel,
    to_bytes: Callable[[Writer, Any, Any], None],
    from_bytes: Callable[[Reader, Any], Any],
    *,
    one_row: bool = False,
    cost_of: Kernel | None = None,
) -> Part:
    """An array of any kind.

    shape(params, world): of one row; bytes_of(row, m): a kernel, m being the positions of filters;
    to_bytes(out, params, row); from_bytes(reader, params) -> row;
    cost_of(params, row, bytes of every tag, out): a kernel, where it is a filter.
    With `one_row` the array has an axis of length 1 in front outside of a `repeat`.
    """
    return _Array(
        name, shape, kind, one_row, bytes_of=bytes_of, to_bytes=to_bytes, from_bytes=from_bytes, cost_of=cost_of
    )


def local(name: str, kind: Kind = np.int64, length: Limit = 1) -> Part:
    """An array that does not travel: `tell` fills it, and `derive` in what arrived."""
    return _Local(name, lambda params, world: (limit_of(length, params),), kind)


def number(name: str, most: Limit = _MOST) -> Part:
    """A whole number from 0 to `most`: `digest.name[0]`, and in a `repeat` `digest.name[row]`."""
    return array(
        name,
        lambda params, world: (),
        np.int64,
        _number_bytes,
        lambda out, params, value: out.number(value),
        lambda reader, params: reader.number(limit_of(most, params)),
        one_row=True,
    )


def counters(name: str, ceiling: Limit = "ceiling") -> Part:
    """A filter with its counters, up to a ceiling."""
    return array(
        name,
        _one_per_position,
        lambda params: counter_type(limit_of(ceiling, params)),
        counter_bytes,
        lambda out, params, row: out.counters(row),
        lambda reader, params: reader.counters(
            params.m, counter_type(limit_of(ceiling, params)), limit_of(ceiling, params)
        ),
        cost_of=account_counters,
    )


def positions(name: str, ceiling: Limit = "ceiling") -> Part:
    """The same filter sent without its counters: what is not 0 arrives as 1."""
    return array(
        name,
        _one_per_position,
        lambda params: counter_type(limit_of(ceiling, params)),
        position_bytes,
        lambda out, params, row: out.positions(row),
        lambda reader, params: reader.positions(params.m, counter_type(limit_of(ceiling, params))),
        cost_of=account_positions,
    )


def bloom(name: str, answers: str | None = None) -> Part:
    """A plain Bloom filter; beside it in the array `answers`, which does not travel, a bit for every tag it answers."""
    told = array(
        name,
        lambda params, world: (words_for(params.m),),
        np.uint64,
        bloom_bytes,
        lambda out, params, words: out.bloom(words, params.m),
        lambda reader, params: reader.bloom(params.m),
        cost_of=account_bloom,
    )
    return told if answers is None else Several((told, _Answers(answers, _one_bit_per_tag, np.uint64, told=name)))


@dataclass(frozen=True, kw_only=True)
class _Answers(_Local):
    told: str

    def refresh(self, params: Any, digest: Digest, row: int | None = None) -> None:
        answers, words = getattr(digest, self.name), getattr(digest, self.told)
        answer(answers, words, params.table) if row is None else answer(answers[row], words[row], params.table)


def _one_per_position(params: Any, world: World) -> tuple[int, ...]:
    return (params.m,)


def _one_bit_per_tag(params: Any, world: World) -> tuple[int, ...]:
    return (words_for(world.places),)


@leaf
def _number_bytes(value: Any, m: Any) -> Any:
    return number_bytes(value)
