"""Claims about the workloads of the papers."""

from __future__ import annotations

from hunet.studies.papers.bsub10.relations import RELATIONS


def test_BSUB10_41_the_head_of_the_keys_is_as_printed_and_they_are_11_5_bytes_on_average() -> None:
    assert RELATIONS["BSUB10-41"]().verdict == "holds"


def test_BSUB10_43_nodes_publish_in_proportion_to_their_degree_the_least_central_every_30_minutes() -> None:
    assert RELATIONS["BSUB10-43"]().verdict == "holds"
