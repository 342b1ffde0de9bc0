"""What surrounds a protocol in a run, and what comes of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.sim.engine.deliveries import Deliveries

__all__ = ["Conditions", "Outcome"]


@dataclass(frozen=True)
class Conditions:
    """What surrounds a protocol."""

    contacts: str = "start"
    """`start`: one exchange when a contact begins; `continuous`: and whatever comes up while it lasts."""
    buffer: int | None = None
    """Messages that a node carries for others and itself; None: any number."""
    own_outside: bool | None = None
    """Whether a node keeps what it published outside that buffer, for as long as it lives; None: as the protocol's
    paper has it (`Protocol.own_outside`), which is not the same for all."""
    bytes_per_second: float = math.inf
    """Of a contact, in each direction."""
    shared: bool = False
    """Whether both directions share that: one message each way in turn, until the time is over (AMB-59, [mops])."""
    charge_digests: bool = False
    """Whether digests use up a contact's capacity."""
    eviction: str = "oldest"
    """Which message leaves a buffer that is too full, of those that the protocol ranks alike: the `oldest`, or `fair`,
    the oldest of the author with most messages in it."""
    id_bits: int | None = None
    """Bits of a hash by which messages are told apart ([bsub13] 6.1: 32); None: every message is known exactly."""
    clocks: tuple[float, ...] | None = None
    """Seconds that each node's clock is ahead of the trace's; None: all agree."""


@dataclass
class Outcome:
    """What came of a run."""

    delivered: Deliveries
    copies: npt.NDArray[np.int32]
    """Per message: nodes that ever had it, the producer included."""
    dropped: npt.NDArray[np.int32]
    """Per message: copies lost to full buffers."""
    drops_per_node: npt.NDArray[np.int64]
    forwards: int
    errands: int
    """Errands that went to one who had the message already; no forwards."""
    lists: int
    """Interest lists handed on, by protocols that have them."""
    control_bytes: int
    note_bytes: int
    """Of notes and parcels, which travel beside messages."""
    contacts: int
    zero_length_contacts: int
    log: pa.Table | None
    state: Any
    """The protocol's state at the end."""
    cpu_seconds: float
    """CPU time of the event loop, without compilation."""
    extras: dict[str, Any] = field(default_factory=dict)
    heard: pa.Table | None = None
    """time, node, tag, strength: what relay filters answered for now and then, if a log was asked for."""

    @property
    def deliveries(self) -> pa.Table:
        """message, node, at, hops (null unless asked for by the extra `hops`), in time order."""
        return self.delivered.table()
