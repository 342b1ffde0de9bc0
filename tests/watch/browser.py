"""A real browser, headless Chromium, driven over a pipe: it opens a page, presses, taps, looks, and says what it heard.

Chromium reads commands of its DevTools protocol from file 3 and answers on file 4, each message ended by a zero byte,
so that nothing but the browser itself is needed.
"""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.report.browser import chromium

__all__ = ["Browser", "browser"]

_PATIENCE = 60.0
"""Seconds for one answer; the machine may be busy."""


class Browser:
    """One tab. `problems` has every error of the console, `requests` every address that was asked for."""

    def __init__(self, process: subprocess.Popen[bytes], to: int, back: int) -> None:
        self._process, self._to, self._back = process, to, back
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.problems: list[str] = []
        self.requests: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def open(self, page: Path, width: int = 1280, height: int = 800, dark: bool = False, touch: bool = False) -> None:
        """Load a page in a window of this size and wait until it can be watched."""
        self.go(page.as_uri(), "!!window.watching", width, height, dark, touch)

    def go(
        self, address: str, ready: str, width: int = 1280, height: int = 800, dark: bool = False, touch: bool = False
    ) -> None:
        """Load what is at an address in a window of this size and wait until an expression is true."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._call("Emulation.setEmulatedMedia", features=scheme)
        self._call("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.resize(width, height)
        self._call("Page.navigate", url=address)
        self.wait_for(f"document.readyState === 'complete' && {ready}")
        self.settle()

    def resize(self, width: int, height: int) -> None:
        """Another size of the window."""
        self._call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def run(self, script: str) -> Any:
        """The value of an expression."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def busy(self, script: str) -> float:
        """Milliseconds of processor time that the page's thread takes per frame, for a script that says how many."""
        self._call("Performance.enable", timeDomain="threadTicks")
        before = self._seconds_of_tasks()
        frames = self.run(script)
        return 1000 * (self._seconds_of_tasks() - before) / float(frames)

    def _seconds_of_tasks(self) -> float:
        metrics = self._call("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    def wait_for(self, condition: str) -> None:
        """Until an expression is true."""
        end = time.monotonic() + _PATIENCE
        while not self.run(f"Boolean({condition})"):
            assert time.monotonic() < end, f"never true: {condition}"
            select.select([], [], [], 0.02)

    def settle(self) -> None:
        """Until what was asked for is drawn: two frames."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def press(self, key: str) -> None:
        """A key."""
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, **(text if kind == "keyDown" else {}))
        self.settle()

    def drag(self, points: list[tuple[float, float]]) -> None:
        """The mouse pressed at the first point, moved over the others, released at the last."""
        for i, (x, y) in enumerate(points):
            self._mouse("mouseMoved" if i else "mousePressed", x, y)
        self._mouse("mouseReleased", *points[-1])
        self.settle()

    def tap(self, x: float, y: float) -> None:
        """A finger."""
        self._call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self._call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.settle()

    def photograph(self, file: Path, whole: bool = False) -> Path:
        """A picture (PNG) of what is to be seen, or of the whole page."""
        picture = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.write_bytes(base64.b64decode(picture["data"]))
        return file

    def _mouse(self, kind: str, x: float, y: float) -> None:
        pressed = {"button": "left", "buttons": 1, "clickCount": 1}
        self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **pressed)

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        wish: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            wish["sessionId"] = self._session
        os.write(self._to, json.dumps(wish).encode() + b"\0")
        while True:
            message = self._next()
            if message.get("id") == self._number:
                assert "error" not in message, f"{method}: {message['error']}"
                found: dict[str, Any] = message["result"]
                return found
            self._note(message.get("method", ""), message.get("params", {}))

    def _note(self, method: str, told: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            self.problems.append(str(told["exceptionDetails"].get("exception", told["exceptionDetails"])))
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.problems.append(str([one.get("value", one.get("description")) for one in told["args"]]))
        elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.problems.append(told["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._back], [], [], _PATIENCE)
            assert ready, "the browser does not answer"
            piece = os.read(self._back, 1 << 20)
            assert piece, f"the browser is gone ({self._process.poll()})"
            self._rest += piece
        message, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found


@contextmanager
def browser(folder: Path, *wishes_more: str) -> Iterator[Browser]:
    """A browser with a profile of its own in this folder, ended afterwards."""
    hear, to = os.pipe()
    back, say = os.pipe()
    wishes = [chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
              "--disable-background-networking", f"--user-data-dir={folder / 'profile'}",
              "--remote-debugging-pipe", *wishes_more]  # fmt: skip
    files = f'exec "$@" 3<&{hear} 4>&{say}'
    process = subprocess.Popen(
        ["bash", "-c", files, "chromium", *wishes],
        pass_fds=(hear, say),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(hear)
    os.close(say)
    try:
        yield Browser(process, to, back)
    finally:
        os.close(to)
        os.close(back)
        try:  # without its pipe it ends by itself
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
