"""The process in which runs happen: it takes one order after the other and answers each. `supervisor.py` starts it.

It is a process of its own so that a run may do what it likes to it: exit, crash, take all memory, never end. It stays
as long as its parent does, with everything compiled; when the parent is gone, so is it, even in the middle of a run.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO

import pyarrow as pa

from hunet.model.errors import HunetError
from hunet.sweeps.experiment import function_named
from hunet.sweeps.folder import SweepFolder
from hunet.sweeps.supervisor import Reply


def main(memory_limit: str) -> None:
    """Answer orders from stdin on stdout, for ever."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a run prints must not get between the replies
    _limit_memory(int(memory_limit))
    orders: SimpleQueue[str] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, orders), daemon=True).start()
    while True:
        run, order, folder = json.loads(orders.get())
        pickle.dump(_answer(run, order, SweepFolder(Path(folder))), replies)
        replies.flush()


def _listen(stream: BinaryIO, orders: SimpleQueue[str]) -> None:
    for line in stream:
        orders.put(line.decode())
    os._exit(0)


def _answer(run: str, order: str, folder: SweepFolder) -> Reply:
    began = time.perf_counter()
    error = unwritten = None
    measures: Mapping[str, float] = {}
    written: tuple[str, ...] = ()
    exhausted = False
    try:
        wanted = json.loads(order)
        inputs = {
            name: folder.data / value["data"] if isinstance(value, dict) else value
            for name, value in wanted["inputs"].items()
        }
        measures, tables = function_named(wanted["function"])(inputs, wanted["seed"])
        measures = {name: float(value) for name, value in measures.items()}
        written = tuple(sorted(tables))
        unwritten = _write(folder, run, tables)
    except HunetError as problem:
        error = str(problem)
    except MemoryError:
        error, exhausted = "out of memory", True
    except BaseException as problem:
        error = _description(problem)
    return Reply(time.perf_counter() - began, _peak_memory(), error, measures, written, exhausted, unwritten)


def _write(folder: SweepFolder, run: str, tables: Mapping[str, pa.Table]) -> str | None:
    """Tables are written here, where they are: on their way to another process they would be in memory three times."""
    try:
        folder.write_tables(run, tables)
    except OSError as problem:
        return str(problem)
    return None


def _description(problem: BaseException) -> str:
    what = "".join(traceback.format_exception_only(problem)).strip()
    frames = traceback.extract_tb(problem.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{what}{where}"


def _peak_memory() -> float | None:
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)


def _limit_memory(limit: int) -> None:
    """Let the system refuse more; Linux alone counts what is really written to."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


if __name__ == "__main__":
    main(*sys.argv[1:])
