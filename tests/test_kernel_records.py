"""Records by their address: kernels find in them what Python put there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from hunet.kernels import COMPILED, borrowed, leaf, loop, rare


class Inner(NamedTuple):
    table: npt.NDArray[np.float32]
    nothing: None
    yes: bool


class Outer(NamedTuple):
    number: int
    word: str
    inner: Inner
    no: bool
    rows: npt.NDArray[np.uint64]
    part: npt.NDArray[np.int64]
    ratio: float
    small: np.uint8


class Pair(NamedTuple):
    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]


@leaf
def _sum(array: Any) -> Any:
    total = 0.0
    for i in range(array.shape[0]):
        for j in range(array.shape[1]):
            total += array[i, j]
    return total


@rare
def _mark(inner: Any, i: Any) -> None:
    inner.table[i, 0] = 100.0


@loop
def _look(record: Any, out: Any) -> None:
    inner = record.inner
    _mark(inner, 1)
    out[0], out[1] = record.number, record.ratio
    out[2], out[3] = record.no, inner.yes
    out[4], out[5] = record.small, _sum(inner.table)
    out[6], out[7] = _sum(record.rows), _sum(record.part)
    out[8] = inner.table.size
    out[9] = record.part[1].sum() if record.part.shape[0] > 1 else 0
    out[10] = inner.nothing is None


def _record() -> Outer:
    inner = Inner(np.arange(6, dtype=np.float32).reshape(3, 2), None, True)
    whole = np.arange(24, dtype=np.int64).reshape(4, 6)
    return Outer(
        -7, "text", inner, False, np.arange(4, dtype=np.uint64).reshape(2, 2), whole[::2, 1:5], 0.5, np.uint8(9)
    )


def test_every_kind_of_field_comes_as_it_is_and_arrays_are_the_same_memory() -> None:
    record, out = _record(), np.zeros(11)
    _look(borrowed(record), out)
    table = np.array([[0, 1], [100, 3], [4, 5]])
    assert (record.inner.table == table).all()
    part = record.part
    assert out.tolist() == [-7, 0.5, 0, 1, 9, table.sum(), 6, part.sum(), 6, part[1].sum(), 1]


@loop
def _by_number(record: Any, out: Any) -> None:
    out[0], out[1] = record[0][0], record[1][0]


def test_fields_are_found_by_their_number() -> None:
    out = np.zeros(2)
    _by_number(borrowed(Pair(np.array([3]), np.array([4]))), out)
    assert out.tolist() == [3, 4]


@loop
def _choose(first: Any, second: Any, which: Any, out: Any) -> None:
    record = first if which == 0 else second
    out[0] = record.first[0]


@pytest.mark.parametrize("which", [0, 1])
def test_one_of_two_records_of_a_kind_is_chosen_while_the_loop_runs(which: int) -> None:
    out = np.zeros(1)
    first, second = (borrowed(Pair(np.array([one]), np.array([one]))) for one in (3, 4))
    _choose(first, second, which, out)
    assert out[0] == 3 + which


@pytest.mark.skipif(not COMPILED, reason="plain Python knows no types")
def test_records_are_of_one_type_whose_fields_are_and_of_another_elsewhere() -> None:
    first, second = (borrowed(Pair(np.zeros(n, np.int64), np.zeros(1, np.int64))) for n in (1, 9))
    other = borrowed(Pair(np.zeros(1, np.int32), np.zeros(1, np.int64)))
    assert first._numba_type_ == second._numba_type_ != other._numba_type_
