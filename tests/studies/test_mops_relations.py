"""How claims of MOPS about paths and communities are judged, on invented shares of hops."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest

from hunet.studies.claims.verdict import Verdict, Word
from hunet.studies.papers.evidence import judge_all
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.mops.evidence import MopsEvidence
from hunet.studies.papers.mops.paths import COUNTED, hops_of_best_paths, links_by_threshold
from hunet.studies.papers.mops.runs import DEFAULTS, READ
from hunet.studies.papers.mops.trace_claims import TRACE_CLAIMS
from hunet.studies.papers.traces import INFOCOM05, REALITY, TITLES, Kind, PaperTrace
from hunet.studies.tables import Table
from hunet.traces.generators.conference import CONFERENCE, ConferenceSettings

NOTHING = pa.table({}), pa.table({})
SHARES = {
    (INFOCOM05, "both"): (0.19, 0.76, 0.02),
    (INFOCOM05, "inner"): (0.12, 0.83, 0.02),
    (REALITY, "both"): (0.60, 0.31, 0.2),
    (REALITY, "inner"): (0.06, 0.81, 0.2),
}
"""Direct, of two hops, of more than three."""
HOPS: Table = [
    {
        "dataset": TITLES[key],
        "boundary": boundary,
        "frac": part,
        "min_len": lengths,
        **dict(zip(("direct", "two_hop", "beyond_three"), SHARES[key, boundary], strict=True)),
        "direct_of_met": 0.5,
        "two_hop_of_met": 0.5,
    }
    for key in (INFOCOM05, REALITY)
    for boundary, lengths, part in COUNTED
]
SIZES: Table = [{"dataset": TITLES[REALITY], "nodes": 96, "rows": 64_184, "days": 246.0}]
THRESHOLDS: Table = [
    {"dataset": TITLES[INFOCOM05], "T": T, "communities": int(10 * T), "inside": inside}
    for T, inside in ((0.5, 0.8), (0.7, 0.9), (0.9, 0.85))
]


def judge(kind: Kind) -> dict[str, Verdict]:
    on = [PaperTrace(key, TITLES[key], kind, NOTHING) for key in (INFOCOM05, REALITY)]
    runs = pd.DataFrame(columns=["on", "protocol", "seed", *DEFAULTS, *READ, "measure", "value"])
    evidence = MopsEvidence({"MOPS-hops": HOPS, "MOPS-thresholds": THRESHOLDS, "MOPS-T1": SIZES}, Measured(on, runs))
    judges = [judge for judge in TRACE_CLAIMS if judge.claim < "MOPS-10"]
    return {verdict.claim: verdict for verdict in judge_all(judges, evidence)}


@pytest.fixture(scope="module")
def judged() -> dict[str, Verdict]:
    return judge(Kind.STORED)


def test_shares_are_compared_with_what_is_printed(judged: dict[str, Verdict]) -> None:
    assert {claim: verdict.word for claim, verdict in judged.items()} == {
        "MOPS-06": Word.DOES_NOT_HOLD,
        "MOPS-07": Word.NEEDS_DATA,
        "MOPS-08": Word.PARTLY_ON_SURROGATE,
        "MOPS-09": Word.PARTLY,
    }
    assert judged["MOPS-06"].on == ("Infocom05",)
    assert judged["MOPS-08"].on == ("Infocom05", "Reality")


def test_a_share_that_only_inner_gaps_give_names_that_reading(judged: dict[str, Verdict]) -> None:
    helped = [one.where for one in judged["MOPS-06"].readings if one.word is Word.HOLDS]
    assert helped
    assert all("AMB-40" in where for where in helped)


def test_nothing_is_concluded_from_traces_that_stand_in_for_the_papers() -> None:
    found = judge(Kind.STAND_IN)
    assert {found[claim].word for claim in ("MOPS-06", "MOPS-07", "MOPS-08")} == {Word.NEEDS_DATA}
    assert {found[claim].on for claim in ("MOPS-06", "MOPS-07", "MOPS-08")} == {()}


def test_the_tables_have_a_row_for_each_trace_and_reading() -> None:
    made = CONFERENCE.generate(ConferenceSettings(nodes=12, days=1, acquaintances=8), 1)
    traces = [PaperTrace("small", "small", Kind.GENERATED, (made.contacts, made.nodes))]
    found = hops_of_best_paths(traces)
    assert [(row["boundary"], row["min_len"], row["frac"]) for row in found] == list(COUNTED)
    assert all(0 <= row["direct"] <= 1 for row in found)
    assert [row["T"] for row in links_by_threshold(traces)] == [0.1, 0.3, 0.5, 0.7, 0.8, 0.9]
