"""Event loops as the Python they were written as, in a process that compiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from hunet.protocols import Protocol
from hunet.sim.engine import run as engine
from hunet.sim.engine.exchange import Options
from hunet.sim.engine.loop import make_loop


@contextmanager
def loops_as_python() -> Iterator[None]:
    """What runs here is what runs without numba: a loop's functions are plain where nothing is compiled into a loop."""

    def plain(protocol: Protocol, options: Options) -> Callable[..., None]:
        function: Callable[..., None] = make_loop(protocol, options).py_func  # type: ignore[attr-defined]
        return np.errstate(over="ignore")(function)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_loop_for", plain)
        patch.setattr(engine, "borrowed", lambda record: record)
        yield
