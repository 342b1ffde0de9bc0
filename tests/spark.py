"""A Spark for tests, whose workers know what tests define."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import hunet

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def environment_with_tests() -> dict[str, str]:
    """The environment for a Spark whose workers can import hunet, as it is here, and what tests define."""
    paths = (str(Path(hunet.__file__).parents[1]), str(Path(__file__).parents[1]))
    return dict(os.environ, PYTHONPATH=os.pathsep.join(paths))


@contextmanager
def spark_for_tests() -> Iterator[SparkSession]:
    from hunet.pipeline.session import SparkSettings, open_session

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", environment_with_tests()["PYTHONPATH"])
        session = open_session(SparkSettings(master="local[2]"))
    yield session
    session.stop()
