"""Scoped interests: messages follow interests that hold within so many hops and for so long ([sptbf] 3).

Every node keeps one SpTBF of what others want. It tells a copy that has spent one more hop, with its own interests put
in at their full hop limit and time: so an interest is known at most as many hops away as its owner said. Times travel
as time left; clocks need not agree.

The paper leaves open how messages travel. Our reading: a message goes to every peer that tells of an interest in its
tag with more hops left than the message has travelled. Then a message on its way along an interest takes no more hops
from its publisher to the interest's owner than the owner allowed. Copies are kept; of what does not fit into a contact,
what goes to the nearer interest goes first, of equals to the fresher.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int
from hunet.filters.slots import adjust, decrement, insert, merge
from hunet.filters.spatiotemporal import TICKS_PER_SECOND
from hunet.kernels import at_once, leaf
from hunet.model.errors import DecodeError
from hunet.protocols.interests import copy_row, name_tag, require_shape, shape
from hunet.protocols.layout import counters, layout, local
from hunet.protocols.protocol import NO, Message, Protocol, Wants, World
from hunet.protocols.quantities import Digest, Entry, Face, Hello, Note, Now, Reading, Row, Score, Tag

__all__ = ["SPTBF", "SptbfSettings"]

_MOST_SECONDS = 2_000_000
"""That are fewer than 2^31 milliseconds."""
_NEVER = 2**62
"""Milliseconds."""


class SptbfSettings(NamedTuple):
    """Parameters of routing by scoped interests; hops and lifetime are what measured well."""

    m: int = 256
    """Slots of the filter."""
    k: int = 3
    """Hash functions."""
    hops: int = 2
    """The most hops that an interest travels, and those of an interest that names no limit."""
    lifetime: int = 600
    """The most seconds that an interest lives away from its owner; less if it ends before."""
    time_bits: int = 6
    """Bits of a slot for the time left, which travels in the shortest steps of whole seconds that fit, rounded down.

    With up to 3 hops and 63 s a slot is the byte of [sptbf] 4; longer lifetimes need longer steps or more bits.
    """


class SptbfParams(NamedTuple):
    m: int
    table: npt.NDArray[Any]
    ceiling: int
    """The most hops."""
    lifetime: int
    """Milliseconds."""
    time_bits: int
    step: int
    """Milliseconds."""


class SptbfState(NamedTuple):
    limit: npt.NDArray[np.uint8]
    """[node, tag]: hop limit of my own interest, 0 for none."""
    until: npt.NDArray[np.int64]
    """[node, tag]: the millisecond in which it ends, on my clock."""
    relay: npt.NDArray[np.uint8]
    """[node, slot]: hops left of what others want."""
    left: npt.NDArray[np.int32]
    """[node, slot]: milliseconds left of it, from `timebase` on."""
    timebase: npt.NDArray[np.int64]
    travelled: npt.NDArray[np.uint8]
    """[node, entry]: hops that my copy of a message took."""


def _prepare(settings: SptbfSettings, world: World) -> SptbfParams:
    require_shape(settings.m, settings.k)
    require_int("hops", settings.hops, 1, 255)
    require_int("lifetime", settings.lifetime, 1, _MOST_SECONDS)
    require_int("time_bits", settings.time_bits, 1, 16)  # with the hops' 8, a score holds them exactly
    m, table = shape(settings.m, settings.k, world)
    step = math.ceil(settings.lifetime / (2**settings.time_bits - 1))
    return SptbfParams(
        m,
        table,
        settings.hops,
        settings.lifetime * TICKS_PER_SECOND,
        settings.time_bits,
        step * TICKS_PER_SECOND,
    )


def _new_state(params: SptbfParams, world: World) -> SptbfState:
    tags = world.places
    return SptbfState(
        np.zeros((world.nodes, tags), np.uint8),
        np.zeros((world.nodes, tags), np.int64),
        np.zeros((world.nodes, params.m), np.uint8),
        np.zeros((world.nodes, params.m), np.int32),
        np.zeros(world.nodes, np.int64),
        np.zeros((world.nodes, world.entries), np.uint8),
    )


@leaf
def _ticks(seconds: Any) -> Any:
    return np.int64(np.floor(seconds * TICKS_PER_SECOND + 0.5))


@leaf
def _subscribe(params: SptbfParams, state: SptbfState, me: Row, wants: Wants) -> None:
    """Each interest's own hop limit, as far as it fits, and when it ends."""
    for tag in range(wants.size):
        limit = np.int64(0)
        if wants[tag].level > 0:
            limit = np.int64(wants[tag].hops)
            limit = np.int64(params.ceiling) if limit == 0 else min(limit, np.int64(params.ceiling))
        state.limit[me, tag] = limit
        state.until[me, tag] = _ticks(wants[tag].until) if wants[tag].until < 2.0**50 else _NEVER


@leaf
def _age(params: SptbfParams, state: SptbfState, me: Row, now: Now) -> None:
    """What has no time left is gone."""
    ticks = _ticks(now)
    if ticks > state.timebase[me]:
        adjust(state.relay[me], state.left[me], ticks - state.timebase[me], False)
        state.timebase[me] = ticks


def _pack_at_once(params: SptbfParams, digest: Digest) -> None:
    steps = digest.left // params.step
    digest.hops[steps == 0] = 0
    digest.left[:] = steps * params.step
    digest.packed[:] = digest.hops.astype(np.int32) << params.time_bits | steps


@at_once(_pack_at_once)
def _pack(params: SptbfParams, digest: Digest) -> None:
    """Slots as they travel.

    Rounded down (AMB-66): filters take maxima, so with every echo an interest would live longer, and never die.
    """
    for i in range(params.m):
        steps = np.int32(digest.left[i] // params.step)
        if steps == 0:
            digest.hops[i] = 0
        digest.left[i] = steps * np.int32(params.step)
        digest.packed[i] = (np.int32(digest.hops[i]) << np.int32(params.time_bits)) | steps


@leaf
def _tell(params: SptbfParams, state: SptbfState, me: Row, now: Now, hello: Hello, face: Face, digest: Digest) -> None:
    """What others want, one hop on; what I want, as far and as long as I said."""
    copy_row(state.relay[me], digest.hops)
    copy_row(state.left[me], digest.left)
    decrement(digest.hops, digest.left, False)
    for tag in range(state.limit.shape[1]):
        if state.limit[me, tag] > 0:
            left = min(state.until[me, tag] - _ticks(now), params.lifetime)
            if left > 0:
                insert(digest.hops, digest.left, params.table, tag, state.limit[me, tag], left)
    _pack(params, digest)


@leaf
def _read(params: SptbfParams, digest: Digest, tag: Tag) -> Any:
    """The fewest hops and the least time left of the tag's slots, as one number; 0 if the tag is not there."""
    least = (1 << params.time_bits) - 1
    hops, steps = np.int64(params.ceiling), np.int64(least)
    for i in range(params.table.shape[0]):
        slot = np.int64(digest.packed[params.table[i, tag]])
        hops = min(hops, slot >> params.time_bits)
        steps = min(steps, slot & least)
    return (hops << params.time_bits) | steps


@leaf
def _want(params: SptbfParams, mine: Reading, theirs: Reading, own: bool) -> Any:
    """Nearer first, then fresher."""
    return np.float32(np.int32(theirs)) if theirs > 0 else NO


@leaf
def _give(
    params: SptbfParams, state: SptbfState, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """Only as far as somebody wants it."""
    return score if (np.int64(score) >> params.time_bits) > state.travelled[me, entry] else NO


@leaf
def _note(
    params: SptbfParams, state: SptbfState, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """Hops from its publisher to the peer."""
    return np.int64(state.travelled[me, entry]) + 1


def _most_note(params: SptbfParams) -> int:
    return params.ceiling + 1


@leaf
def _take(params: SptbfParams, state: SptbfState, me: Row, entry: Entry, message: Message, note: Note) -> Any:
    """Everybody carries; a message that is new has travelled no hop."""
    state.travelled[me, entry] = min(note, params.ceiling)
    return True


@leaf
def _hear(params: SptbfParams, state: SptbfState, me: Row, digest: Digest, face: Face, now: Now) -> None:
    """The times that were told count from now, on my clock; of each slot the larger parts stay."""
    merge(state.relay[me], state.left[me], digest.hops, digest.left)


def _largest_slot(params: SptbfParams) -> int:
    return params.ceiling << params.time_bits | -(-params.lifetime // params.step)


def _derive(params: SptbfParams, digest: Digest) -> None:
    """Hops and time of every slot."""
    slots = digest.packed.astype(np.int64)
    hops, steps = slots >> params.time_bits, slots & (1 << params.time_bits) - 1
    if ((hops == 0) != (steps == 0)).any():
        raise DecodeError("a slot has hops but no time, or time but no hops")
    if steps.max() * params.step >= params.lifetime + params.step:
        raise DecodeError(f"a slot has {steps.max()} steps of time left: no interest lives so long")
    digest.hops[:], digest.left[:] = hops, steps * params.step


DIGEST = layout(
    counters("packed", ceiling=_largest_slot),  # hops and steps of a slot as one number
    local("hops", np.uint8, length="m"),
    local("left", np.int32, length="m"),  # milliseconds, in whole steps
    derive=_derive,
)


SPTBF = Protocol(
    name="sptbf",
    title="SpTBF: within scoped interests",
    settings=SptbfSettings,
    prepare=_prepare,
    new_state=_new_state,
    digest=DIGEST,
    subscribe=_subscribe,
    age=_age,
    tell=_tell,
    read=_read,
    want=_want,
    give=_give,
    hear=_hear,
    note=_note,
    take=_take,
    most_note=_most_note,
    name_tag=name_tag,
    inspect={"relay": lambda state: state.relay[:, np.newaxis]},
    heeds=frozenset({"hops"}),
    independent=True,
)
