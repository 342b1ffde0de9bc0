"""Nodes that run inside a test, on sockets of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from hunet.node.choice import DEFAULT_PROTOCOL, settings_for
from hunet.node.daemon import Node, Options
from hunet.node.network import Network
from hunet.node.service import call
from hunet.protocols import protocol_named


def node_at(home: Path, network: Network, beacon_port: int, protocol: str = DEFAULT_PROTOCOL, **more: Any) -> Node:
    network.save(home)
    chosen = protocol_named(protocol)
    options = Options(home, chosen, settings_for(chosen), ("127.0.0.1", 0), beacon_port=beacon_port, **more)
    return Node(options)


@asynccontextmanager
async def running(*nodes: Node) -> AsyncIterator[None]:
    tasks = []
    for node in nodes:
        ready = asyncio.Event()
        tasks.append(asyncio.create_task(node.run(ready.set)))
        await asyncio.wait((tasks[-1], asyncio.ensure_future(ready.wait())), return_when=asyncio.FIRST_COMPLETED)
        if tasks[-1].done():
            tasks[-1].result()  # it could not start, and says why
    try:
        yield
    finally:
        for node in nodes:
            node.stopping.set()
        await asyncio.gather(*tasks)


async def until(true: Callable[[], Any], seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.02)


def say(node: Node, tag: str, text: str) -> str:
    return node.host.publish(text.encode(), [tag], lifetime=86_400_000).hex()


def texts(node: Node) -> list[str]:
    return [one["text"] for one in call(node, "inbox", {})["messages"]]
