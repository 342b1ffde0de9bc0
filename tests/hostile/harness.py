"""Runs a command line in this process, and says in what it broke the promise of `docs/reliability.md`."""

from __future__ import annotations

import contextlib
import io
import resource
import signal
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from hunet.cli.failures import INTERNAL
from hunet.cli.main import main

SECONDS, WAITED = 10, 60
"""No bad input takes more of a processor, or longer on a busy machine."""
GIGABYTE = 1 << 20
"""In the unit of `ru_maxrss`, kilobytes."""


class Case(NamedTuple):
    """A command line that must be refused. One of `names` must occur in the line that says why."""

    label: str
    arguments: Sequence[str]
    names: Sequence[str]


@dataclass
class Tally:
    """How many cases were tried, and what they took of one processor, seconds."""

    cases: int = 0
    seconds: float = 0.0


class Answer(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


def run(arguments: Sequence[str]) -> Answer:
    """Run a command; one that takes too long is stopped."""
    out, err = io.StringIO(), io.StringIO()
    before = {kind: signal.signal(kind, _too_long) for kind in (signal.SIGALRM, signal.SIGPROF)}
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.alarm(WAITED)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main(arguments)
    except SystemExit as end:
        code = end.code
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        for kind, handler in before.items():
            signal.signal(kind, handler)
    assert isinstance(code, int)
    return Answer(code, out.getvalue(), err.getvalue())


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise AssertionError(f"took longer than {SECONDS} s")


def complaints(cases: Iterable[Case], watched: Path, tally: Tally) -> tuple[int, list[str]]:
    """How many cases there were, and what was wrong with some; nothing below `watched` may change."""
    there = snapshot(watched)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    count, found = 0, []
    for case in cases:
        count += 1
        answer = run(case.arguments)
        wrong = list(_wrong(case, answer))
        now = snapshot(watched)
        if now != there:
            wrong.append(f"changed {sorted(now.items() ^ there.items())[:2]}")
            there = now
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if used > peak + GIGABYTE:
            wrong.append(f"took {(used - peak) >> 10} MB")
            peak = used
        if wrong:
            shown = [f"{argument[:60]!r}" for argument in case.arguments]
            found.append(f"{case.label}: {'; '.join(wrong)}\n    {' '.join(shown)}\n    {answer.err[-300:]!r}")
    tally.cases += count
    tally.seconds += time.process_time() - began
    return count, found


def _wrong(case: Case, answer: Answer) -> Iterator[str]:
    said = answer.err.strip("\n").split("\n")
    if answer.code not in (1, 2):
        yield f"exit code {answer.code}"
    if "Traceback" in answer.err or INTERNAL in answer.err:
        yield "nobody foresaw it"
    if not said[0].startswith("hunet: ") or (len(said) > 1 and not all(line.startswith("  ") for line in said[1:])):
        yield "stderr is not one line"
    if not any(name in answer.err for name in case.names):
        yield f"none of {[name[:40] for name in case.names]} is named"
    if any(
        not letter.isprintable() and unicodedata.category(letter) != "Zs" for letter in answer.err.replace("\n", "")
    ):
        yield "the terminal is told something"
    if len(answer.err) > 20_000:
        yield "the line has no end"


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    """What lies below a folder: size and time of every file; locks come and go."""
    return {
        str(path.relative_to(folder)): (path.lstat().st_size, path.lstat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.name != ".lock" and not path.is_dir()
    }
