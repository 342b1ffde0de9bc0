"""Ranges as cells: whoever's box an event is in shares a cell with it, and what is delivered is exact."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from hunet.model.errors import ContentError, HunetError
from hunet.node.daemon import Node
from hunet.node.events import decode_event, encode_event
from hunet.node.network import Network
from hunet.node.ranges import LEVELS, MOST_CELLS, Ranges
from hunet.node.service import call
from tests.node.running import node_at, running, say, texts, until
from tests.ports import free_port

SCHEMA = """
[attributes.price]
type = "number"
min = 0
max = 1000

[attributes.brand]
type = "category"
values = ["Canon", "Leica", "Nikon"]

[attributes.day]
type = "time"
min = 2026-01-01
max = 2026-12-31
"""
RANGES = Ranges(SCHEMA)


def events(count: int, seed: int) -> list[dict[str, object]]:
    chance = random.Random(seed)
    return [
        {
            "price": chance.choice([0, 1000, 500, chance.uniform(0, 1000)]),
            "brand": chance.choice(["Canon", "Leica", "Nikon"]),
            "day": f"2026-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}",
        }
        for _ in range(count)
    ]


def test_an_event_shares_a_cell_with_every_range_that_it_is_in() -> None:
    chance = random.Random(1)
    shared = wanted = 0
    for event in events(300, 2):
        cells = set(RANGES.cells_of_event(event))
        assert len(cells) == LEVELS
        for _ in range(10):
            low = chance.uniform(0, 900)
            where = chance.choice(
                [
                    f"price <= {low}",
                    f"price >= {low} and brand = Nikon",
                    f"{low} <= price <= {low + 50} and brand = Leica",
                    "day >= 2026-06-01",
                    "price = 500",
                ]
            )
            touched = RANGES.cells_of_range(where)
            assert 1 <= len(touched) <= MOST_CELLS
            if RANGES.matches(where, event):
                wanted += 1
                assert cells & set(touched), (where, event)
            shared += bool(cells & set(touched))
    assert wanted > 500
    assert shared < 2 * wanted  # cells are coarse, but not useless


def test_what_the_schema_does_not_know_is_refused_in_a_sentence() -> None:
    for where in ("prize <= 5", "price <= much", "brand = Kodak", "price > 5 and price < 3"):
        with pytest.raises(ContentError):
            RANGES.cells_of_range(where)
    for event in ({"price": 5}, {"price": 5, "brand": "Kodak", "day": "2026-01-01"}, {}):
        with pytest.raises(ContentError):
            RANGES.cells_of_event(event)
        assert not RANGES.matches("price <= 500", event)
    with pytest.raises(ContentError):
        Ranges("nonsense")


def test_an_event_goes_through_a_message_and_nonsense_is_none() -> None:
    event = events(1, 3)[0]
    assert decode_event(encode_event(event, "a camera")) == (event, "a camera")
    for payload in (
        b"",
        b"[]",
        b"{}",
        b'{"event": 1, "text": "x"}',
        b'{"event": {}, "text": 1}',
        b"\xff",
        b"[" * 10**5,
    ):
        assert decode_event(payload) is None


def test_tags_and_ranges_go_through_one_network_each_message_by_its_kind(tmp_path: Path) -> None:
    async def run() -> None:
        network, port = Network.new("fair", SCHEMA), free_port()
        a, b = (node_at(tmp_path / name, network, port) for name in "ab")
        call(b, "range", {"where": "price <= 500 and brand = Nikon"})
        call(b, "sub", {"tag": "jazz"})
        good = {"price": 450, "brand": "Nikon", "day": "2026-05-01"}
        for event, text in ((good, "yours?"), ({**good, "price": 501}, "too dear"), ({**good, "brand": "Leica"}, "no")):
            await call(a, "event", {"event": event, "text": text})
        say(a, "jazz", "tonight")
        async with running(a, b):
            await until(lambda: len(texts(b)) == 2)
            await asyncio.sleep(0.5)
            got = {one["text"]: one for one in call(b, "inbox", {})["messages"]}
            assert set(got) == {"yours?", "tonight"}
            assert (got["yours?"]["event"], got["yours?"]["tags"]) == (good, [])
            assert (got["tonight"]["event"], got["tonight"]["tags"]) == (None, ["jazz"])
            call(b, "unsub", {"tag": "price <= 500 and brand = Nikon"})
            assert [one["tag"] for one in call(b, "status", {})["interests"]] == ["jazz"]
        again = Node(b.options)  # kept, and read again
        assert len(texts(again)) == 2
        again.close()

    asyncio.run(run())


def test_a_network_without_a_schema_has_no_ranges(tmp_path: Path) -> None:
    node = node_at(tmp_path / "a", Network.new("village"), free_port())
    with pytest.raises(HunetError, match="no schema"):
        call(node, "range", {"where": "price <= 500"})
    with pytest.raises(HunetError, match="no schema"):
        asyncio.run(call(node, "event", {"event": {}}))
    node.close()
