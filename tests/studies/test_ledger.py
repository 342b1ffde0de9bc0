"""The ledger: complete, computed, shipped with its page up to date; and how it is written anew."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from hunet.studies.claims.claim import all_claims
from hunet.studies.claims.ledger import counts, entries, record, source_of, sources
from hunet.studies.claims.page import page
from hunet.studies.claims.verdict import Verdict, Word
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
    assert {claim for claim in left if not claim.startswith(("SPTBF", "ZZ"))} == {"BSUB13-13"}


def test_the_page_of_the_docs_is_what_the_ledger_says() -> None:
    text = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    assert text == page(entries(), sources()), "make claims"


def test_verdicts_are_stored_by_paper_and_replace_those_of_the_paper(tmp_path: Path) -> None:
    stored = tmp_path / "verdicts.json"
    assert {entry.verdict for entry in entries(stored)} == {Word.NOT_COMPUTED, Word.NEEDS_DATA}
    traces = {"Infocom05": (41, 17_712)}
    first = [Verdict("ZZ-01", Word.DOES_NOT_HOLD, "11"), Verdict("ZZ-02", Word.HOLDS, "16 of 16")]
    record(source_of("zigzag", True, 3, traces), first, stored)
    record(source_of("mops", False, None, {}), [Verdict("MOPS-24", Word.NEEDS_DATA, "not there")], stored)
    record(source_of("zigzag", False, 10, traces), [Verdict("ZZ-01", Word.PARTLY, "12", "AMB-70")], stored)
    at = {entry.id: entry for entry in entries(stored)}
    assert (at["ZZ-01"].verdict, at["ZZ-01"].measured, at["ZZ-01"].reading) == ("partly", "12", "AMB-70")
    assert at["ZZ-02"].verdict is Word.NOT_COMPUTED
    assert at["MOPS-24"].verdict == "needs data"
    assert [(one.paper, one.quick, one.seeds) for one in sources(stored)] == [
        ("mops", False, None),
        ("zigzag", False, 10),
    ]
    assert counts(entries(stored))["zigzag"] == {Word.PARTLY: 1, Word.NOT_COMPUTED: 35}


def test_a_file_with_the_words_of_before_is_still_read(tmp_path: Path) -> None:
    stored = tmp_path / "verdicts.json"
    words = {"ZZ-01": "fails", "ZZ-02": "not judged", "ZZ-03": "holds"}
    claims = {claim: {"verdict": word, "measured": "1", "reading": ""} for claim, word in words.items()}
    stored.write_text(json.dumps({"zigzag": {"claims": claims}}), encoding="utf-8")
    found = {entry.id: entry.verdict for entry in entries(stored) if entry.id in words}
    assert found == {"ZZ-01": Word.DOES_NOT_HOLD, "ZZ-02": Word.NEEDS_DATA, "ZZ-03": Word.HOLDS}


def test_the_page_keeps_marks_in_claims_from_being_taken_for_markup() -> None:
    odd = entries()[0]._replace(measured="a | b * c [d] <e>")
    row = next(line for line in page([odd], []).splitlines() if line.startswith("| BSUB10-01"))
    assert row.endswith(r"a \| b \* c \[d] \<e> |")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hunet.cli", "claims", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_prints_what_is_asked_for_as_table_or_json() -> None:
    found = json.loads(run("--json", "--paper", "bsub10", "--verdict", "erratum").stdout)
    assert {entry["id"] for entry in found} >= {"BSUB10-13", "BSUB10-23", "BSUB10-58"}
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
