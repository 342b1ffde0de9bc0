"""The page of simulations, in a real browser: what it shows of a message is what the log says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hunet.sim.result import Result
from hunet.watch.curves import INSTANTS
from tests.watch.browser import Browser
from tests.watch.scenes import run
from tests.watch.test_trace_page import PAST_THE_EDGE

pytestmark = pytest.mark.compiles

NOTHING, CARRIES, GOT, WAITS, DROPPED, LET_GO, EXPIRED, SOURCE = range(8)


@pytest.fixture(scope="module")
def runs() -> tuple[Result, Result]:
    """With room for all, and with little."""
    return run(), run(6)


@pytest.fixture
def opened(chrome: Browser, runs: tuple[Result, Result], tmp_path: Path) -> Browser:
    chrome.open(runs[0].watch(beside=runs[1]).save(tmp_path / "page.html"))
    return chrome


def log_of(result: Result) -> list[dict[str, Any]]:
    assert result.outcome.log is not None
    return list(result.outcome.log.to_pylist())


def wanted(result: Result, message: int) -> set[int]:
    """Who wants a message, by the tables of the workload."""
    assert result.show is not None and result.show.traffic is not None  # noqa: PT018
    one = result.show.traffic.messages.slice(message, 1).to_pylist()[0]
    rows = result.show.traffic.interests.to_pylist()
    return {row["node"] for row in rows if row["tag"] in one["tags"]} - {one["source"]}


def states_by_the_log(result: Result, message: int, now: float, nodes: int) -> list[int]:
    """The state of every node towards a message, from the log alone."""
    events = [event for event in log_of(result) if event["message"] == message and event["time"] <= now]
    state = [NOTHING] * nodes
    for event in events:
        node, to = event["from"], event["to"]
        if event["kind"] == "creation":
            for one in wanted(result, message):
                state[one] = WAITS
            state[node] = SOURCE
        elif event["kind"] == "forward":
            state[to] = CARRIES
        elif event["kind"] == "delivery":
            state[to] = GOT
        elif state[node] == CARRIES and event["kind"] in ("drop", "release", "expiry"):
            state[node] = {"drop": DROPPED, "release": LET_GO, "expiry": EXPIRED}[event["kind"]]
    return state


def most_travelled(result: Result) -> int:
    return int(np.argmax(np.asarray(result.outcome.copies)))


def test_a_messages_spread_is_that_of_the_log_at_every_instant(opened: Browser, runs: tuple[Result, Result]) -> None:
    nodes = opened.run("watching.story.count")
    for message in (most_travelled(runs[0]), int(np.argmax(np.asarray(runs[1].outcome.dropped)))):
        times = sorted(event["time"] for event in log_of(runs[0]) if event["message"] == message)
        opened.run(f"watching.pick('message', {message})")
        seen = set()
        # Just after it was published, half-way, after all; and back again.
        for now in (times[0] + 1, times[len(times) // 2], times[-1] + 1, times[1]):
            opened.run(f"watching.seek({now} + 0.001)")
            opened.settle()
            for place, result in enumerate(runs):
                shown = opened.run(f"watching.states({place})")
                assert shown == states_by_the_log(result, message, now + 0.001, nodes)
                seen |= set(shown)
                # What the legend counts is what is drawn.
                legend = dict(opened.run(
                    f"[...document.querySelectorAll('.legend')[{place}].querySelectorAll('li')]"
                    ".map(one => [one.querySelector('span').textContent, Number(one.querySelector('b')?.textContent)])"
                ))  # fmt: skip
                assert legend["wanted it and got it"] == shown.count(GOT)
                assert legend["want it and wait"] == shown.count(WAITS)
        assert {GOT, SOURCE} < seen


def test_the_curves_are_totals_of_the_log(opened: Browser, runs: tuple[Result, Result]) -> None:
    clock = opened.run("watching.story.clock")
    for place, result in enumerate(runs):
        curves = opened.run(
            f"Object.fromEntries(Object.entries(watching.story.plays[{place}].curves).map(([n, c]) => [n, [...c]]))"
        )
        log = log_of(result)
        assert result.show is not None and result.show.traffic is not None  # noqa: PT018
        sizes = result.show.traffic.messages["size"].to_pylist()
        for k in (0, 300, 700, 1100, INSTANTS - 1):
            now = clock["begin"] + k / (INSTANTS - 1) * (clock["end"] - clock["begin"])
            so_far = [event for event in log if event["time"] <= now]
            kinds = [event["kind"] for event in so_far]
            lost = sum(kinds.count(kind) for kind in ("drop", "release", "expiry"))
            assert curves["delivered"][k] == kinds.count("delivery")
            assert curves["copies"][k] == kinds.count("creation") + kinds.count("forward") - lost
            assert curves["sent"][k] == sum(sizes[event["message"]] for event in so_far if event["kind"] == "forward")
        assert curves["wanted"][-1] == result.measures["wanted"]
        assert curves["delivered"][-1] == result.measures["delivered"]


def test_the_tree_of_hops_has_every_hand_over_once(opened: Browser, runs: tuple[Result, Result]) -> None:
    message = most_travelled(runs[0])
    opened.run(f"watching.pick('message', {message})")
    for place, result in enumerate(runs):
        hops = opened.run(
            f"watching.story.plays[{place}].hops({message}).slice(1)"
            ".map(hop => [hop.parent.node, hop.node, hop.wanted])"
        )
        log = [event for event in log_of(result) if event["message"] == message]
        delivered = {event["to"] for event in log if event["kind"] == "delivery"}
        forwards = [event for event in log if event["kind"] == "forward"]
        assert hops == [[event["from"], event["to"], event["to"] in delivered] for event in forwards]
        drawn = opened.run(f"document.querySelectorAll('.way')[{place}].querySelectorAll('.past .mark').length")
        assert drawn == len(forwards) + 1


def test_a_nodes_buffer_is_that_of_the_log(opened: Browser, runs: tuple[Result, Result]) -> None:
    log = log_of(runs[1])
    times = [event["time"] for event in log]
    for node, now in ((3, times[len(times) // 3]), (5, times[2 * len(times) // 3])):
        held: set[int] = set()
        for event in log:
            if event["time"] > now:
                break
            if (event["kind"] == "forward" and event["to"] == node) or (
                event["from"] == node and event["kind"] == "creation"
            ):
                held.add(event["message"])
            elif event["from"] == node and event["kind"] in ("drop", "release", "expiry"):
                held.discard(event["message"])
        opened.run(f"watching.seek({now} + 0.001)")
        assert opened.run(f"watching.story.plays[1].buffer({node}, watching.clock.t)") == sorted(held)


def test_a_tag_counts_what_those_who_want_it_got(opened: Browser, runs: tuple[Result, Result]) -> None:
    log = log_of(runs[0])
    now = log[len(log) // 2]["time"] + 0.001
    assert runs[0].show is not None and runs[0].show.traffic is not None  # noqa: PT018
    tags = runs[0].show.traffic.messages["tags"].to_pylist()
    opened.run(f"watching.seek({now}); watching.pick('tag', 2)")
    name = opened.run("watching.story.tags[2]")
    delivered = [
        event
        for event in log
        if event["kind"] == "delivery" and event["time"] <= now and name in tags[event["message"]]
    ]
    got = opened.run("[...watching.story.plays[0].spreadOfTag(2, watching.clock.t).got]")
    assert sum(got) == len(delivered) > 0
    assert opened.run("document.querySelector('#about h2 span').textContent") == f"Tag \u2068{name}\u2069"


def test_the_page_shows_a_message_by_itself_when_asked(opened: Browser) -> None:
    opened.run("document.getElementById('example').click()")
    opened.wait_for("watching.clock.playing && watching.picked.message >= 0 && watching.states(0).includes(2)")
    opened.press(" ")
    message = opened.run("watching.picked.message")
    opened.press("n")
    assert opened.run("watching.picked.message") == message + 1
    opened.press("Escape")
    assert opened.run("[watching.picked.message, watching.picked.tag, watching.picked.node]") == [-1, -1, -1]


def test_a_page_begins_with_the_message_that_was_asked_for(
    chrome: Browser, runs: tuple[Result, Result], tmp_path: Path
) -> None:
    message = most_travelled(runs[0])
    chrome.open(runs[0].watch(message=message).save(tmp_path / "page.html"))
    assert chrome.run("watching.picked.message") == message
    assert chrome.run("document.querySelector('#about h2 span').textContent") == f"Message \u2068#{message}\u2069"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("picks", ["", "watching.pick('message', 20)", "watching.pick('tag', 1)"])
def test_nothing_overflows(
    chrome: Browser, runs: tuple[Result, Result], tmp_path: Path, width: int, picks: str
) -> None:
    chrome.open(runs[0].watch(beside=runs[1]).save(tmp_path / "page.html"), width, 844)
    chrome.run(f"watching.clock.seek(watching.story.end / 2); watching.pick('node', 1); {picks}")
    chrome.settle()
    assert chrome.run(PAST_THE_EDGE) == []
    assert chrome.run("document.documentElement.scrollWidth") <= width
