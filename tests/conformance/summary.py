"""A run in a few figures that tell any two runs apart."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from hunet.sim.engine.run import Outcome


def summary(outcome: Outcome) -> dict[str, Any]:
    """Figures, and a fingerprint of deliveries and of all that the nodes remember."""
    fingerprint = hashlib.sha256()
    for name in ("message", "node", "at"):
        fingerprint.update(np.ascontiguousarray(outcome.deliveries[name].to_numpy()).tobytes())
    for array in outcome.state:
        for name in array.dtype.names or [None]:
            column = array[name] if name else array
            fingerprint.update(np.ascontiguousarray(column).tobytes())
    return {
        "copies": outcome.copies.tolist(),
        "dropped": outcome.dropped.tolist(),
        "drops_per_node": outcome.drops_per_node.tolist(),
        "forwards": outcome.forwards,
        "control_bytes": outcome.control_bytes,
        "fingerprint": fingerprint.hexdigest(),
    }
