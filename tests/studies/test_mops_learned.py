"""The table of what nodes learn by themselves beside what full knowledge of the same contacts gives."""

from __future__ import annotations

import pytest

from hunet.studies.papers.mops.learned import draw_learned, learned
from tests.protocols.test_mops_live import nodes_of, two_groups

pytestmark = pytest.mark.interpreted


def test_nodes_come_to_agree_with_full_knowledge() -> None:
    early, late = rows = learned(two_groups(24), nodes_of(8), (0.1, 1.0), people=12)
    assert [row["share"] for row in rows] == [0.1, 1.0]
    assert early["alike"] < late["alike"] == 1.0
    assert early["communities_learned"] != early["communities_given"]
    for what in ("communities", "largest", "brokers"):
        assert late[f"{what}_learned"] == late[f"{what}_given"] > 0
    assert late["brokers_both"] == late["brokers_given"]
    assert len(draw_learned("what nodes learn", rows).axes) == 3
