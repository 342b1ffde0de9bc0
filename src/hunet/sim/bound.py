"""What clairvoyance could do: every delivery that is possible, as early as possible, by no transfer that leads to none.

For every message the tree of earliest arrivals is what an epidemic (PUSH) makes of it where buffers and bandwidth have
no limits. Of that tree only the branches stay that end at somebody who wants the message. So it delivers what PUSH
does, at the same times; its transfers are an upper bound of what is needed: other trees may reach the same people with
fewer (that is a Steiner problem), or later.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hunet.kernels import loop
from hunet.protocols.protocol import Ranges
from hunet.protocols.push import PUSH, PushSettings
from hunet.sim.engine.event_log import DELIVERY, FORWARD
from hunet.sim.engine.outcome import Conditions, Outcome
from hunet.sim.engine.run import run
from hunet.sim.engine.scene import Scene

__all__ = ["CLAIRVOYANT", "EPIDEMIC_FORWARDS", "TITLE", "clairvoyant"]

CLAIRVOYANT = "clairvoyant"
"""What it is called where protocols have names."""
TITLE = "what clairvoyance could do"
EPIDEMIC_FORWARDS = "epidemic_forwards"
"""The extra of the outcome that says how many transfers PUSH takes for the same."""


def clairvoyant(scene: Scene, tags: tuple[str, ...], contacts: str = "start", ranges: Ranges | None = None) -> Outcome:
    """The outcome of a clairvoyant's run over a scene; `contacts` is the contact model."""
    spread = run(PUSH, PushSettings(), scene, tags, Conditions(contacts=contacts), log=True, ranges=ranges)
    assert spread.log is not None
    kind = spread.log["kind"].combine_chunks().indices.to_numpy()
    moved = np.flatnonzero((kind == FORWARD) | (kind == DELIVERY))
    message = spread.log["message"].to_numpy()[moved]
    order = moved[np.argsort(message, kind="stable")]
    giver, taker = (spread.log[name].fill_null(-1).to_numpy()[order] for name in ("from", "to"))
    copies = np.ones(scene.created.size, np.int32)
    stamp = np.full(scene.wants.shape[0], -1, np.int64)
    _prune(spread.log["message"].to_numpy()[order], kind[order] == DELIVERY, giver, taker, stamp, copies)
    forwards = int(copies.sum()) - copies.size
    extras = {EPIDEMIC_FORWARDS: spread.forwards}
    return replace(spread, copies=copies, forwards=forwards, log=None, extras=extras)


@loop
def _prune(message: Any, delivered: Any, giver: Any, taker: Any, stamp: Any, copies: Any) -> None:
    """Backwards through every message's transfers: one is needed if its taker wants the message or hands it on to need.

    Events of a message stand together, in their order; a delivery follows its transfer. `stamp` has the last message
    that each node was needed for.
    """
    for i in range(message.size - 1, -1, -1):
        m = message[i]
        if delivered[i]:
            stamp[taker[i]] = m
        elif stamp[taker[i]] == m:
            stamp[giver[i]] = m
            copies[m] += 1
