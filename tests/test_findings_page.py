"""`docs/findings.md`: its commands run, and its counts are the ledger's."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hunet.cli.main import app
from hunet.studies.claims.ledger import entries
from hunet.studies.claims.verdict import Word

PAGE = (Path(__file__).parents[1] / "docs" / "findings.md").read_text(encoding="utf-8")


def test_its_commands_do_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    commands = re.findall(r"^    hunet (.+)$", PAGE, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        done = CliRunner().invoke(app, shlex.split(command))
        assert done.exit_code == 0, f"{command}: {done.output}"
    assert (tmp_path / "out" / "two" / "report.html").is_file()


def test_its_counts_are_those_of_the_ledger() -> None:
    head, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.splitlines()
        if line.startswith("| paper |") or re.match(r"\| (\[|all )", line)
    ]
    found = entries()
    by_paper = {paper: Counter(entry.verdict.value for entry in found if entry.paper == paper) for paper in
                dict.fromkeys(entry.paper for entry in found)}  # fmt: skip
    expected = [*by_paper.values(), Counter(entry.verdict.value for entry in found)]
    assert [[int(cell) for cell in row[1:]] for row in rows] == [[one[word] for word in head[1:]] for one in expected]
    assert sum(sum(one[word] for word in head[1:]) for one in expected[:-1]) == len(found)


def test_claims_it_names_have_the_verdict_of_their_heading() -> None:
    verdicts = {entry.id: entry.verdict for entry in entries()}
    section = PAGE.split("## What does not, and why")[1].split("\n## ")[0]
    failed = (Word.PARTLY, Word.DOES_NOT_HOLD)
    assert {claim: verdicts[claim] for claim in _named(section) if verdicts[claim].plain not in failed} == {}
    unknown = PAGE.split("## What we could not know")[1].split("\n## ")[0]
    assert set(_named(unknown)) == {claim for claim, word in verdicts.items() if word is Word.NEEDS_DATA}


def _named(text: str) -> list[str]:
    """Claims that a text names: BSUB10-44, 52 are two."""
    named = re.findall(r"\b(BSUB10|BSUB13|MOPS|SPTBF|ZZ)-(\d\d)((?:, \d\d)*)", text)
    ids = [f"{paper}-{number}" for paper, first, more in named for number in (first, *re.findall(r"\d\d", more))]
    assert ids
    return ids
