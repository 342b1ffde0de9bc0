"""Long contacts are cut into those that nodes which renew have."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from hunet.model.errors import InvalidValueError
from hunet.model.tables import CONTACTS
from hunet.traces.renewed import renewed


def contacts(*rows: tuple[int, int, float, float]) -> pa.Table:
    return pa.Table.from_pylist([dict(zip(CONTACTS.names, row, strict=True)) for row in rows], CONTACTS)


def test_a_contact_is_cut_where_it_is_renewed() -> None:
    found = renewed(contacts((0, 1, 5.0, 30.0), (0, 2, 7.0, 7.0), (1, 2, 0.0, 20.0)), 10.0)
    rows = [tuple(row.values()) for row in found.to_pylist()]
    assert rows == [(0, 1, 5, 15), (0, 1, 15, 25), (0, 1, 25, 30), (0, 2, 7, 7), (1, 2, 0, 10), (1, 2, 10, 20)]


def test_pieces_have_the_length_of_what_was_cut() -> None:
    random = np.random.default_rng(1)
    start = random.uniform(0, 1000, 200)
    end = start + random.exponential(100, 200)
    table = pa.table([np.zeros(200, np.int32), np.ones(200, np.int32), start, end], schema=CONTACTS)
    found = renewed(table, 7.5)
    lengths = found["end"].to_numpy() - found["start"].to_numpy()
    assert lengths.max() <= 7.5 + 1e-9
    assert lengths.sum() == pytest.approx((end - start).sum())


def test_no_time_is_no_time_to_renew_in() -> None:
    with pytest.raises(InvalidValueError, match="more than 0"):
        renewed(contacts((0, 1, 0.0, 1.0)), 0.0)
