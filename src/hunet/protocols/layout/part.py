"""What a part of a digest is, and how parts are put together: one after the other, in rows, or only sometimes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf
from hunet.protocols.quantities import Digest
from hunet.protocols.wire import Reader, Writer, number_bytes

if TYPE_CHECKING:
    from hunet.protocols.protocol import World

__all__ = ["Arrays", "Kernel", "Limit", "Part", "Places", "Several", "limit_of", "repeat", "when"]

Kernel: TypeAlias = Callable[..., Any]
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]
Places: TypeAlias = Mapping[str, int]
"""Where in the record an array is: kernels find it by that."""
Limit: TypeAlias = "int | str | Callable[[Any], int]"
"""A number, the name of a parameter, or a function of the parameters."""


def limit_of(limit: Limit, params: Any) -> int:
    """What a limit is with these parameters."""
    if isinstance(limit, str):
        return int(getattr(params, limit))
    return limit if isinstance(limit, int) else int(limit(params))


class Part:
    """Something that is told. A part that says no more than `names` and `new` does not travel.

    In a `repeat` its arrays have one axis more, in front. `row` says where; outside it is 0 in kernels, else None.
    """

    @property
    def names(self) -> Sequence[str]:
        """Its arrays in the record."""
        raise NotImplementedError

    def new(self, params: Any, world: World, rows: int | None = None) -> Arrays:
        """These arrays, empty; in a `repeat` with so many rows."""
        raise NotImplementedError

    def size(self, at: Places, in_rows: bool) -> Kernel | None:
        """m, digest, row -> bytes; m is `params.m` where there are filters. All of `params` would compile longer."""
        return None

    def account(self, at: Places, in_rows: bool) -> Kernel | None:
        """params, digest, row, bytes of every tag, out: what its filters would cost in each encoding."""
        return None

    def write(self, out: Writer, params: Any, digest: Digest, row: int | None = None) -> None:
        """Its bytes."""

    def read(self, reader: Reader, params: Any, digest: Digest, row: int | None = None) -> None:
        """What `write` wrote, into a digest that is empty; anything else raises `DecodeError`."""

    def refresh(self, params: Any, digest: Digest, row: int | None = None) -> None:
        """Work out what does not travel but follows from what does."""


@dataclass(frozen=True)
class Several(Part):
    """One after the other. Parts that name the same array share it."""

    parts: tuple[Part, ...]

    @property
    def names(self) -> Sequence[str]:
        return tuple(dict.fromkeys(name for part in self.parts for name in part.names))

    def new(self, params: Any, world: World, rows: int | None = None) -> Arrays:
        return {name: array for part in self.parts for name, array in part.new(params, world, rows).items()}

    def size(self, at: Places, in_rows: bool) -> Kernel | None:
        return _joined((part.size(at, in_rows) for part in self.parts), _sum)

    def account(self, at: Places, in_rows: bool) -> Kernel | None:
        return _joined((part.account(at, in_rows) for part in self.parts), _all)

    def write(self, out: Writer, params: Any, digest: Digest, row: int | None = None) -> None:
        for part in self.parts:
            part.write(out, params, digest, row)

    def read(self, reader: Reader, params: Any, digest: Digest, row: int | None = None) -> None:
        for part in self.parts:
            part.read(reader, params, digest, row)

    def refresh(self, params: Any, digest: Digest, row: int | None = None) -> None:
        for part in self.parts:
            part.refresh(params, digest, row)


def _joined(kernels: Iterable[Kernel | None], join: Callable[..., Kernel]) -> Kernel | None:
    """One kernel for all that there are, made of four at a time: each kernel takes time to compile."""
    some = [kernel for kernel in kernels if kernel is not None]
    while len(some) > 1:
        few = some[:4]
        some = [join(len(few), *few, *few[: 4 - len(few)]), *some[4:]]  # those that are too many are not called
    return some[0] if some else None


def _sum(count: int, first: Kernel, second: Kernel, third: Kernel, fourth: Kernel) -> Kernel:
    @leaf
    def size(m: Any, digest: Digest, row: Any) -> Any:
        total = first(m, digest, row) + second(m, digest, row)
        if count > 2:
            total += third(m, digest, row)
        if count > 3:
            total += fourth(m, digest, row)
        return total

    return size


def _all(count: int, first: Kernel, second: Kernel, third: Kernel, fourth: Kernel) -> Kernel:
    @leaf
    def account(params: Any, digest: Digest, row: Any, tag_bytes: Any, out: Any) -> None:
        first(params, digest, row, tag_bytes, out)
        second(params, digest, row, tag_bytes, out)
        if count > 2:
            third(params, digest, row, tag_bytes, out)
        if count > 3:
            fourth(params, digest, row, tag_bytes, out)

    return account


# ------------------------------------------------------------------ rows


def repeat(count: str, *parts: Part, most: Limit) -> Part:
    """A number, `digest.count[0]`, and these parts as often: rows 0 up to it, of `most` that there are."""
    return _Repeat(count, Several(parts), most)


@dataclass(frozen=True)
class _Repeat(Part):
    count: str
    parts: Part
    most: Limit

    @property
    def names(self) -> Sequence[str]:
        return (self.count, *self.parts.names)

    def new(self, params: Any, world: World, rows: int | None = None) -> Arrays:
        assert rows is None, "rows have no rows"
        return {self.count: np.zeros(1, np.int64), **self.parts.new(params, world, limit_of(self.most, params))}

    def size(self, at: Places, in_rows: bool) -> Kernel | None:
        row_size = self.parts.size(at, in_rows=True)
        assert row_size is not None, "rows of nothing"
        return _rows_size(at[self.count], row_size)

    def account(self, at: Places, in_rows: bool) -> Kernel | None:
        account_row = self.parts.account(at, in_rows=True)
        return account_row and _account_rows(at[self.count], account_row)

    def write(self, out: Writer, params: Any, digest: Digest, row: int | None = None) -> None:
        rows = getattr(digest, self.count)[0]
        out.number(rows)
        for i in range(rows):
            self.parts.write(out, params, digest, i)

    def read(self, reader: Reader, params: Any, digest: Digest, row: int | None = None) -> None:
        rows = reader.number(limit_of(self.most, params))
        getattr(digest, self.count)[0] = rows
        for i in range(rows):
            self.parts.read(reader, params, digest, i)

    def refresh(self, params: Any, digest: Digest, row: int | None = None) -> None:
        for i in range(getattr(digest, self.count)[0]):
            self.parts.refresh(params, digest, i)


def _rows_size(count: int, row_size: Kernel) -> Kernel:
    @leaf
    def size(m: Any, digest: Digest, row: Any) -> Any:
        total = number_bytes(digest[count][0])
        for i in range(digest[count][0]):
            total += row_size(m, digest, i)
        return total

    return size


def _account_rows(count: int, account_row: Kernel) -> Kernel:
    @leaf
    def account(params: Any, digest: Digest, row: Any, tag_bytes: Any, out: Any) -> None:
        for i in range(digest[count][0]):
            account_row(params, digest, i, tag_bytes, out)

    return account


# ------------------------------------------------------------------ only sometimes


def when(number: str, among: Sequence[int], *parts: Part) -> Part:
    """These parts where a number told before, `digest.number[0]`, is one of these, below 64; nothing elsewhere."""
    return _When(number, sum(1 << value for value in among), Several(parts))


@dataclass(frozen=True)
class _When(Part):
    number: str
    among: int
    """A bit for every number."""
    parts: Part

    @property
    def names(self) -> Sequence[str]:
        return self.parts.names

    def new(self, params: Any, world: World, rows: int | None = None) -> Arrays:
        return self.parts.new(params, world, rows)

    def size(self, at: Places, in_rows: bool) -> Kernel | None:
        size = self.parts.size(at, in_rows)
        return size and _size_when(at[self.number], self.among, size)

    def account(self, at: Places, in_rows: bool) -> Kernel | None:
        account = self.parts.account(at, in_rows)
        return account and _account_when(at[self.number], self.among, account)

    def write(self, out: Writer, params: Any, digest: Digest, row: int | None = None) -> None:
        if self._holds(digest):
            self.parts.write(out, params, digest, row)

    def read(self, reader: Reader, params: Any, digest: Digest, row: int | None = None) -> None:
        if self._holds(digest):
            self.parts.read(reader, params, digest, row)

    def refresh(self, params: Any, digest: Digest, row: int | None = None) -> None:
        if self._holds(digest):
            self.parts.refresh(params, digest, row)

    def _holds(self, digest: Digest) -> bool:
        return bool(self.among >> int(getattr(digest, self.number)[0]) & 1)


def _size_when(number: int, among: int, size_then: Kernel) -> Kernel:
    @leaf
    def size(m: Any, digest: Digest, row: Any) -> Any:
        return size_then(m, digest, row) if (among >> digest[number][0]) & 1 else 0

    return size


def _account_when(number: int, among: int, account_then: Kernel) -> Kernel:
    @leaf
    def account(params: Any, digest: Digest, row: Any, tag_bytes: Any, out: Any) -> None:
        if (among >> digest[number][0]) & 1:
            account_then(params, digest, row, tag_bytes, out)

    return account
