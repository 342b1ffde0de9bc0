"""`hunet tune` as a user types it; what it finds is tested in `tests/studies` and by the pages that show it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hunet.cli.main import app
from hunet.traces.generators.conference import CONFERENCE
from hunet.traces.store import TraceStore


@pytest.mark.parametrize(
    ("done", "said"),
    [
        (26, "26 of 200 runs are done and kept in out/tune-mine-bsub13; the same command goes on from there"),
        (0, "what is done is kept in out/tune-mine-bsub13; the same command goes on from there"),
    ],
)
def test_ctrl_c_says_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: int, said: str) -> None:
    made = CONFERENCE.generate(CONFERENCE.settings(nodes=4, days=1, acquaintances=3, contacts_per_day=20), 1)
    with TraceStore(tmp_path).write_version("mine") as draft:
        draft.write("contacts", made.contacts)
        draft.write("nodes", made.nodes)

    def interrupted(*arguments: Any) -> None:
        arguments[-1](done, 0, 200)
        raise KeyboardInterrupt

    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hunet.api.tuning.run", interrupted)
    result = CliRunner().invoke(app, ["tune", "mine", "--quick"])
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", f"stopped: {said}\n")
