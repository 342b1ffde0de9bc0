"""The commands of `docs/tuning.md`, as they stand there; uncompiled, which is quicker for so few contacts."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

from hunet.protocols import PROTOCOLS
from hunet.traces.generators.conference import CONFERENCE
from hunet.traces.store import TraceStore
from tests.pipeline.conftest import environment_with_tests

PAGE = (Path(__file__).parents[2] / "docs" / "tuning.md").read_text(encoding="utf-8")


def test_the_commands_of_the_page_find_settings_simulate_them_and_report(tmp_path: Path) -> None:
    made = CONFERENCE.generate(CONFERENCE.settings(nodes=4, days=1, acquaintances=3, contacts_per_day=20), 1)
    with TraceStore(tmp_path).write_version("mine") as draft:
        draft.write("contacts", made.contacts)
        draft.write("nodes", made.nodes)
    block = re.search(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    assert block
    commands = [shlex.split(line, comments=True) for line in block[1].splitlines()]
    assert [words[:2] for words in commands] == [["hunet", "tune"], ["hunet", "simulate"], ["hunet", "report"]]
    environment = environment_with_tests() | {"NUMBA_DISABLE_JIT": "1", "HUNET_HOME": str(tmp_path)}
    printed = []
    for _, *words in commands:
        command = [sys.executable, "-m", "hunet.cli", *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout)
    tuned, simulated, reported = printed
    assert re.search(r"The goal (is|may be) (met|missed): it delivers", tuned)
    assert "How sure: 95 % intervals over 8 workloads" in tuned
    settings = tomllib.loads((tmp_path / "out" / "tune-mine-bsub13" / "bsub13.toml").read_text(encoding="utf-8"))
    assert settings["trace"]["name"] == "mine"
    assert settings["judged"]["delivery_of_push"][1] <= settings["judged"]["delivery_of_push"][0]
    assert "bsub13 on mine" in simulated
    assert "report: out/tune-mine-bsub13/report.html" in reported
    page = (tmp_path / "out" / "tune-mine-bsub13" / "report.html").read_text(encoding="utf-8")
    assert "bsub13 tuned for mine" in page
    assert "ERR-14" in page


def test_the_page_names_every_setting_that_is_searched() -> None:
    for protocol in PROTOCOLS:
        row = re.search(rf"^\| `{protocol.name}` \| (.*) \|$", PAGE, re.MULTILINE)
        assert bool(row) == bool(protocol.searched), protocol.name
        if row and "the same" not in row[1]:
            assert re.findall(r"`(\w+)`", row[1]) == list(protocol.searched)
