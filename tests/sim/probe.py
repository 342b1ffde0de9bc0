"""A protocol that uses what no paper's does: ranks, losses, lifetimes, a buffer's room, the peer's digest in `give`.

It makes no sense as a protocol. `Probe` is its naive twin.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf
from hunet.protocols.layout import layout, number
from hunet.protocols.protocol import NO, YES, Protocol, World
from tests.naive import wire_sizes
from tests.naive.simulator import Message
from tests.naive.tag_protocols import Push

_MOST = 1000


class ProbeSettings(NamedTuple):
    """None."""


class ProbeParams(NamedTuple):
    room: float


class ProbeState(NamedTuple):
    losses: npt.NDArray[np.int64]
    """[node, kind]: copies that expired, copies that were dropped, weighted by what was noted of them."""
    noted: npt.NDArray[np.int64]
    """[node, entry]: the note with which my copy came, and what I gave since."""


def _prepare(settings: ProbeSettings, world: World) -> ProbeParams:
    return ProbeParams(min(world.room, 50.0))


def _new_state(params: ProbeParams, world: World) -> ProbeState:
    return ProbeState(np.zeros((world.nodes, 2), np.int64), np.zeros((world.nodes, world.entries), np.int64))


@leaf
def _tell(params: Any, state: Any, me: Any, now: Any, hello: Any, face: Any, digest: Any) -> None:
    digest.lost[0] = (state.losses[me, 0] + 3 * state.losses[me, 1]) % _MOST


@leaf
def _give(params: Any, state: Any, me: Any, entry: Any, message: Any, score: Any, heard: Any) -> Any:
    """Whether its life is long for my room, and whether the peer lost much."""
    if message.expires - message.created < 4.0 * params.room:
        return NO
    return NO if (message.number + heard.lost[0]) % 5 == 0 else np.float32(1.0 + (message.number * 7) % 4)


@leaf
def _note(params: Any, state: Any, me: Any, entry: Any, message: Any, score: Any, heard: Any) -> Any:
    return heard.lost[0] + 1


@leaf
def _take(params: Any, state: Any, me: Any, entry: Any, message: Any, note: Any) -> Any:
    state.noted[me, entry] = note
    return True


@leaf
def _gave(params: Any, state: Any, me: Any, entry: Any, message: Any, score: Any, note: Any, heard: Any) -> Any:
    state.noted[me, entry] += note + heard.lost[0]
    return state.noted[me, entry] < 60


@leaf
def _rank(params: Any, state: Any, me: Any, entry: Any, message: Any) -> Any:
    return np.float32((message.number * 5) % 3 + state.noted[me, entry] % 2)


@leaf
def _lost(params: Any, state: Any, me: Any, entry: Any, message: Any, dropped: Any) -> None:
    state.losses[me, 1 if dropped else 0] += 1 + state.noted[me, entry] % 3


def _most_note(params: ProbeParams) -> int:
    return _MOST


PROBE = Protocol(
    name="probe",
    title="probe: what no paper needs",
    settings=ProbeSettings,
    prepare=_prepare,
    new_state=_new_state,
    digest=layout(number("lost", most=_MOST - 1)),
    tell=_tell,
    give=_give,
    note=_note,
    take=_take,
    gave=_gave,
    rank=_rank,
    lost=_lost,
    most_note=_most_note,
)


class Probe(Push):
    """The same, naively."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.losses = [[0, 0] for _ in range(self.story.nodes)]
        self.noted: list[dict[int, int]] = [{} for _ in range(self.story.nodes)]

    def tell(self, node: int, peer: int) -> int:
        return (self.losses[node][0] + 3 * self.losses[node][1]) % _MOST

    def size(self, digest: int) -> int:
        return wire_sizes.number(digest)

    def score(self, node: int, told: int, heard: int, message: Message) -> np.float32:
        if message.expires - message.created < 4.0 * min(self.room, 50.0) or (message.number + heard) % 5 == 0:
            return NO
        return YES + np.float32(message.number * 7 % 4)

    def gave(self, node: int, message: Message, score: np.float32, heard: int) -> tuple[bool, int]:
        self.noted[node][message.number] += 2 * heard + 1
        return self.noted[node][message.number] < 60, heard + 1

    def take(self, node: int, message: Message, note: int) -> bool:
        self.noted[node][message.number] = note
        return True

    def rank(self, node: int, message: Message) -> float:
        return message.number * 5 % 3 + self.noted[node][message.number] % 2

    def lost(self, node: int, message: Message, dropped: bool) -> None:
        self.losses[node][dropped] += 1 + self.noted[node][message.number] % 3
