"""Real nodes in this process, each in a home of its own, with doors if asked for."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from hunet.node.daemon import Node, Options
from hunet.node.network import Network
from hunet.protocols.bsub13 import BSUB13, BsubSettings

VILLAGE = Network.new("village")
ANY = ("127.0.0.1", 0)


def options_at(home: Path, **options: Any) -> Options:
    """Of a node that listens on this machine only, is found by nobody, and is a member of the village."""
    VILLAGE.save(home)
    plain = Options(home, BSUB13, BsubSettings(), listen=ANY, beacon_port=free_port(socket.SOCK_DGRAM))
    return replace(plain, **options)


def free_port(kind: socket.SocketKind = socket.SOCK_STREAM) -> int:
    """A port that nobody uses at the moment."""
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(ANY)
        return int(probe.getsockname()[1])


@asynccontextmanager
async def running(home: Path, **options: Any) -> AsyncIterator[Node]:
    """A node that runs until the block ends."""
    node = Node(options_at(home, **options))
    ready = asyncio.Event()
    task = asyncio.create_task(node.run(ready.set))
    waiting = asyncio.create_task(ready.wait())
    await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
    try:
        yield node
    finally:
        node.stopping.set()
        await task


async def until(holds: Callable[[], Any], patience: float = 20.0) -> None:
    """Wait for something that other tasks bring about."""
    async with asyncio.timeout(patience):
        while not holds():
            await asyncio.sleep(0.01)
