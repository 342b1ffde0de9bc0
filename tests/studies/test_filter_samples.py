"""The samples behind the Monte-Carlo claims are what they say."""

from __future__ import annotations

import numpy as np
import pytest

from hunet.filters import BloomFilter, Hashing
from hunet.studies.papers.bsub.filter_samples import ABSENT, answers, filled, key_at, name, positions


@pytest.mark.parametrize(("m", "k"), [(64, 3), (256, 4), (4096, 5)])
def test_shifted_slices_are_the_positions_of_the_family(m: int, k: int) -> None:
    keys = [name(i) for i in range(50)]
    assert np.array_equal(Hashing(m=m, k=k).table(keys), positions(m, k)[:, :50])


def test_a_row_answers_as_a_bloom_filter_does() -> None:
    rows = filled(64, 3, 8, most=3)
    bloom = BloomFilter(Hashing(m=64, k=3), [name(ABSENT + 8 + i) for i in range(8)])
    assert bloom.contains([name(i) for i in range(300)]).tolist() == answers(rows, 3)[1, :300].tolist()


def test_a_key_can_be_found_for_any_positions() -> None:
    family = Hashing(m=8, k=3, distinct=True)
    assert set(family.positions(key_at(family, {0, 6, 7})).tolist()) == {0, 6, 7}
