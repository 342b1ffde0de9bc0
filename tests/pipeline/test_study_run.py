"""`hunet study run`, interrupted on Spark here and finished on a Connect server.

Protocols run uncompiled here, which is quicker for so few contacts.
"""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hunet.sim.simulate import simulate
from hunet.studies.simulations import Simulation, trace_data
from hunet.sweeps.data import store_data
from hunet.sweeps.folder import SweepFolder
from hunet.sweeps.simulation import run, workload_data
from tests.pipeline.daemons import processes
from tests.sim.small_traces import TRIANGLE, workload
from tests.spark import environment_with_tests

STUDY = """\
name = "short"
seeds = 8
measures = ["delivery_ratio", "copies_ever_mean"]
deliveries = true

[[trace]]
generator = "conference"
nodes = 6
days = 1
acquaintances = 4
contacts_per_day = 60

[[protocol]]
name = "push"

[[protocol]]
name = "pull"
k = [2, 3]
"""


def start(folder: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "hunet.cli", "study", "run", "short.toml", *options]
    environment = environment_with_tests() | {"NUMBA_DISABLE_JIT": "1", "HUNET_HOME": str(folder)}
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


@pytest.mark.slow
def test_ctrl_c_stops_soon_and_the_same_command_goes_on(server: str, tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text(STUDY, encoding="utf-8")
    folder = SweepFolder(tmp_path / "out" / "short")
    with processes() as started:
        first = start(tmp_path, "--master", "local[2]")
        started.append(first)
        deadline = time.monotonic() + 120
        while len(folder.published()[0]) < 2:
            assert first.poll() is None, first.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        first.send_signal(signal.SIGINT)
        began = time.monotonic()
        printed, complaint = first.communicate(timeout=60)
        assert time.monotonic() - began < 20  # a few seconds, on a machine with nothing else to do
        assert first.returncode == 130
        assert printed == ""
        assert "kept in out/short; the same command goes on from there" in complaint
        assert "Traceback" not in complaint
        kept = folder.published()[0]
        assert 2 <= len(kept) < 24
        second = start(tmp_path, "--remote", server, "--json")
        started.append(second)
        printed, complaint = second.communicate(timeout=180)
        assert second.returncode == 0, complaint
    answer = json.loads(printed)
    assert (answer["runs"], answer["failed"]) == (24, 0)
    assert len(answer["summary"]) == 2 * 3
    assert {row["runs"] for row in answer["summary"]} == {8}
    assert not kept & set(pq.read_table(folder.plan).column("run").to_pylist())
    deliveries = pq.read_table(folder.path / "deliveries.parquet")
    measures = pq.read_table(folder.path / "measures.parquet").to_pylist()
    assert deliveries.num_rows == sum(row["value"] for row in measures if row["measure"] == "delivered")
    assert (folder.path / "short.png").stat().st_size > 10_000
    assert (folder.path / "summary.csv").read_text().startswith("protocol,k,measure,runs,mean,low,high\npush,,")


def test_a_run_answers_what_simulate_answers(tmp_path: Path) -> None:
    load = workload([(0, 5.0, "x"), (1, 12.0, "y")], [(2, "x"), (1, "y"), (2, "y")], ttl=100.0)
    trace, messages = trace_data(*TRIANGLE), workload_data(load)
    inputs = Simulation(trace, messages, "push", extras=("hops",), buffer=math.inf, deliveries=True).run(7).inputs
    for data in (trace, messages):
        store_data(tmp_path, data)
    places = {"trace": tmp_path / trace.hash, "workload": tmp_path / messages.hash}
    measures, tables = run({**inputs, **places}, 7)
    expected = simulate(TRIANGLE, load, "push", 7, measures=["hops"])
    assert tables["deliveries"].equals(expected.deliveries)
    assert measures.keys() == expected.measures.keys() - {"cpu_seconds"}
    assert measures["delivered"] > 0
    for name, value in measures.items():
        assert value == expected.measures[name] or (math.isnan(value) and math.isnan(expected.measures[name]))
