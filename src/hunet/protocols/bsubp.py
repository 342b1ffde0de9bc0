"""B-SUB-P: B-SUB that hides whose interests are whose.

A node tells one mixed filter, its relay filter with its own interests added, so that nobody can tell own from relayed
interests ([bsub13] 4.5). The price: nobody can tell that a peer itself wants a message either.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.counters import m_merge, preference, value
from hunet.filters.temporal import counter_type
from hunet.kernels import leaf
from hunet.protocols.bsub13 import (
    BsubParams,
    BsubSettings,
    add_interests,
    age,
    gave,
    give,
    new_state,
    prepare,
    subscribe,
    take,
)
from hunet.protocols.interests import copy_words
from hunet.protocols.protocol import Protocol, World
from hunet.protocols.relay import counter_bytes

__all__ = ["BSUBP"]


class MixedDigest(NamedTuple):
    mixed: npt.NDArray[Any]


def _new_digest(params: BsubParams, world: World) -> MixedDigest:
    return MixedDigest(np.zeros(params.m, counter_type(params.ceiling)))


@leaf
def _tell(params: Any, state: Any, me: Any, now: Any, digest: Any) -> None:
    """The mixture is made for the air only; written back, own interests would pile up (AMB-32)."""
    copy_words(state.relay[me], digest.mixed)
    add_interests(digest.mixed, state.genuine[me], params.initial, params.ceiling)


@leaf
def _want(params: Any, state: Any, me: Any, digest: Any, tag: Any, own: Any) -> Any:
    """My side of the preference is my relay filter (AMB-31)."""
    return preference(value(state.relay[me], params.table, tag), value(digest.mixed, params.table, tag))


@leaf
def _hear(params: Any, state: Any, me: Any, digest: Any, now: Any) -> None:
    m_merge(state.relay[me], digest.mixed)


@leaf
def _size(params: Any, digest: Any) -> Any:
    return counter_bytes(digest.mixed)


BSUBP = Protocol(
    name="bsubp",
    title="B-SUB-P: own and relayed interests in one filter",
    settings=BsubSettings,
    prepare=prepare,
    new_state=new_state,
    new_digest=_new_digest,
    subscribe=subscribe,
    age=age,
    tell=_tell,
    want=_want,
    give=give,
    gave=gave,
    take=take,
    hear=_hear,
    size=_size,
)
