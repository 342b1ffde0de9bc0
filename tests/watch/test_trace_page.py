"""The page of a trace, in a real browser: the clock, keys, fingers, people, names, places."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import hunet as hn
from hunet.watch.page import page_of
from hunet.watch.show import Show
from tests.watch.browser import Browser
from tests.watch.scenes import HOSTILE, conference, trace_show, with_names

PAST_THE_EDGE = """[...document.body.querySelectorAll("*")].filter(one => {
  const scrolls = one.closest(".box");
  return (!scrolls || scrolls === one) && one.getBoundingClientRect().right > innerWidth + 0.5;
}).map(one => one.tagName + "." + one.className)"""


@pytest.fixture
def opened(chrome: Browser, tmp_path: Path) -> Browser:
    chrome.open(page_of(trace_show()).save(tmp_path / "page.html"))
    return chrome


def moment(chrome: Browser) -> float:
    return float(chrome.run("watching.story.moment(watching.clock.t)"))


def test_the_clock_moves_when_played_and_stops_when_paused(opened: Browser) -> None:
    began = moment(opened)
    opened.press(" ")
    opened.wait_for(f"watching.story.moment(watching.clock.t) > {began} + 60")
    opened.press(" ")
    stopped = moment(opened)
    opened.settle()
    assert moment(opened) == stopped > began


def test_keys_go_back_and_forth_to_both_ends_and_change_the_speed(opened: Browser) -> None:
    contacts = conference().contacts
    opened.press("End")
    assert moment(opened) == pytest.approx(max(contacts["end"].to_pylist()), abs=0.001)
    opened.press("ArrowLeft")
    speed = opened.run("watching.clock.speed")
    assert moment(opened) == pytest.approx(max(contacts["end"].to_pylist()) - speed, abs=0.001)
    opened.press("+")
    assert opened.run("watching.clock.speed") > speed
    opened.press("Home")
    assert moment(opened) == pytest.approx(min(contacts["start"].to_pylist()), abs=0.001)


def test_dragging_along_the_bars_moves_the_clock(opened: Browser) -> None:
    box = opened.run("JSON.parse(JSON.stringify(document.getElementById('scrubber').getBoundingClientRect()))")
    y = box["y"] + 20
    opened.drag(
        [(box["x"] + 0.2 * box["width"], y), (box["x"] + 0.4 * box["width"], y), (box["x"] + 0.75 * box["width"], y)]
    )
    assert opened.run("watching.clock.t / watching.story.end") == pytest.approx(0.75, abs=0.003)


def test_the_bars_count_the_contacts_that_begin_in_each_hour(opened: Browser) -> None:
    bars = opened.run("({...watching.story.bars, values: [...watching.story.bars.values]})")
    start = conference().contacts["start"].to_numpy()
    counted = np.bincount((start // bars["width"]).astype(int) - int(start.min() // bars["width"]))
    assert bars["values"][: len(counted)] == counted.tolist()
    assert sum(bars["values"]) == len(conference())


def test_a_finger_picks_a_person_and_the_panel_says_whom_it_is_with(chrome: Browser, tmp_path: Path) -> None:
    chrome.open(page_of(trace_show()).save(tmp_path / "page.html"), 390, 844, touch=True)
    contacts = conference().contacts.to_pylist()
    one = max(contacts, key=lambda row: row["end"] - row["start"])
    now, node = (one["start"] + one["end"]) / 2, one["a"]
    chrome.run(f"watching.seek({now})")
    chrome.settle()
    corner = chrome.run("(box => [box.x, box.y])(watching.stages[0].canvas.getBoundingClientRect())")
    place = chrome.run(f"watching.stages[0].placeOf({node})")
    chrome.tap(corner[0] + place[0], corner[1] + place[1])
    assert chrome.run("watching.picked.node") == node
    names = conference().nodes["name"].to_pylist()
    beside = {row["b"] if row["a"] == node else row["a"] for row in contacts
              if node in (row["a"], row["b"]) and row["start"] <= now <= row["end"]}  # fmt: skip
    said = chrome.run("[...document.querySelectorAll('#about .fact')].find(one => one.querySelector('dt')"
                      ".textContent === 'with').querySelector('dd').innerText")  # fmt: skip
    assert {word.strip("\u2068\u2069") for word in said.split()} == {names[other] for other in beside}


def test_links_are_lit_while_contacts_last(opened: Browser) -> None:
    contacts = conference().contacts.to_pylist()
    for share in (0.4, 0.6, 0.5):  # forward, forward, back
        now = contacts[0]["start"] + share * 60000
        opened.run(f"watching.seek({now})")
        opened.settle()
        lit = opened.run("watching.stages[0].lit")
        expected = sorted([row["a"], row["b"]] for row in contacts if row["start"] <= now <= row["end"])
        assert sorted(lit) == expected


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_overflows_and_hostile_names_are_text(chrome: Browser, tmp_path: Path, width: int) -> None:
    network = with_names(trace_show().network, HOSTILE)
    chrome.open(page_of(Show(network)).save(tmp_path / "page.html"), width, 844)
    chrome.run("watching.pick('node', 0)")
    chrome.settle()
    assert chrome.run("window.broken") is None
    assert chrome.run("document.querySelector('#about h2').textContent").startswith(f"\u2068{HOSTILE[0]}\u2069")
    options = chrome.run("[...document.querySelectorAll('#pick-node option')].map(one => one.textContent)")
    assert {f"\u2068{name or '(no name)'}\u2069" for name in HOSTILE} <= set(options)
    assert chrome.run("document.scripts.length") == 2
    assert chrome.run("document.images.length") == 0
    assert chrome.run(PAST_THE_EDGE) == []
    assert chrome.run("document.documentElement.scrollWidth") <= width
    said = chrome.run("document.getElementById('origin').textContent")
    assert HOSTILE[0] in said and HOSTILE[1] in said and "embeds the trace" in said  # noqa: PT018


def test_a_generated_trace_is_called_nobodys_data(opened: Browser) -> None:
    said = opened.run("document.getElementById('origin').textContent")
    assert "Generated by hunet" in said
    assert "embeds" not in said


def test_people_stand_where_their_positions_say_on_a_grid_of_metres(chrome: Browser, tmp_path: Path) -> None:
    trace = hn.generate("random-waypoint", walkers=12, side=400, step=5, seed=1)
    chrome.open(trace.watch().save(tmp_path / "page.html"))
    rows = trace.positions.filter(pa.compute.equal(trace.positions["node"], 3)).sort_by("t")
    t, x, y = (rows[name].to_numpy() for name in ("t", "x", "y"))
    now = float(trace.contacts["start"][0].as_py()) + 100
    west, south = trace.positions["x"].to_numpy().min(), trace.positions["y"].to_numpy().min()
    chrome.run(f"watching.seek({now})")
    found = chrome.run("watching.story.place.at(3, watching.clock.t)")
    assert found == pytest.approx([np.interp(now, t, x) - west, np.interp(now, t, y) - south], abs=0.2)


def test_light_and_dark_have_colours_of_their_own(chrome: Browser, tmp_path: Path) -> None:
    page = page_of(trace_show()).save(tmp_path / "page.html")
    seen = []
    for dark in (False, True):
        chrome.open(page, dark=dark)
        seen.append(chrome.run("getComputedStyle(document.body).backgroundColor"))
    assert seen[0] != seen[1]
