"""The claims of MOPS that need no simulation, judged on its example and on invented shares of hops."""

from __future__ import annotations

import pytest

from hunet.studies.claims.verdict import Verdict
from hunet.studies.papers.mops.example import closeness_of_contacts, weights
from hunet.studies.papers.mops.paths import hops_of_best_paths, links_by_threshold
from hunet.studies.papers.mops.relations import relations
from hunet.studies.papers.reproduction import Table, Traces
from hunet.studies.papers.traces import INFOCOM05, REALITY
from hunet.traces.generators.conference import CONFERENCE, ConferenceSettings


def hops(dataset: str, boundary: str, direct: float, two: float, beyond: float) -> dict[str, object]:
    shares = {"direct": direct, "two_hop": two, "rest": 1 - direct - two, "beyond_three": beyond}
    lengths = "any" if boundary == "both" else "above 0"
    return {"dataset": dataset, "boundary": boundary, "frac": 0.4, "min_len": lengths, **shares}


HOPS: Table = [
    hops(INFOCOM05, "both", 0.19, 0.76, 0.02),
    hops(INFOCOM05, "inner", 0.12, 0.83, 0.02),
    hops(REALITY, "both", 0.60, 0.31, 0.2),
    hops(REALITY, "inner", 0.06, 0.81, 0.2),
]
THRESHOLDS: Table = [
    {"dataset": INFOCOM05, "T": T, "communities": int(10 * T), "inside": inside}
    for T, inside in ((0.5, 0.8), (0.7, 0.9), (0.9, 0.85))
]


@pytest.fixture(scope="module")
def judged() -> dict[str, Verdict]:
    tables = {"MOPS-F2": closeness_of_contacts(), "MOPS-F5-F6": weights()}
    found = relations({**tables, "MOPS-hops": HOPS, "MOPS-thresholds": THRESHOLDS})
    return {verdict.claim: verdict for verdict in found}


def test_relations_and_examples_hold_but_for_the_errata(judged: dict[str, Verdict]) -> None:
    words = {claim: verdict.verdict for claim, verdict in judged.items()}
    examples = dict.fromkeys(
        ("MOPS-01", "MOPS-02", "MOPS-04", "MOPS-05", "MOPS-14", "MOPS-15", "MOPS-16", "MOPS-26"), "holds"
    )
    invariants = dict.fromkeys(("MOPS-10", "MOPS-11", "MOPS-12", "MOPS-22", "MOPS-23"), "holds")
    errata = dict.fromkeys(("MOPS-03", "MOPS-13", "MOPS-20"), "erratum")
    assert words == examples | invariants | errata | {
        "MOPS-06": "partly",
        "MOPS-07": "holds",
        "MOPS-08": "partly",
        "MOPS-09": "partly",
        "MOPS-19": "partly",
    }


def test_a_share_that_only_inner_gaps_give_names_that_reading(judged: dict[str, Verdict]) -> None:
    assert "AMB-40" in judged["MOPS-06"].reading
    assert judged["MOPS-07"].reading == ""


def test_the_tables_have_a_row_for_each_trace_and_reading() -> None:
    made = CONFERENCE.generate(ConferenceSettings(nodes=12, days=1, acquaintances=8), 1)
    traces = Traces({"small": (made.contacts, made.nodes)})
    found = hops_of_best_paths(traces)
    assert {(row["boundary"], row["frac"]) for row in found} == {
        ("both", 0.4),
        ("both", 1.0),
        ("inner", 0.4),
        ("inner", 1.0),
    }
    assert all(0 <= row["direct"] <= 1 for row in found)
    assert [row["T"] for row in links_by_threshold(traces)] == [0.1, 0.3, 0.5, 0.7, 0.8, 0.9]
