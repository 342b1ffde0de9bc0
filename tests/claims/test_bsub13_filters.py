"""Claims of B-SUB (TPDS 2013) about the TCBF: computed and judged by the product itself."""

from __future__ import annotations

from hunet.studies.papers.bsub13.relations import RELATIONS


def test_BSUB13_01_an_insert_sets_counters_to_the_initial_value_and_leaves_set_ones_alone() -> None:
    assert RELATIONS["BSUB13-01"]().verdict == "erratum"


def test_BSUB13_02_the_fourth_counter_is_the_sum_by_a_merge_and_the_maximum_by_m_merge() -> None:
    assert RELATIONS["BSUB13-02"]().verdict == "holds"


def test_BSUB13_03_the_decay_cycle_is_the_inverse_of_the_decay_factor() -> None:
    assert RELATIONS["BSUB13-03"]().verdict == "holds"


def test_BSUB13_04_after_19_units_only_y_and_w_remain() -> None:
    assert RELATIONS["BSUB13-04"]().verdict == "partly"


def test_BSUB13_07_m_merge_prevents_the_bogus_counters_of_a_merge() -> None:
    assert RELATIONS["BSUB13-07"]().verdict == "holds"


def test_BSUB13_11_a_tag_takes_at_most_4_bytes() -> None:
    assert RELATIONS["BSUB13-11"]().verdict == "holds"


def test_BSUB13_06_twenty_people_cannot_agree_by_86_percent() -> None:
    assert RELATIONS["BSUB13-06"]().verdict == "erratum"


def test_BSUB13_12_a_hundred_messages_are_14_kilobytes() -> None:
    assert RELATIONS["BSUB13-12"]().verdict == "erratum"


def test_BSUB13_33_a_hash_of_32_bits_hardly_ever_confuses_two_messages() -> None:
    assert RELATIONS["BSUB13-33"]().verdict == "holds"
