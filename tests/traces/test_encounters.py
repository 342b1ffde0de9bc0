"""Slices of time, and who met in them."""

from __future__ import annotations

import pyarrow as pa

from hunet.model.tables import CONTACTS
from hunet.traces.encounters import encounters

ROWS = [(0, 1, 10.0, 20.0), (0, 1, 25.0, 26.0), (1, 2, 28.0, 45.0), (0, 2, 50.0, 50.0), (0, 3, 90.0, 110.0)]
TRACE = pa.table([list(column) for column in zip(*ROWS, strict=True)], schema=CONTACTS)


def test_a_contact_counts_once_in_every_slice_it_touches() -> None:
    met = [sorted(zip(*table.to_pydict().values(), strict=True)) for table in encounters(TRACE, 10.0, 50.0, 2)]
    assert met == [[(0, 1), (1, 2)], [(0, 2), (1, 2)]]
    assert encounters(TRACE, 60.0, 80.0, 1)[0].num_rows == 0
