"""Experiments that take no time, and some that behave badly."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from hunet.model.errors import InvalidValueError
from hunet.sweeps.data import Data, read_table
from hunet.sweeps.experiment import Answer, Experiment, Run


def add(inputs: Mapping[str, Any], seed: int) -> Answer:
    """The sum of a column, times a factor, plus the seed; and a table."""
    time.sleep(inputs.get("sleep", 0.0))
    total = sum(read_table(inputs["numbers"], "numbers").column("x").to_pylist()) * inputs["factor"] + seed
    return {"total": total, "nothing": float("nan")}, {"parts": pa.table({"part": [total, float(seed)]})}


def misbehave(inputs: Mapping[str, Any], seed: int) -> Answer:
    """What runs should not do."""
    match inputs["how"]:
        case "refuse":
            raise InvalidValueError("the value 7 is above its limit 5")
        case "divide":
            return {"x": 1 / (seed - seed)}, {}
        case "leave":
            raise SystemExit(3)
        case "exit":
            os._exit(seed)
        case "crash":
            ctypes.string_at(0)
        case "sleep":
            time.sleep(3600)
        case "eat":
            return {"x": float(np.ones(1 << 32).sum())}, {}
        case "print":
            print("hello from a run")
        case "kill the task once":
            if not Path(inputs["for"]).exists():
                Path(inputs["for"]).touch()
                os.kill(os.getppid(), signal.SIGKILL)
                time.sleep(60)
        case "wait":
            if not Path(inputs["for"]).exists():
                raise InvalidValueError("it is not there yet")
    return {"x": float(seed)}, {}


ADD = Experiment("add", add)
MISBEHAVE = Experiment("misbehave", misbehave)
NUMBERS = Data.of(numbers=pa.table({"x": [1.0, 2.0, 3.0]}))


def additions(count: int, sleep: float = 0.0) -> list[Run]:
    """Runs with factors 1, 2, ... and two seeds each."""
    return [
        Run(ADD, {"numbers": NUMBERS, "factor": factor, "sleep": sleep}, seed, {"study": "sums"})
        for factor in range(1, count // 2 + 1)
        for seed in (1, 2)
    ]
