"""`hunet reproduce`: the steps of a paper in their order, and what is printed of them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow.csv
import pytest
from typer.testing import CliRunner

from hunet.cli.main import app
from hunet.studies.claims.verdict import Verdict
from hunet.studies.papers import papers
from hunet.studies.papers.reproduction import Paper, Traces


def test_steps_are_done_in_order_absent_traces_are_named_and_verdicts_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    seen: list[object] = []

    def judge(tables: object, measured: pd.DataFrame) -> list[Verdict]:
        seen.append((tables, list(measured["value"])))
        return [Verdict("X-01", "all is well", "holds", "1 of 1")]

    paper = Paper(
        lambda _store, names, quick: Traces({}, absent=[f"{names} {quick} is not stored here"]),
        lambda *_: {"X-F1": [{"a": 1}]},
        lambda _out, _traces, tables, *_: pd.DataFrame({"value": [len(tables)]}),
        judge,
    )
    monkeypatch.setattr(papers, "PAPERS", {"x": paper, "y": paper})
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["reproduce", "x", "--quick", "--trace", "here", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert seen == [({"X-F1": [{"a": 1}]}, [1])]
    assert "['here'] True is not stored here" in done.stderr
    assert "1 holds, of 1 claims" in done.stdout
    assert f"report: {out / 'report.html'}" in done.stdout
    assert pyarrow.csv.read_csv(out / "claims.csv").to_pylist()[0]["measured"] == "1 of 1"

    done = CliRunner().invoke(app, ["reproduce", "all", "--out", str(tmp_path / "both")])
    assert done.exit_code == 0, done.output
    assert "2 holds, of 2 claims" in done.stdout
    page = (tmp_path / "both" / "report.html").read_text()
    assert page.index("<h1>The papers, reproduced</h1>") < page.index(">x, reproduced<") < page.index(">y, reproduced<")
    assert "Of 2 claims: 2 holds." in page
