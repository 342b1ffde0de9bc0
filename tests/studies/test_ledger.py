"""The ledger: complete, computed, shipped with its page up to date; and how it is written anew."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from hunet.studies.claims.claim import all_claims
from hunet.studies.claims.errata import errata_of
from hunet.studies.claims.judging import Found
from hunet.studies.claims.ledger import counts, entries, record, source_of, sources, verdicts
from hunet.studies.claims.page import page
from hunet.studies.claims.verdict import Word
from hunet.studies.papers.bsub10.claims import CLAIMS as BSUB10_CLAIMS
from hunet.studies.papers.bsub13.claims import CLAIMS as BSUB13_CLAIMS
from hunet.studies.papers.mops.claims import CLAIMS as MOPS_CLAIMS
from hunet.studies.papers.papers import PAPERS

ROOT = Path(__file__).parents[2]
SIZES = {"bsub10": 60, "bsub13": 36, "mops": 42, "sptbf": 22, "zigzag": 36}


def test_the_ledger_has_196_claims_each_with_one_of_the_verdicts() -> None:
    found = entries()
    assert Counter(entry.paper for entry in found) == SIZES
    assert len({entry.id for entry in found}) == 196
    for entry in found:
        assert entry.claim
        assert entry.kind in ("example", "number", "relation", "trend")
        assert bool(entry.measured) == (entry.verdict is not Word.NOT_COMPUTED)


def test_every_claim_is_judged_once_or_needs_data() -> None:
    """What tables and evaluations of SpTBF and ZigZag decide is counted where they are reproduced."""
    judged = [claim for paper in PAPERS.values() for claim in paper.alone]
    judged += [judge.claim for judge in (*BSUB10_CLAIMS, *BSUB13_CLAIMS)]
    judged += [judge.claim for judge in MOPS_CLAIMS]
    assert len(judged) == len(set(judged))
    assert set(judged) <= all_claims().keys()
    left = all_claims().keys() - set(judged)
    assert {claim for claim in left if not claim.startswith(("SPTBF", "ZZ"))} == {"BSUB10-11", "BSUB13-04", "BSUB13-13"}
    assert {claim for claim in left if all_claims()[claim].data.startswith("not published: ")} >= {"BSUB13-13", "ZZ-03"}


def test_the_page_of_the_docs_is_what_the_ledger_says() -> None:
    text = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    assert text == page(entries(), sources()), "make claims"
    assert all(one.seeds for one in sources())


def test_verdicts_are_stored_by_paper_and_replace_those_of_the_paper(tmp_path: Path) -> None:
    stored = tmp_path / "verdicts.json"
    assert {entry.verdict for entry in entries(stored)} == {Word.NOT_COMPUTED, Word.NEEDS_DATA}
    traces = {"Infocom05": (41, 17_712)}
    first = [Found.of(False, "11").verdict("ZZ-01"), Found.of(True, "16 of 16").verdict("ZZ-02")]
    record(source_of("zigzag", True, False, 3, traces), first, stored)
    record(source_of("mops", False, False, None, {}), [Found.needs_data("not there").verdict("MOPS-24")], stored)
    now = Found.all({"a": (True, "12"), "b": (False, "13")}).verdict("ZZ-01")
    record(source_of("zigzag", False, True, 10, traces), [now], stored)
    at = {entry.id: entry for entry in entries(stored)}
    assert (at["ZZ-01"].verdict, at["ZZ-01"].measured) == ("partly", "a: yes, 12; b: no, 13")
    assert verdicts(stored)["ZZ-01"] == now
    assert at["ZZ-02"].verdict is Word.NOT_COMPUTED
    assert (at["MOPS-24"].verdict, at["MOPS-24"].measured) == ("needs data", "not there")
    assert [(one.paper, one.quick, one.seeds) for one in sources(stored)] == [
        ("mops", False, None),
        ("zigzag", False, 10),
    ]
    assert counts(entries(stored))["zigzag"] == {Word.PARTLY: 1, Word.NOT_COMPUTED: 34, Word.NEEDS_DATA: 1}


def test_a_partly_names_the_parts_that_hold_and_those_that_do_not() -> None:
    for claim, verdict in verdicts().items():
        if verdict.word.plain is Word.PARTLY and len(verdict.parts) > 1:
            assert {part.word for part in verdict.parts} == {Word.HOLDS, Word.DOES_NOT_HOLD}, claim
            assert all(part.asked and part.figure for part in verdict.parts), claim


def test_an_erratum_is_one_of_those_that_the_pages_of_the_papers_explain() -> None:
    known = {erratum["id"] for erratum in errata_of(SIZES)}
    named = {
        claim: set(re.findall(r"ERR-\d\d", one.measured))
        for claim, one in verdicts().items()
        if one.word is Word.ERRATUM
    }
    assert all(some and some <= known for some in named.values()), named


def test_the_page_keeps_marks_in_claims_from_being_taken_for_markup() -> None:
    odd = entries()[0]._replace(measured="a | b * c [d] <e>")
    row = next(line for line in page([odd], []).splitlines() if line.startswith("| BSUB10-01"))
    assert r"| a \| b \* c \[d] \<e> |" in row


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hunet.cli", "claims", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_prints_what_is_asked_for_as_table_or_json() -> None:
    found = json.loads(run("--json", "--paper", "bsub10", "--verdict", "erratum").stdout)
    assert {entry["id"] for entry in found} >= {"BSUB10-13", "BSUB10-23"}
    assert {entry["verdict"] for entry in found} == {"erratum"}
    shown = run("--paper", "bsub10", "--verdict", "erratum").stdout
    assert "BSUB10-13" in shown
    assert f"{len(found)} erratum, of {len(found)} claims" in shown


@pytest.mark.parametrize(
    ("option", "value", "nearest"), [("--paper", "bsub01", "bsub10"), ("--verdict", "errata", "erratum")]
)
def test_an_unknown_name_is_refused_with_the_nearest(option: str, value: str, nearest: str) -> None:
    result = run(option, value)
    assert result.returncode == 1
    assert nearest in result.stderr
