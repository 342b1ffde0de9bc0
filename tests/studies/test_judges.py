"""Every claim that needs no simulation, asked of its judge again: it says what the ledger says.

What is asked for stands in the judge and nowhere else. Claims that simulations decide are judged by reproductions;
`test_judging.py` and `test_*_reproduction.py` have the tests of how.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from hunet.studies.claims.claim import claim_of
from hunet.studies.claims.judging import Found
from hunet.studies.claims.ledger import entries
from hunet.studies.claims.verdict import Verdict, Word
from hunet.studies.papers.evidence import judge_all
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.mops.evidence import MopsEvidence
from hunet.studies.papers.mops.runs import DEFAULTS, READ
from hunet.studies.papers.mops.structure_figures import computed as mops_figures
from hunet.studies.papers.mops.trace_claims import TRACE_CLAIMS
from hunet.studies.papers.papers import PAPERS
from hunet.studies.papers.traces import INFOCOM05, REALITY, TITLES, Kind, PaperTrace, Traces, generated_campus
from hunet.studies.papers.zigzag.claims import BY_TABLE
from hunet.studies.papers.zigzag.figures import computed as zigzag_figures
from tests.social.real_communities import Known, infocom05, reality
from tests.traces.stand_ins import StandIns

TIMED = ("BSUB10-60", "ZZ-F3a", "ZZ-F3b", "ZZ-F3c")
"""Claims about how long something takes, and tables of times: what else the machine does may decide them."""
MARKS = {
    # A protocol is called from Python, or a loop is compiled that nothing else needs.
    **dict.fromkeys(("MOPS-17", "MOPS-18", "MOPS-21"), pytest.mark.compiles),
    "BSUB10-20": pytest.mark.slow,  # sends 16,854 messages
}


@cache
def ledger() -> dict[str, Word]:
    return {entry.id: entry.verdict for entry in entries()}


def alone(claim: str) -> dict[str, Found]:
    return {claim: PAPERS[claim_of(claim).paper].alone[claim]()}


def by_table(name: str) -> dict[str, Found]:
    (table,) = (figure.table() for figure in zigzag_figures(Traces([]), True) if figure.id == name)
    assert isinstance(table, list)
    return BY_TABLE[name](table)


JUDGES: dict[str, Callable[[], dict[str, Found]]] = {
    **{claim: partial(alone, claim) for paper in PAPERS.values() for claim in paper.alone},
    **{name: partial(by_table, name) for name in BY_TABLE},
}


@pytest.mark.parametrize(
    "judge",
    [pytest.param(judge, id=name, marks=MARKS.get(name, ())) for name, judge in JUDGES.items() if name not in TIMED],
)
def test_a_judge_says_of_its_claim_what_the_ledger_says(judge: Callable[[], dict[str, Found]]) -> None:
    found = judge()
    assert {claim: one.word for claim, one in found.items()} == {claim: ledger()[claim] for claim in found}
    assert all(one.measured for one in found.values())


def judged_on(folder: Path) -> dict[str, Verdict]:
    """What [mops] claims of its traces, judged without any run."""

    def trace(key: str, known: Known) -> PaperTrace:
        nodes = pa.table({"node": range(known.nodes)})
        return PaperTrace(key, TITLES[key], Kind.STORED, (known.contacts, nodes), known.rows)

    found = [trace(INFOCOM05, infocom05(folder)), trace(REALITY, reality(folder)), generated_campus()]
    tables: dict[str, Any] = {figure.id: figure.table() for figure in mops_figures(Traces(found), True)}
    runs = pd.DataFrame(columns=["on", "protocol", "seed", *DEFAULTS, *READ, "measure", "value"])
    evidence = MopsEvidence(tables, Measured(found, runs))
    return {verdict.claim: verdict for verdict in judge_all(TRACE_CLAIMS, evidence)}


@pytest.fixture(scope="module")
def on_real_traces(real_traces: Path) -> dict[str, Verdict]:
    return judged_on(real_traces)


def test_every_claim_about_traces_is_judged_on_what_stands_in_for_them(stand_ins: StandIns) -> None:
    found = judged_on(stand_ins.folder)
    assert set(found) == {judge.claim for judge in TRACE_CLAIMS}
    assert all(verdict.measured for verdict in found.values())


@pytest.mark.parametrize("claim", [judge.claim for judge in TRACE_CLAIMS])
def test_a_judge_says_of_a_claim_about_traces_what_the_ledger_says(
    claim: str, on_real_traces: dict[str, Verdict]
) -> None:
    assert on_real_traces[claim].word is ledger()[claim]
