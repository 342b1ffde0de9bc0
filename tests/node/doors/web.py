"""Asking a node over HTTP, as programs do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from hunet.node.daemon import Node
from tests.node.village import ANY, member


def token_of(node: Node) -> str:
    """What stands behind the hash of the one address."""
    assert node.http is not None
    return node.http.url.partition("#")[2]


def base_of(node: Node) -> str:
    """The address without its token."""
    assert node.http is not None
    return node.http.url.partition("/#")[0]


@asynccontextmanager
async def opened(home: Path, **options: Any) -> AsyncIterator[tuple[Node, httpx.AsyncClient]]:
    """A node with its HTTP door open, and somebody who knows the token."""
    async with member(home, http=ANY, **options) as node:
        headers = {"Authorization": f"Bearer {token_of(node)}"}
        async with httpx.AsyncClient(base_url=base_of(node), headers=headers, timeout=30) as web:
            yield node, web
