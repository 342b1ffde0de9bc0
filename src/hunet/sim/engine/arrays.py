"""The arrays of one run: messages as records, results, scratch space and the places of the cursor."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.protocols.order import CHOICE, HELD
from hunet.protocols.protocol import INTEREST
from hunet.sim.engine.scene import Scene

__all__ = [
    "BIRTH",
    "CHANGE",
    "CHOSEN",
    "CONTACT",
    "CONTROL_BYTES",
    "DELIVERIES",
    "ERRANDS",
    "EVENTS",
    "EXPIRED",
    "FORWARDS",
    "MISTAKEN",
    "NOTE_BYTES",
    "OLDEST",
    "PARTING",
    "TOLD",
    "Contacts",
    "Limits",
    "Results",
    "Scratch",
    "changes_of",
    "emptied",
    "logged_events",
    "messages_of",
    "new_results",
    "new_scratch",
    "overflowed",
]

CONTACT, BIRTH, CHANGE, OLDEST, EXPIRED, CHOSEN, _, TOLD, _, PARTING = range(10)
"""Places in `Scratch.cursor`: the next contact, message and change of interest, the oldest live message, how many
messages have ended; and for both directions of a contact, how many messages were chosen (before that: how many words
there are to choose from) and the bytes of the sender's digest; the next parting."""

FORWARDS, DELIVERIES, EVENTS, CONTROL_BYTES, ERRANDS, NOTE_BYTES, MISTAKEN = range(7)
"""Places in `Results.totals`."""

_MESSAGE = np.dtype(
    [
        ("created", np.float64),
        ("expires", np.float64),
        ("length", np.int64),  # bytes; `size` is something else of a numpy record
        ("tag_start", np.int64),
        ("tag_stop", np.int64),
        ("source", np.uint32),
    ],
    align=True,
)
_CHANGE = np.dtype([("at", np.float64), ("node", np.uint32), ("tag", np.uint32), ("to", np.uint32)], align=True)
_WORD = np.dtype([("number", np.int64), ("mask", np.uint64)])
_TALLY = np.dtype([("copies", np.int32), ("dropped", np.int32)])
_DELIVERY = np.dtype([("at", np.float64), ("message", np.uint32), ("node", np.uint32), ("hops", np.uint16)], align=True)
_EVENT = np.dtype(
    [("time", np.float64), ("message", np.int64), ("node", np.int32), ("peer", np.int32), ("kind", np.uint8)],
    align=True,
)


class Contacts(NamedTuple):
    """Contacts in time order."""

    a: npt.NDArray[np.uint32]
    b: npt.NDArray[np.uint32]
    start: npt.NDArray[np.float64]
    end: npt.NDArray[np.float64]
    number_at_a: npt.NDArray[np.int64] | None
    """b as a's n-th acquaintance; None where the protocol does not ask."""
    number_at_b: npt.NDArray[np.int64] | None
    partings: npt.NDArray[np.int64] | None
    """The contacts after which their ends part, in order of that; None where the protocol does not ask."""


class Limits(NamedTuple):
    """The conditions of a run, as numbers."""

    room: int
    """Messages a node's buffer holds."""
    bytes_per_second: float
    shared: bool
    """Whether both directions of a contact share its capacity."""
    charge_digests: bool
    """Whether digests use up a contact's capacity."""


class Results(NamedTuple):
    """Results of a part of a run. Where an array is too short, totals say how long it should have been."""

    deliveries: npt.NDArray[Any]
    tally: npt.NDArray[Any]
    """[message]: `copies`, nodes that ever had it, the producer included; `dropped`, copies lost to full buffers."""
    events: npt.NDArray[Any] | None
    totals: npt.NDArray[np.int64]


class Scratch(NamedTuple):
    """Scratch space, so that the loop allocates nothing. The last six have no tags where there are too many."""

    interests: npt.NDArray[Any]
    """[tag]: those of the node whose interests change."""

    chosen: npt.NDArray[Any]
    """[direction, i]: messages chosen for transfer, with their scores, and whether the receiver knows them already."""
    held: npt.NDArray[Any]
    """A buffer that is too full, message by message; empty where the oldest simply goes."""
    words: npt.NDArray[Any]
    """[direction, i]: words in which the peer lacks something, and what it lacks there."""
    cursor: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    """[direction]: messages chosen, the same memory as `cursor[CHOSEN]` and the next."""
    tagged: npt.NDArray[np.uint64]
    """[word, tag]: which messages of a word have a tag."""
    reading: npt.NDArray[np.int64]
    """[end of the contact, tag]: what its digest says of the tag."""
    score: npt.NDArray[np.float32]
    """[direction, tag]: what messages with a tag are worth."""
    own_score: npt.NDArray[np.float32]
    """[direction, tag]: the same of the sender's own messages."""
    worth_it: npt.NDArray[np.uint64]
    """[direction]: the tags that are worth something, one bit each."""
    wanted: npt.NDArray[np.uint64]
    """[direction]: the tags that the receiver wants itself, one bit each."""


def _records(size: int | tuple[int, int], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    # Records whose fields are attributes, in compiled code and in Python alike.
    return np.zeros(size, dtype).view(np.recarray)


def messages_of(scene: Scene) -> npt.NDArray[Any]:
    """The messages, all that is known of one side by side."""
    messages = _records(scene.created.size, _MESSAGE)
    messages["length"] = scene.size
    for name in ("created", "expires", "source"):
        messages[name] = getattr(scene, name)
    messages["tag_start"] = scene.tag_start[:-1]
    messages["tag_stop"] = scene.tag_start[1:]
    return messages


def changes_of(scene: Scene) -> npt.NDArray[Any]:
    """The changes of interest."""
    changes = _records(scene.change_at.size, _CHANGE)
    for name in ("at", "node", "tag", "to"):
        changes[name] = getattr(scene, f"change_{name}")
    return changes


def new_results(messages: int, deliveries: int, events: int | None) -> Results:
    """No results yet."""
    return Results(
        _records(deliveries, _DELIVERY),
        _records(messages, _TALLY),
        None if events is None else _records(events, _EVENT),
        np.zeros(8, np.int64),
    )


def overflowed(results: Results) -> bool:
    """Whether there was more to write down than room for it."""
    is_long = results.events is not None and results.totals[EVENTS] > results.events.size
    return bool(is_long or results.totals[DELIVERIES] > results.deliveries.size)


def logged_events(results: Results) -> npt.NDArray[Any]:
    """A copy of the events written down."""
    return np.zeros(0, _EVENT) if results.events is None else np.array(results.events[: results.totals[EVENTS]])


def emptied(results: Results) -> Results:
    """Results without deliveries and events, with room for four times as many as there were."""
    deliveries, events = 4 * int(results.totals[DELIVERIES]), 4 * int(results.totals[EVENTS])
    results.totals[DELIVERIES] = results.totals[EVENTS] = 0
    if deliveries > results.deliveries.size:
        results = results._replace(deliveries=_records(deliveries, _DELIVERY))
    if results.events is not None and events > results.events.size:
        results = results._replace(events=_records(events, _EVENT))
    return results


def new_scratch(words: int, tags: int, masked: bool, evicts: bool) -> Scratch:
    """Empty scratch space."""
    cursor = np.zeros(16, np.int64)
    weighed = tags if masked else 0
    return Scratch(
        _records(tags, INTEREST),
        _records((2, words * 64), CHOICE),
        _records(words * 64 if evicts else 0, HELD),
        _records((2, words + 1), _WORD),
        cursor,
        cursor[CHOSEN : CHOSEN + 2],
        np.zeros((words, weighed), np.uint64),
        np.zeros((2, weighed), np.int64),
        np.zeros((2, weighed), np.float32),
        np.zeros((2, weighed), np.float32),
        np.zeros(2, np.uint64),
        np.zeros(2, np.uint64),
    )
