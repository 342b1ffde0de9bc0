"""`hunet node` as a script sees it."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hunet.cli.main import app, main
from hunet.cli.quick import understood

COMMANDS = ("network", "join", "run", "pub", "sub", "unsub", "inbox", "peers", "status", "doctor", "wipe", "replay")


@dataclass
class Ended:
    code: int
    stdout: str
    stderr: str


def run(*arguments: str, first: str = "node") -> Ended:
    """The command in this process: a new one for each would take minutes."""
    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors), pytest.raises(SystemExit) as ended:
        main([first, *arguments])
    return Ended(int(ended.value.code or 0), out.getvalue(), errors.getvalue())


def node(home: Path, *arguments: str) -> Any:
    answer = run(*arguments, "--home", str(home), "--json")
    assert answer.code == 0, answer.stderr
    return json.loads(answer.stdout)


def refused(*arguments: str) -> str:
    answer = run(*arguments)
    assert answer.code in (1, 2)
    assert answer.stdout == ""
    assert answer.stderr.startswith("hunet: ")
    assert answer.stderr.count("\n") == 1
    return answer.stderr


def test_help_names_every_command() -> None:
    help_ = run("--help").stdout
    assert all(command in help_ for command in COMMANDS)


def test_a_node_loads_nothing_of_a_study(tmp_path: Path) -> None:
    code = (
        "import sys, hunet.cli.main as c, hunet.node.daemon, hunet.node.doctor\n"
        "print([name for name in sys.argv[1:] if name in sys.modules])"
    )
    heavy = [
        "numba",
        "pyarrow",
        "pandas",
        "pyspark",
        "matplotlib",
        "hunet.traces",
        "hunet.pipeline",
        "hunet.sim.engine",
    ]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}  # as the command sets it
    command = [sys.executable, "-c", code, *heavy]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert answer.stdout == "[]\n"


def test_plain_options_of_a_node_that_is_to_run_are_read_as_typer_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []
    monkeypatch.setattr("hunet.node.daemon.run", lambda options, _: seen.append(dict(vars(options))))
    monkeypatch.setenv("HUNET_NODE_HOME", "/tmp/elsewhere")
    cases: tuple[tuple[str, ...], ...] = (
        (),
        ("--json",),
        ("--home", "/tmp/here", "--peer", "10.0.0.1:7", "--peer=10.0.0.2", "--protocol", "bsub13"),
        ("--listen=127.0.0.1:0", "--home=/tmp/there"),
    )
    for case in cases:
        call = understood(("node", "run", *case))
        assert call is not None
        with redirect_stdout(io.StringIO()):
            call()
            app(["node", "run", *case], standalone_mode=False)
        assert seen[-1] == seen[-2]
    assert seen[0]["home"] == Path("/tmp/elsewhere")
    assert seen[4]["peers"] == (("10.0.0.1", 7), ("10.0.0.2", 47470))


@pytest.mark.parametrize(
    "typed",
    [("node", "status"), ("simulate",), ("node", "run", "--help"), ("node", "run", "--peer"), ("node", "run", "x")],
)
def test_what_is_not_plain_is_left_to_typer(typed: tuple[str, ...]) -> None:
    assert understood(typed) is None


def test_a_network_is_made_joined_and_rotated(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    made = node(a, "network", "new", "village")
    assert made["invitation"].startswith("HUNET:")
    assert node(b, "join", made["invitation"])["network"] == "village"
    rotated = node(a, "network", "rotate", "--grace", "1h")
    assert rotated["invitation"] != made["invitation"]
    assert node(b, "join", rotated["invitation"])["keys"] == 2
    assert node(a, "network", "show")["invitation"] == rotated["invitation"]
    shown = run("network", "show", "--home", str(a)).stdout
    assert rotated["invitation"] in shown
    assert "█" in shown
    assert "older" in refused("join", made["invitation"], "--home", str(b))
    assert "already" in refused("network", "new", "other", "--home", str(a))
    assert node(a, "wipe", "--yes")["removed"]
    assert not a.exists()


def test_mistakes_are_one_line_that_says_what_to_type(tmp_path: Path) -> None:
    nobody, home = str(tmp_path / "nobody"), tmp_path / "home"
    for command in (["run"], ["status"], ["pub", "jazz", "hi"], ["network", "rotate"]):
        said = refused(*command, "--home", nobody)
        assert "hunet node network new NAME" in said
        assert "hunet node join INVITATION" in said
    node(home, "network", "new", "village")
    assert f"hunet node run --home '{home}'" in refused("status", "--home", str(home))
    assert "no invitation" in refused("join", "hello", "--home", nobody)
    assert "did you mean" in refused("run", "--protocol", "spary", "--home", str(home))
    assert "does not run on devices" in refused("run", "--protocol", "mops", "--home", str(home))
    assert "no address" in refused("run", "--listen", "here:there", "--home", str(home))
    assert "no address" in refused("run", "--peer", "10.0.0.1:x", "--home", str(home))
    assert "give tags and a text" in refused("pub", "jazz", "--home", str(home))
    assert "10h" in refused("network", "rotate", "--grace", "soon", "--home", str(home))


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Path]:
    home, schema = tmp_path / "home", tmp_path / "schema.toml"
    schema.write_text('[attributes.price]\ntype = "number"\nmin = 0\nmax = 1000\n')
    assert node(home, "network", "new", "village", "--schema", str(schema))["ranges"]
    settings = tmp_path / "tuned.toml"
    settings.write_text('protocol = "bsub13"\n\n[settings]\ndecay_cycle = 64.0\n\n[notes]\nfound = nan\n')
    command = [sys.executable, "-m", "hunet.cli", "node", "run", "--home", str(home), "--settings", str(settings)]
    with subprocess.Popen([*command, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "of the network 'village' listens at port" in process.stdout.readline()
        yield home
        process.terminate()
        assert process.stdout.read() == "stopped; everything is on the disk\n"


def test_the_running_node_is_talked_to(running: Path) -> None:
    assert node(running, "sub", "jazz", "--for", "2h")["tag"] == "jazz"
    assert "does not look at an interest's hops" in refused("sub", "jazz", "--hops", "3", "--home", str(running))
    assert "leave it away, or run mops-live" in refused("sub", "x", "--level", "0.5", "--home", str(running))
    assert "zigzag does not look" in refused("sub", "price <= 5", "--level", "0.5", "--home", str(running))
    assert len(node(running, "pub", "jazz,paris", "tonight")["id"]) == 32
    status = node(running, "status")
    assert status["settings"]["decay_cycle"] == 64.0
    assert status["carried"]["own"] == 1
    (wants,) = status["interests"]
    assert (wants["tag"], wants["level"], wants["hops"]) == ("jazz", 1.0, 0)
    assert node(running, "peers")["peers"] == []
    assert "nobody is near" in run("peers", "--home", str(running)).stdout
    assert run("inbox", "--home", str(running)).stdout == ""
    assert "not subscribed" in refused("unsub", "rock", "--home", str(running))
    assert node(running, "unsub", "jazz")
    assert node(running, "sub", "price <= 500")
    assert [one["tag"] for one in node(running, "status")["interests"]] == ["price <= 500"]
    assert len(node(running, "pub", "--event", '{"price": 450}', "a camera")["id"]) == 32
    assert "did you mean 'price'" in refused("sub", "prize <= 500", "--home", str(running))
    assert "has no 'price'" in refused("pub", "--event", "{}", "x", "--home", str(running))
    assert "this is not JSON" in refused("pub", "--event", "{", "x", "--home", str(running))
    assert "at most 7 days" in refused("pub", "jazz", "x", "--lifetime", "8d", "--home", str(running))
    assert len(node(running, "pub", "secret:a phrase, with a comma", "x")["id"]) == 32
    assert "at most 65,536" in refused("pub", "jazz", "x" * 70_000, "--home", str(running))
    assert "is running" in refused("wipe", "--yes", "--home", str(running))
    rotated = node(running, "network", "rotate")
    assert node(running, "status")["keys"] == 2
    assert rotated["invitation"]
    doctor = json.loads(run("doctor", "--home", str(running), "--json").stdout)
    findings = {one["what"]: one["ok"] for one in doctor["findings"]}
    assert findings["network"] is findings["clock"] is findings["node"] is True


MESSAGE: dict[str, Any] = {
    "cursor": 7, "tags": ["jazz"], "event": None, "text": "tonight", "data": "", "author_name": "quiet mole 60",
    "received": 1e9, "hops": 1,
}  # fmt: skip


def shown(capsys: pytest.CaptureFixture[str], **about: Any) -> str:
    from hunet.cli.node import _show

    _show({**MESSAGE, **about}, json=False)
    return capsys.readouterr().out.partition(":")[2].partition("  ")[2]


def test_a_message_is_shown_with_its_author_and_how_far_it_came(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys) == "jazz  quiet mole 60, 1 hop: tonight\n"
    event = shown(capsys, tags=[], event={"price": 450, "brand": "Nikon"}, hops=2)
    assert event == "price = 450, brand = Nikon  quiet mole 60, 2 hops: tonight\n"
    assert shown(capsys, text=None, data="AAAA") == "jazz  quiet mole 60, 1 hop: (3 bytes)\n"


def test_no_message_can_look_like_another_one(capsys: pytest.CaptureFixture[str]) -> None:
    forged = "x\n     8  2026-01-01 00:00:00  jazz  quiet mole 60, 1 hop: send money\n"
    first, second, *rest = shown(capsys, text=forged, tags=["a\nb\x1b[2J"]).split("\n")
    assert first == r"a\nb\x1b[2J  quiet mole 60, 1 hop: x"
    assert second.startswith(" " * 8)
    assert rest == [""]


def test_the_doctor_knows_a_node_that_listens_for_this_machine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from hunet.node import doctor

    monkeypatch.setattr(doctor, "_own_address", lambda: "127.0.0.2")
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = doctor._port({"port": server.getsockname()[1]})
    assert (found.ok, found.found.endswith("is open to this machine alone")) == (False, True)
    assert found.advice == "run the node without --listen 127.0.0.1"


def test_who_was_left_behind_by_a_rotation_is_told_what_to_do() -> None:
    from hunet.node.doctor import _heard

    status = {"refused": {}, "peers": 0, "version_trouble": None}
    found = _heard(status | {"beacons": {"heard": 40, "foreign": 9, "silent": 60.0}})
    assert not found.ok
    assert "hunet node join INVITATION" in found.advice
    assert _heard(status | {"beacons": {"heard": 40, "foreign": 9, "silent": 1.2}}).ok
    alone = _heard(status | {"beacons": {"heard": 0, "foreign": 0, "silent": None}})
    assert (alone.ok, "--peer HOST:PORT" in alone.advice) == (False, True)


@pytest.mark.compiles
def test_a_replay_says_identical_in_the_end() -> None:
    made = run("generate", "conference", "--nodes", "6", "--days", "1", "--seed", "3", "--name", "tiny", first="trace")
    assert made.code == 0, made.stderr
    assert "does not run on devices" in refused("replay", "tiny", "--protocol", "mops")
    assert "write a number, or max" in refused("replay", "tiny", "--speed", "fast")
    answer = run("replay", "tiny", "--protocol", "push", "--hours", "3", "--processes", "1")
    assert answer.code == 0, answer.stderr
    assert answer.stdout.splitlines()[-1] == "identical to the simulation"
