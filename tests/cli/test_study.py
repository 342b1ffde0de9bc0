"""`hunet study new` and `check` as they are typed; `run` is tested beside the pipeline, where Spark is."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hunet.cli.main import app
from hunet.model.errors import StudyError
from hunet.protocols import PROTOCOLS

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))


def hunet(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["study", *map(str, words)])


def test_a_new_file_is_right_and_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert f"wrote {file}" in hunet("new", file).stdout
    checked = hunet("check", file)
    assert "is right: 25 runs of push, bsub13 on conference, 5 seeds" in checked.stdout
    again = hunet("new", file)
    assert isinstance(again.exception, StudyError)
    assert "exists already" in str(again.exception)


def test_the_examples_are_right() -> None:
    found = sorted((ROOT / "examples").glob("*.toml"))
    assert found
    for file in found:
        assert "is right" in hunet("check", file).stdout


def test_mistakes_come_all_at_once(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text('seed = 3\n[[trace]]\ngenerator = "campos"\n[[protocol]]\nname = "psh"\n', encoding="utf-8")
    refused = hunet("check", file)
    assert isinstance(refused.exception, StudyError)
    assert str(refused.exception).splitlines() == [
        f"'{file}' has 3 mistakes:",
        "  line 1: there is no key 'seed'; did you mean 'seeds'? There are: "
        "name, seeds, measures, deliveries, against, trace, workload, protocol, limits",
        "  line 3: there is no generator 'campos'; did you mean 'campus'? There are: "
        "conference, surrogate, campus, mass-mobility, random-waypoint",
        "  line 5: there is no protocol 'psh'; did you mean 'push'? There are: "
        f"{', '.join(protocol.name for protocol in PROTOCOLS)}",
    ]
