"""A node of this machine, from Python: publish, subscribe, and messages as they come.

    async with Client() as client:
        await client.subscribe("jazz")
        await client.publish("Tonight at nine.", "jazz", "music")
        async for message in client.messages("jazz"):
            print(message.text, message.hops)

It talks to the running node through the local door, the Unix socket in the node's home: every node has one, it needs no
token, since only its owner may open it, and no package beyond Python's own. Programs of other users and other languages
take the HTTP door.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hunet.home import home as users_home
from hunet.model.errors import NodeError

__all__ = ["Client", "Message"]

DOOR = "door"
MOST_LINE = 2**24
"""Bytes of an answer: hundreds of messages."""


@dataclass(frozen=True)
class Message:
    """What came, or was published here."""

    cursor: int
    """Its number in the node's history: where to go on from."""
    id: str
    tags: tuple[str, ...]
    payload: bytes
    author: str
    """The public key that signed it, in hexadecimal."""
    author_name: str
    own: bool
    age: float
    """Seconds since it was published, when the node was asked."""
    hops: int
    carrier: str | None
    """The key of the device that brought it; None for one's own."""
    taken_by: int | None
    """Devices that took one's own message from this node."""

    @property
    def text(self) -> str:
        """What it says; what is no text in it becomes question marks."""
        return self.payload.decode(errors="replace")

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Message:
        """As the node says it."""
        return cls(
            cursor=said["cursor"],
            id=said["id"],
            tags=tuple(said["tags"]),
            payload=base64.b64decode(said["data"]),
            author=said["author"],
            author_name=said["author_name"],
            own=said["own"],
            age=said["age"],
            hops=said["hops"],
            carrier=said["from"],
            taken_by=said["taken_by"],
        )


class Client:
    """Requests to the node that runs in a home. Several may be under way at a time, each on a connection of its own."""

    def __init__(self, home: Path | str | None = None) -> None:
        """`home` is the node's folder; without, the one that `hunet node run` takes by itself."""
        home = home or os.environ.get("HUNET_NODE_HOME") or users_home() / "node"
        self._home = Path(home).expanduser().absolute()

    async def __aenter__(self) -> Client:
        await self.status()  # who talks to nobody is told so at once
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def publish(self, what: str | bytes, *tags: str, lifetime: float = 86_400.0) -> str:
        """Publish a message under some tags, for so many seconds; its id, once it is on the node's disk."""
        data = base64.b64encode(what.encode() if isinstance(what, str) else what).decode()
        answer = await self._ask("pub", tags=list(tags), data=data, lifetime=lifetime)
        return str(answer["id"])

    async def subscribe(self, tag: str, *, level: float = 1.0, hops: int = 0, lifetime: float | None = None) -> None:
        """Want a tag: so strongly (up to 1), from at most so many hops away (0: any), for so many seconds."""
        await self._ask("sub", tag=tag, level=level, hops=hops, lifetime=lifetime)

    async def unsubscribe(self, tag: str) -> None:
        """Want it no more."""
        await self._ask("unsub", tag=tag)

    async def interests(self) -> list[dict[str, Any]]:
        """What the node's person wants, and how much of it is unread."""
        return list((await self._ask("interests"))["interests"])

    async def history(self, tag: str | None = None, since: int = 0, search: str | None = None) -> list[Message]:
        """What is kept after a cursor, at most 500 messages, the oldest first; own ones too."""
        answer = await self._ask("messages", tag=tag, since=since, search=search, most=500)
        return [Message.of(one) for one in answer["messages"]]

    async def messages(
        self, tag: str | None = None, *, since: int | None = None, own: bool = False
    ) -> AsyncGenerator[Message, None]:
        """Messages as they come, without end; of a tag, or all. `since` begins after a cursor, 0 with all that is kept;
        without, with what comes from now on. With `own`, what is published here too."""
        if since is None:
            since = (await self._ask("messages", most=1))["cursor"]
        async with self._answers("follow", {"since": since, "tag": tag, "own": own}) as answers:
            async for one in answers:
                yield Message.of(one)
        raise NodeError(f"the node in '{self._home}' stopped")

    async def peers(self) -> list[dict[str, Any]]:
        """Who is near now."""
        return list((await self._ask("peers"))["peers"])

    async def status(self) -> dict[str, Any]:
        """How the node is."""
        return dict(await self._ask("status"))

    async def _ask(self, do: str, **arguments: Any) -> Any:
        async with self._answers(do, arguments) as answers:
            async for answer in answers:
                return answer
        raise NodeError(f"the node in '{self._home}' stopped before it answered")

    @asynccontextmanager
    async def _answers(self, do: str, arguments: Mapping[str, Any]) -> AsyncGenerator[AsyncGenerator[Any, None], None]:
        try:
            reader, writer = await asyncio.open_unix_connection(self._home / DOOR, limit=MOST_LINE)
        except (FileNotFoundError, ConnectionRefusedError):
            message = f"no node runs in '{self._home}': start one with: hunet node run --home '{self._home}'"
            raise NodeError(message) from None
        try:
            writer.write(json.dumps({"do": do, **arguments}).encode() + b"\n")
            await writer.drain()
            async with aclosing(_lines(reader)) as lines:
                yield lines
        finally:
            writer.close()


async def _lines(reader: asyncio.StreamReader) -> AsyncGenerator[Any, None]:
    while line := await reader.readline():
        answer = json.loads(line)
        if "error" in answer:
            raise NodeError(answer["error"])
        yield answer["ok"]
