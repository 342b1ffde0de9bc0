"""Stored answers are those of the code that computes them: what counts as that, and what does not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hunet.protocols import PROTOCOLS
from hunet.sweeps.identity import code_version
from hunet.sweeps.sources import sources_behind

FILES = {
    "__init__.py": "",
    "experiment.py": """
from __future__ import annotations

from typing import TYPE_CHECKING

import some_study.face
import some_study.plain
from some_study import passing, thing
from some_study.lists import ALL
from some_study.passing import passed

from . import near
from .near_too import something

if TYPE_CHECKING:
    from some_study.for_types import Type


def run(inputs, seed):
    from some_study.late import x

    return some_study.face.load(passing.more(x))


def draw():
    from hunet.report import style
    from hunet.report.traces import draw_gaps
""",
    "plain.py": "import json\nfrom some_study.deep import y\n",
    "deep.py": "y = 1\n",
    "near.py": "x = 1\n",
    "near_too.py": "something = 1\n",
    "late.py": "x = 1\n",
    "for_types.py": "class Type: ...\n",
    "unused.py": "x = 1\n",
    "thing/__init__.py": "",
    "lists/__init__.py": "from some_study.lists.first import FIRST\nALL = (FIRST,)\n",
    "lists/first.py": "FIRST = 1\n",
    "lists/other.py": "x = 1\n",
    "passing/__init__.py": "from .behind import passed as passed\nfrom .behind_too import *\nfrom .other import x\n",
    "passing/behind.py": "passed = 1\n",
    "passing/behind_too.py": "def more(x): ...\n",
    "passing/other.py": "x = 1\n",
    "face/__init__.py": """
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from some_study.face.loading import load
    from some_study.face.saving import save


def __getattr__(name): ...
""",
    "bare/module.py": "x = 1\n",
    "face/loading.py": "def load(x): ...\n",
    "face/saving.py": "def save(x): ...\n",
}


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with an experiment."""
    for name, text in FILES.items():
        path = tmp_path / "some_study" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "some_study"
    for name in [name for name in sys.modules if name.partition(".")[0] == "some_study"]:
        del sys.modules[name]


def version() -> str:
    code_version.cache_clear()
    return code_version("some_study.experiment")


COUNTS = {
    "experiment.py",
    "plain.py",
    "deep.py",
    "near.py",
    "near_too.py",
    "late.py",
    "thing/__init__.py",  # the package itself is imported by name
    "lists/__init__.py",  # ALL is written there
    "lists/first.py",
    "passing/__init__.py",  # only it can tell where `more` comes from
    "passing/behind.py",
    "passing/behind_too.py",
    "passing/other.py",
    "face/loading.py",
}


@pytest.mark.parametrize("name", FILES)
def test_an_answer_depends_on_what_its_code_takes_something_from_and_on_nothing_else(study: Path, name: str) -> None:
    before = version()
    (study / name).write_text(f"{FILES[name]}\n")
    assert (version() != before) == (name in COUNTS)


@pytest.mark.parametrize(
    ("code", "module"),
    [
        ("from some_study.passing import passed", "passing.behind"),
        ("import some_study.passing\nsome_study.passing.passed", "passing.behind"),
        ("import some_study.passing.behind", "passing.behind"),
        ("import some_study.passing.behind as behind\nbehind.passed", "passing.behind"),
        ("import some_study.face as face\nface.load()", "face.loading"),
        ("from some_study.bare import module", "bare.module"),
    ],
)
def test_a_package_that_is_only_on_the_way_does_not_count(study: Path, code: str, module: str) -> None:
    (study / "experiment.py").write_text(code)
    assert sources_behind("some_study.experiment").keys() == {"some_study.experiment", f"some_study.{module}"}


@pytest.mark.parametrize("use", ["hand_on(face)", "getattr(face, 'load')"])
def test_all_that_a_package_offers_counts_where_nobody_knows_what_is_taken(study: Path, use: str) -> None:
    (study / "experiment.py").write_text(f"from some_study import face\n{use}")
    names = {"some_study.experiment", "some_study.face", "some_study.face.loading", "some_study.face.saving"}
    assert sources_behind("some_study.experiment").keys() == names


def test_what_draws_counts_only_where_it_may_be_computed_with(study: Path) -> None:
    assert not [name for name in sources_behind("some_study.experiment") if name.startswith("hunet.")]
    (study / "experiment.py").write_text("from hunet.report.style import save")
    assert "hunet.report.style" in sources_behind("some_study.experiment")
    (study / "experiment.py").write_text("def run(inputs, seed):\n    from hunet.protocols.push import PUSH")
    assert "hunet.protocols.push" in sources_behind("some_study.experiment")


def test_a_simulation_depends_on_every_protocol_and_the_engine_and_on_no_picture() -> None:
    found = sources_behind("hunet.sweeps.simulation")
    assert {protocol.new_state.__module__ for protocol in PROTOCOLS} <= found.keys()
    assert {"hunet.sim.engine.loop", "hunet.filters.counters", "hunet.kernels", "hunet.protocols"} <= found.keys()
    assert not {"hunet", "hunet.sim", "hunet.filters", "hunet.sweeps"} & found.keys()
    assert not [name for name in found if name.split(".")[1] in ("report", "cli", "studies")]
