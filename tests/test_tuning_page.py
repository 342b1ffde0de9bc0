"""The settings on `docs/tuning.md`; its commands are run by `test_own_trace_page.py`."""

from __future__ import annotations

import re
from pathlib import Path

from hunet.protocols import PROTOCOLS

PAGE = (Path(__file__).parents[1] / "docs" / "tuning.md").read_text(encoding="utf-8")


def test_the_page_names_every_setting_that_is_searched() -> None:
    for protocol in PROTOCOLS:
        row = re.search(rf"^\| `{protocol.name}` \| (.*) \|$", PAGE, re.MULTILINE)
        assert bool(row) == bool(protocol.searched), protocol.name
        if row and "the same" not in row[1]:
            assert re.findall(r"`(\w+)`", row[1]) == list(protocol.searched)
