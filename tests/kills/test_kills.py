"""Commands that are killed at random moments, or lose their Java: old or new, never half; resumed, the same tables.

`HUNET_HOSTILE_SEED=7` draws other moments.
"""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hunet.traces.store import TraceStore
from tests.hostile.dice import dice
from tests.kills.victims import Victim
from tests.slow import SOAK
from tests.traces.test_align import write_logs

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc")

KILLS = 60 if SOAK else 5
both = pytest.mark.soak if SOAK else pytest.mark.slow

IMPORT = ("trace", "import", "new.csv", "--name", "t")
GENERATE = ("trace", "generate", "conference", "--nodes", "30", "--days", "2", "--seed", "2", "--name", "t")
STORED = ("contacts", "nodes", "spans")
STUDY = """\
name = "short"
seeds = 6
deliveries = true
measures = ["delivery_ratio", "copies_ever_mean"]
[[trace]]
name = "t"
[[protocol]]
name = "push"
[[protocol]]
name = "pull"
k = [2, 3]
"""
TIMES = ("seconds", "memory", "cpu_seconds")
"""Columns, and measures, that say how long something took."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two tables of contacts, a store in which the older one is the trace t, and a study."""
    draw = random.Random(1)
    for name in ("old.csv", "new.csv"):
        lines = ["a,b,start,end"]
        for _row in range(400):
            a, b = draw.sample(range(12), 2)
            start = draw.randrange(200_000)
            lines.append(f"n{a},n{b},{start},{start + draw.randrange(10, 900)}")
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    (tmp_path / "short.toml").write_text(STUDY)
    done = Victim(("trace", "import", "old.csv", "--name", "t"), tmp_path)
    assert done.wait(300) == 0, done.said()
    assert not done.orphans()
    return tmp_path


@both
@pytest.mark.parametrize("command", [IMPORT, GENERATE], ids=["import", "generate"])
def test_a_killed_writer_leaves_the_old_trace_or_the_new_one(folder: Path, command: Sequence[str]) -> None:
    old = trace(folder)
    shutil.copytree(folder / "home", folder / "before")
    took = finish(command, folder)
    new = trace(folder)
    assert new != old
    for moment, java in moments(command, took):
        shutil.rmtree(folder / "home")
        shutil.copytree(folder / "before", folder / "home")
        end(Victim(command, folder), moment, java)
        assert trace(folder) in (old, new)
        finish(command, folder)
        assert trace(folder) == new
        assert not list((folder / "home" / "traces" / "t").glob(".draft-*"))


@both
@pytest.mark.parametrize(
    "command",
    [
        ("study", "run", "short.toml", "--out", "OUT"),
        ("tune", "t", "--quick", "--protocol", "pull", "--out", "OUT"),
        ("reproduce", "sptbf", "--quick", "--out", "OUT"),
    ],
    ids=["study", "tune", "reproduce"],
)
def test_what_was_killed_and_resumed_has_the_tables_of_what_was_not(folder: Path, command: Sequence[str]) -> None:
    whole = [word.replace("OUT", "whole") for word in command]
    killed = [word.replace("OUT", "killed") for word in command]
    took = finish(whole, folder)
    expected = tables(folder / "whole")
    assert expected
    left = list(moments(command, took / 2))
    while left:
        for moment, java in left[:5]:
            end(Victim(killed, folder), moment, java)
        finish(killed, folder)
        assert tables(folder / "killed") == expected
        shutil.rmtree(folder / "killed")
        left = left[5:]


@both
def test_followed_logs_are_the_trace_of_an_import_whenever_the_follower_was_killed(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "logs").mkdir()
    write_logs(tmp_path / "source", 8, 400)
    whole = {file.name: file.read_bytes() for file in (tmp_path / "source").iterdir()}
    follow = ("trace", "follow", "logs", "--name", "t", "--once")
    took = finish(("trace", "follow", "source", "--name", "other", "--once"), tmp_path)
    for number, (moment, java) in enumerate(moments(follow, took), start=1):
        for name, content in whole.items():
            (tmp_path / "logs" / name).write_bytes(content[: number * len(content) // KILLS])
        end(Victim(follow, tmp_path), moment, java)
    finish(follow, tmp_path)
    followed = trace(tmp_path)
    finish(("trace", "import", "source", "--name", "t"), tmp_path)
    assert {**trace(tmp_path), "settings": None} == {**followed, "settings": None}


def moments(command: Sequence[str], took: float) -> Iterator[tuple[float, bool]]:
    """When to kill, seconds after the start, and whether it is Java that dies."""
    chance = dice(f"kills {command[0]} {command[1]}")
    return ((chance.uniform(0.3, took), chance.random() < 0.4) for _ in range(KILLS))


def finish(command: Sequence[str], folder: Path) -> float:
    """Run a command to its end; how long it took, seconds."""
    began = time.monotonic()
    victim = Victim(command, folder)
    assert victim.wait(1800) == 0, victim.said()
    took = time.monotonic() - began
    assert not victim.orphans()
    return took


def end(victim: Victim, moment: float, java: bool) -> None:
    """Kill a command, or its Java, at a moment; one that lost its Java ends with one line that says so."""
    if victim.wait(moment) is None:
        victim.kill(java)
    code = victim.wait(120)
    said = victim.said()
    assert code in (0, 1, -9), said
    assert "Traceback" not in said
    if code == 1:
        assert "hunet: " in said.strip().splitlines()[-1], said
    assert not victim.orphans()


def trace(folder: Path) -> dict[str, object]:
    """All that is stored of the trace t."""
    found = TraceStore(folder / "home").open("t")
    stored = {name: pq.read_table(found.table_path(name)).to_pylist() for name in STORED}
    return {**stored, "hash": found.manifest.content_hash, "settings": found.manifest.settings}


def tables(folder: Path) -> dict[str, object]:
    """The tables in a folder of results, but for what clocks and gauges said, by where they lie."""
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.suffix == ".csv":
            found[name] = path.read_text()
        elif path.suffix == ".parquet" and path.parent == folder and path.stem != "plan":  # what was left to do
            table = pq.read_table(path)
            rows = table.drop_columns([column for column in TIMES if column in table.column_names]).to_pylist()
            found[name] = sorted(repr(row) for row in rows if row.get("measure") not in TIMES)
    return found
