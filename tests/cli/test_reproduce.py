"""`hunet reproduce`: the steps of a paper in their order, and what is printed of them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow.csv
import pytest
from typer.testing import CliRunner

from hunet.api import reproducing
from hunet.cli.main import app
from hunet.studies.claims.claim import claim_of
from hunet.studies.claims.judging import Found
from hunet.studies.claims.verdict import Verdict
from hunet.studies.papers.figures import Figure
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.reproduce import Paper
from hunet.studies.papers.traces import Traces


def test_steps_are_done_in_order_absent_traces_are_named_and_verdicts_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    seen: list[object] = []

    def judge(tables: object, measured: Measured) -> list[Verdict]:
        seen.append((tables, list(measured.runs["value"])))
        return [Found.of(False, "1 of 2").verdict("ZZ-02")]

    paper = Paper(
        "X (2020)",
        lambda _store, names, quick: Traces([], [f"{names} {quick} is not stored here"]),
        lambda _traces, _quick: [Figure("X-F1", "One.", lambda: [{"a": 1}])],
        lambda *_: Measured([], pd.DataFrame({"value": [7]})),
        lambda measured, _tables: [Figure("X-F2", "Two.", lambda: measured.runs)],
        {"ZZ-01": lambda: Found.of(True, "1 of 1")},
        judge,
    )
    monkeypatch.setattr(reproducing, "PAPERS", {"x": paper, "y": paper})
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["reproduce", "x", "--quick", "--trace", "here", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert seen == [({"X-F1": [{"a": 1}]}, [7])]
    assert "['here'] True is not stored here" in done.stderr
    assert "1 holds, 1 does not hold, of 2 claims" in done.stdout
    assert f"report: {out / 'report.html'}" in done.stdout
    first, second = pyarrow.csv.read_csv(out / "claims.csv").to_pylist()
    assert (first["claim"], first["verdict"], first["measured"]) == ("ZZ-01", "holds", "1 of 1")
    assert first["about"] == claim_of("ZZ-01").wording
    assert second["verdict"] == "does not hold"
    assert pyarrow.csv.read_csv(out / "X-F2.csv").to_pylist() == [{"value": 7}]

    done = CliRunner().invoke(app, ["reproduce", "all", "--out", str(tmp_path / "both")])
    assert done.exit_code == 0, done.output
    assert "2 holds, 2 does not hold, of 4 claims" in done.stdout
    page = (tmp_path / "both" / "report.html").read_text()
    assert page.index("<h1>The papers, reproduced</h1>") < page.index(">X (2020), reproduced<")
    assert "Of 4 claims: 2 holds, 2 does not hold." in page
