"""PUSH: epidemic spreading, every message to every node that lacks it; the upper bound of what can be delivered."""

from __future__ import annotations

from typing import NamedTuple

from hunet.protocols.protocol import Protocol, World, no_digest, no_state

__all__ = ["PUSH", "PushSettings"]


class PushSettings(NamedTuple):
    """PUSH has no parameters."""


def _prepare(settings: PushSettings, world: World) -> tuple[int]:
    return (0,)


PUSH = Protocol(
    name="push",
    title="PUSH: epidemic, everything to everyone",
    settings=PushSettings,
    prepare=_prepare,
    new_state=no_state,
    new_digest=no_digest,
)
