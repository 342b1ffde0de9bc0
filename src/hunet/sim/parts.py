"""One simulation as several: messages that do not influence each other are simulated apart, and joined exactly.

Without limits of buffers and bandwidth, a message goes where it would go if it were alone: what protocols remember and
tell does not depend on messages (`Protocol.independent` says so, and tests hold it to that). Every part has all
contacts and every n-th message. Events are those of the whole; deliveries of one instant are listed by message and
node.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from hunet.model.errors import InvalidValueError
from hunet.protocols import Protocol
from hunet.sim.engine.deliveries import Deliveries
from hunet.sim.engine.outcome import Conditions, Outcome
from hunet.sim.workload.workload import Workload

__all__ = ["joined", "part_of", "require_independent", "told_by"]

JOINED_MEASURES = ("hops", "centrality")
"""Measures that cost extra and are known of each delivery; others look at all messages at once."""


def require_independent(
    protocol: Protocol, conditions: Conditions, measures: Sequence[str], log: bool, messages: int, parts: int
) -> None:
    """Refuse to split what is not the sum of its parts, with the reason."""
    cannot = f"cannot be simulated in {parts} parts"
    if not protocol.independent:
        raise InvalidValueError(f"{protocol.name} {cannot}: what it does with a message may depend on others")
    if conditions.buffer is not None:
        raise InvalidValueError(
            f"buffers of {conditions.buffer} messages {cannot}: in a full buffer messages push each other out; "
            "choose buffer unlimited"
        )
    if conditions.bytes_per_second != math.inf:
        raise InvalidValueError(
            f"limited bandwidth {cannot}: messages take each other's time; choose bandwidth unlimited"
        )
    if conditions.id_bits is not None:
        raise InvalidValueError(f"ids of {conditions.id_bits} bits {cannot}: messages may be taken for each other")
    for name in measures:
        if name not in JOINED_MEASURES:
            raise InvalidValueError(f"the measure {name!r} {cannot}: it looks at all messages of a run at once")
    if log:
        raise InvalidValueError(f"a log of every event {cannot}: the order of events would be lost")
    if not 1 <= parts <= max(1, messages):
        raise InvalidValueError(f"{messages} messages {cannot}: give 1 to {max(1, messages)}")


def part_of(workload: Workload, part: int, parts: int) -> Workload:
    """The workload with every `parts`-th message, from number `part` on."""
    rows = np.arange(part, workload.messages.num_rows, parts)
    return replace(workload, messages=workload.messages.take(pa.array(rows)))


def told_by(outcome: Outcome, part: int, parts: int) -> tuple[dict[str, float], dict[str, pa.Table]]:
    """What a part has to say, with messages by their numbers in the whole."""
    numbers = {name: float(getattr(outcome, name)) for name in (*_SUMS, *_ALIKE)}
    deliveries = pa.concat_tables(
        piece.set_column(0, "message", pa.array(piece["message"].to_numpy() * np.int32(parts) + np.int32(part)))
        for piece in outcome.delivered.pieces()
    )
    copies = pa.table({"message": np.arange(outcome.copies.size) * parts + part, "copies": outcome.copies})
    return numbers, {"deliveries": deliveries, "copies": copies}


_SUMS = ("forwards", "errands", "note_bytes", "cpu_seconds")
_ALIKE = ("lists", "control_bytes", "contacts", "zero_length_contacts")
"""What does not depend on messages is the same in every part."""


def joined(
    numbers: Sequence[Mapping[str, float]], delivered: Deliveries, copies: pa.Table, messages: int, nodes: int
) -> Outcome:
    """The outcome of the whole, from what its parts told."""
    alike = {name: {int(part[name]) for part in numbers} for name in _ALIKE}
    assert all(len(values) == 1 for values in alike.values()), f"parts differ in {alike}"
    sums = {name: sum(part[name] for part in numbers) for name in _SUMS}
    per_message = np.zeros(messages, np.int32)
    per_message[copies["message"].to_numpy()] = copies["copies"].to_numpy()
    return Outcome(
        delivered=delivered,
        copies=per_message,
        dropped=np.zeros(messages, np.int32),
        drops_per_node=np.zeros(nodes, np.int64),
        forwards=int(sums["forwards"]),
        errands=int(sums["errands"]),
        note_bytes=int(sums["note_bytes"]),
        cpu_seconds=sums["cpu_seconds"],
        log=None,
        state=None,
        lists=alike["lists"].pop(),
        control_bytes=alike["control_bytes"].pop(),
        contacts=alike["contacts"].pop(),
        zero_length_contacts=alike["zero_length_contacts"].pop(),
    )
