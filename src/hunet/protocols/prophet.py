"""PRoPHET with tags in place of destinations: who was often near those who want a tag is likely to be again.

A node keeps a predictability per tag: how likely it is to deliver a message with this tag. It rises when a node that
wants the tag is met, a little also through others who have one (transitivity), and fades with time. A message goes to
those who want it and to those with a higher predictability (GRTR). After Lindgren, Doria and Schelen (2003); the
predictability of meeting the peer, of which there is none here, is taken to be that of one just met for the first time.

Predictabilities are whole numbers of 1/32768, so that every machine gets the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_length, require_real
from hunet.kernels import at_once, leaf
from hunet.protocols.layout import layout, values
from hunet.protocols.protocol import BOTH, NO, Protocol, Wants, World
from hunet.protocols.quantities import Digest, Face, Hello, Now, Reading, Row, Tag
from hunet.protocols.search import Span
from hunet.protocols.tag_ids import TagIds

__all__ = ["PROPHET", "ProphetSettings"]

_BITS = 15
_ONE = 1 << _BITS
_WANTED = _ONE  # beside a predictability below 1, in 16 bits


class ProphetSettings(NamedTuple):
    """Parameters of PRoPHET; the defaults are those of its authors, the aging unit that of The ONE."""

    encounter: float = 0.75
    """How far a meeting with one who wants a tag closes the gap to certainty (P_init)."""
    transitivity: float = 0.25
    """How much of the peer's predictability counts (beta)."""
    aging: float = 0.98
    """What is left of a predictability after one aging unit (gamma)."""
    aging_unit: float = 30.0
    """Seconds; units end at multiples of it."""


class ProphetParams(NamedTuple):
    tags: int
    tag_ids: TagIds
    """By which digests name tags; empty where all have the same list."""
    tag_bytes: int
    encounter: int
    indirect: int
    """encounter * transitivity"""
    left_after: npt.NDArray[np.int64]
    """What is left after so many units, until nothing is."""
    aging_unit: float


class ProphetState(NamedTuple):
    wants: npt.NDArray[np.bool_]
    predictability: npt.NDArray[np.uint16]
    """[node, tag]: as it was when I last heard somebody."""
    heard: npt.NDArray[np.int64]
    """The aging unit of that time."""
    unit: npt.NDArray[np.int64]
    """The present aging unit."""


DIGEST = layout(values("told"), measured_by="tag_bytes")
"""The predictability, and above it whether I want the tag myself."""


def _prepare(settings: ProphetSettings, world: World) -> ProphetParams:
    for name in ("encounter", "transitivity", "aging"):
        require_real(name, getattr(settings, name), 0.0, 1.0)
    require_length("aging_unit", settings.aging_unit)
    encounter = min(_ONE - 1, round(settings.encounter * _ONE))
    indirect = encounter * round(settings.transitivity * _ONE) >> _BITS
    ids = np.zeros(0, np.uint64) if world.tag_ids is None else world.tag_ids
    tag_bytes = 4 if world.tag_ids is None else 8
    return ProphetParams(
        world.places, ids, tag_bytes, encounter, indirect, _left_after(settings.aging), float(settings.aging_unit)
    )


def _left_after(aging: float) -> npt.NDArray[np.int64]:
    """aging ** n for n = 0, 1, ... in 1/32768, made with whole numbers; a single entry when nothing ages."""
    exact = 1 << 48
    step = min(exact, round(aging * exact))
    left = exact
    table: list[int] = []
    while left >> (48 - _BITS) and (step < exact or not table):
        table.append(left >> (48 - _BITS))
        left = left * step >> 48
    return np.array(table if step == exact else [*table, 0], np.int64)


def _new_state(params: ProphetParams, world: World) -> ProphetState:
    return ProphetState(
        np.zeros((world.nodes, params.tags), np.bool_),
        np.zeros((world.nodes, params.tags), np.uint16),
        np.zeros(world.nodes, np.int64),
        np.zeros(world.nodes, np.int64),
    )


def _subscribe_at_once(params: ProphetParams, state: ProphetState, me: Row, wants: Wants) -> None:
    state.wants[me] = wants["level"][: params.tags] > 0


@at_once(_subscribe_at_once)
def _subscribe(params: ProphetParams, state: ProphetState, me: Row, wants: Wants) -> None:
    for tag in range(params.tags):
        state.wants[me, tag] = wants[tag].level > 0


@leaf
def _age(params: ProphetParams, state: ProphetState, me: Row, now: Now) -> None:
    """Predictabilities fade when they are read, so that being asked often does not round them down often."""
    state.unit[me] = np.int64(now / params.aging_unit)


@leaf
def _left(params: ProphetParams, state: ProphetState, me: Row) -> Any:
    """What is left of my predictabilities since I last heard somebody.

    Asked for once and not per tag: a loop over tags that looks into a table becomes no vector instructions.
    """
    units = min(state.unit[me] - state.heard[me], params.left_after.size - 1)
    return np.int32(params.left_after[units])


@leaf
def _times(share: Any, of: Any) -> Any:
    """A product of two numbers of 1/32768, in 32 bits."""
    return np.int32(share * of) >> _BITS


@leaf
def _tell(
    params: ProphetParams, state: ProphetState, me: Row, now: Now, hello: Hello, face: Face, digest: Digest
) -> None:
    left = _left(params, state, me)
    for tag in range(params.tags):
        digest.told[tag] = _times(state.predictability[me, tag], left) + (_WANTED if state.wants[me, tag] else 0)


@leaf
def _read(params: ProphetParams, digest: Digest, tag: Tag) -> Any:
    return np.int64(digest.told[tag])


@leaf
def _want(params: ProphetParams, mine: Reading, theirs: Reading, own: bool) -> Any:
    if theirs >= _WANTED:
        return BOTH
    return np.float32(theirs) if theirs > mine % _WANTED else NO


@leaf
def _hear(params: ProphetParams, state: ProphetState, me: Row, digest: Digest, face: Face, now: Now) -> None:
    left = _left(params, state, me)
    for tag in range(params.tags):
        told = np.int32(digest.told[tag])
        mine = _times(state.predictability[me, tag], left)
        mine += _times(_ONE - mine, params.encounter) if told >= _WANTED else 0
        mine += _times(_ONE - mine, _times(told & (_ONE - 1), params.indirect))
        state.predictability[me, tag] = mine
    state.heard[me] = state.unit[me]


def _adopt(params: ProphetParams, state: ProphetState, me: Row, before: ProphetParams, now: Now) -> None:
    """Predictabilities as they are now; from here on they fade in my units."""
    left = _left(before, state, me)
    for tag in range(params.tags):
        state.predictability[me, tag] = _times(state.predictability[me, tag], left)
    state.unit[me] = state.heard[me] = np.int64(now / params.aging_unit)


def _forget_tag(params: ProphetParams, state: ProphetState, me: Row, tag: Tag) -> None:
    state.predictability[me, tag] = 0


PROPHET = Protocol(
    name="prophet",
    title="PRoPHET, with predictabilities per tag",
    settings=ProphetSettings,
    prepare=_prepare,
    new_state=_new_state,
    digest=DIGEST,
    subscribe=_subscribe,
    age=_age,
    tell=_tell,
    read=_read,
    want=_want,
    hear=_hear,
    adopt=_adopt,
    forget_tag=_forget_tag,
    searched={
        "encounter": Span(0.05, 1.0, log=False),
        "transitivity": Span(0.0, 1.0, log=False),
        "aging_unit": Span(1, 8192),
    },
    independent=True,
)
