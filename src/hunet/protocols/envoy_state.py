"""What a node of Envoy remembers: of itself, of every acquaintance, and of every message that it holds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.protocols.envoy_places import WORDS
from hunet.protocols.interests import new_blooms
from hunet.protocols.protocol import World

__all__ = ["EnvoyParams", "EnvoyState", "new_state"]


class EnvoyParams(NamedTuple):
    m: int
    table: npt.NDArray[Any]
    worth: float
    horizon: float
    first_node: int
    peer_start: npt.NDArray[np.int64]
    parcel: npt.NDArray[np.uint64]
    """What goes with a message: how far each place is covered."""


class EnvoyState(NamedTuple):
    genuine: npt.NDArray[np.uint64]
    answers: npt.NDArray[np.uint64]
    now: npt.NDArray[np.float64]
    known: npt.NDArray[np.int64]
    """Acquaintances so far."""
    reach: npt.NDArray[np.uint64]
    """[node, position * WORDS + word]: how likely I meet somebody of each place who wants what falls there."""
    wanting: npt.NDArray[np.int64]
    """[node, position]: acquaintances who want what falls there."""
    strangers: npt.NDArray[np.float64]
    """New acquaintances, those of long ago counting less."""
    told: npt.NDArray[np.float64]
    """When I last told something."""
    bar: npt.NDArray[np.float64]
    """What copies that I dropped lately were worth."""
    dropped: npt.NDArray[np.float64]
    """When I last dropped one."""
    losses: npt.NDArray[np.int64]
    """[node, 2]: copies dropped since I last told something, and what they were worth together, in 65536ths."""
    # Of every acquaintance, flat:
    place: npt.NDArray[np.uint8]
    likely: npt.NDArray[np.float64]
    """How likely to be met again when last met."""
    last: npt.NDArray[np.float64]
    wants: npt.NDArray[np.uint64]
    """Its interest filter."""
    # Of every message that I hold:
    covered: npt.NDArray[np.uint64]
    """[node, entry, word]: how far each place is covered without me."""
    strange: npt.NDArray[np.uint8]
    """How far strangers are covered, in 15ths."""
    doublings: npt.NDArray[np.uint8]
    """How often the price doubled."""


def new_state(params: EnvoyParams, world: World) -> EnvoyState:
    """Nobody was met yet."""
    nodes, pairs = world.nodes, int(params.peer_start[-1])
    return EnvoyState(
        genuine=new_blooms(params.m, nodes),
        answers=new_blooms(world.places, nodes),
        now=np.zeros(nodes),
        known=np.zeros(nodes, np.int64),
        reach=np.zeros((nodes, params.m * WORDS), np.uint64),
        wanting=np.zeros((nodes, params.m), np.int64),
        strangers=np.zeros(nodes),
        told=np.zeros(nodes) + world.began,
        bar=np.zeros(nodes),
        dropped=np.zeros(nodes),
        losses=np.zeros((nodes, 2), np.int64),
        place=np.zeros(pairs, np.uint8),
        likely=np.zeros(pairs),
        last=np.zeros(pairs),
        wants=new_blooms(params.m, pairs),
        covered=np.zeros((nodes, world.entries, WORDS), np.uint64),
        strange=np.zeros((nodes, world.entries), np.uint8),
        doublings=np.zeros((nodes, world.entries), np.uint8),
    )
