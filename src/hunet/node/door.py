"""The local door: a Unix socket in the node's home, through which commands talk to the running node.

A request is one line of JSON, `{"do": "pub", "tags": ["jazz"], ...}`; an answer is one line, `{"ok": ...}` or
`{"error": "..."}`; `follow` answers with a line for each message until the asker leaves. The socket lies in a folder
that only the owner may enter, and is his alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import closing, suppress
from inspect import isawaitable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hunet.model.errors import HunetError, NodeError
from hunet.node.home import DOOR

if TYPE_CHECKING:
    from hunet.node.daemon import Node

__all__ = ["Door", "ask", "is_running", "listen_to"]

MOST_LINE = 2**18
"""Bytes of a request: a message of 64 KiB in base64 fits."""
MOST_PATH = 100
"""Bytes of a socket's path: systems allow 104 to 108."""
PATIENCE = 10.0
"""Seconds that a command waits for an answer."""


class Door:
    """Answers requests while it is open."""

    def __init__(self, node: Node, path: Path) -> None:
        self._node, self._path = node, path
        self._talking: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Open."""
        if len(os.fsencode(self._path)) > MOST_PATH:
            raise NodeError(f"the path of the home is too long for a socket, '{self._path}': give a shorter --home DIR")
        self._server = await asyncio.start_unix_server(self._serve, self._path, limit=MOST_LINE)
        self._path.chmod(0o600)

    async def stop(self) -> None:
        """Close; whoever follows is left."""
        self._server.close()
        for task in self._talking:
            task.cancel()
        await asyncio.gather(*self._talking, return_exceptions=True)
        self._path.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talking.add(task)
        task.add_done_callback(self._talking.discard)
        try:
            while line := await reader.readline():
                await self._answer(line, reader, writer)
        except ValueError:  # a line without an end
            await _put(writer, {"error": f"a request of more than {MOST_LINE:,} bytes"})
        except OSError:
            pass  # whoever asked has gone
        finally:
            writer.close()

    async def _answer(self, line: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from hunet.node.service import call

        try:
            request = json.loads(line)
            if not isinstance(request, dict) or not isinstance(request.get("do"), str):
                raise NodeError('a request is an object such as {"do": "status"}')
            answer = call(self._node, request.pop("do"), request)
            if isawaitable(answer):
                answer = await answer
        except ValueError as error:
            said = str(error) if isinstance(error, HunetError) else "a request is one line of JSON"
            await _put(writer, {"error": said})
        except (HunetError, RecursionError) as error:
            await _put(writer, {"error": str(error)})
        else:
            if isinstance(answer, AsyncIterator):
                await self._stream(answer, reader, writer)
            else:
                await _put(writer, {"ok": answer})

    async def _stream(
        self, answers: AsyncIterator[Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """One line after the other, until the asker leaves or says something."""
        leaving = asyncio.ensure_future(reader.read(1))
        try:
            while True:
                following = asyncio.ensure_future(anext(answers))
                await asyncio.wait((following, leaving), return_when=asyncio.FIRST_COMPLETED)
                if leaving.done():
                    following.cancel()
                    return
                await _put(writer, {"ok": following.result()})
        finally:  # also of a door that is closed
            following.cancel()
            leaving.cancel()
            await asyncio.gather(following, leaving, return_exceptions=True)


async def _put(writer: asyncio.StreamWriter, what: Any) -> None:
    writer.write(json.dumps(what).encode() + b"\n")
    await writer.drain()


# ------------------------------------------------------------------ the other side: commands


def ask(home: Path, do: str, **arguments: Any) -> Any:
    """The answer of the node that runs in a home; `NodeError` with what it refuses, or that none runs."""
    with closing(_lines(home, do, arguments, PATIENCE)) as answers:
        return next(answers)


def listen_to(home: Path, do: str, **arguments: Any) -> Iterator[Any]:
    """One answer after the other, until the node stops."""
    return _lines(home, do, arguments, None)


def is_running(home: Path) -> bool:
    """Whether a node answers at the door of a home."""
    try:
        ask(home, "status")
    except NodeError:
        return False
    return True


def _lines(home: Path, do: str, arguments: dict[str, Any], patience: float | None) -> Generator[Any, None, None]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as talk:
        talk.settimeout(PATIENCE)
        try:
            talk.connect(str(home / DOOR))
            talk.sendall(json.dumps({"do": do, **arguments}).encode() + b"\n")
            talk.settimeout(patience)
            with talk.makefile("rb") as lines:
                for line in lines:
                    answer = json.loads(line)
                    if "error" in answer:
                        raise NodeError(answer["error"])
                    yield answer["ok"]
        except TimeoutError:
            raise NodeError(f"the node in '{home}' does not answer: stop it and start it again") from None
        except OSError as error:
            if not isinstance(error, FileNotFoundError | ConnectionRefusedError):
                with suppress(AttributeError):
                    error.filename = str(home / DOOR)
                raise
            raise NodeError(f"no node runs in '{home}': start one with: hunet node run --home '{home}'") from None
    if patience is not None:
        raise NodeError(f"the node in '{home}' stopped before it answered: look at what it said, and start it again")
