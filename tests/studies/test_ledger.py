"""The ledger: complete, computed, shipped with its page up to date; and how it is written anew."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from hunet.studies.claims.ledger import CLAIMS, NOT_COMPUTED, WORDS, counts, entries, record, source_of, sources
from hunet.studies.claims.page import page
from hunet.studies.claims.verdict import Verdict
from hunet.studies.papers.bsub10.claims import CLAIMS as BSUB10_CLAIMS
from hunet.studies.papers.bsub10.relations import RELATIONS as BSUB10_RELATIONS
from hunet.studies.papers.bsub13.claims import CLAIMS as BSUB13_CLAIMS
from hunet.studies.papers.bsub13.relations import RELATIONS as BSUB13_RELATIONS

ROOT = Path(__file__).parents[2]
SIZES = {"bsub10": 60, "bsub13": 36, "mops": 42, "sptbf": 22, "zigzag": 36}


def test_the_ledger_has_196_claims_each_with_one_of_the_verdicts() -> None:
    found = entries()
    assert Counter(entry.paper for entry in found) == SIZES
    assert len({entry.id for entry in found}) == 196
    assert {entry.verdict for entry in found} <= set(WORDS)
    for entry in found:
        assert entry.claim
        assert entry.kind in ("example", "number", "relation", "trend")
        assert bool(entry.measured) == (entry.verdict != NOT_COMPUTED)


def test_every_claim_of_b_sub_is_judged_once_or_needs_data() -> None:
    judged = [*BSUB10_RELATIONS, *BSUB13_RELATIONS, *(claim.id for claim in (*BSUB10_CLAIMS, *BSUB13_CLAIMS))]
    ids = [entry.id for entry in entries() if entry.paper.startswith("bsub")]
    assert sorted([*judged, "BSUB13-13"]) == sorted(ids)


def test_the_page_of_the_docs_is_what_the_ledger_says() -> None:
    text = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    assert text == page(entries(), sources()), "make claims"


def test_verdicts_are_stored_by_paper_and_replace_those_of_the_paper(tmp_path: Path) -> None:
    stored = tmp_path / "verdicts.json"
    assert {entry.verdict for entry in entries(stored)} == {NOT_COMPUTED, "needs data"}
    traces = {"Infocom05": (41, 17_712)}
    first = [Verdict("ZZ-01", "", "fails", "11"), Verdict("ZZ-02", "", "holds", "16 of 16")]
    record(source_of("zigzag", True, 3, traces), first, stored)
    record(source_of("mops", False, None, {}), [Verdict("MOPS-24", "", "not judged", "not there")], stored)
    record(source_of("zigzag", False, 10, traces), [Verdict("ZZ-01", "", "partly", "12", "AMB-70")], stored)
    at = {entry.id: entry for entry in entries(stored)}
    assert (at["ZZ-01"].verdict, at["ZZ-01"].measured, at["ZZ-01"].reading) == ("partly", "12", "AMB-70")
    assert at["ZZ-02"].verdict == NOT_COMPUTED
    assert at["MOPS-24"].verdict == "needs data"
    assert [(one.paper, one.quick, one.seeds) for one in sources(stored)] == [
        ("mops", False, None),
        ("zigzag", False, 10),
    ]
    assert counts(entries(stored))["zigzag"] == {"partly": 1, NOT_COMPUTED: 35}


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


def test_the_file_of_claims_is_sound() -> None:
    with CLAIMS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    assert {len(row) for row in rows} == {7}
