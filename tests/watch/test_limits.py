"""How large a page is, and how fluent: a conference with thousands of messages, and a crowd."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hunet as hn
from hunet.watch.page import page_of
from tests.traces.stand_ins import INFOCOM05
from tests.watch.browser import Browser
from tests.watch.scenes import crowd

FRAME = 1000 / 30
"""Milliseconds of a frame."""
MOST_BYTES = 5_000_000

PLAY = """new Promise(done => {
  let frames = 0;
  watching.clock.play(true);
  const frame = () => (++frames < 40 ? requestAnimationFrame(frame) : (watching.clock.play(false), done(frames)));
  requestAnimationFrame(frame);
})"""


@pytest.mark.slow
def test_five_hundred_nodes_and_a_million_events_are_shown_at_thirty_frames_a_second(
    chrome: Browser, tmp_path: Path
) -> None:
    show = crowd(nodes=500, contacts=400_000, messages=6000, forwards=600_000)
    page = page_of(show)
    chrome.open(page.save(tmp_path / "page.html"))
    assert "To stay fluent" not in chrome.run("document.getElementById('origin').textContent")
    for picks in ("", "watching.pick('message', 3000)", "watching.pick('tag', 3); watching.pick('node', 5)"):
        chrome.run(f"watching.clock.seek(0.4 * watching.story.end); {picks}")
        busy = chrome.busy(PLAY)
        assert busy < FRAME, f"{busy:.1f} ms a frame with {picks or 'nothing picked'}"


def messages_and_interests(folder: Path, trace: hn.Trace, count: int) -> tuple[Path, Path]:
    """Files of so many messages in forty tags, and two interests each."""
    chance = np.random.default_rng(3)
    names = trace.nodes["name"].to_pylist()
    start, end = trace.contacts["start"].to_numpy().min(), trace.contacts["end"].to_numpy().max()
    rows = [f"{time:.3f},{names[source]},tag{tag}" for time, source, tag in zip(
        np.sort(chance.uniform(start, end, count)), chance.integers(0, len(names), count),
        chance.integers(0, 40, count), strict=True)]  # fmt: skip
    wishes = [f"{name},tag{tag}" for name in names for tag in chance.choice(40, 2, replace=False)]
    messages, interests = folder / "messages.csv", folder / "interests.csv"
    messages.write_text("\n".join(["time,source,tag", *rows]) + "\n", encoding="utf-8")
    interests.write_text("\n".join(["node,tag", *wishes]) + "\n", encoding="utf-8")
    return messages, interests


def size_under_push(trace: hn.Trace, folder: Path) -> int:
    messages, interests = messages_and_interests(folder, trace, 6000)
    run = hn.simulate(trace, "push", messages=messages, interests=interests, ttl="10h", buffer=100, log=True)
    assert run.outcome.log is not None
    assert run.outcome.log.num_rows > 150_000
    return len(run.watch().html.encode())


@pytest.mark.slow
def test_a_page_of_infocom05_with_six_thousand_messages_is_under_five_megabytes(
    trace_files: Path, tmp_path: Path
) -> None:
    trace = hn.read(trace_files / INFOCOM05, internal="1-41")
    assert trace.nodes.num_rows == 41
    assert len(trace) > 17_000
    assert size_under_push(trace, tmp_path) < MOST_BYTES
