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
from hunet.protocols.interests import (
    INTERESTS,
    Filters,
    is_interested,
    name_tag,
    new_interests,
    subscribe,
    tell_interests,
    with_filters,
)
from hunet.protocols.protocol import BOTH, DIRECT, NO, YES, Message, Protocol, World
from hunet.protocols.quantities import Digest, Entry, Note, Now, Reading, Row, Score
from hunet.protocols.search import Span

__all__ = ["SPRAY", "SpraySettings"]


class SpraySettings(NamedTuple):
    """Parameters of Spray-and-Wait."""

    m: int = 256
    """Positions of the interest filter."""
    k: int = 3
    """Hash functions."""
    copies: int = 8
    """Copies of a message, its producer's included (L)."""


class SprayState(NamedTuple):
    genuine: npt.NDArray[np.uint64]
    answers: npt.NDArray[np.uint64]
    copies: npt.NDArray[np.int32]
    """[node, entry]: how many copies of the message I stand for."""


def _prepare(settings: SpraySettings, world: World) -> Filters:
    require_int("copies", settings.copies, 1, 2**31 - 1)
    return with_filters(settings, world)


def _new_state(params: Filters, world: World) -> SprayState:
    return SprayState(*new_interests(params, world), np.zeros((world.nodes, world.entries), np.int32))


@leaf
def _want(params: Filters, mine: Reading, theirs: Reading, own: bool) -> Any:
    """Those who want it come first."""
    return BOTH if theirs else YES


@leaf
def _give(
    params: Filters, state: SprayState, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """Spray while there are several copies; then wait."""
    if state.copies[me, entry] > 1:
        return score
    return DIRECT if score == BOTH else NO


@leaf
def _note(
    params: Filters, state: SprayState, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """Half of my copies, rounded down, go with the message; with the last one only the message itself."""
    return 0 if score == DIRECT else state.copies[me, entry] // 2


@leaf
def _take(params: Filters, state: SprayState, me: Row, entry: Entry, message: Message, note: Note) -> Any:
    state.copies[me, entry] = params.settings.copies if message.own else note
    return state.copies[me, entry] > 0


@leaf
def _gave(
    params: Filters, state: SprayState, me: Row, entry: Entry, message: Message, score: Score, note: Note, heard: Digest
) -> Any:
    """What went over is no more mine."""
    state.copies[me, entry] -= note
    return True


@leaf
def _waits(params: Filters, state: SprayState, me: Row, entry: Entry, message: Message) -> Any:
    return state.copies[me, entry] <= 1


def _adopt(params: Filters, state: SprayState, me: Row, before: Any, now: Now) -> None:
    """What is under way keeps its copies, as far as that many may travel."""
    np.minimum(state.copies[me], params.settings.copies, out=state.copies[me])


def _most_note(params: Filters) -> int:
    return int(params.settings.copies) // 2


SPRAY = Protocol(
    name="spray",
    title="Spray-and-Wait, binary",
    settings=SpraySettings,
    prepare=_prepare,
    new_state=_new_state,
    digest=INTERESTS,
    subscribe=subscribe,
    tell=tell_interests,
    read=is_interested,
    want=_want,
    give=_give,
    note=_note,
    take=_take,
    gave=_gave,
    waits=_waits,
    adopt=_adopt,
    most_note=_most_note,
    name_tag=name_tag,
    searched={"copies": Span(1, 128)},
    independent=True,
)
