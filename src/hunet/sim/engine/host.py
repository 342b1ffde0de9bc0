"""What the event loop is given: everything of a run that is not the protocol's."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.sim.engine.arrays import Contacts, Limits, Results, Scratch
from hunet.sim.engine.audit import Audit
from hunet.sim.engine.buffers import Buffers
from hunet.sim.engine.entries import Entries
from hunet.sim.engine.lifetimes import Lifetimes
from hunet.sim.engine.links import Links

__all__ = ["Accounts", "Host"]


class Accounts(NamedTuple):
    """What digests would cost in every encoding, as far as told."""

    tag_bytes: npt.NDArray[np.int64]
    """Of every tag's text."""
    out: npt.NDArray[np.int64]


class Host(NamedTuple):
    """All that the simulator works with."""

    contacts: Contacts
    clocks: npt.NDArray[np.float64] | None
    """[node]: seconds that its clock is ahead; None where all clocks agree."""
    messages: npt.NDArray[Any]
    alike: npt.NDArray[np.int64] | None
    """[message]: the next with the same id (`content_ids`); None where every message has its own."""
    tags: npt.NDArray[np.uint32]
    """Of all messages, one after the other."""
    changes: npt.NDArray[Any]
    wants: npt.NDArray[Any]
    """[node, tag]: the interests of the moment, as places in `interests`; 0 for none."""
    interests: npt.NDArray[Any]
    buffers: Buffers
    lifetimes: Lifetimes
    entries: Entries
    links: Links | None
    scratch: Scratch
    results: Results
    limits: Limits
    audit: Audit | None
    accounts: Accounts | None
