"""The page in a real browser: nothing breaks, nothing overflows, nothing that others wrote is more than text."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hunet.node.choice import permitted
from hunet.node.history import messages
from hunet.node.message import Author
from tests.node.background import Background, background
from tests.node.doors.web import base_of, token_of
from tests.node.scene import HOSTILE, Scene, scene, wait_until
from tests.node.village import ANY
from tests.watch.browser import Browser, browser

READY = "!document.getElementById('views').hidden"
VIEWS = ("messages", "people", "carried", "leak", "health")
OVERFLOWING = """[...document.querySelectorAll("main *, header *, nav *")].filter(one => {
  const box = one.getBoundingClientRect();
  return box.width && !one.closest(".hidden, .track, nav") && (box.right > innerWidth + 0.5 || box.left < -0.5);
}).map(one => one.tagName + " " + one.className + " " + one.textContent.slice(0, 40))"""


@pytest.fixture(scope="module")
def nodes() -> Iterator[Background]:
    with background() as started:
        yield started


@pytest.fixture(scope="module")
def shown(nodes: Background, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return scene(nodes, tmp_path_factory.mktemp("scene"))


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    # evil.example is on this machine as far as the browser knows: what an attacker's name server would say
    with browser(tmp_path_factory.mktemp("browser"), "--host-resolver-rules=MAP evil.example 127.0.0.1") as started:
        yield started


def go(chrome: Browser, shown: Scene, width: int = 1280, dark: bool = False) -> None:
    chrome.go("about:blank", "true")
    assert shown.me.http is not None
    chrome.go(shown.me.http.url, READY, width, 900, dark)
    chrome.problems.clear()


def choose(chrome: Browser, view: str) -> None:
    chrome.run(f"document.querySelector('[data-view={view}]').click()")
    chrome.wait_for(f"document.getElementById('{view}').innerText.length > 60")
    if view == "leak":
        chrome.wait_for("document.getElementById('leak').innerText.includes('member')")
    chrome.settle()


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, False), (390, True)])
def test_every_view_shows_without_an_error_and_nothing_overflows(
    width: int, dark: bool, chrome: Browser, shown: Scene
) -> None:
    go(chrome, shown, width, dark)
    chrome.requests.clear()
    for view in VIEWS:
        choose(chrome, view)
        assert chrome.run("document.documentElement.scrollWidth") <= width, view
        assert chrome.run(OVERFLOWING) == [], view
    assert chrome.problems == []
    assert all(one.startswith(base_of(shown.me)) for one in chrome.requests), "nothing comes from elsewhere"


def test_hostile_tags_and_messages_are_text(chrome: Browser, shown: Scene) -> None:
    go(chrome, shown)
    for view in VIEWS:
        choose(chrome, view)
    choose(chrome, "messages")
    assert chrome.run("window.hacked") is None
    assert chrome.run("document.querySelectorAll('main img, main script, .message a').length") == 0
    assert HOSTILE in chrome.run("[...document.querySelectorAll('.text')].map(one => one.textContent).join('|')")


def test_health_shows_the_settings_and_follows_a_change(chrome: Browser, nodes: Background, tmp_path: Path) -> None:
    holder = Author.from_seed(b"h" * 32)
    alone = nodes.start(tmp_path / "alone", http=ANY)
    assert alone.http is not None
    alone.host.agreement.holder = holder.public  # as in a network that was made with a settings key

    def shows(text: str) -> None:
        chrome.wait_for(f"document.getElementById('health').innerText.includes({json.dumps(text)})")

    chrome.go(alone.http.url, READY, 390, 900)
    choose(chrome, "health")
    for text in ("envoy: worth = 0.02", "m = 256, horizon = 86400", "nobody: it is what hunet begins with"):
        shows(text)
    nodes.call(lambda: alone.host.announce(holder, permitted("envoy", {"worth": 0.3}), 7_200_000))
    shows("envoy: worth = 0.3, in 2 hours")
    nodes.call(alone.host.agreement.hasten)
    nodes.call(alone.host.wake)
    for text in ("sent by whoever holds the network's settings key", "hunet node settings back"):
        shows(text)
    nodes.call(alone.host.go_back)
    shows("this device went back to it")
    assert chrome.run(OVERFLOWING) == []


def test_messages_say_how_they_came(chrome: Browser, shown: Scene) -> None:
    go(chrome, shown)
    first = chrome.run(
        "[...document.querySelectorAll('.message')].find(m => m.innerText.includes('keynote')).innerText"
    )
    assert "1 hop, brought by" in first
    assert "talks/room1" in first
    own = said_with(chrome, "Recipe")
    assert "by you" in own
    assert "taken by" in own


def test_a_person_follows_writes_searches_and_leaves_and_sees_what_comes_at_once(
    chrome: Browser, shown: Scene, nodes: Background
) -> None:
    from hunet.node.service import publish_bytes

    go(chrome, shown)
    fill(chrome, "follow-tag", "chess")
    chrome.run("document.getElementById('follow').requestSubmit()")
    chrome.wait_for("document.getElementById('tags').innerText.includes('chess')")
    fill(chrome, "write-tags", "chess, games")
    fill(chrome, "write-text", "Who plays at six? <b>bold</b>")
    chrome.run("document.getElementById('write').requestSubmit()")
    chrome.wait_for("document.getElementById('list').innerText.includes('Who plays at six? <b>bold</b>')")
    nodes.do(publish_bytes(shown.ann, ["chess"], b"I do."))
    chrome.wait_for("document.getElementById('list').innerText.includes('I do.')")
    chrome.wait_for("document.querySelector('.message.unread .text').textContent === 'I do.'")
    fill(chrome, "search-words", "WHO PLAYS")
    chrome.run("document.getElementById('search-words').dispatchEvent(new Event('input'))")
    chrome.wait_for("document.querySelectorAll('.message').length === 1")
    fill(chrome, "search-words", "")
    chrome.run("document.getElementById('search-words').dispatchEvent(new Event('input'))")
    chrome.wait_for("document.querySelectorAll('.message').length > 1")
    chrome.run("document.querySelector('[aria-label=\"Follow chess no more\"]').click()")
    chrome.wait_for("!document.getElementById('tags').innerText.includes('chess')")
    assert chrome.problems == []


def test_it_is_used_by_keyboard_and_every_control_has_a_name(chrome: Browser, shown: Scene) -> None:
    go(chrome, shown)
    unnamed = """[...document.querySelectorAll("button, input, select, textarea, meter")].filter(one =>
      !(one.getAttribute("aria-label") || one.innerText || one.textContent.trim() || (one.labels && one.labels.length)))
      .map(one => one.outerHTML.slice(0, 80))"""
    for view in VIEWS:
        choose(chrome, view)
        assert chrome.run(unnamed) == [], view
    choose(chrome, "messages")
    reached = set()
    for _ in range(40):
        chrome.press("Tab")
        reached.add(chrome.run("document.activeElement.id || document.activeElement.className"))
    assert {"pause", "follow-tag", "write-tags", "write-text", "search-words"} <= reached


def test_what_was_looked_at_is_read(chrome: Browser, shown: Scene, nodes: Background) -> None:
    from hunet.node.service import interests

    go(chrome, shown)
    wait_until(nodes, lambda: not any(one["unread"] for one in interests(shown.me)["interests"]))
    chrome.wait_for("document.getElementById('unread').hidden")


def test_without_the_token_the_page_says_what_to_do(chrome: Browser, shown: Scene) -> None:
    chrome.go("about:blank", "true")
    chrome.go(f"{base_of(shown.me)}/", "!document.getElementById('closed').hidden")
    chrome.go("about:blank", "true")
    chrome.go(f"{base_of(shown.me)}/#wrong", "!document.getElementById('closed').hidden")
    assert "token" in chrome.run("document.getElementById('why').textContent")


# ------------------------------------------------------------------ an attacker's page in the same browser


@pytest.fixture
def evil(tmp_path: Path) -> Iterator[str]:
    """A page of somebody else, open in the same browser."""
    (tmp_path / "index.html").write_text("<!doctype html><title>kittens</title><body></body>", encoding="utf-8")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://evil.example:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


ATTEMPTS = """async (base, token) => {
  const outcomes = [];
  const attempt = async (name, work) => {
    try { outcomes.push([name, await work()]); } catch (error) { outcomes.push([name, "refused"]); }
  };
  const body = JSON.stringify({tags: ["spam"], text: "forged"});
  const told = {Authorization: `Bearer ${token}`, "Content-Type": "application/json"};
  await attempt("read", async () => (await fetch(`${base}/v1/messages`, {headers: told})).text());
  await attempt("read simply", async () => (await fetch(`${base}/v1/status`)).text());
  await attempt("publish", async () =>
    (await fetch(`${base}/v1/messages`, {method: "POST", headers: told, body})).status);
  await attempt("publish as plain text", async () =>
    (await fetch(`${base}/v1/messages`, {method: "POST", mode: "no-cors", body})).status);
  await attempt("beacon", async () => navigator.sendBeacon(`${base}/v1/messages`, body) && 0);
  await attempt("script", () => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = `${base}/v1/messages`; script.onload = () => done("ran"); script.onerror = failed;
    document.body.append(script);
  }));
  await attempt("frame", () => new Promise(done => {
    const frame = document.createElement("iframe");
    frame.src = `${base}/`;
    frame.onload = () => { try { done(frame.contentDocument.body.innerText.length); } catch { done("refused"); } };
    document.body.append(frame);
  }));
  return outcomes;
}"""


def test_an_attackers_page_cannot_publish_or_read_even_if_it_knew_the_token(
    evil: str, chrome: Browser, shown: Scene, nodes: Background
) -> None:
    chrome.go(evil, "document.title === 'kittens'")
    before = nodes.call(lambda: messages(shown.me)["cursor"])
    base, token = json.dumps(base_of(shown.me)), json.dumps(token_of(shown.me))
    outcomes = dict(chrome.run(f"({ATTEMPTS})({base}, {token})"))
    assert outcomes["read"] == outcomes["read simply"] == outcomes["publish"] == outcomes["script"] == "refused"
    assert outcomes["publish as plain text"] in (0, "refused")  # sent blindly at most; what came of it is below
    assert outcomes["frame"] in (0, "refused")
    assert nodes.call(lambda: messages(shown.me)["cursor"]) == before
    assert nodes.call(lambda: messages(shown.me, tag="spam")["messages"]) == []


def test_a_name_that_points_here_opens_nothing(chrome: Browser, shown: Scene, nodes: Background) -> None:
    """DNS rebinding: the attacker's page has the door's own port, so for the browser the two are one origin."""
    port = base_of(shown.me).rpartition(":")[2]
    chrome.go("about:blank", "true")
    chrome.go(f"http://evil.example:{port}/", "true")
    assert "its own address only" in chrome.run("document.body.innerText")
    told = f"{{headers: {{Authorization: 'Bearer {token_of(shown.me)}'}}}}"
    assert chrome.run(f"fetch('/v1/status', {told}).then(answer => answer.status)") == 403
    before = nodes.call(lambda: messages(shown.me)["cursor"])
    body = "JSON.stringify({tags: ['spam'], text: 'x'})"
    forged = f"{{method: 'POST', body: {body}, headers: {{'Content-Type': 'application/json'}}}}"
    assert chrome.run(f"fetch('/v1/messages', {forged}).then(answer => answer.status)") == 403
    assert nodes.call(lambda: messages(shown.me)["cursor"]) == before


def fill(chrome: Browser, name: str, text: str) -> None:
    chrome.run(f"document.getElementById({json.dumps(name)}).value = {json.dumps(text)}")


def said_with(chrome: Browser, word: str) -> str:
    every = "[...document.querySelectorAll('.message')].map(one => one.innerText)"
    return str(chrome.run(f"{every}.find(one => one.includes({json.dumps(word)}))"))
