"""PUSH: epidemic spreading, every message to every node that lacks it; the upper bound of what can be delivered."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hunet.kernels import leaf
from hunet.protocols.chance import toss_for, with_chance
from hunet.protocols.protocol import Message, Protocol
from hunet.protocols.quantities import Digest, Entry, Row, Score

__all__ = ["PUSH", "PushSettings"]


class PushSettings(NamedTuple):
    """Parameters of PUSH."""

    shuffled: bool = False
    """Whether each node sends in a random order of its own where time is short (AMB-63), and not newest first."""


@leaf
def _give(params: Any, state: Any, me: Row, entry: Entry, message: Message, score: Score, heard: Digest) -> Any:
    return np.float32(1.0 + toss_for(params, me, message)) if params.settings.shuffled else score


PUSH = Protocol(
    name="push",
    title="PUSH: epidemic, everything to everyone",
    settings=PushSettings,
    prepare=with_chance,
    give=_give,
    independent=True,
)
