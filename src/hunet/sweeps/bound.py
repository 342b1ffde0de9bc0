"""The experiment that says what clairvoyance could do, beside the simulations of a comparison.

Inputs: `trace`, `workload`, `contacts` and `ttl`, as of a simulation. Buffers and bandwidth have no limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from hunet.sim.simulate import bound
from hunet.sweeps.simulation import trace_in, workload_in

__all__ = ["run"]


def run(inputs: Mapping[str, Any], seed: int) -> tuple[dict[str, float], dict[str, pa.Table]]:
    """The measures of one workload's bound."""
    workload = workload_in(inputs, seed)
    found = bound(trace_in(inputs), workload, seed, contacts=inputs["contacts"])
    return {name: value for name, value in found.measures.items() if name != "cpu_seconds"}, {}
