"""Whole nodes on sockets: they find each other, exchange, stop cleanly, and leave strangers outside."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hunet.model.errors import NodeError
from hunet.node.daemon import Node
from hunet.node.door import ask, listen_to
from hunet.node.home import in_charge, wipe
from hunet.node.network import Network
from hunet.node.service import REQUESTS, call
from tests.node.running import node_at, running, say, texts, until
from tests.node.village import VILLAGE
from tests.ports import free_port

NETWORK = VILLAGE


def two(tmp_path: Path) -> tuple[Node, Node]:
    port = free_port()
    return node_at(tmp_path / "a", NETWORK, port), node_at(tmp_path / "b", NETWORK, port)


def test_two_nodes_find_each_other_and_a_message_gets_across(tmp_path: Path) -> None:
    async def run() -> None:
        a, b = two(tmp_path)
        call(b, "sub", {"tag": "jazz"})
        say(a, "jazz", "before")
        began = time.monotonic()
        async with running(a, b):
            await until(lambda: texts(b) == ["before"])
            assert time.monotonic() - began < 3.0
            say(a, "jazz", "while near")
            say(a, "rock", "not wanted")
            await until(lambda: len(texts(b)) == 2)
            assert len(a.contacts) == len(b.contacts) == 1
            await asyncio.sleep(0.6)
        assert texts_of(b) == ["before", "while near"]
        lines = [json.loads(line) for line in (b.options.home / "node.jsonl").read_text().splitlines()]
        assert [line["kind"] for line in lines] == ["contact", "delivery", "delivery", "contact"]
        assert lines[-1]["time"] - lines[0]["time"] > 0.3
        assert a.me.hex() not in (b.options.home / "node.jsonl").read_text()

    asyncio.run(run())


def texts_of(node: Node) -> list[str]:
    """Read from the disk, after the node has stopped."""
    again = Node(node.options)
    try:
        return texts(again)
    finally:
        again.close()


def test_static_peers_that_dial_each_other_end_with_one_link(tmp_path: Path) -> None:
    async def run() -> None:
        a = node_at(tmp_path / "a", NETWORK, free_port())
        async with running(a):
            b = node_at(tmp_path / "b", NETWORK, free_port(), peers=(("127.0.0.1", a.port),))
            async with running(b):
                await until(lambda: len(a.contacts) == len(b.contacts) == 1)
                a.dialling._seen.update(type(a.dialling)([("127.0.0.1", b.port)], a.contacts, time.monotonic)._seen)
                for _ in range(30):
                    await asyncio.sleep(0.05)
                    assert len(a.contacts) <= 1
                await until(lambda: len(a.contacts) == len(b.contacts) == 1)

    asyncio.run(run())


def test_a_node_of_another_network_stays_outside(tmp_path: Path) -> None:
    async def run() -> None:
        port = free_port()
        a = node_at(tmp_path / "a", NETWORK, port)
        async with running(a):
            stranger = node_at(tmp_path / "b", Network.new("village"), port, peers=(("127.0.0.1", a.port),))
            async with running(stranger):
                await until(lambda: a.reception.refused["stranger"] >= 1 and stranger.unreached["no answer"] >= 1)
                assert len(a.contacts) == len(stranger.contacts) == 0

    asyncio.run(run())


def test_after_a_rotation_old_and_new_meet_for_a_time_and_then_no_more(tmp_path: Path) -> None:
    async def run() -> None:
        a, b = two(tmp_path)
        a.network.rotated(time.time(), grace=3600).save(a.options.home)
        a.reload()
        async with running(a, b):
            await until(lambda: len(a.contacts) == 1)  # b has the old key only
            a.network.rotated(time.time(), grace=0).save(a.options.home)
            a.reload()
            await until(lambda: len(a.contacts) == 0)
            await asyncio.sleep(2.0)
            assert len(a.contacts) == 0
            b.network.joined(a.network, time.time()).save(b.options.home)  # the new invitation
            b.reload()
            await until(lambda: len(a.contacts) == 1, 15)

    asyncio.run(run())


def test_the_door_answers_in_one_line_and_is_the_owners_alone(tmp_path: Path) -> None:
    async def run() -> None:
        a, b = two(tmp_path)
        home = b.options.home
        async with running(a, b):
            assert stat.S_IMODE((home / "door").stat().st_mode) == 0o600
            asking = asyncio.to_thread
            assert (await asking(ask, home, "sub", tag="jazz")) == {"tag": "jazz"}
            assert (await asking(ask, home, "status"))["interests"][0]["tag"] == "jazz"
            messages = listen_to(home, "follow", since=0)
            next_ = asyncio.create_task(asyncio.to_thread(next, messages))
            await asyncio.sleep(0.1)
            await asking(ask, a.options.home, "pub", tags=["jazz"], data="aGk=")
            assert (await next_)["text"] == "hi"
            await asyncio.to_thread(messages.close)  # type: ignore[attr-defined]
            for do, arguments, said in (
                ("nonsense", {}, "there is no request"),
                ("pub", {}, "needs more"),
                ("pub", {"tags": ["x"], "data": "?"}, "not in base64"),
                ("pub", {"tags": "x", "data": ""}, "not what is expected"),
                ("pub", {"tags": ["x"], "data": "", "loud": True}, "knows no 'loud'"),
                ("pub", {"tags": [], "data": ""}, "tags"),
                ("pub", {"tags": ["x"], "data": "", "lifetime": 1e12}, "lifetime"),
                ("sub", {"tag": ""}, "tag"),
                ("sub", {"tag": "x", "level": 2}, "level"),
                ("unsub", {"tag": "x"}, "not subscribed"),
                ("inbox", {"since": "1"}, "not what is expected"),
            ):
                with pytest.raises(NodeError, match=said):
                    await asking(ask, home, do, **arguments)
        assert not (home / "door").exists()

    asyncio.run(run())


def test_nonsense_at_the_door_is_answered_and_harms_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        a = node_at(tmp_path / "a", NETWORK, free_port())
        async with running(a):
            for said in (b"\n", b"[]\n", b"{}\n", b'{"do": 1}\n', b"\xff\n", b"[" * 100_000 + b"\n", b"x" * 600_000):
                reader, writer = await asyncio.open_unix_connection(a.options.home / "door", limit=2**20)
                writer.write(said)
                assert b"error" in await asyncio.wait_for(reader.readline(), 5)
                writer.close()
            assert set(await asyncio.to_thread(ask, a.options.home, "status")) >= {"network", "peers"}

    asyncio.run(run())


def test_every_request_has_a_sentence_and_checked_arguments() -> None:
    assert all(function.__doc__ for function in REQUESTS.values())


def test_a_home_is_one_nodes_and_wiping_leaves_nothing_but_what_others_put_there(tmp_path: Path) -> None:
    home = tmp_path / "home"
    NETWORK.save(home)
    (home / "mine.txt").write_text("kept")
    with in_charge(home), pytest.raises(NodeError, match="is running"):
        wipe(home)
    assert "network.json" in wipe(home)
    assert [file.name for file in home.iterdir()] == ["mine.txt"]
    assert wipe(tmp_path / "nowhere") == []


def started(home: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "hunet.cli", "node", "run", "--home", str(home), "--json", *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "{\n"
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_node_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    home = tmp_path / "home"
    NETWORK.save(home)
    process = started(home, "--listen", "127.0.0.1:0")
    assert ask(home, "status")["peers"] == 0
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (0, "")
    assert not (home / "door").exists()


def test_a_killed_node_starts_again_with_what_it_had(tmp_path: Path) -> None:
    home = tmp_path / "home"
    NETWORK.save(home)
    process = started(home, "--listen", "127.0.0.1:0")
    me = ask(home, "status")["me"]
    ask(home, "pub", tags=["jazz"], data="aGk=")
    ask(home, "sub", tag="rock")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    again = started(home, "--listen", "127.0.0.1:0")
    try:
        status = ask(home, "status")
        assert status["me"] == me
        assert status["carried"]["own"] == 1
        assert [one["tag"] for one in status["interests"]] == ["rock"]
    finally:
        again.terminate()
        again.communicate(timeout=20)
