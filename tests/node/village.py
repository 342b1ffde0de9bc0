"""Members of one network that run inside a test, each in a home of its own, with doors if asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from hunet.node.choice import DEFAULT_PROTOCOL, settings_for
from hunet.node.daemon import Node, Options
from hunet.node.network import Key, Network
from hunet.protocols import protocol_named
from tests.node.running import running
from tests.ports import free_port

VILLAGE = Network("village", bytes(range(16)), (Key(bytes(range(32))),))
"""Always the same, so that filters match by chance always alike."""
ANY = ("127.0.0.1", 0)


@asynccontextmanager
async def member(home: Path, protocol: str = DEFAULT_PROTOCOL, **options: Any) -> AsyncIterator[Node]:
    """A node that is found by nobody, and runs until the block ends."""
    VILLAGE.save(home)
    chosen = protocol_named(protocol)
    plain = Options(home, chosen, settings_for(chosen), listen=ANY, beacon_port=free_port())
    node = Node(replace(plain, **options))
    async with running(node):
        yield node
