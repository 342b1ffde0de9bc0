"""What Java keeps for its next start: taken only if it is the user's own and of this Java; made by one, whole."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hunet.pipeline import java_archive
from hunet.pipeline.java import Java
from hunet.pipeline.java_archive import make, options_for
from tests.spark import environment_with_tests

_LEARNT = "what Java learnt"


@pytest.fixture
def java(tmp_path: Path) -> Java:
    home = tmp_path / "java"
    home.mkdir()
    (home / "release").write_text('JAVA_VERSION="25.0.2"\n')
    return Java(home, 25, "test")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(java_archive, "_learn", lambda draft, _passing: draft.write_text(_LEARNT))
    return tmp_path / "cache"


def test_it_is_made_once_and_used_from_then_on(java: Java, cache: Path) -> None:
    assert options_for(java, cache) == []
    make(java, cache)
    (folder,) = cache.iterdir()
    assert options_for(java, cache)[0] == f"-XX:AOTCache={folder / 'spark.aot'}"
    assert sorted(file.name for file in folder.iterdir()) == [".lock", "spark.aot"]
    written = (folder / "spark.aot").stat().st_mtime_ns
    make(java, cache)
    assert (folder / "spark.aot").stat().st_mtime_ns == written


def test_one_for_another_java_or_spark_is_not_used_and_goes(
    java: Java, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(java, cache)
    (java.home / "release").write_text('JAVA_VERSION="25.0.3"\n')
    assert options_for(java, cache) == []
    make(java, cache)
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(java_archive, "version", lambda _package: "9.9.9")
    assert options_for(java, cache) == []


def test_one_that_others_could_have_written_is_not_used(java: Java, cache: Path) -> None:
    make(java, cache)
    (folder,) = cache.iterdir()
    (folder / "spark.aot").chmod(0o666)
    assert options_for(java, cache) == []
    (folder / "spark.aot").chmod(0o600)
    folder.chmod(0o777)
    assert options_for(java, cache) == []


def test_an_older_java_has_none(java: Java, cache: Path) -> None:
    make(replace(java, version=21), cache)
    assert not cache.exists()


def test_what_is_interrupted_leaves_nothing_to_use(java: Java, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(draft: Path, _passing: Path) -> None:
        draft.write_text("half")
        raise OSError("killed")

    monkeypatch.setattr(java_archive, "_learn", interrupted)
    with pytest.raises(OSError, match="killed"):
        make(java, cache)
    assert options_for(java, cache) == []


@pytest.mark.slow
def test_an_import_with_a_real_one_is_the_same_and_prints_nothing_more(tmp_path: Path) -> None:
    environment = environment_with_tests() | {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HUNET_HOME": str(tmp_path)}
    (tmp_path / "t.csv").write_text("a,b,start,end\nann,bob,0,60\nbob,eve,30,90\n")
    command = [sys.executable, "-m", "hunet.cli", "trace", "import", str(tmp_path / "t.csv")]
    said = []
    for _time in range(2):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        said.append(
            (done.stdout.replace("the store had exactly this trace already: nothing changed\n", ""), done.stderr)
        )
        made = subprocess.run(
            [sys.executable, "-m", java_archive.__name__], env=environment, capture_output=True, text=True, check=True
        )
        assert (made.stdout, made.stderr) == ("", "")
        assert list((tmp_path / "cache" / "hunet").glob("java-archive-*/spark.aot"))
    assert said[0] == said[1]
