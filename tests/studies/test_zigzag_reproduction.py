"""`hunet reproduce zigzag`: means over seeds, and in `make test-all` the whole command."""

from __future__ import annotations

import math
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from hunet.cli.main import app
from hunet.model.errors import InvalidValueError
from hunet.studies.papers.traces import Traces
from hunet.studies.papers.zigzag.figures import computed
from hunet.studies.papers.zigzag.routing import simulate_ranges
from hunet.studies.statistics import over_seeds
from hunet.traces.generators.conference import CONFERENCE, ConferenceSettings
from tests.golden.reproduction import Reproduced


def test_measured_numbers_become_means_with_intervals_and_the_rest_stays() -> None:
    rows = over_seeds([[{"dim": 2, "workload": "w", "rate": rate}] for rate in (1.0, 2.0, 3.0)])
    half = 4.303 / math.sqrt(3)
    assert rows == [
        {
            "dim": 2,
            "workload": "w",
            "rate": 2.0,
            "rate_lo": pytest.approx(2.0 - half, abs=1e-3),
            "rate_hi": pytest.approx(2.0 + half, abs=1e-3),
            "n_seeds": 3,
        }
    ]


def test_an_unknown_paper_or_trace_is_refused_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    wrong = CliRunner().invoke(app, ["reproduce", "zigzak", "--out", str(tmp_path / "out")])
    assert isinstance(wrong.exception, InvalidValueError)
    assert "did you mean 'zigzag'?" in str(wrong.exception)
    wrong = CliRunner().invoke(app, ["reproduce", "zigzag", "--trace", "nowhere", "--out", str(tmp_path / "out")])
    assert "nowhere" in str(wrong.exception)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_all_protocols_are_measured_by_the_same_true_deliveries() -> None:
    made = CONFERENCE.generate(ConferenceSettings(nodes=40, days=1, acquaintances=30), 1)
    found = {name: simulate_ranges((made.contacts, made.nodes), name, {}, 1) for name in ("push", "zigzag")}
    assert found["push"]["wanted"] == found["zigzag"]["wanted"] > 100
    assert 0 < found["zigzag"]["delivery_ratio"] <= found["push"]["delivery_ratio"]
    assert found["zigzag"]["forwards"] < found["push"]["forwards"]


@pytest.mark.slow
def test_every_figure_is_written_and_every_claim_judged(reproduced: Reproduced) -> None:
    folder = reproduced.folder / "zigzag"
    assert "Infocom05 is not stored here; a conference for Infocom05 (generated) stands in for it" in reproduced.told
    for figure in computed(Traces([]), True):
        name = figure.id
        assert pq.read_table(folder / f"{name}.parquet").num_rows > 0
        assert (folder / f"{name}.csv").exists()
        assert (folder / f"{name}.png").stat().st_size > 5000
    routing = pq.read_table(folder / "ZZ-R1.parquet").to_pandas()
    assert set(routing["scheme"]) == {"push", "pull", "bsub13", "zigzag"}
    assert (routing["n_seeds"] > 1).all()
    assert list(reproduced.verdicts("zigzag")) == [f"ZZ-{i:02d}" for i in range(1, 37) if i != 3]
