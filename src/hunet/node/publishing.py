"""Many publications, one commit: a disk takes milliseconds to be sure, and doors do not wait one after the other.

What is asked for while the disk is busy is written with the next commit. Nobody is answered before his message is
there.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hunet.model.errors import HunetError, NodeError

if TYPE_CHECKING:
    from hunet.node.host import Host

__all__ = ["Publisher"]

MOST_WAITING = 1_000
"""Publications that wait for the disk; who asks for more is told to come later."""


class Publisher:
    """Publishes for whoever asks, through whatever door."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._waiting: list[tuple[bytes, asyncio.Future[bytes]]] = []

    async def publish(self, payload: bytes, tags: Sequence[str], lifetime: int) -> bytes:
        """The id of a new message, once it is on the disk. `lifetime` in milliseconds."""
        if len(self._waiting) >= MOST_WAITING:
            raise NodeError("more is published than the disk can take: try again later")
        mid = self._host.publish(payload, tags, lifetime=lifetime, commit=False)
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._commit)
        self._waiting.append((mid, loop.create_future()))
        return await self._waiting[-1][1]

    def _commit(self) -> None:
        waiting, self._waiting = self._waiting, []
        try:
            self._host.trim()
            self._host.commit()
        except (HunetError, sqlite3.Error) as error:
            for _, future in waiting:
                if not future.done():
                    future.set_exception(NodeError(f"the message could not be written to the disk: {error}"))
            return
        for mid, future in waiting:
            if not future.done():  # whoever asked may have gone
                future.set_result(mid)
