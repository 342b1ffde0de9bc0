"""What relay filters say of others' interests while a run with a log goes on: a picture of them now and then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from hunet.protocols.protocol import Protocol
from hunet.sim.engine.extras import relay_at

__all__ = ["PICTURES", "can_be_heard", "heard_at", "heard_table"]

PICTURES = 48
"""How often filters are looked at in a run."""

_MOST_CELLS = 2_000_000
"""Nodes times tags: beyond that a picture would cost more than the run between two."""


def can_be_heard(protocol: Protocol, nodes: int, tags: int) -> bool:
    """Whether a protocol has relay filters, and few enough of them."""
    return "relay" in protocol.inspect and nodes * tags <= _MOST_CELLS


def heard_at(
    now: float, protocol: Protocol, params: Any, state: Any, clocks: Sequence[float] | None
) -> tuple[Any, Any, Any, Any]:
    """Times, nodes, tags and strengths: what every filter answers for just now.

    The strength is the smallest counter of the tag, in the filter where that is largest; 1 where filters do not count.
    """
    relay = relay_at(now, protocol, params, state, clocks)
    smallest = relay[:, :, params.table].min(axis=2).max(axis=1)
    node, tag = np.nonzero(smallest)
    counts = hasattr(params, "ceiling")
    strength = smallest[node, tag].astype(np.int32) if counts else np.ones(node.size, np.int32)
    return np.full(node.size, now), node, tag, strength


def heard_table(pictures: Sequence[tuple[Any, Any, Any, Any]], tags: Sequence[str]) -> pa.Table:
    """time, node, tag, strength."""
    time, node, tag, strength = (np.concatenate(column) for column in zip(*pictures, strict=True))
    return pa.table(
        {
            "time": time,
            "node": node.astype(np.int32),
            "tag": pa.array(tags, pa.string()).take(pa.array(tag)),
            "strength": strength,
        }
    )
