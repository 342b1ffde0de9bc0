"""The logs of live nodes: what they say of messages becomes a run, and a page like any other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hunet.api.watching import show_from
from hunet.model.node_log import contact_line, delivery_line, message_line
from hunet.watch.page import page_of
from hunet.watch.show import Show
from tests.watch.browser import Browser

# ann meets bob, bob meets cid, cid meets dan. ann publishes; bob carries it without wanting it, cid and dan want it.
LOGS = {
    "ann": [
        contact_line(10, "ann", "bob", True, "c1"),
        message_line(12, "ann", "a1b2", ["jazz", "<b>"], 40, 1000.0),
        contact_line(60, "ann", "bob", False, "c1"),
    ],
    "bob": [contact_line(100, "bob", "cid", True, "c2"), contact_line(160, "bob", "cid", False, "c2")],
    "cid": [
        contact_line(100, "cid", "bob", True, "c2"),
        delivery_line(110, "cid", "a1b2", "bob", 2),
        contact_line(160, "cid", "bob", False, "c2"),
        contact_line(200, "cid", "dan", True, "c3"),
        contact_line(260, "cid", "dan", False, "c3"),
    ],
    "dan": [delivery_line(205, "dan", "a1b2", "cid", 3), delivery_line(206, "dan", "a1b2", "cid", 3)],
}


@pytest.fixture
def show(tmp_path: Path) -> Show:
    for name, lines in LOGS.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return show_from([str(tmp_path / f"{name}.jsonl") for name in LOGS])


def test_logs_become_messages_and_hops_and_one_who_passes_on_is_known_to_carry(show: Show) -> None:
    assert show.traffic is not None
    assert show.traffic.names == ("a1b2",)
    assert show.traffic.messages.to_pylist() == [
        {"source": 0, "created": 12.0, "expires": 1012.0, "size": 40, "tags": ["jazz", "<b>"]}
    ]
    rows = show.plays[0].events.to_pylist()
    assert [(row["time"], row["kind"], row["from"], row["to"]) for row in rows] == [
        (110.0, "forward", -1, 1),  # bob had it, nobody knows since when
        (110.0, "forward", 1, 2),
        (110.0, "delivery", 1, 2),
        (205.0, "forward", 2, 3),  # and dan's log has it twice
        (205.0, "delivery", 2, 3),
    ]


def test_a_page_of_logs_shows_who_got_a_message_by_its_id(show: Show, chrome: Browser, tmp_path: Path) -> None:
    chrome.open(page_of(show, "a1b").save(tmp_path / "page.html"))
    source, carries, got, nothing = 7, 1, 2, 0
    for now, expected in (
        (50, [source, nothing, nothing, nothing]),
        (150, [source, carries, got, nothing]),
        (250, [source, carries, got, got]),
    ):
        chrome.run(f"watching.seek({now})")
        chrome.settle()
        assert chrome.run("watching.states()") == expected
    assert "Message \u2068a1b2\u2069" in chrome.run("document.getElementById('about').textContent")
    assert "wait" not in chrome.run("document.querySelector('.legend').textContent")


def test_clocks_that_differ_are_brought_to_one(tmp_path: Path) -> None:
    ahead = {"ann": 0.0, "bob": 5000.0, "cid": -200.0, "dan": 77.0}
    logs: dict[str, list[dict[str, Any]]] = {name: [] for name in ahead}
    pairs = [("ann", "bob"), ("bob", "cid"), ("cid", "dan"), ("ann", "dan")]
    for meeting in range(80):
        one, other = pairs[meeting % 4]
        for name, peer in ((one, other), (other, one)):
            begins = 600.0 * meeting
            logs[name].append(contact_line(begins, name, peer, True, f"c{meeting}", begins + ahead[peer]))
            logs[name].append(contact_line(begins + 300, name, peer, False, f"c{meeting}"))
    logs["ann"].append(message_line(12, "ann", "a1b2", ["jazz"], 40, None))
    logs["cid"].append(delivery_line(700, "cid", "a1b2", "bob", 2))
    for name, lines in logs.items():
        text = "".join(json.dumps({**line, "time": line["time"] + ahead[name]}) + "\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    found = show_from([str(tmp_path / f"{name}.jsonl") for name in logs])
    assert found.plays[0].events["time"].to_pylist() == pytest.approx([700, 700, 700], abs=0.5)
    starts = sorted(found.network.contacts["start"].to_pylist())
    assert starts == pytest.approx([600.0 * meeting for meeting in range(80)], abs=0.5)


def test_logs_without_messages_are_a_trace(tmp_path: Path) -> None:
    lines = [line for line in LOGS["bob"] if line["kind"] == "contact"]
    (tmp_path / "bob.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert show_from([str(tmp_path / "bob.jsonl")]).plays == ()
