"""Nodes that run in a thread of their own, for tests that wait for something else: a browser, a process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from hunet.node.daemon import Node
from tests.node.village import member

_T = TypeVar("_T")


class Background:
    """A loop in another thread. Everything that touches a node is done there."""

    def __init__(self, loop: asyncio.AbstractEventLoop, stack: AsyncExitStack) -> None:
        self._loop, self._stack = loop, stack

    def do(self, work: Coroutine[Any, Any, _T]) -> _T:
        """What it brings."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def call(self, function: Callable[[], _T]) -> _T:
        """The same for a plain function."""

        async def run() -> _T:
            return function()

        return self.do(run())

    def start(self, home: Path, **options: Any) -> Node:
        """A node that runs until the end."""
        return self.do(self._stack.enter_async_context(member(home, **options)))


@contextmanager
def background() -> Iterator[Background]:
    """Nodes started in it are stopped when the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    stack = AsyncExitStack()
    try:
        yield Background(loop, stack)
    finally:
        asyncio.run_coroutine_threadsafe(stack.aclose(), loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
