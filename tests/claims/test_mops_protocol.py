"""What MOPS says about lists and events (III-B, III-C, IV-B): played and judged by the product itself."""

from __future__ import annotations

from hunet.studies.papers.mops.scenes import SCENES
from tests.slow import slow


@slow
def test_MOPS_17_an_interest_list_is_broadcast_and_the_publisher_sends_to_who_asks() -> None:
    assert SCENES["MOPS-17"]().verdict == "holds"


@slow
def test_MOPS_18_brokers_collect_for_neighbouring_communities_and_relay_for_each_other() -> None:
    assert SCENES["MOPS-18"]().verdict == "holds"


@slow
def test_MOPS_21_only_events_with_weight_are_sent_and_the_largest_weight_first() -> None:
    assert SCENES["MOPS-21"]().verdict == "holds"
