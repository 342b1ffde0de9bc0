"""The ledger says of every claim what it did when the golden file was recorded."""

from __future__ import annotations

from tests.golden import reproduction
from tests.golden.canonical import read


def test_the_ledger_has_the_recorded_word_for_every_claim() -> None:
    assert reproduction.ledger() == read("ledger.json")
