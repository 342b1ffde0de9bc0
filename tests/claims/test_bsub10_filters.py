"""Claims of B-SUB (ICDCS 2010) about filters and their equations: computed and judged by the product itself.

`tests/filters` has the tests of the filters. `docs/papers/bsub10.md` has the table of outcomes.
"""

from __future__ import annotations

from hunet.studies.papers.bsub10.relations import RELATIONS


def test_BSUB10_01_measured_false_positive_rate_follows_eq_1() -> None:
    assert RELATIONS["BSUB10-01"]().verdict == "holds"


def test_BSUB10_02_a_key_that_was_inserted_is_always_found_also_after_or() -> None:
    assert RELATIONS["BSUB10-02"]().verdict == "holds"


def test_BSUB10_03_false_positive_rate_grows_with_the_number_of_elements() -> None:
    assert RELATIONS["BSUB10-03"]().verdict == "holds"


def test_BSUB10_04_measured_set_bits_and_fill_ratio_follow_eq_2_and_3() -> None:
    assert RELATIONS["BSUB10-04"]().verdict == "holds"


def test_BSUB10_05_k2_is_a_false_positive_once_k0_and_k1_have_set_its_bits() -> None:
    assert RELATIONS["BSUB10-05"]().verdict == "holds"


def test_BSUB10_06_deleting_from_a_counting_filter_decrements_and_clears_at_zero() -> None:
    assert RELATIONS["BSUB10-06"]().verdict == "holds"


def test_BSUB10_07_after_inserts_only_all_set_counters_equal_the_initial_value() -> None:
    assert RELATIONS["BSUB10-07"]().verdict == "holds"


def test_BSUB10_08_a_shared_counter_of_10_becomes_20_by_a_merge_and_10_by_m_merge() -> None:
    assert RELATIONS["BSUB10-08"]().verdict == "holds"


def test_BSUB10_09_a_merged_filter_refuses_inserts_and_takes_a_fresh_filter_instead() -> None:
    assert RELATIONS["BSUB10-09"]().verdict == "holds"


def test_BSUB10_10_a_key_dies_with_the_first_of_its_counters_and_lives_if_refreshed() -> None:
    assert RELATIONS["BSUB10-10"]().verdict == "holds"


def test_BSUB10_11_after_19_units_only_k0_is_left() -> None:
    assert RELATIONS["BSUB10-11"]().verdict == "partly"


def test_BSUB10_12_existential_queries_answer_as_the_bloom_filter_and_less_often_with_time() -> None:
    assert RELATIONS["BSUB10-12"]().verdict == "holds"


def test_BSUB10_13_preference_is_the_ratio_or_c_j_where_c_i_is_zero() -> None:
    assert RELATIONS["BSUB10-13"]().verdict == "erratum"


def test_BSUB10_14_a_key_takes_at_most_5_bytes_which_is_half_of_a_raw_string() -> None:
    assert RELATIONS["BSUB10-14"]().verdict == "holds"


def test_BSUB10_18_a_merge_between_brokers_keeps_an_interest_alive_that_m_merge_drops() -> None:
    assert RELATIONS["BSUB10-18"]().verdict == "holds"


def test_BSUB10_22_a_decay_factor_of_i_over_t_removes_a_lone_interest_after_t() -> None:
    assert RELATIONS["BSUB10-22"]().verdict == "holds"


def test_BSUB10_23_eq_4_is_a_sum_not_a_product() -> None:
    assert RELATIONS["BSUB10-23"]().verdict == "erratum"


def test_BSUB10_24_eq_5_makes_interests_outlive_t_less_often_but_overshoots() -> None:
    assert RELATIONS["BSUB10-24"]().verdict == "partly"


def test_BSUB10_26_eq_6_counts_keys_that_occur_once_not_different_keys() -> None:
    assert RELATIONS["BSUB10-26"]().verdict == "erratum"


def test_BSUB10_27_the_number_of_keys_is_recovered_from_the_fill_ratio() -> None:
    assert RELATIONS["BSUB10-27"]().verdict == "holds"


def test_BSUB10_28_the_rate_after_eq_6_has_exponent_k_not_n() -> None:
    assert RELATIONS["BSUB10-28"]().verdict == "erratum"


def test_BSUB10_29_a_message_nobody_wants_needs_two_false_matches() -> None:
    assert RELATIONS["BSUB10-29"]().verdict == "holds"


def test_BSUB10_31_a_position_list_is_smaller_iff_alpha_is_below_m_over_log2_m() -> None:
    assert RELATIONS["BSUB10-31"]().verdict == "holds"


def test_BSUB10_33_a_one_byte_counter_divides_24_hours_into_steps_of_5_6_minutes() -> None:
    assert RELATIONS["BSUB10-33"]().verdict == "holds"


def test_BSUB10_34_the_printed_sizes_mix_bits_and_bytes() -> None:
    assert RELATIONS["BSUB10-34"]().verdict == "erratum"


def test_BSUB10_35_the_joint_rate_of_several_filters_follows_eq_7() -> None:
    assert RELATIONS["BSUB10-35"]().verdict == "holds"


def test_BSUB10_36_the_joint_rate_is_smallest_when_keys_are_split_equally() -> None:
    assert RELATIONS["BSUB10-36"]().verdict == "erratum"


def test_BSUB10_37_with_more_filters_the_joint_rate_falls_while_memory_grows() -> None:
    assert RELATIONS["BSUB10-37"]().verdict == "erratum"


def test_BSUB10_38_binary_search_finds_the_largest_feasible_number_of_filters() -> None:
    assert RELATIONS["BSUB10-38"]().verdict == "holds"


def test_BSUB10_39_a_new_filter_above_the_threshold_gives_fewer_false_positives_than_one_filter() -> None:
    assert RELATIONS["BSUB10-39"]().verdict == "holds"


def test_BSUB10_42_the_worst_case_rate_for_38_keys_is_4_percent() -> None:
    assert RELATIONS["BSUB10-42"]().verdict == "holds"


def test_BSUB10_20_a_filter_confirms_every_tag_that_exact_counters_know() -> None:
    assert RELATIONS["BSUB10-20"]().verdict == "holds"


def test_BSUB10_48_a_factor_of_0_138_does_not_follow_from_eq_5() -> None:
    assert RELATIONS["BSUB10-48"]().verdict == "partly"
