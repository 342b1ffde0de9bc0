"""A node may be killed at any moment: nothing that it acknowledged is lost, nothing comes twice, the store is sound."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.node.meetings import inbox, meet
from tests.node.victim import the_host
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0


class Victims:
    """Two nodes that meet all the time."""

    def __init__(self, folder: Path, protocol: str) -> None:
        self.folder, self.protocol = folder, protocol
        self.ports = {name: free_port() for name in ("ann", "bob")}
        self.running = {name: self.start(name) for name in self.ports}

    def start(self, name: str) -> subprocess.Popen[bytes]:
        mine, other = self.ports[name], self.ports["bob" if name == "ann" else "ann"]
        command = [sys.executable, "-m", "tests.node.victim", str(self.folder), name, self.protocol, str(mine)]
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        about = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
        with self.said(name).open("a") as out:
            return subprocess.Popen([*command, str(other)], stdout=out, cwd=ROOT, env=about)

    def said(self, name: str) -> Path:
        return self.folder / f"{name}.out"

    def wait_for(self, name: str, lines: int) -> None:
        """Until it has published so many more."""
        wanted, began = self.said(name).stat().st_size + 33 * lines, time.monotonic()
        while self.said(name).stat().st_size < wanted:
            assert self.running[name].poll() is None, "it ended by itself"
            assert time.monotonic() - began < PATIENCE, "it publishes nothing"
            time.sleep(0.002)

    def kill(self, name: str) -> None:
        self.running[name].send_signal(signal.SIGKILL)
        self.running[name].wait()


def kill(folder: Path, protocol: str, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    victims = Victims(folder, protocol)
    try:
        for _ in range(kills):
            name = chance.choice(("ann", "bob"))
            victims.wait_for(name, chance.randrange(1, 5))
            time.sleep(chance.uniform(0.0, 0.03))
            victims.kill(name)
            victims.running[name] = victims.start(name)
        for name in victims.running:
            victims.wait_for(name, 1)
    finally:
        for name in victims.running:
            victims.kill(name)
    ann, bob = (the_host(folder, name, protocol)[0] for name in ("ann", "bob"))
    assert asyncio.run(meet(ann, bob)) != (None, None)
    for me, other in ((ann, "bob"), (bob, "ann")):
        lines = victims.said(other).read_text().splitlines()
        assert [line for line in lines if line.startswith("!")] == []
        published = {bytes.fromhex(line) for line in lines if len(line) == 32}
        got = inbox(me)
        assert len(got) == len(set(got))
        assert published <= set(got)
        assert len(published) >= kills // 4
        assert me.store.check() == []


@pytest.mark.interpreted
def test_nothing_is_lost_when_nodes_are_killed_twenty_times(tmp_path: Path) -> None:
    kill(tmp_path, "push", kills=20, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("protocol", ["push", "bsub10", "spray", "envoy"])
def test_nothing_is_lost_when_nodes_are_killed_a_thousand_times(tmp_path: Path, protocol: str) -> None:
    kill(tmp_path, protocol, kills=250, seed=2)
