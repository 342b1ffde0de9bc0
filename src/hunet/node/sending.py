"""Settings for all nodes of a network, sent through a node that has the settings key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hunet.model.errors import NodeError
from hunet.node.choice import deployable

__all__ = ["sender"]


def sender(ask: Callable[..., Any], protocol: str, wait: float) -> Callable[[Mapping[str, Any]], Any]:
    """What sends settings of a protocol, to be run in so many seconds; everything that can be wrong is said before.

    `ask` asks the node: what, and its arguments by name.
    """
    chosen, answer = deployable(protocol), ask("settings")
    if answer["sent_by"] is None:
        raise NodeError("this network has no settings key, so nobody can send settings in it: make a new network")
    if not answer["may_send"]:
        raise NodeError("this node cannot send settings: the settings key is where the network was made (--home DIR)")
    return lambda found: ask("send", protocol=chosen.name, settings=dict(found), wait=wait)
