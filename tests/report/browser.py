"""A page in a real browser, headless Chromium: what it measures and what it shows at a width."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.needed import skip_or_fail

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# A window cannot be as narrow as a phone; a frame in it can, and the page's media queries see the frame.
_FRAME = """<!doctype html><meta charset="utf-8">
<style>body {{ margin: 0 }} iframe {{ border: 0; display: block }}</style>
<iframe width="{width}" height="{height}" srcdoc="{page}"></iframe><pre id="found"></pre><script>
addEventListener("load", () => {{
  const inside = document.querySelector("iframe").contentDocument;
  const images = [...inside.images];
  const past = [...inside.body.querySelectorAll("*")].filter(one => {{
    const box = one.closest(".box, pre");
    return (!box || box === one) && one.getBoundingClientRect().right > {width} + 0.5;
  }});
  document.getElementById("found").textContent = JSON.stringify({{
    width: inside.documentElement.scrollWidth,
    height: inside.documentElement.scrollHeight,
    images: images.length,
    broken: images.filter(one => !one.complete || !one.naturalWidth || !one.getBoundingClientRect().width)
      .map(one => one.alt),
    past: past.map(one => one.tagName + " " + one.className + " " + one.textContent.slice(0, 40)),
  }});
}});
</script>
"""


@dataclass(frozen=True)
class Measured:
    """What the browser found at a width."""

    width: int
    """How wide the page is: more than the window where something overflows."""
    height: int
    images: int
    broken: list[str]
    """Images that do not show."""
    past: list[str]
    """Elements, outside boxes that scroll, that end right of the window."""


def chromium() -> str:
    """The browser, or no test."""
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        skip_or_fail(f"no Chromium here (looked for {', '.join(_NAMES)}): the report is checked where there is one")
    return found


def measure(page: Path, width: int, folder: Path) -> Measured:
    """Lay the page out at a width."""
    out = _run(page, width, 2000, folder, "--dump-dom")
    found = re.search(r'<pre id="found">(.*?)</pre>', out, re.DOTALL)
    assert found, f"the page did not load: {out[-500:]}"
    return Measured(**json.loads(html.unescape(found[1])))


def photograph(page: Path, width: int, height: int, folder: Path, picture: Path, dark: bool = False) -> None:
    """A picture of the page from its top."""
    wishes = ["--blink-settings=preferredColorScheme=0"] if dark else []
    _run(page, width, height, folder, f"--screenshot={picture}", *wishes)


def _run(page: Path, width: int, height: int, folder: Path, *wishes: str) -> str:
    frame = folder / f"frame-{width}.html"
    text = html.escape(page.read_text(encoding="utf-8"))
    frame.write_text(_FRAME.format(width=width, height=height, page=text), encoding="utf-8")
    profile = folder / "profile"
    command = [chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               f"--user-data-dir={profile}", f"--window-size={max(width, 600)},{height}",
               "--virtual-time-budget=5000", *wishes, frame.as_uri()]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
