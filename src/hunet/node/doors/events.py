"""Server-sent events: messages as they come, and a word when something else changed that a page shows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from hunet.node.history import follow, last_cursor

if TYPE_CHECKING:
    from hunet.node.daemon import Node

__all__ = ["events"]

LOOK_EVERY = 1.0
"""Seconds between two looks at what else changed."""
BREATH_EVERY = 15.0
"""Seconds after which an empty line says that the stream is alive."""


async def events(node: Node, since: int | None = None, tag: str | None = None) -> AsyncGenerator[str, None]:
    """`message`, with the cursor as the event's id; `change`, with the names of what to ask for again."""
    yield ": welcome\n\n"
    start = last_cursor(node) if since is None else since
    before, quiet = _looks(node), 0.0
    async with aclosing(follow(node, start, tag, own=True)) as coming:
        waiting = asyncio.ensure_future(anext(coming))
        try:
            while True:
                await asyncio.wait((waiting,), timeout=LOOK_EVERY)
                if waiting.done():
                    message = waiting.result()
                    waiting = asyncio.ensure_future(anext(coming))
                    yield f"id: {message['cursor']}\nevent: message\ndata: {json.dumps(message)}\n\n"
                    quiet = 0.0
                    continue
                now = _looks(node)
                if changed := [name for name in now if now[name] != before[name]]:
                    yield f"event: change\ndata: {json.dumps(changed)}\n\n"
                    quiet = 0.0
                elif (quiet := quiet + LOOK_EVERY) >= BREATH_EVERY:
                    yield ":\n\n"
                    quiet = 0.0
                before = now
        finally:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)


def _looks(node: Node) -> dict[str, Any]:
    """What a page shows beside messages, cheaply: it is compared, not shown."""
    host = node.host
    return {
        "interests": dict(host.interests.all),
        "peers": {standing.link.peer for standing in node.contacts},
        "carried": (len(host.shelf.held), host.forwards, sum(host.gone.values())),
        "settings": (node.host.runs.name, node.host.agreement.serial),
        "status": (node.paused, sum(node.reception.refused.values()), sum(node.unreached.values())),
    }
