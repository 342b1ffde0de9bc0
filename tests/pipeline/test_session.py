"""The Spark session: what the user set wins, nothing stays changed, and a short job is set up as one."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hunet.model.errors import SparkError
from hunet.pipeline import session
from hunet.pipeline.session import SparkSettings, open_session, partitions_for, user_settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_master_and_remote_exclude_each_other() -> None:
    with pytest.raises(SparkError, match=r"local\[1\].*sc://host"):
        open_session(SparkSettings(master="local[1]", remote="sc://host"))


def test_the_users_defaults_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "spark-defaults.conf").write_text(
        "# ours\nspark.master  local[3]\nspark.x=1\n\nspark.y a b\nspark.z -Da=1\n"
    )
    assert user_settings({"SPARK_CONF_DIR": str(tmp_path)}) == {
        "spark.master": "local[3]",
        "spark.x": "1",
        "spark.y": "a b",
        "spark.z": "-Da=1",
    }
    assert user_settings({}) == {}


@pytest.mark.parametrize(
    ("settings", "environment", "expected"),
    [
        (SparkSettings(), {}, ("local[*]", None)),
        (SparkSettings(), {"SPARK_MASTER": "spark://h:1"}, ("spark://h:1", None)),
        (SparkSettings(), {"SPARK_REMOTE": "sc://h"}, (None, "sc://h")),
        (SparkSettings(master="local[1]"), {"SPARK_REMOTE": "sc://h", "SPARK_MASTER": "x"}, ("local[1]", None)),
        (SparkSettings(remote="sc://a"), {"SPARK_REMOTE": "sc://h"}, (None, "sc://a")),
    ],
)
def test_options_come_before_the_environment_and_that_before_the_default(
    settings: SparkSettings, environment: dict[str, str], expected: tuple[str | None, str | None]
) -> None:
    assert session._target(settings, {}, environment) == expected


def test_loopback_is_for_this_machine_only() -> None:
    here = ("local[2]", "spark://127.0.0.1:7077", "spark://localhost:7077")
    assert all(session._is_loopback(target) for target in here)
    assert not session._is_loopback("spark://cluster:7077")
    settings = session._driver_defaults("spark://cluster:7077", 0, {}, {})
    assert "spark.driver.host" not in settings


def test_short_work_compiles_lightly_and_long_work_does_not() -> None:
    short = session._driver_defaults("local[2]", 1000, {}, {})["spark.driver.extraJavaOptions"]
    long = session._driver_defaults("local[2]", 1 << 30, {}, {})["spark.driver.extraJavaOptions"]
    assert "TieredStopAtLevel=1" in short
    assert "TieredStopAtLevel" not in long
    own = session._driver_defaults("local[2]", 0, {"spark.driver.extraJavaOptions": "-Da=b"}, {})
    assert own["spark.driver.extraJavaOptions"].startswith("-Da=b ")


def test_partitions_fit_the_work() -> None:
    assert [partitions_for(0, cores) for cores in (1, 2, 64)] == [1, 2, 2]
    assert partitions_for(64 << 20, 64) == 64
    assert partitions_for(10 << 30, 2) == 640
    assert [session._cores(target) for target in ("local", "local[3]", "local[3,2]", "spark://h")] == [1, 3, 3, 64]
    assert session._cores("local[*]") == os.cpu_count()


def test_the_session_leaves_the_environment_as_it_was(spark: SparkSession) -> None:
    assert spark.range(3).count() == 3
    assert "JAVA_HOME" not in os.environ or "java-" not in Path(os.environ["JAVA_HOME"]).name
    assert "SPARK_LOCAL_IP" not in os.environ


def test_ctrl_c_while_java_starts_leaves_no_java_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def interrupted(_builder: object) -> None:
        proc = subprocess.Popen(["sleep", "60"])  # PySpark's name for it, too
        started.append(proc)
        raise KeyboardInterrupt

    monkeypatch.setattr("pyspark.sql.SparkSession.Builder.getOrCreate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        open_session(SparkSettings())
    assert started[0].wait(10) == -signal.SIGKILL
