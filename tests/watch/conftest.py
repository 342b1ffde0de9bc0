"""One browser for all tests of a file: starting it costs more than most of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.watch.browser import Browser, browser


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


@pytest.fixture(autouse=True)
def quiet(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a test does with a page, nothing comes to the console and no request leaves it."""
    if "chrome" not in request.fixturenames:
        yield
        return
    chrome: Browser = request.getfixturevalue("chrome")
    chrome.problems.clear()
    chrome.requests.clear()
    yield
    assert chrome.problems == []
    assert [url for url in chrome.requests if not url.startswith(("file:///", "data:", "about:"))] == []
    assert len(set(chrome.requests)) <= 1, "nothing is loaded but the page itself"
