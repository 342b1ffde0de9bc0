"""The node's log goes on, whatever became of the node that wrote it before."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from hunet.node.log import open_log

LINE = json.dumps({"t": 1.5, "ev": "up"}) + "\n"


@pytest.mark.parametrize("kept", range(len(LINE) + 1))
def test_a_line_that_was_cut_off_spoils_no_other(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(LINE + LINE[:kept])
    for _ in range(2):
        with open_log(path) as log:
            log.write(LINE)
    lines = path.read_text().splitlines(keepends=True)
    assert [lines[0], *lines[-2:]] == [LINE] * 3
    assert lines[1:-2] == ([] if kept == 0 else [LINE[:kept].rstrip("\n") + "\n"])


def test_a_new_log_is_empty_and_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    open_log(path).close()
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"", 0o600)
