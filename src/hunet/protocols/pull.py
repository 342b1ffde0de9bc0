"""PULL: one hop. A node takes from the producers it meets what it is interested in; the lower bound."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.bits import matches
from hunet.kernels import leaf
from hunet.protocols.interests import bloom_bytes, copy_words, new_rows, position_table, rebuild
from hunet.protocols.protocol import DIRECT, NO, Protocol, World

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


def _prepare(settings: PullSettings, world: World) -> PullParams:
    return PullParams(settings.m, position_table(settings.m, settings.k, world), settings.any_holder)


def _new_state(params: PullParams, world: World) -> PullRows:
    return PullRows(new_rows(params.m, world))


def _new_digest(params: PullParams, world: World) -> PullRows:
    return PullRows(new_rows(params.m, world)[0])


@leaf
def _subscribe(params: Any, state: Any, me: Any, wants: Any) -> None:
    rebuild(state.genuine[me], params.table, wants)


@leaf
def _tell(params: Any, state: Any, me: Any, now: Any, digest: Any) -> None:
    copy_words(state.genuine[me], digest.genuine)


@leaf
def _want(params: Any, state: Any, me: Any, digest: Any, tag: Any, own: Any) -> Any:
    return DIRECT if matches(digest.genuine, params.table, tag) else NO


@leaf
def _take(params: Any, state: Any, me: Any, entry: Any, message: Any, note: Any) -> Any:
    return message.own or params.any_holder


@leaf
def _size(params: Any, digest: Any) -> Any:
    return bloom_bytes(digest.genuine, params.m)


PULL = Protocol(
    name="pull",
    title="PULL: one hop, from the producer to who asks",
    settings=PullSettings,
    prepare=_prepare,
    new_state=_new_state,
    new_digest=_new_digest,
    subscribe=_subscribe,
    tell=_tell,
    want=_want,
    take=_take,
    size=_size,
    own_outside=True,
)
