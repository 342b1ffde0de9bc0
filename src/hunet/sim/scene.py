"""What a simulation works on, as arrays: the scene (given), the notes (results) and the desk (scratch)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["CONTROL_BYTES", "DELIVERIES", "DROPS", "EVENTS", "FORWARDS", "Desk", "Notes", "Scene"]

FORWARDS, DELIVERIES, DROPS, EVENTS, CONTROL_BYTES = range(5)
"""Places in `Notes.totals`."""


class Scene(NamedTuple):
    """Contacts, messages and interests in time order."""

    a: npt.NDArray[np.uint32]
    b: npt.NDArray[np.uint32]
    start: npt.NDArray[np.float64]
    end: npt.NDArray[np.float64]
    created: npt.NDArray[np.float64]
    expires: npt.NDArray[np.float64]
    source: npt.NDArray[np.uint32]
    size: npt.NDArray[np.int64]
    tag_start: npt.NDArray[np.int64]
    """Message i has the tags `tag[tag_start[i]:tag_start[i + 1]]`."""
    tag: npt.NDArray[np.uint32]
    change_at: npt.NDArray[np.float64]
    change_node: npt.NDArray[np.uint32]
    change_tag: npt.NDArray[np.uint32]
    change_on: npt.NDArray[np.bool_]
    wants: npt.NDArray[np.bool_]
    """[node, tag]: the exact interests at present."""


class Notes(NamedTuple):
    """Results. Arrays for deliveries and events may be too short: totals say how long they should have been."""

    delivered_message: npt.NDArray[np.uint32]
    delivered_node: npt.NDArray[np.uint32]
    delivered_at: npt.NDArray[np.float64]
    copies: npt.NDArray[np.int32]
    """Per message: nodes that ever had it, the producer included."""
    dropped: npt.NDArray[np.int32]
    """Per message: copies lost to full buffers."""
    totals: npt.NDArray[np.int64]


class Desk(NamedTuple):
    """Scratch space, so that the loop allocates nothing."""

    chosen: npt.NDArray[np.int64]
    """[direction, i]: message numbers chosen for transfer."""
    score: npt.NDArray[np.float32]
    count: npt.NDArray[np.int64]
    """[direction]: how many were chosen."""
    tag_score: npt.NDArray[np.float32]
    """[own, tag]: what `want` said in this exchange."""
    asked: npt.NDArray[np.int64]
    """[own, tag]: the exchange in which it was asked."""
    cursor: npt.NDArray[np.int64]
    """Next contact, next message, oldest live message, next change of interest, exchanges so far."""
