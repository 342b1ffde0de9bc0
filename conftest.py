"""For all tests, and the examples in docstrings: nothing of theirs ends up in the user's own trace store."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _a_home_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HUNET_HOME", str(tmp_path_factory.mktemp("home")))
        yield
