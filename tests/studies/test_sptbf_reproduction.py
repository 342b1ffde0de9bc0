"""`hunet reproduce sptbf`: how runs become figures, and in `make test-all` the whole command."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hunet.studies.papers.sptbf.evaluation import percents, sensitivity, sizes
from hunet.studies.sharing import savings_of
from hunet.sweeps.compaction import Sweep
from tests.golden.reproduction import Reproduced

MEASURES = {
    "bytes": 0.0,
    "bytes_with_headers": 0.0,
    "context_bytes": 0.0,
    "values": 100.0,
    "own_values": 0.0,
    "coverage": 1.0,
    "coverage_now": 1.0,
    "neighbours": 3.0,
    "bytes_where_heard": 1.0,
    "unheard_share": 0.0,
}
SHARED = {"arena": "dense", "allocation": "percent", "amount": 10, "hops": 3, "seed": 1}
READINGS = {"range": 250.0, "period": 5.0, "lifetime": 30, "m": 100, "k": 3, "loss": 0.0}
SAME = [*SHARED, "range", "period", "lifetime", "loss"]


def runs(*rows: dict[str, Any]) -> Sweep:
    """What a sweep of these runs would have handed back."""
    columns: list[dict[str, Any]] = [
        SHARED | READINGS | {"run": f"{i}", "error": None} | row for i, row in enumerate(rows)
    ]
    about = [{name: value for name, value in row.items() if name not in MEASURES} for row in columns]
    measures = [
        {"run": row["run"], "measure": name, "value": float(row.get(name, usual))}
        for row in columns
        for name, usual in MEASURES.items()
    ]
    return Sweep(Path(), pa.Table.from_pylist(about), pa.Table.from_pylist(measures))


def test_every_run_is_compared_with_the_agnostic_run_of_its_scenario() -> None:
    found = savings_of(
        runs(
            {"interests": "agnostic", "bytes": 1000, "coverage": 0.8},
            {"interests": "agnostic", "bytes": 500, "coverage": 0.9, "seed": 2},
            {"interests": "sptbf", "bytes": 600, "coverage": 0.8},
            {"interests": "sptbf", "bytes": 600, "coverage": 0.8, "seed": 2},
        ),
        SAME,
    )
    assert found["savings"].tolist() == pytest.approx([40.0, -20.0])
    assert found["relative_coverage"].tolist() == pytest.approx([1.0, 0.8 / 0.9])
    assert found["counts"].tolist() == [1.0, 0.0]
    table = percents(found)
    assert table["n_seeds"].tolist() == [2]
    assert table["savings"][0] == pytest.approx(10.0)
    assert math.isnan(table["savings_hi"][0]), "two seeds make no interval"


def test_lost_savings_and_false_positives_come_from_exact_sets() -> None:
    found = savings_of(
        runs(
            {"interests": "agnostic", "bytes": 1000, "context_bytes": 1000, "own_values": 100},
            {"interests": "exact", "bytes": 350, "context_bytes": 250, "own_values": 20},
            {"interests": "sptbf", "bytes": 500, "context_bytes": 400, "own_values": 36},
            {"interests": "sptbf", "bytes": 650, "context_bytes": 450, "own_values": 40, "m": 200},
        ),
        SAME,
    )
    table = sizes(found)
    assert table["m"].tolist() == [100, 200]
    assert table["lost_savings"].tolist() == pytest.approx([15.0, 20.0])
    assert table["bytes_exact_sets"].tolist() == pytest.approx([350.0, 450.0]), "with an interest summary of that size"
    assert table["fpr"].tolist() == pytest.approx([16 / 80, 20 / 80])


def test_readings_are_varied_one_at_a_time_on_the_same_seeds() -> None:
    rows = [
        {"interests": variant, "hops": 2, "range": radius, "seed": seed, "bytes": sent, "values": sent / 10}
        for radius, seeds in ((250.0, (1, 2, 3)), (100.0, (1, 2)))
        for seed in seeds
        for variant, sent in (("agnostic", 1000), ("sptbf", 500 + 100 * seed))
    ]
    table = sensitivity(savings_of(runs(*rows), SAME))
    ranges = table[table["reading"] == "range"].set_index("value")
    assert ranges["n_seeds"].to_dict() == {100.0: 2, 250.0: 2}
    assert ranges["savings"].tolist() == pytest.approx([35.0, 35.0])
    assert set(table[table["reading"] == "loss"]["value"]) == {0.0}
    items = table[table["reading"] == "value_bytes"].set_index("value")["savings"]
    assert items[4.0] == pytest.approx(35.0)
    assert not math.isnan(items[16.0])


@pytest.mark.slow
def test_every_figure_is_written_and_every_claim_judged(reproduced: Reproduced) -> None:
    folder = reproduced.folder / "sptbf"
    for name in ("SPTBF-F1", "SPTBF-F2", "SPTBF-F3", "SPTBF-T1", "SPTBF-F4", "SPTBF-F5", "SPTBF-F6", "AMB-67"):
        assert pq.read_table(folder / f"{name}.parquet").num_rows > 0
        assert (folder / f"{name}.csv").exists()
    for name in ("SPTBF-F3", "SPTBF-F4", "SPTBF-F5", "SPTBF-F6", "AMB-67"):
        assert (folder / f"{name}.png").stat().st_size > 5000
    figure: pd.DataFrame = pq.read_table(folder / "SPTBF-F4.parquet").to_pandas()
    assert (figure["n_seeds"] > 1).all()
    assert (figure["relative_coverage"] > 0.95).all()
    assert {"arena", "hop_limit", "percent", "bytes_agnostic", "bytes_sptbf", "savings"} <= set(figure.columns)
    assert list(reproduced.verdicts("sptbf")) == [f"SPTBF-{i:02d}" for i in range(1, 23)]
