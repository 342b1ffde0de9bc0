"""The examples in README and docs run as printed."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [path for path in sorted(ROOT.glob("docs/**/*.md")) if ">>> " in path.read_text(encoding="utf-8")]


def test_the_readme_example_prints_what_the_readme_says() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```\s+It prints ([^\n]+)", text, re.DOTALL)
    assert found
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(found[1], "README.md", "exec"), {})
    assert printed.getvalue().splitlines() == re.findall(r"`([^`]+)`", found[2])[:3]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not on this machine")
def test_the_unit_is_one_that_systemd_starts(tmp_path: Path) -> None:
    unit = tmp_path / "hunet-node.service"
    text = (ROOT / "examples/hunet-node.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("%h/.local/bin/hunet", sys.executable), encoding="utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run_as_printed(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, page.name, str(page), 0)
    report = io.StringIO()
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.write)
    assert result.attempted > 0
    assert result.failed == 0, report.getvalue()
