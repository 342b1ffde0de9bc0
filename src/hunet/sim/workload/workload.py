"""A workload: who publishes what when, who wants what when, and under which conditions nodes meet.

Messages and interests are tables (MESSAGES, INTERESTS of `model.tables`) with the trace's node numbers. Where they came
from is kept beside them. How they are made is the business of `generate`, `profiles` and `workload_files`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import WorkloadError
from hunet.model.tables import INTERESTS, MESSAGES
from hunet.protocols.protocol import Ranges
from hunet.traces.pairs import Boundary

__all__ = ["MOST_HOPS", "Workload", "is_hop_limit", "is_level"]

MOST_HOPS = 2**16 - 1
"""The largest hop limit of an interest."""


def is_level(level: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which of these can be levels of interest."""
    return (np.float32(level) > 0) & (level <= 1)


def is_hop_limit(hops: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which of these can be hop limits."""
    return np.asarray((hops >= 0) & (hops <= MOST_HOPS) & (hops == np.floor(hops)), np.bool_)


@dataclass(frozen=True)
class Workload:
    """Messages and interests on a trace, and the conditions they were meant for.

    Messages are brought into the order of their creation. Tags that are used and not given follow those given, by name.
    Interests without level have level 1, without hops no limit of hops.
    """

    name: str
    messages: pa.Table
    interests: pa.Table
    tags: tuple[str, ...] = ()
    """Every tag of the network; a tag's place here is its number."""
    ttl: float = math.inf
    """Seconds that messages without a lifetime of their own live."""
    buffer: int | None = None
    """Messages a node can carry; None for any number."""
    bytes_per_second: float = math.inf
    origin: Mapping[str, object] = field(default_factory=dict)
    """How it was made: settings, seed, files."""
    ranges: Ranges | None = None
    """Where tags are points and interests the points in ranges: their cells."""
    shared: bool = False
    """Whether both directions of a contact share its capacity (AMB-59)."""
    min_contact: float = 0.0
    """Seconds that a contact lasts at least (AMB-60)."""
    charge_digests: bool = False
    """Whether digests use up a contact's capacity as messages do."""
    begins: float = -math.inf
    """Contacts before this time are history: nodes know each other from them, but nothing is exchanged."""
    boundary: Boundary = "both"
    """Which gaps of a history count in the mean separation (AMB-40)."""
    own_outside: bool | None = None
    """Whether a node's own messages lie outside its buffer; None: as the protocol's paper has it."""

    def __post_init__(self) -> None:
        messages, interests = self.messages.cast(MESSAGES), _complete(self.interests).cast(INTERESTS)
        order = pc.sort_indices(messages, [("created", "ascending"), ("source", "ascending")])
        said = pc.list_flatten(messages.column("tags")).chunks + interests.column("tag").chunks
        used = pc.unique(pa.chunked_array(said, pa.string())).to_pylist()
        others = sorted(set(used) - set(self.tags))
        object.__setattr__(self, "messages", messages.take(order))
        object.__setattr__(self, "interests", interests)
        object.__setattr__(self, "tags", (*self.tags, *others))
        _check(self)

    def lifetimes(self) -> npt.NDArray[np.float64]:
        """Per message: seconds it lives."""
        return np.asarray(pc.fill_null(self.messages.column("ttl"), self.ttl).to_numpy(), np.float64)


def _complete(interests: pa.Table) -> pa.Table:
    """With level and hops, if they were not given."""
    for name, default in (("level", 1.0), ("hops", 0)):
        if name in interests.column_names:
            column = pc.fill_null(interests.column(name), default)
            interests = interests.set_column(interests.column_names.index(name), name, column)
        else:
            interests = interests.append_column(name, pa.array(np.full(interests.num_rows, default)))
    return interests.select(INTERESTS.names)


def _check(workload: Workload) -> None:
    created = workload.messages.column("created").to_numpy()
    if not np.isfinite(created).all() or (created < 0).any():
        raise WorkloadError(f"workload {workload.name!r}: times of creation must be finite and not below 0")
    if not (workload.lifetimes() >= 0).all():
        raise WorkloadError(f"workload {workload.name!r}: a message has a ttl below 0")
    sizes = workload.messages.column("size").to_numpy()
    if len(sizes) and sizes.min() < 0:
        raise WorkloadError(f"workload {workload.name!r}: a message has a size of {sizes.min()} bytes")
    if pc.any(pc.equal(pc.list_value_length(workload.messages.column("tags")), 0)).as_py():
        raise WorkloadError(f"workload {workload.name!r}: a message has no tag")
    if not (workload.min_contact >= 0 and math.isfinite(workload.min_contact)):
        raise WorkloadError(f"workload {workload.name!r}: contacts of at least {workload.min_contact:g} s cannot be")
    interests = workload.interests
    if not pc.all(pc.less(interests.column("from"), interests.column("until"))).as_py() and interests.num_rows:
        raise WorkloadError(f"workload {workload.name!r}: an interest ends before it begins")
    level, hops = interests.column("level").to_numpy(), interests.column("hops").to_numpy()
    for column, wrong, limits in (
        ("level", ~is_level(level), "above 0 up to 1"),
        ("hops", ~is_hop_limit(hops), f"0 for no limit, or up to {MOST_HOPS}"),
    ):
        if wrong.any():
            row = int(np.argmax(wrong))
            value = interests.column(column)[row]
            raise WorkloadError(
                f"workload {workload.name!r}, interests, row {row + 1}: {column} {value} of node "
                f"{interests['node'][row]} in {interests['tag'][row].as_py()!r}: give {limits}"
            )
