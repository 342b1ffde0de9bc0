"""Chance that needs no memory: the same toss for the same seed, node and message, on a device and in a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hunet.kernels import leaf
from hunet.model import mixing
from hunet.protocols.quantities import Row

if TYPE_CHECKING:
    from hunet.protocols.protocol import World

__all__ = ["STEP", "Chance", "mix", "toss", "toss_for", "with_chance"]

STEP, mix = mixing.STEP, leaf(mixing.mix)
_OTHER = np.uint64(0xD1B54A32D192ED03)


class Chance(NamedTuple):
    """Parameters of a protocol that tosses coins: its settings, and what coins depend on."""

    settings: Any
    seed: int
    first_node: int


def with_chance(settings: Any, world: World) -> Chance:
    """Settings to what the functions read."""
    return Chance(settings, world.seed, world.first_node)


@leaf
def toss_for(params: Any, me: Row, message: Any) -> Any:
    """My coin for a message: a number from 0 up to 1."""
    return toss(params.seed, params.first_node + me, message.number)


@leaf
def toss(seed: Any, node: Any, message: Any) -> Any:
    """A number from 0 up to 1 that depends on these three alone."""
    x = np.uint64(seed) * STEP + np.uint64(node)
    x = mix(x * _OTHER + np.uint64(message))
    return np.float64(x >> np.uint64(11)) / 2.0**53
