"""The HTTP door: what it answers, and what it refuses."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest

from hunet.model.errors import NodeError
from hunet.node.address import loopback
from hunet.node.service import publish_bytes
from tests.node.doors.web import opened
from tests.node.running import until
from tests.node.village import ANY, member


def test_what_is_published_is_found_by_tag_by_cursor_and_by_words(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "a") as (_, web):
            for text, tags in (("Ärger im Hof", ["jazz"]), ("two", ["storm", "jazz"]), ("three", ["storm"])):
                answer = await web.post("/v1/messages", json={"tags": tags, "text": text})
                assert answer.status_code == 201
            everything = (await web.get("/v1/messages", params={"since": 0})).json()
            assert [one["text"] for one in everything["messages"]] == ["Ärger im Hof", "two", "three"]
            after = await web.get("/v1/messages", params={"since": everything["messages"][1]["cursor"]})
            assert [one["text"] for one in after.json()["messages"]] == ["three"]
            tagged = await web.get("/v1/messages", params={"tag": "jazz"})
            assert [one["text"] for one in tagged.json()["messages"]] == ["Ärger im Hof", "two"]
            found = await web.get("/v1/messages", params={"search": "äRGER"})
            assert [one["text"] for one in found.json()["messages"]] == ["Ärger im Hof"]
            last = (await web.get("/v1/messages", params={"before": 3, "most": 1})).json()
            assert [one["text"] for one in last["messages"]] == ["two"]
            assert everything["messages"][0]["own"]
            assert everything["messages"][0]["taken_by"] == 0

    asyncio.run(run())


def test_bytes_that_are_no_text_come_back_as_they_went(tmp_path: Path) -> None:
    async def run() -> None:
        data = bytes(range(256))
        async with opened(tmp_path / "a") as (_, web):
            await web.post("/v1/messages", json={"tags": ["x"], "data": base64.b64encode(data).decode()})
            (one,) = (await web.get("/v1/messages")).json()["messages"]
            assert one["text"] is None
            assert base64.b64decode(one["data"]) == data

    asyncio.run(run())


def test_a_message_that_came_says_how_and_is_unread_until_it_is_read(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "ann") as ann:
            peers = (("127.0.0.1", ann.port),)
            async with opened(tmp_path / "me", peers=peers) as (me, web):
                assert (await web.post("/v1/interests", json={"tag": "jazz"})).status_code == 201
                await publish_bytes(ann, ["jazz"], b"tonight")
                await until(lambda: me.store.deliveries(), 20)
                (one,) = (await web.get("/v1/messages")).json()["messages"]
                assert (one["text"], one["hops"], one["own"]) == ("tonight", 1, False)
                assert one["from"] == ann.me.hex()
                assert 0 <= one["came"] <= one["age"] < 60
                (interest,) = (await web.get("/v1/interests")).json()["interests"]
                assert (interest["tag"], interest["unread"], interest["messages"]) == ("jazz", 1, 1)
                read = await web.post("/v1/read", json={"tag": "jazz", "cursor": float(one["cursor"])})  # 3.0 is whole
                assert read.json() == {"tag": "jazz", "unread": 0}
                near = (await web.get("/v1/peers")).json()
                assert [peer["peer"] for peer in near["peers"]] == [ann.me.hex()]
                assert near["today"][0]["near"]
                await web.post("/v1/messages", json={"tags": ["storm"], "text": "from me"})
                await publish_bytes(ann, ["jazz"], b"encore")  # whoever meets again is asked again
                assert (await web.delete("/v1/interests", params={"tag": "jazz"})).status_code == 200
                assert (await web.delete("/v1/interests", params={"tag": "jazz"})).status_code == 409

    asyncio.run(run())


def test_who_took_a_message_of_mine_is_counted_and_who_was_near_is_remembered(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "me") as (me, web):
            await web.post("/v1/messages", json={"tags": ["storm"], "text": "soup in the school"})
            async with member(tmp_path / "ann", peers=(("127.0.0.1", me.port),)) as ann:
                ann.host.subscribe("storm")
                ann.host.tell_anew()
                await until(lambda: ann.store.deliveries(), 20)
                await until(lambda: me.host.forwards, 20)
            (one,) = (await web.get("/v1/messages")).json()["messages"]
            assert one["taken_by"] == 1
            await until(lambda: not len(me.contacts), 20)
            near = (await web.get("/v1/peers")).json()
            assert near["peers"] == []
            assert [(peer["peer"], peer["near"]) for peer in near["today"]] == [(ann.me.hex(), False)]

    asyncio.run(run())


def test_the_stream_tells_what_comes_from_a_cursor_on_and_what_changed(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "a") as (_, web):
            for text in ("one", "two"):
                await web.post("/v1/messages", json={"tags": ["jazz"], "text": text})
            async with web.stream("GET", "/v1/stream", headers={"Last-Event-ID": "1"}) as stream:
                assert stream.headers["content-type"].startswith("text/event-stream")
                lines = stream.aiter_lines()
                assert await _event(lines) == ("message", "2", "two")
                await web.post("/v1/messages", json={"tags": ["jazz"], "text": "three"})
                assert await _event(lines) == ("message", "3", "three")
                await web.post("/v1/interests", json={"tag": "storm"})
                kind, _, what = await _event(lines)
                while "interests" not in what:
                    kind, _, what = await _event(lines)
                assert kind == "change"

    asyncio.run(run())


async def _event(lines: Any) -> tuple[str, str, Any]:
    found: dict[str, str] = {}
    async with asyncio.timeout(20):
        async for line in lines:
            name, _, value = line.partition(": ")
            if line:
                found[name] = value
            elif "event" in found:
                break
            else:
                found = {}
    said = json.loads(found["data"])
    return found["event"], found.get("id", ""), said["text"] if isinstance(said, dict) else said


def test_a_node_that_stops_does_not_wait_for_those_who_listen(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "a") as (node, web), web.stream("GET", "/v1/stream") as stream:
            lines = stream.aiter_lines()
            await anext(lines)
            began = asyncio.get_running_loop().time()
            node.stopping.set()
            async for _ in lines:
                pass
            assert asyncio.get_running_loop().time() - began < 5

    asyncio.run(run())


REFUSED: list[tuple[Any, int]] = [
    ({"tags": [], "text": "x"}, 400),
    ({"tags": ["x"]}, 400),
    ({"tags": ["x"], "text": "x", "data": "eA=="}, 400),
    ({"tags": ["x"], "text": 3}, 400),
    ({"tags": ["x"], "text": "x", "lifetime": 0}, 400),
    ({"tags": ["x"], "text": "x", "lifetime": 10**9}, 400),
    ({"tags": ["x"], "text": "x", "lifetime": True}, 400),
    ({"tags": ["x"], "text": "x", "more": 1}, 400),
    ({"tags": ["x", "x"], "text": "x"}, 400),
    ({"tags": ["talks/#"], "text": "x"}, 409),
    ({"tags": ["x"], "data": "no base64!"}, 400),
    ({"tags": ["x"], "data": "AAAA" * 22_000}, 400),
    ({"tags": ["x" * 64], "text": "x"}, 400),
    ([], 400),
    ("x" * 300_000, 413),
]


def test_what_is_not_well_formed_is_refused_in_a_sentence_and_changes_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "a") as (_, web):
            for body, status in REFUSED:
                answer = await web.post("/v1/messages", json=body)
                assert answer.status_code == status, (body, answer.text)
                assert answer.json()["error"]
            json_type = {"content-type": "application/json"}
            for content in (
                b"{",
                b"\xff",
                b'{"tags": ["\\ud800"], "text": "x"}',
                b'{"tags":["x"],"text":"x","lifetime":NaN}',
            ):
                assert (await web.post("/v1/messages", content=content, headers=json_type)).status_code == 400
            assert (await web.post("/v1/messages", content=b"{}")).status_code == 415
            for query in ("since=x", "since=-1", "since=1&since=2", "nobody=1", "most=0", "tag="):
                assert (await web.get(f"/v1/messages?{query}")).status_code == 400, query
            assert (await web.get("/v1/messages?since=1&before=2")).status_code == 409
            assert (await web.get("/v1/nothing")).status_code == 404
            assert (await web.put("/v1/messages")).status_code == 405
            assert (await web.get("/v1/messages")).json()["messages"] == []

    asyncio.run(run())


def test_figures_are_in_the_format_of_prometheus(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "a") as (node, web):
            await web.post("/v1/messages", json={"tags": ["x"], "text": "x"})
            node.host.gone['a "reason"\n\\'] = 2
            answer = await web.get("/metrics")
            assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
            lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
            figures = dict(line.rsplit(" ", 1) for line in lines)
            assert figures['hunet_carried_messages{whose="own"}'] == "1"
            assert figures['hunet_gone_total{why="a \\"reason\\"\\n\\\\"}'] == "2"
            assert figures["hunet_peers"] == "0"

    asyncio.run(run())


def test_a_paused_node_meets_nobody_until_it_goes_on(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "me") as (me, web), member(tmp_path / "ann", peers=(("127.0.0.1", me.port),)):
            await until(lambda: len(me.contacts), 20)
            assert (await web.post("/v1/pause", json={"paused": True})).json() == {"paused": True}
            await until(lambda: not len(me.contacts), 20)
            assert (await web.get("/v1/status")).json()["paused"]
            await asyncio.sleep(1.5)
            assert not len(me.contacts)
            await web.post("/v1/pause", json={"paused": False})
            await until(lambda: len(me.contacts), 40)

    asyncio.run(run())


def test_a_node_is_wiped_only_by_its_networks_name(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "a") as (node, web):
            assert (await web.post("/v1/wipe", json={"network": "another"})).status_code == 409
            assert not node.stopping.is_set()
            assert (await web.post("/v1/wipe", json={"network": "village"})).status_code == 200
            assert node.stopping.is_set()
            assert node.wiping

    asyncio.run(run())


@pytest.mark.parametrize(
    "address", ["0.0.0.0:80", "192.168.1.7:80", "example.org:80", "127.0.0.1", "127.0.0.1:x", "[::]:80"]
)
def test_a_door_is_open_on_this_machine_only(address: str) -> None:
    with pytest.raises(NodeError):
        loopback(address)


def test_a_door_that_cannot_be_opened_is_said_in_one_line_and_leaves_nothing_behind(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "a") as (node, _):
            assert node.http is not None
            port = int(node.http.url.split(":")[2].partition("/")[0])
            with pytest.raises(NodeError, match="cannot be opened"):
                async with member(tmp_path / "b", http=("127.0.0.1", port)):
                    pass
        async with member(tmp_path / "b", http=ANY):
            pass

    asyncio.run(run())
