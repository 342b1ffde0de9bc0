"""`hunet node run` with its doors open, as a user and his programs see it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.test_node import refused, run

HUNET = [sys.executable, "-m", "hunet.cli"]


@contextmanager
def running(home: Path, *doors: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """A node in a process of its own, and what it printed when it was ready."""
    assert run("network", "new", "village", "--home", str(home)).code == 0
    command = [*HUNET, "node", "run", "--home", str(home), "--listen", "127.0.0.1:0", "--json", *doors]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ}) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        while not said.rstrip().endswith("}"):
            said += process.stdout.readline()
        try:
            yield process, json.loads(said)
        finally:
            process.terminate()
            assert process.wait(30) == 0


def test_one_address_opens_the_page_and_wiping_through_it_leaves_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with running(home, "--http", "127.0.0.1:0", "--mqtt", "127.0.0.1:0") as (process, said):
        base, _, token = said["page"].partition("/#")
        assert token == (home / "token").read_text(encoding="utf-8")
        assert said["mqtt"].startswith("127.0.0.1:")
        assert "<title>hunet</title>" in httpx.get(base).text
        headers = {"Authorization": f"Bearer {token}"}
        assert httpx.get(f"{base}/v1/status", headers=headers).json()["network"] == "village"
        answer = httpx.post(f"{base}/v1/wipe", headers=headers, json={"network": "village"})
        assert answer.status_code == 200
        assert process.wait(30) == 0
    deadline = time.monotonic() + 10
    while home.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not home.exists()


@pytest.mark.parametrize("option", ["--http", "--mqtt"])
def test_a_door_for_other_machines_is_refused_in_one_line(option: str, tmp_path: Path) -> None:
    assert run("network", "new", "village", "--home", str(tmp_path / "a")).code == 0
    said = refused("run", "--home", str(tmp_path / "a"), option, "0.0.0.0:8080")
    assert "for this one alone" in said
