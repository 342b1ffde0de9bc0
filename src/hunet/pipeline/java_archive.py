"""Spark's classes as Java wants them in memory, kept for the next start: a third of what a small import takes.

Java 25 can write such an archive when it ends, and read it when it starts (JEP 483, JEP 514). It is made once, by a
process of its own, after somebody has waited for Spark at a terminal, and takes about 180 MB of the user's cache. It
lies there under the rule of what is executed when it is found again (`private_folder`), by a name made from what it
depends on, Java and Spark; archives for others go when a new one comes. Java looks at it once more, and does without
one that does not fit.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import platformdirs

from hunet.model.errors import HunetError
from hunet.pipeline.java import Java, find_java
from hunet.private_folder import is_private, private_folder

__all__ = ["make", "make_in_background", "options_for"]

OLDEST = 25
"""The oldest Java that writes an archive in one go."""

_FILE = "spark.aot"
_FOLDER = "java-archive-"
_QUIET = ("-Xlog:aot*=off", "-Xlog:cds*=off")
_TABLE = "a,b,start,end\nann,bob,0,60\nbob,eve,30,90\n"


def options_for(java: Java, cache: Path | None = None) -> list[str]:
    """What to start this Java with: its archive, if there is one that nobody else could have written."""
    folder = _folder(java, cache)
    if folder is None or not (is_private(folder) and is_private(folder / _FILE)):
        return []
    return [f"-XX:AOTCache={folder / _FILE}", *_QUIET]


def make_in_background() -> None:
    """Begin to make the archive where there is none; nobody waits for it, and it says nothing."""
    java = find_java(os.environ)
    if _folder(java, None) is not None and not options_for(java):
        subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def make(java: Java, cache: Path | None = None) -> None:
    """Make the archive by a small import; one process at a time does, and the file is there whole or not at all."""
    from hunet.traces.locking import exclusive

    wanted = _folder(java, cache)
    folder = None if wanted is None else private_folder(wanted.parent, wanted.name)
    if folder is None or options_for(java, cache):
        return
    with exclusive(folder / ".lock", "the archive is being made"), tempfile.TemporaryDirectory(dir=folder) as passing:
        draft = Path(passing) / _FILE
        _learn(draft, Path(passing))
        if draft.exists():
            draft.chmod(0o600)
            draft.rename(folder / _FILE)
            for other in folder.parent.glob(f"{_FOLDER}*"):
                if other != folder:
                    shutil.rmtree(other, ignore_errors=True)


def _learn(draft: Path, passing: Path) -> None:
    """A small import, whose Java writes down what it loaded when it ends."""
    from hunet.pipeline.importing import import_trace
    from hunet.pipeline.read import find_source
    from hunet.pipeline.session import SparkSettings, end_java, spark_session
    from hunet.pipeline.work import ImportSettings
    from hunet.traces.store import TraceStore
    from hunet.traces.storing import Label

    table = passing / "small.csv"
    table.write_text(_TABLE, encoding="utf-8")
    os.environ["SPARK_SUBMIT_OPTS"] = " ".join((f"-XX:AOTCacheOutput={draft}", *_QUIET))
    source = find_source([str(table)], None, {})
    with spark_session(SparkSettings(master="local[2]")) as session:
        import_trace(session, TraceStore(passing), source, Label("small"), ImportSettings())
    java = end_java()
    if java is not None:
        java.wait()  # it writes when it ends


def _folder(java: Java, cache: Path | None) -> Path | None:
    """Where the archive of this Java and this Spark belongs; None where there can be none."""
    spark = find_spec("pyspark")
    kept = platformdirs.user_cache_path("hunet") if cache is None else cache
    if java.version < OLDEST or sys.platform == "win32" or spark is None or " " in str(kept):
        return None
    release = java.home / "release"
    told = release.read_text(encoding="utf-8") if release.is_file() else str(java.version)
    depends = "\n".join((str(java.home), told, version("pyspark"), str(spark.origin)))
    return kept / f"{_FOLDER}{hashlib.sha256(depends.encode()).hexdigest()[:16]}"


if __name__ == "__main__":
    os.nice(15)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:  # Java tells of each step, whatever its log is told
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    try:
        make(find_java(os.environ))
    except (HunetError, OSError):
        sys.exit(1)  # another process makes it, or nobody can: the next import tries again
