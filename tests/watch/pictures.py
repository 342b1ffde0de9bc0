"""Pictures of the page for the documentation, and the animation that the README opens with; of generated data only.

python -m tests.watch.pictures docs/pictures             the pictures of docs/watch.md
python -m tests.watch.pictures docs/pictures animation   watch.webp
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

import hunet as hn
from hunet.sim.result import Result
from tests.watch.browser import Browser, browser

SECONDS, FRAMES_PER_SECOND = 9, 12
MOST_BYTES = 2_000_000
"""Of the animation."""


def conference() -> hn.Trace:
    return hn.generate(
        "conference", nodes=36, days=1, contacts_per_day=110, acquaintances=24, community_size=12, seed=7
    )


def runs() -> tuple[Result, Result]:
    """B-SUB and Spray-and-Wait, on the same trace with the same messages."""
    first, second = (hn.simulate(conference(), name, ttl="6h", log=True) for name in ("bsub13", "spray"))
    return first, second


def walkers() -> hn.Trace:
    return hn.generate("random-waypoint", walkers=40, side=500.0, step=5.0, seed=1)


def take_pictures(shown: tuple[Result, Result], walk: hn.Trace, folder: Path, chrome: Browser) -> list[Path]:
    """The pictures of docs/watch.md."""
    with TemporaryDirectory() as pages:
        return _take_pictures(*shown, walk, folder, chrome, Path(pages))


def _take_pictures(
    first: Result, second: Result, walk: hn.Trace, folder: Path, chrome: Browser, pages: Path
) -> list[Path]:
    both = first.watch(beside=second).save(pages / "both.html")
    alone = first.watch().save(pages / "alone.html")
    trace = walk.watch().save(pages / "trace.html")
    half_way = "document.getElementById('example').click(); watching.clock.play(false); (() => {"
    half_way += " const hops = watching.story.plays[0].hops(watching.picked.message);"
    half_way += " watching.clock.seek(hops[Math.floor(hops.length * 0.6)].at); })()"
    midday = "watching.clock.seek(0.58 * watching.story.end)"
    tag = "watching.pick('tag', [...watching.story.messages.byTag.keys()].reduce((one, two) =>"
    tag += " watching.story.messages.byTag[two].length > watching.story.messages.byTag[one].length ? two : one))"
    wanted = [
        ("watch-run", alone, 1280, 800, False, midday),
        ("watch-message", alone, 1280, 800, False, half_way),
        ("watch-two", both, 1280, 800, True, half_way),
        ("watch-tag", alone, 1280, 800, False, f"{midday}; {tag}; watching.pick('node', 3)"),
        ("watch-metres", trace, 1280, 800, False, midday),
        ("watch-phone", alone, 390, 844, True, half_way),
    ]
    made = []
    for name, page, width, height, dark, script in wanted:
        chrome.open(page, width, height, dark=dark)
        chrome.run(script)
        chrome.settle()
        chrome.settle()
        made.append(_smaller(chrome.photograph(folder / f"{name}.png")))
    return made


def _smaller(file: Path) -> Path:
    """The same picture with 256 colours, which is all it has but for soft edges."""
    with Image.open(file) as picture:
        few = picture.convert("RGB").quantize(256)
    few.save(file, optimize=True)
    return file


def animate(
    result: Result, file: Path, chrome: Browser, pages: Path, frames: int = SECONDS * FRAMES_PER_SECOND
) -> Path:
    """How one message spreads, as an animated picture."""
    chrome.open(result.watch().save(pages / "page.html"), 1100, 780)
    chrome.run("document.getElementById('example').click(); watching.clock.play(false)")
    begin, end = chrome.run(
        "(() => { const hops = watching.story.plays[0].hops(watching.picked.message);"
        " return [hops[0].at, hops[Math.floor(hops.length * 0.93)].at] })()"
    )
    chrome.run(f"watching.clock.paceFor({end - begin}, {SECONDS})")
    pictures = []
    for frame in range(frames):
        chrome.run(f"watching.clock.seek({begin + (end - begin) * frame / (frames - 1)})")
        chrome.settle()
        picture = Image.open(io.BytesIO(chrome.photograph(pages / "frame.png").read_bytes()))
        pictures.append(picture.convert("RGB"))
    lasts = [1000 // FRAMES_PER_SECOND] * (frames - 1) + [2500]
    for quality in (80, 65, 50, 35):
        pictures[0].save(
            file, save_all=True, append_images=pictures[1:], duration=lasts, loop=0, quality=quality, method=4
        )
        if file.stat().st_size <= MOST_BYTES:
            break
    return file


def main(folder: Path, animation: bool) -> None:
    first, second = runs()
    with TemporaryDirectory() as temporary, browser(Path(temporary)) as chrome:
        pages = Path(temporary)
        made = [animate(first, folder / "watch.webp", chrome, pages)] if animation else []
        for file in made or take_pictures((first, second), walkers(), folder, chrome):
            print(f"{file}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]), "animation" in sys.argv[2:])
