"""`hunet reproduce`: the steps of a paper in their order, and what is printed of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pandas as pd
import pyarrow.csv
import pytest
from typer.testing import CliRunner

from hunet.api import reproducing
from hunet.cli.main import app
from hunet.model.errors import StudyError
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


def paper_of(figure: Callable[[], Any], measure: Callable[..., Measured]) -> Paper:
    """A paper with one figure and some simulations."""
    return Paper(
        "X (2020)",
        lambda *_: Traces([], []),
        lambda *_: [Figure("X-F1", "One.", figure)],
        measure,
        lambda *_: [],
        {"ZZ-01": lambda: Found.of(True, "1 of 1")},
        lambda *_: [],
    )


NOTHING = Measured([], pd.DataFrame({"value": []}))


def reproduced(folder: Path, monkeypatch: pytest.MonkeyPatch, **asked: Paper) -> Any:
    monkeypatch.setenv("HUNET_HOME", str(folder))
    monkeypatch.setattr(reproducing, "PAPERS", asked)
    return CliRunner().invoke(app, ["reproduce", "all", "--out", str(folder / "out")])


def test_figures_are_computed_while_simulations_of_this_and_of_later_papers_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, drawn = Event(), Event()

    def figure() -> Any:
        assert begun.wait(20), "no simulation began meanwhile"
        drawn.set()
        return [{"a": 1}]

    def measure(*_: object) -> Measured:
        begun.set()
        assert drawn.wait(20), "no figure was computed meanwhile"
        return NOTHING

    first, second = paper_of(lambda: [{"a": 1}], lambda *_: NOTHING), paper_of(figure, measure)
    done = reproduced(tmp_path, monkeypatch, x=first, y=second)
    assert done.exit_code == 0, done.output
    assert "x is reproduced, 1 of 2 papers" in done.stderr
    assert "y is reproduced, 2 of 2 papers" in done.stderr


def test_an_interruption_ends_simulations_too_and_says_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, ended = Event(), Event()

    def interrupted() -> Any:
        assert running.wait(20)
        raise KeyboardInterrupt

    def measure(
        _traces: Traces, _quick: bool, _folder: Path, _runner: object, progress: Callable[..., None]
    ) -> Measured:
        try:
            for _ in range(2000):
                progress(1, 0, 2)
                running.set()
                time.sleep(0.01)
        except BaseException:
            ended.set()
            raise
        return NOTHING

    done = reproduced(tmp_path, monkeypatch, x=paper_of(interrupted, measure))
    assert done.exit_code == 130
    assert ended.is_set()
    kept = f"1 of 2 runs are done and kept in {tmp_path / 'out' / 'x' / 'runs'}"
    assert done.stderr.splitlines()[-1] == f"stopped: {kept}; the same command goes on from there"


def test_what_fails_in_simulations_ends_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(*_: object) -> Measured:
        raise StudyError("3 of 4 simulations failed")

    done = reproduced(tmp_path, monkeypatch, x=paper_of(lambda: [{"a": 1}], measure))
    assert isinstance(done.exception, StudyError)
