"""A Spark for tests, whose workers know what tests define."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import hunet
from tests.ports import free_port

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


LIGHT = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options for a Java that lives for a minute or two."""


def environment_with_tests() -> dict[str, str]:
    """The environment for a Spark whose workers can import hunet, as it is here, and what tests define."""
    paths = (str(Path(hunet.__file__).parents[1]), str(Path(__file__).parents[1]))
    return dict(os.environ, PYTHONPATH=os.pathsep.join(paths))


@contextmanager
def spark_for_tests(folder: Path) -> Iterator[SparkSession]:
    """A session whose settings lie in an empty folder, and which is a Connect server as well: one Java for both."""
    from hunet.pipeline.session import LOG_SETTINGS, SparkSettings, open_session

    settings = {
        "spark.driver.extraJavaOptions": f"{LIGHT} -Dlog4j2.configurationFile={LOG_SETTINGS.as_uri()}",
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.port": free_port(),
    }
    (folder / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", environment_with_tests()["PYTHONPATH"])
        patch.setenv("SPARK_CONF_DIR", str(folder))
        session = open_session(SparkSettings(master="local[2]"))
    yield session
    session.stop()


def connect_address(session: SparkSession) -> str:
    """Where clients of Spark Connect find a session of tests."""
    return f"sc://127.0.0.1:{session.conf.get('spark.connect.grpc.binding.port')}"
