"""Binary Spray-and-Wait: who has several of the L copies gives half away; who has one waits for those who want it.

Spyropoulos, Psounis and Raghavendra (2005), with tags in place of destinations: delivering to one of those who want a
message does not use up a copy in the waiting phase, since more may want it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int
from hunet.kernels import leaf
from hunet.protocols.interests import answer, copy_row, is_interested, new_blooms, rebuild, require_shape, shape
from hunet.protocols.protocol import BOTH, DIRECT, NO, YES, Protocol, World
from hunet.protocols.wire import Reader, Writer, bloom_bytes

__all__ = ["SPRAY", "SpraySettings"]


class SpraySettings(NamedTuple):
    """Parameters of Spray-and-Wait."""

    m: int = 256
    """Positions of the interest filter."""
    k: int = 3
    """Hash functions."""
    copies: int = 8
    """Copies of a message, its producer's included (L)."""


class SprayParams(NamedTuple):
    m: int
    table: npt.NDArray[Any]
    copies: int


class SprayState(NamedTuple):
    genuine: npt.NDArray[np.uint64]
    answers: npt.NDArray[np.uint64]
    copies: npt.NDArray[np.int32]
    """[node, entry]: how many copies of the message I stand for."""


class SprayDigest(NamedTuple):
    genuine: npt.NDArray[np.uint64]
    answers: npt.NDArray[np.uint64]


def _prepare(settings: SpraySettings, world: World) -> SprayParams:
    require_shape(settings.m, settings.k)
    require_int("copies", settings.copies, 1, 2**31 - 1)
    return SprayParams(*shape(settings.m, settings.k, world), settings.copies)


def _new_state(params: SprayParams, world: World) -> SprayState:
    return SprayState(
        new_blooms(params.m, world.nodes),
        new_blooms(len(world.tags), world.nodes),
        np.zeros((world.nodes, world.entries), np.int32),
    )


def _new_digest(params: SprayParams, world: World) -> SprayDigest:
    return SprayDigest(new_blooms(params.m, 1)[0], new_blooms(len(world.tags), 1)[0])


@leaf
def _subscribe(params: Any, state: Any, me: Any, wants: Any) -> None:
    rebuild(state.genuine[me], state.answers[me], params.table, wants)


@leaf
def _tell(params: Any, state: Any, me: Any, now: Any, digest: Any) -> None:
    copy_row(state.genuine[me], digest.genuine)
    copy_row(state.answers[me], digest.answers)


@leaf
def _want(params: Any, mine: Any, theirs: Any, own: Any) -> Any:
    """Those who want it come first."""
    return BOTH if theirs else YES


@leaf
def _give(params: Any, state: Any, me: Any, entry: Any, message: Any, score: Any) -> Any:
    """Spray while there are several copies; then wait."""
    if state.copies[me, entry] > 1:
        return score
    return DIRECT if score == BOTH else NO


@leaf
def _gave(params: Any, state: Any, me: Any, entry: Any, message: Any, score: Any) -> Any:
    """Half of my copies, rounded down, go with the message; with the last one only the message itself."""
    if score == DIRECT:
        return True, 0
    half = state.copies[me, entry] // 2
    state.copies[me, entry] -= half
    return True, half


@leaf
def _take(params: Any, state: Any, me: Any, entry: Any, message: Any, note: Any) -> Any:
    state.copies[me, entry] = params.copies if message.own else note
    return state.copies[me, entry] > 0


@leaf
def _size(params: Any, digest: Any) -> Any:
    return bloom_bytes(digest.genuine, params.m)


def _encode(params: SprayParams, digest: SprayDigest) -> bytes:
    out = Writer()
    out.bloom(digest.genuine, params.m)
    return out.bytes()


def _decode(params: SprayParams, data: bytes, digest: SprayDigest) -> None:
    reader = Reader(data)
    genuine = reader.bloom(params.m)
    reader.finish()
    digest.genuine[:] = genuine
    answer(digest.answers, digest.genuine, params.table)


SPRAY = Protocol(
    name="spray",
    title="Spray-and-Wait, binary",
    settings=SpraySettings,
    prepare=_prepare,
    new_state=_new_state,
    new_digest=_new_digest,
    subscribe=_subscribe,
    tell=_tell,
    read=is_interested,
    want=_want,
    give=_give,
    gave=_gave,
    take=_take,
    size=_size,
    encode=_encode,
    decode=_decode,
    own_matters=False,
)
