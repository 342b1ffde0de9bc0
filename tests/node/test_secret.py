"""Secret topics: who knows tag and phrase finds and reads; carriers and other members learn neither."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path

import pytest

from hunet.model.errors import NodeError
from hunet.node.network import Network
from hunet.node.secret import DAY, PREFIX, Topic, days_around
from hunet.node.service import call
from tests.node.running import free_port, node_at, running, texts, until

SALT = bytes(16)


def test_only_tag_phrase_and_network_together_make_the_topic() -> None:
    topic = Topic.of("jazz", "blue note", SALT)
    assert topic == Topic.of("jazz", "blue note", SALT)
    others = [("jazz", "blue notes", SALT), ("rock", "blue note", SALT), ("jazz", "blue note", b"x" * 16)]
    sealed = topic.seal(topic.tag(1), b"tonight")
    assert topic.open(topic.tag(1), sealed) == b"tonight"
    for other in (Topic.of(*one) for one in others):
        assert other.tag(1) != topic.tag(1)
        assert other.open(topic.tag(1), sealed) is None
    assert topic.open(topic.tag(2), sealed) is None
    assert topic.open(topic.tag(1), sealed[:5]) is None


def test_the_tag_is_another_every_day_and_a_weeks_messages_are_wanted() -> None:
    topic = Topic.of("jazz", "blue note", SALT)
    assert len({topic.tag(day) for day in range(100)}) == 100
    days = days_around(100.5 * DAY)
    assert 93 in days  # written a week ago
    assert 101 in days  # by somebody whose clock is ahead
    assert len(days) == 9


def test_those_who_know_the_phrase_read_it_and_the_carrier_does_not(tmp_path: Path) -> None:
    async def run() -> None:
        network, port = Network.new("village"), free_port()
        a, b, c = (node_at(tmp_path / name, network, port) for name in "abc")
        call(b, "sub", {"tag": "jazz", "phrase": "blue note"})
        call(c, "sub", {"tag": "jazz"})
        data = base64.b64encode(b"tonight").decode()
        await call(a, "pub", {"tags": ["jazz"], "data": data, "phrase": "blue note"})
        async with running(a, b, c):
            await until(lambda: texts(b) == ["tonight"])
            await until(lambda: len(c.host.shelf.held) == 1)
            (message,) = call(b, "inbox", {})["messages"]
            assert (message["tags"], message["secret"]) == (["jazz"], True)
            assert texts(c) == []
            (held,) = c.host.shelf.held.values()
            carried = c.host.shelf.envelope(held)
            assert b"tonight" not in carried
            assert b"jazz" not in carried
            assert call(b, "status", {})["interests"] == []
            assert call(b, "status", {})["secret_topics"] == ["jazz"]
        assert b"jazz" not in (b.options.home / "node.jsonl").read_bytes()

    asyncio.run(run())


def test_a_topic_that_is_left_is_wanted_no_more_and_days_go_on(tmp_path: Path) -> None:
    node = node_at(tmp_path / "a", Network.new("village"), free_port())
    now = [50.2 * DAY]
    node.secrets._wall = lambda: now[0]
    call(node, "sub", {"tag": "jazz", "phrase": "blue note"})
    topic = node.secrets.all["jazz"]
    assert {text for _, text in node.host.interests.all} == {topic.tag(day) for day in range(43, 52)}
    now[0] += DAY
    node.secrets.renew()
    assert {text for _, text in node.host.interests.all} == {topic.tag(day) for day in range(44, 53)}
    call(node, "unsub", {"tag": "jazz"})
    assert node.host.interests.all == {}
    node.close()


def test_nobody_else_uses_such_tags(tmp_path: Path) -> None:
    node = node_at(tmp_path / "a", Network.new("village"), free_port())
    with pytest.raises(NodeError, match="--secret"):
        call(node, "sub", {"tag": f"{PREFIX}x"})
    with pytest.raises(NodeError, match="--secret"):
        asyncio.run(call(node, "pub", {"tags": [f"{PREFIX}x"], "data": ""}))
    with pytest.raises(NodeError, match="a secret message has one"):
        asyncio.run(call(node, "pub", {"tags": ["a", "b"], "data": "", "phrase": "x"}))
    with pytest.raises(NodeError, match="neither of which is empty"):
        call(node, "sub", {"tag": "jazz", "phrase": ""})
    node.close()
