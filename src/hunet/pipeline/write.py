"""Writing what the plan keeps, and the one place where a failing Spark job becomes an error of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from hunet.model import errors
from hunet.model.errors import HunetError, SparkError

_OWN_ERROR = re.compile(r"^hunet\.model\.errors\.(\w+): (.*)$", re.MULTILINE)
_GLOB = re.compile(r"[\\\[\]{}*?]")
"""What Spark takes for a pattern where it reads."""
_RAISED = re.compile(r"^[A-Za-z_][\w.]*: .*$", re.MULTILINE)
"""The line of a Python traceback that says what was raised."""


def keep(spark: SparkSession, frame: DataFrame, path: Path) -> DataFrame:
    """Write a frame as Parquet and go on with what was written: nothing before it is computed twice."""
    frame.write.parquet(place_of(path))
    return spark.read.schema(frame.schema).parquet(pattern_of(path))


def place_of(path: Path) -> str:
    """A path where Spark writes. Not as a URI would have it: Spark would take %20 for letters."""
    return f"file://{path.absolute().as_posix()}"


def pattern_of(path: Path) -> str:
    """A path where Spark reads, and nothing but this path."""
    return _GLOB.sub(r"\\\g<0>", place_of(path))


@contextmanager
def jobs_of(what: str) -> Iterator[None]:
    """Errors of hunet that happened in a task come out as they went in; any other failure names the work it stopped."""
    try:
        yield
    except PySparkException as failure:
        own = _OWN_ERROR.search(str(failure))
        if own is not None and isinstance(kind := getattr(errors, own[1], None), type) and issubclass(kind, HunetError):
            raise kind(own[2]) from failure
        raise SparkError(f"Spark could not finish {what}: {_reason(str(failure))}") from failure


def _reason(text: str) -> str:
    """The line of Spark's account that says what happened: of a failure in Python the last, else the first."""
    _before, python, stack = text.partition("Traceback (most recent call last):")
    raised = _RAISED.findall(stack)
    return raised[-1] if python and raised else text.strip().splitlines()[0]
