"""What MOPS says of the traces it is evaluated on (V-A); `hunet reproduce mops` judges the rest of its evaluation."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from hunet.sim.workload.profiles import workload_named
from hunet.studies.papers.mops.structure import community_hops, trace_facts
from hunet.studies.papers.reproduction import Table, Traces
from tests.claims.real_communities import Known, campus, infocom05, reality
from tests.sim.small_traces import TRIANGLE


def traces(**known: Known) -> Traces:
    return Traces(
        {name: (one.contacts, pa.table({"node": range(one.nodes)})) for name, one in known.items()},
        {name: one.rows for name, one in known.items()},
    )


def facts(known: Known) -> dict[str, float]:
    (found,) = trace_facts(traces(it=known))
    return found


def test_MOPS_24_infocom05_has_41_nodes_and_22459_rows_in_3_days(real_traces: Path) -> None:
    found = facts(infocom05(real_traces))
    assert (found["nodes"], found["rows"], round(found["days"])) == (41, 22_459, 3)
    assert (found["contacts"], found["no_length"]) == (17_712, 10_335)  # when both directions are united


def test_MOPS_25_the_public_reality_is_not_the_one_of_the_paper(real_traces: Path) -> None:
    found = facts(reality(real_traces))
    assert (found["nodes"], found["rows"], round(found["days"])) == (96, 64_184, 155)  # printed: 97, 54,667, 246


def test_MOPS_26_an_event_takes_10_seconds() -> None:
    load = workload_named("mops", TRIANGLE[0], 1)
    assert {8 * size for size in load.messages["size"].to_pylist()} <= {5_000_000}
    assert 5_000_000 / 8 / load.bytes_per_second == 10.0


def test_MOPS_39_nodes_meet_most_often_at_infocom05_and_least_in_reality(real_traces: Path) -> None:
    rates = [
        facts(known)["contacts_per_node_and_day"] for known in (infocom05(real_traces), campus(), reality(real_traces))
    ]
    assert rates == pytest.approx([293.7, 62.3, 8.65], rel=1e-2)


def test_MOPS_41_most_events_are_wanted_within_two_community_hops(real_traces: Path) -> None:
    found: Table = community_hops(traces(infocom05=infocom05(real_traces), reality=reality(real_traces)), 3)
    for name, least in (("infocom05", 0.99), ("reality", 0.96)):
        inside = sum(row["share"] for row in found if row["scope"] and row["dataset"] == name) / 3
        assert inside > least
