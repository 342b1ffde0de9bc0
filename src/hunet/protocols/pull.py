"""PULL: one hop. A node takes from the producers it meets what it is interested in; the lower bound."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf
from hunet.protocols.interests import answer, copy_row, is_interested, new_blooms, rebuild, require_shape, shape
from hunet.protocols.protocol import DIRECT, NO, Protocol, World
from hunet.protocols.wire import Reader, Writer, bloom_bytes

__all__ = ["PULL", "PullSettings"]


class PullSettings(NamedTuple):
    """Parameters of PULL."""

    m: int = 256
    """Positions of the interest filter."""
    k: int = 3
    """Hash functions."""
    any_holder: bool = False
    """Whether a consumer serves what it pulled to others (AMB-37); the papers' PULL does not."""


class PullParams(NamedTuple):
    m: int
    table: npt.NDArray[Any]
    any_holder: bool


class PullRows(NamedTuple):
    genuine: npt.NDArray[np.uint64]
    answers: npt.NDArray[np.uint64]


def _prepare(settings: PullSettings, world: World) -> PullParams:
    require_shape(settings.m, settings.k)
    return PullParams(*shape(settings.m, settings.k, world), settings.any_holder)


def _new_state(params: PullParams, world: World) -> PullRows:
    return PullRows(new_blooms(params.m, world.nodes), new_blooms(len(world.tags), world.nodes))


def _new_digest(params: PullParams, world: World) -> PullRows:
    return PullRows(new_blooms(params.m, 1)[0], new_blooms(len(world.tags), 1)[0])


@leaf
def _subscribe(params: Any, state: Any, me: Any, wants: Any) -> None:
    rebuild(state.genuine[me], state.answers[me], params.table, wants)


@leaf
def _tell(params: Any, state: Any, me: Any, now: Any, digest: Any) -> None:
    copy_row(state.genuine[me], digest.genuine)
    copy_row(state.answers[me], digest.answers)


@leaf
def _want(params: Any, mine: Any, theirs: Any, own: Any) -> Any:
    return DIRECT if theirs else NO


@leaf
def _take(params: Any, state: Any, me: Any, entry: Any, message: Any, note: Any) -> Any:
    return message.own or params.any_holder


@leaf
def _size(params: Any, digest: Any) -> Any:
    return bloom_bytes(digest.genuine, params.m)


def _encode(params: PullParams, digest: PullRows) -> bytes:
    out = Writer()
    out.bloom(digest.genuine, params.m)
    return out.bytes()


def _decode(params: PullParams, data: bytes, digest: PullRows) -> None:
    reader = Reader(data)
    genuine = reader.bloom(params.m)
    reader.finish()
    digest.genuine[:] = genuine
    answer(digest.answers, digest.genuine, params.table)


PULL = Protocol(
    name="pull",
    title="PULL: one hop, from the producer to who asks",
    settings=PullSettings,
    prepare=_prepare,
    new_state=_new_state,
    new_digest=_new_digest,
    subscribe=_subscribe,
    tell=_tell,
    read=is_interested,
    want=_want,
    take=_take,
    size=_size,
    encode=_encode,
    decode=_decode,
    own_outside=True,
    own_matters=False,
)
