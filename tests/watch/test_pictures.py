"""The pictures of the documentation can be made at any time, and those that are there are of the sizes promised."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from tests.watch.browser import Browser
from tests.watch.pictures import FRAMES_PER_SECOND, MOST_BYTES, SECONDS, animate, take_pictures
from tests.watch.scenes import conference, run

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.compiles
def test_pictures_and_animation_are_made_from_runs(chrome: Browser, tmp_path: Path) -> None:
    made = take_pictures((run(), run(6)), conference(), tmp_path, chrome)
    shown = re.findall(r"\(pictures/(watch-\w+\.png)\)", (DOCS / "watch.md").read_text(encoding="utf-8"))
    assert {file.name for file in made} == set(shown)
    for file in made:
        with Image.open(file) as picture:
            assert picture.size == ((390, 844) if "phone" in file.name else (1280, 800))
            assert len(picture.convert("RGB").getcolors(1 << 24) or ()) > 50, "there is something to be seen"
    with Image.open(animate(run(), tmp_path / "watch.webp", chrome, tmp_path, frames=4)) as moving:
        assert getattr(moving, "n_frames", 1) == 4
    chrome.requests.clear()  # several pages were opened, on purpose


def test_the_readme_opens_with_an_animation_of_at_most_two_megabytes() -> None:
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert readme.index("docs/pictures/watch.webp") < readme.index("\n## ")
    file = DOCS / "pictures" / "watch.webp"
    assert file.stat().st_size <= MOST_BYTES == 2_000_000
    with Image.open(file) as moving:
        assert getattr(moving, "n_frames", 1) == SECONDS * FRAMES_PER_SECOND
