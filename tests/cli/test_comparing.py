"""`hunet compare` as it is typed; protocols run uncompiled, which is quicker for so few contacts."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from hunet.cli.main import app
from hunet.studies.comparison import COMPARED
from hunet.traces.generators.conference import CONFERENCE
from hunet.traces.store import TraceStore


def test_every_protocol_is_compared_on_every_trace_and_the_report_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    for seed, name in ((1, "one"), (2, "two")):
        made = CONFERENCE.generate(CONFERENCE.settings(nodes=4, days=1, acquaintances=3, contacts_per_day=20), seed)
        with TraceStore(tmp_path).write_version(name) as draft:
            draft.write("contacts", made.contacts)
            draft.write("nodes", made.nodes)
            draft.describe(origin="drawn by chance", surrogate=name == "two")
    out = tmp_path / "out"
    command = [sys.executable, "-m", "hunet.cli", "compare", "one", "two", "--seeds", "3", "--out", str(out), "--json"]
    command += [
        "--buffer",
        "50",
        "--ttl",
        "8h",
        "--own-inside",
        *(word for name in COMPARED for word in ("--protocol", name)),
    ]
    command += ["--protocol", "spray:copies=2"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert [(row["protocol"], row["trace"]) for row in rows] == [
        (name, trace) for name in (*COMPARED, "spray:copies=2", "clairvoyant") for trace in ("one", "two (surrogate)")
    ]
    assert pq.read_metadata(out / "runs" / "runs.parquet").num_rows == 3 * len(rows)  # kept, by seed
    push = {row["trace"]: row for row in rows if row["protocol"] == "push"}
    assert all(row["delivery_ratio"] <= push[row["trace"]]["delivery_ratio"] for row in rows)
    best = {row["trace"]: row for row in rows if row["protocol"] == "clairvoyant"}
    for row in rows:
        assert row["delivered_within_4h"] <= best[row["trace"]]["delivered_within_4h"]
    assert all(row["forwards_per_delivery"] < push[trace]["forwards_per_delivery"] for trace, row in best.items())
    runs = pq.read_table(out / "runs" / "runs.parquet").to_pandas()
    simulated = runs[runs["experiment"] == "simulate"]
    assert (simulated["buffer"] == 50).all()
    assert (simulated["ttl"] == 8 * 3600).all()
    assert not simulated["own_outside"].astype(bool).any()
    assert all(row["delivery_ratio_low"] <= row["delivery_ratio"] <= row["delivery_ratio_high"] for row in rows)
    with (out / "comparison.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == len(rows)
    reported = CliRunner().invoke(app, ["report", str(out)])
    assert reported.exit_code == 0, reported.exception
    page = (out / "report.html").read_text(encoding="utf-8")
    for part in (
        f"{len(COMPARED) + 1} protocols on 2 traces",
        "two (surrogate)",
        "drawn by chance",
        "ERR-14",
        "messages every",
    ):
        assert part in page
