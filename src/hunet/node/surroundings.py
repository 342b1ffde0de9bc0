"""Who is near and who was, what this node carries for others, and what it let go."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from hunet.node.budget import DAY
from hunet.node.log import pseudonym
from hunet.node.names import name_of

if TYPE_CHECKING:
    from hunet.node.daemon import Node

__all__ = ["carried", "peers"]


def peers(node: Node) -> dict[str, Any]:
    """Who is near now, and who was in the last 24 hours. Times are seconds that have passed."""
    now, clock, salt = time.monotonic(), node.host.clock(), node.network.salt
    near = {standing.link.peer: standing for standing in node.contacts}
    spans: dict[bytes, list[dict[str, float]]] = {}
    for peer, began, ended in node.store.rows(
        "SELECT peer, began, ended FROM contact WHERE ended > ? ORDER BY began", clock - DAY
    ):
        spans.setdefault(peer, []).append({"began": (clock - began) / 1000, "ended": (clock - ended) / 1000})
    for peer, standing in near.items():
        spans.setdefault(peer, []).append({"began": round(now - standing.since, 3), "ended": 0.0})
    return {
        "peers": [
            {
                "peer": standing.link.peer.hex(),
                "name": name_of(standing.link.peer, salt),
                "log_name": pseudonym(standing.link.peer, salt),
                "address": standing.address[0],
                "dialled": standing.dialled,
                "seconds": round(now - standing.since, 1),
                "silent": round(now - standing.link.heard_at, 1),
                "sent": standing.link.sent,
                "received": standing.link.received,
            }
            for standing in near.values()
        ],
        "today": [
            {"peer": peer.hex(), "name": name_of(peer, salt), "near": peer in near, "contacts": contacts}
            for peer, contacts in sorted(spans.items(), key=lambda one: one[1][-1]["ended"])
        ],
    }


def carried(node: Node) -> dict[str, Any]:
    """What this node carries, how much room there is, and what it let go or refused since it started, and why."""
    host = node.host
    held, limits = list(host.shelf.held.values()), host.limits
    own = [one for one in held if one.own]
    return {
        "own": {"messages": len(own), "bytes": sum(one.bytes for one in own)},
        "others": {"messages": len(held) - len(own), "bytes": sum(one.bytes for one in held if not one.own)},
        "authors": len({one.author for one in held if not one.own}),
        "room": {
            "own": round(limits.store * (1 - limits.others)),
            "others": round(limits.store * limits.others),
            "author": round(limits.store * limits.author),
        },
        "forwarded": host.forwards,
        "gone": dict(host.gone),
    }
