"""PUSH: epidemic spreading, every message to every node that lacks it; the upper bound of what can be delivered."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hunet.kernels import leaf
from hunet.protocols.chance import toss
from hunet.protocols.protocol import Protocol, World, no_state

__all__ = ["PUSH", "PushSettings"]


class PushSettings(NamedTuple):
    """Parameters of PUSH."""

    shuffled: bool = False
    """Whether each node sends in a random order of its own where time is short (AMB-63), and not newest first."""


class PushParams(NamedTuple):
    shuffled: bool
    seed: int
    first_node: int


def _prepare(settings: PushSettings, world: World) -> PushParams:
    return PushParams(settings.shuffled, world.seed, world.first_node)


@leaf
def _give(params: Any, state: Any, me: Any, entry: Any, message: Any, score: Any) -> Any:
    if params.shuffled:
        return np.float32(1.0 + toss(params.seed, params.first_node + me, message.number))
    return score


PUSH = Protocol(
    name="push",
    title="PUSH: epidemic, everything to everyone",
    settings=PushSettings,
    prepare=_prepare,
    new_state=no_state,
    give=_give,
)
