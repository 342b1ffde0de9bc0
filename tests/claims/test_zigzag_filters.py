"""The claim of ZigZag (ICCCN 2011) about a single Bloom filter. `docs/papers/zigzag.md` has the outcome."""

from __future__ import annotations

import math

import pytest

from hunet.filters.sizing import false_positive_rate
from hunet.studies.papers.bsub.filter_samples import answers, filled, rate


def test_ZZ_14_six_integers_in_64_bits_with_3_hashes_give_1_47_percent() -> None:
    """ERR-24. Printed 1.35 %, said to follow from Eq. 5; that gives 1.47 % (approximate form) or 1.50 % (exact), and
    measuring at most 5 % more. 1.35 % would need 5.80 integers.
    """
    printed = 0.0135
    approximate, exact = false_positive_rate(6, 64, 3), false_positive_rate(6, 64, 3, exact=True)
    assert approximate == pytest.approx(0.0147, abs=5e-5)
    assert exact == pytest.approx(0.0150, abs=5e-5)
    assert false_positive_rate(5.80, 64, 3) == pytest.approx(printed, abs=5e-5)
    assert -64 / 3 * math.log(1 - printed ** (1 / 3)) == pytest.approx(5.80, abs=0.005)
    measured = rate(answers(filled(64, 3, 6), 3))
    assert exact - 4 * measured.error < measured.value < 1.05 * exact + 4 * measured.error
    assert measured.value > printed + 4 * measured.error
