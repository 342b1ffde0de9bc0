"""The one place that builds a Spark session.

What is decided here are defaults: options of the command line come first, then what the user's own Spark set-up says
(`SPARK_*` variables, `spark-defaults.conf`), then these. Nothing of the process's environment stays changed.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
import traceback
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hunet.model.errors import SparkError
from hunet.pipeline.java import find_java, launcher_home
from hunet.pipeline.java_archive import options_for

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOG_SETTINGS = Path(__file__).with_name("log4j2.properties")
BYTES_PER_PARTITION = 16 << 20
BYTES_PER_TASK = 256 << 10
"""A task costs as much as the work on so much of the input: smaller ones do not pay."""
HEAP, HEAP_PER_TASK = 400, 150
"""Megabytes of the JVM that is started here. What a sort does not find room for goes to disk."""
SHORT_WORK_BYTES = 64 << 20
"""Inputs up to this size are short work: the JVM compiles lightly, which saves a third of the CPU time of a start."""
_SHORT_WORK = ("-XX:TieredStopAtLevel=1",)
_LONG_WORK = (
    # Ten times the usual numbers: what takes long is compiled well (sorting), the thousands of others only lightly.
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
)


_SETTING = re.compile(r"(?P<name>[^#\s=:][^\s=:]*)\s*[\s=:]\s*(?P<value>.+)")
"""A line of Spark's defaults file; a value may have such signs inside."""


@dataclass(frozen=True)
class SparkSettings:
    """Where to run, and how much there is to do.

    `master` is a Spark master URL, `remote` a Spark Connect one (`sc://host`); with neither, `SPARK_REMOTE`,
    `SPARK_MASTER` and `spark-defaults.conf` are asked, and then all cores of this machine are used.
    """

    master: str | None = None
    remote: str | None = None
    input_bytes: int = 0


def open_session(settings: SparkSettings, environment: Mapping[str, str] = os.environ) -> SparkSession:
    """A Spark session for this work; the caller stops it (`spark_session` does so by itself)."""
    if settings.master and settings.remote:
        raise SparkError(
            f"both a master ({settings.master}) and a remote ({settings.remote}) are given: pass one of them"
        )
    from pyspark.accumulators import AccumulatorTCPServer, AccumulatorUnixServer
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    chosen = user_settings(environment)
    master, remote = _target(settings, chosen, environment)
    target = str(master or remote)
    starts_here = not target.startswith("sc://")
    builder = SparkSession.builder.appName("hunet")
    defaults = _session_defaults(target, settings.input_bytes)
    if starts_here:
        defaults |= _driver_defaults(target, settings.input_bytes, chosen, environment)
    builder = builder.remote(remote) if remote else builder.master(target)
    for key, value in (defaults | {key: chosen[key] for key in chosen if key != "spark.master"}).items():
        builder = builder.config(key, value)
    for logger in (logging.getLogger(), logging.getLogger("py4j.clientserver")):
        logger.addFilter(_is_news)
    for server in (AccumulatorTCPServer, AccumulatorUnixServer):  # a Java that died is told by who waits for it
        server.handle_error = lambda *_caller: None  # type: ignore[method-assign]
    try:
        with _environment_for_spark(target, needs_java=starts_here), warnings.catch_warnings():
            # A Connect server started here has these settings; the client tries to set them again and complains.
            warnings.filterwarnings("ignore", message="Failed to set", category=UserWarning)
            session: SparkSession = builder.getOrCreate()
    except (PySparkException, RuntimeError, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise SparkError(f"Spark did not start on {target}: {reason}") from error
    except KeyboardInterrupt as stopped:
        _end_java(stopped)
        raise
    return session


@contextmanager
def spark_session(spark: SparkSession | SparkSettings) -> Iterator[SparkSession]:
    """A Spark session that ends with the block; one that is open already stays so."""
    if not isinstance(spark, SparkSettings):
        yield spark
        return
    session = open_session(spark)
    try:
        yield session
    finally:
        session.stop()


def end_java() -> subprocess.Popen[bytes] | None:
    """End the JVM of this process, which PySpark keeps for another session, with all the memory that it ever took.

    It is handed back for who has to wait until it is gone.
    """
    from pyspark import SparkContext

    gateway, SparkContext._gateway, SparkContext._jvm = SparkContext._gateway, None, None
    if gateway is None:
        return None
    gateway.shutdown()
    gateway.proc.stdin.close()  # what it waits for
    java: subprocess.Popen[bytes] = gateway.proc
    return java


def _is_news(record: logging.LogRecord) -> bool:
    """Py4J logs a Ctrl-C, and why a batch of a stream failed, and raises it as well: the command says it itself."""
    return not record.getMessage().endswith(("while sending command.", "the Python Proxy on the Python Side."))


def _end_java(stopped: KeyboardInterrupt) -> None:
    """End the JVM whose start was interrupted: nobody is connected to it yet, and it would stay for ever.

    PySpark knows it only as a local variable of the function that waits for it.
    """
    for frame, _line in traceback.walk_tb(stopped.__traceback__):
        started = frame.f_locals.get("proc")
        if isinstance(started, subprocess.Popen):
            started.kill()


def user_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """What the user's `spark-defaults.conf` says (in `$SPARK_CONF_DIR`, or `conf` under `$SPARK_HOME`)."""
    folder = environment.get("SPARK_CONF_DIR") or (
        str(Path(environment["SPARK_HOME"]) / "conf") if environment.get("SPARK_HOME") else None
    )
    if folder is None or not (file := Path(folder) / "spark-defaults.conf").is_file():
        return {}
    found = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if setting := _SETTING.fullmatch(line.strip()):
            found[setting["name"]] = setting["value"]
    return found


def partitions_for(input_bytes: int, cores: int) -> int:
    """How many parts a shuffle has: none much larger than 16 MB, and one for every core where that is worth a task."""
    return max(-(-input_bytes // BYTES_PER_PARTITION), min(cores, 2 + input_bytes // BYTES_PER_TASK))


def _target(
    settings: SparkSettings, chosen: Mapping[str, str], environment: Mapping[str, str]
) -> tuple[str | None, str | None]:
    remote = settings.remote or (environment.get("SPARK_REMOTE") if not settings.master else None)
    if remote:
        return None, remote
    return settings.master or environment.get("SPARK_MASTER") or chosen.get("spark.master") or "local[*]", None


def _session_defaults(target: str, input_bytes: int) -> dict[str, str]:
    return {
        # Adaptive execution joins small parts again, so too many cost little on a cluster whose size is unknown.
        "spark.sql.shuffle.partitions": str(partitions_for(input_bytes, _cores(target))),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "16384",
        "spark.sql.execution.arrow.maxBytesPerBatch": str(BYTES_PER_PARTITION),  # of packs, a few fill one
        "spark.sql.session.timeZone": "UTC",
    }


def _driver_defaults(
    target: str, input_bytes: int, chosen: Mapping[str, str], environment: Mapping[str, str]
) -> dict[str, str]:
    """Settings of the JVM that is started here."""
    options = [chosen.get("spark.driver.extraJavaOptions", "")]
    if not (Path(environment.get("SPARK_CONF_DIR", "/nonexistent")) / "log4j2.properties").is_file():
        options.append(f"-Dlog4j2.configurationFile={LOG_SETTINGS.as_uri()}")
    options += _SHORT_WORK if input_bytes <= SHORT_WORK_BYTES else _LONG_WORK
    settings = {
        "spark.driver.extraJavaOptions": " ".join(filter(None, options)),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if _is_loopback(target):
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        # The server of `--remote local[1]`, which would listen to everybody on the network.
        settings["spark.connect.grpc.binding.address"] = "127.0.0.1"
    if target.startswith("local") and "SPARK_DRIVER_MEMORY" not in environment:
        settings["spark.driver.memory"] = f"{HEAP + HEAP_PER_TASK * _cores(target)}m"
    return settings


def _cores(target: str) -> int:
    if not target.startswith("local"):
        return 64
    inside = target.partition("[")[2].rstrip("]").split(",")[0]
    if inside == "*":
        return os.cpu_count() or 1
    return int(inside) if inside.isdigit() else 1


def _is_loopback(target: str) -> bool:
    if target.startswith("local"):
        return True
    host = urlsplit(target).hostname or ""
    return host == "localhost" or host.startswith("127.") or host == "::1"


@contextmanager
def _environment_for_spark(target: str, needs_java: bool) -> Iterator[None]:
    """The environment variables that Spark's start reads, for as long as the start takes."""
    wanted = {"PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable)}
    if needs_java:
        java = find_java(os.environ)
        wanted["JAVA_HOME"] = str(launcher_home(java))
        # Of the variables that Spark's scripts know, only the driver's Java takes this one.
        wanted["SPARK_SUBMIT_OPTS"] = os.environ.get("SPARK_SUBMIT_OPTS") or " ".join(options_for(java))
    if _is_loopback(target):
        wanted["SPARK_LOCAL_IP"] = os.environ.get("SPARK_LOCAL_IP", "127.0.0.1")
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
