"""`hunet tune --send` and `hunet node settings` as people type them: two nodes that run, and settings that spread."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hunet.node.choice import DEFAULT_PROTOCOL
from hunet.studies.tuning.search import Candidate
from hunet.studies.tuning.tune import Interval
from hunet.traces.generators.conference import CONFERENCE
from hunet.traces.store import TraceStore
from tests.cli.test_node import node, refused, run
from tests.studies.test_tuning import tuned

FOUND: Candidate = {"decay_cycle": 64.0}
GOOD, POOR = Interval(1.1, 1.0, 1.2), Interval(0.5, 0.4, 0.6)


def started(home: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "hunet.cli", "node", "run", "--home", str(home), "--listen", "127.0.0.1:0", *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert "listens at port" in process.stdout.readline()
    return process


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """The maker of a network, and another member that dials it."""
    maker, other = tmp_path / "maker", tmp_path / "other"
    invitation = node(maker, "network", "new", "village")["invitation"]
    node(other, "join", invitation)
    processes = [started(maker)]
    try:
        port = node(maker, "status")["port"]
        processes.append(started(other, "--peer", f"127.0.0.1:{port}"))
        yield maker, other
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.communicate(timeout=20)


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A stored trace, on which tuning takes no time: what it finds is tested elsewhere."""
    made = CONFERENCE.generate(CONFERENCE.settings(nodes=4, days=1, acquaintances=3, contacts_per_day=20), 1)
    with TraceStore(tmp_path).write_version("mine") as draft:
        draft.write("contacts", made.contacts)
        draft.write("nodes", made.nodes)
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hunet.api.tuning.run", lambda *_: tuned(FOUND, GOOD))
    return "mine"


def tune(*arguments: str) -> str:
    answer = run(*arguments, first="tune")
    assert answer.code == 0, answer.stderr
    return answer.stdout


def settings(home: Path) -> Any:
    return node(home, "settings")


def until(home: Path, protocol: str) -> None:
    end = time.monotonic() + 60
    while settings(home)["now"]["protocol"] != protocol:
        assert time.monotonic() < end, "it was not taken over"
        time.sleep(0.1)


def test_settings_that_were_tuned_reach_the_other_node_and_go_back(
    two: tuple[Path, Path], mine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    maker, other = two
    assert settings(other) | {"sent_by": ""} == {
        "now": settings(maker)["now"], "next": None, "previous": None, "pinned": False, "serial": 0, "refused": None,
        "sent_by": "", "may_send": False,
    }  # fmt: skip
    assert "cannot send settings" in refused_tune(mine, "--send", "--home", str(other))
    monkeypatch.setattr("hunet.api.tuning.run", lambda *_: tuned(FOUND, POOR))
    assert "not sent: settings that may miss the goal" in tune(mine, "--send", "--home", str(maker))
    assert settings(maker)["serial"] == 0
    monkeypatch.setattr("hunet.api.tuning.run", lambda *_: tuned(FOUND, GOOD))
    said = tune(mine, "--send", "--in", "2s", "--home", str(maker))
    assert "sent: all nodes that hear of it run bsub13 (decay_cycle = 64.0) in 2 s" in said
    until(other, "bsub13")
    until(maker, "bsub13")
    found = settings(other)
    assert found["now"]["settings"]["decay_cycle"] == 64.0
    assert found["previous"]["protocol"] == DEFAULT_PROTOCOL
    shown = run("settings", "--home", str(other)).stdout
    assert "now  bsub13 (decay_cycle = 64.0)" in shown
    assert f"before  {DEFAULT_PROTOCOL} (" in shown
    log = (other / "node.jsonl").read_text()
    assert '"kind": "settings"' in log
    node(other, "sub", "jazz")
    node(maker, "pub", "jazz", "after the change")
    end = time.monotonic() + 60
    while "after the change" not in run("inbox", "--home", str(other)).stdout:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert "until the network sends something newer" in run("settings", "back", "--home", str(other)).stdout
    until(other, DEFAULT_PROTOCOL)
    back = node(maker, "settings", "back", "--in", "1h")
    assert (back["protocol"], back["everywhere"]) == (DEFAULT_PROTOCOL, True)
    assert settings(maker)["next"]["protocol"] == DEFAULT_PROTOCOL


def refused_tune(*arguments: str) -> str:
    answer = run(*arguments, first="tune")
    assert answer.code in (1, 2)
    assert answer.stderr.startswith("hunet: ")
    assert answer.stderr.count("\n") == 1
    return answer.stderr


def test_what_cannot_be_sent_is_refused_before_any_work(
    tmp_path: Path, mine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hunet.api.tuning.run", lambda *_: pytest.fail("it was tuned"))
    home = tmp_path / "node"
    assert "hunet node network new NAME" in refused_tune(mine, "--send", "--home", str(home))
    node(home, "network", "new", "village")
    assert "hunet node run --home" in refused_tune(mine, "--send", "--home", str(home))
    assert "does not run on devices" in refused_tune(mine, "--protocol", "mops", "--send", "--home", str(home))
    assert "at most 7d" in refused_tune(mine, "--send", "--in", "8d", "--home", str(home))
    assert "at most 7d" in refused("settings", "back", "--in", "8d", "--home", str(home))
    assert (home / "settings.key").stat().st_mode & 0o777 == 0o600
    assert "settings.key" in node(home, "wipe", "--yes")["removed"]
