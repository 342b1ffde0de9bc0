"""The HTTP door: requests of `service.py` under addresses, messages as they come, figures, and the page.

It is open on this machine only, and `guard.py` says to whom.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from hunet.model.errors import HunetError, InvalidValueError
from hunet.node.address import listening_socket
from hunet.node.doors.events import events
from hunet.node.doors.guard import Guard
from hunet.node.doors.metrics import MEDIA_TYPE, metrics
from hunet.node.doors.openapi import description
from hunet.node.doors.operations import MOST_BODY, OPERATIONS, STREAM_PARAMETERS, Operation
from hunet.node.doors.schema import Schema, check, from_query
from hunet.node.doors.token import token_at
from hunet.node.service import call

if TYPE_CHECKING:
    from hunet.node.daemon import Node

__all__ = ["HttpDoor", "application"]

PAGE = Path(__file__).parents[1] / "page"
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FILES = {f"/{file.name}": file for file in sorted(PAGE.iterdir()) if file.suffix in _TYPES}
_FILES["/"] = _FILES.pop("/index.html")
"""The page, by address: these files and no others."""
_PARTING = 1
"""Seconds that requests under way get when the door is closed."""


class TooLongError(HunetError):
    """A request that is longer than any good one."""


def application(node: Node, token: str, hosts: frozenset[str]) -> Guard:
    """What answers, to whoever calls this door by one of these names."""
    by_path: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, {})[operation.method] = operation
    routes = [Route(path, _answers(node, operations), methods=list(operations)) for path, operations in by_path.items()]
    routes += [
        Route("/v1/stream", _stream(node)),
        Route("/metrics", _metrics(node)),
        Route("/openapi.json", _description),
        *(Route(path, _file(file)) for path, file in _FILES.items()),
    ]
    app = Starlette(routes=routes, exception_handlers={404: _no_such, 405: _no_such})
    return Guard(app, token, hosts, frozenset({*_FILES, "/openapi.json"}))


def _answers(node: Node, operations: dict[str, Operation]) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        operation = operations["GET" if request.method == "HEAD" else request.method]
        try:
            arguments = _query(request, operation.query, operation.needed)
            if operation.body is not None:
                arguments |= await _body(request, operation.body)
        except TooLongError as error:
            return _refused(413, error)
        except TypeError as error:
            return _refused(415, error)
        except InvalidValueError as error:
            return _refused(400, error)
        try:
            done = call(node, operation.do, arguments)
            return JSONResponse(await done if asyncio.iscoroutine(done) else done, operation.status)
        except HunetError as error:
            return _refused(409 if operation.may_refuse else 400, error)

    return answer


def _query(request: Request, schemas: Any, needed: tuple[str, ...] = ()) -> dict[str, Any]:
    given = request.query_params.multi_items()
    for name, _ in given:
        if name not in schemas:
            raise InvalidValueError(f"{name!r:.60} is no parameter here: there are {', '.join(schemas) or 'none'}")
    if len(dict(given)) < len(given):
        raise InvalidValueError("a parameter is given twice")
    for name in needed:
        if name not in request.query_params:
            raise InvalidValueError(f"{name} is needed")
    return {name: from_query(value, schemas[name], name) for name, value in given}


async def _body(request: Request, schema: Schema) -> dict[str, Any]:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise TypeError("a request is JSON: give Content-Type: application/json")
    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > MOST_BODY:
            raise TooLongError(f"a request of more than {MOST_BODY:,} bytes")
    try:
        what = json.loads(bytes(data), parse_constant=_no_number, parse_float=_number)
    except (ValueError, RecursionError):
        raise InvalidValueError("the request is no JSON") from None
    check(what, schema, "the request")
    return _with_data(what) if "tags" in what else what


def _no_number(text: str) -> None:
    raise ValueError(text)


def _number(text: str) -> float:
    """To JSON Schema 3.0 is a whole number, and so it is to us."""
    number = float(text)
    return int(number) if abs(number) < 2**63 and number.is_integer() else number


def _with_data(what: dict[str, Any]) -> dict[str, Any]:
    """A message is text or data; the node's own requests know data."""
    if "text" in what:
        what["data"] = base64.b64encode(what.pop("text").encode()).decode()
    return what


def _stream(node: Node) -> Callable[[Request], Any]:
    async def stream(request: Request) -> Response:
        try:
            arguments = _query(request, STREAM_PARAMETERS)
            last = request.headers.get("last-event-id")
            if last:
                arguments["since"] = from_query(last, STREAM_PARAMETERS["since"], "Last-Event-ID")
        except InvalidValueError as error:
            return _refused(400, error)
        return StreamingResponse(_until_stopping(node, events(node, **arguments)), media_type="text/event-stream")

    return stream


async def _until_stopping(node: Node, parts: AsyncGenerator[str, None]) -> AsyncIterator[str]:
    """A node that stops does not wait for those who listen."""
    stopping = asyncio.ensure_future(node.stopping.wait())
    coming = asyncio.ensure_future(anext(parts))
    try:
        while True:
            await asyncio.wait((coming, stopping), return_when=asyncio.FIRST_COMPLETED)
            if stopping.done():
                return
            yield coming.result()
            coming = asyncio.ensure_future(anext(parts))
    finally:
        stopping.cancel()
        coming.cancel()
        await asyncio.gather(stopping, coming, return_exceptions=True)
        await parts.aclose()


def _metrics(node: Node) -> Callable[[Request], Any]:
    async def answer(_: Request) -> Response:  # not a plain function, which would be called in another thread
        return PlainTextResponse(metrics(node), media_type=MEDIA_TYPE)

    return answer


async def _description(_: Request) -> Response:
    return JSONResponse(description())


def _file(file: Path) -> Callable[[Request], Any]:
    async def answer(_: Request) -> Response:
        return FileResponse(file, media_type=_TYPES[file.suffix])

    return answer


def _no_such(request: Request, error: Any) -> Response:
    return JSONResponse({"error": "there is no such address: /openapi.json has all"}, error.status_code, error.headers)


def _refused(status: int, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, status)


class _Server(uvicorn.Server):
    """Signals are the node's."""

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


class HttpDoor:
    """Open from `start` to `stop`."""

    def __init__(self, node: Node, address: tuple[str, int]) -> None:
        self._socket = listening_socket(address, "HTTP")
        host, port = self._socket.getsockname()[:2]
        host = f"[{host}]" if ":" in host else host
        token = token_at(node.options.home)
        self.url = f"http://{host}:{port}/#{token}"
        """The one address, with its token behind the hash, which a browser never sends anywhere."""
        hosts = frozenset(f"{name}:{port}" for name in {host, "localhost"})
        self._server = _Server(
            uvicorn.Config(
                application(node, token, hosts),
                log_level="warning",
                access_log=False,
                lifespan="off",
                server_header=False,
                timeout_graceful_shutdown=_PARTING,
            )
        )

    async def start(self) -> None:
        """Open."""
        self._serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))

    async def stop(self) -> None:
        """Close."""
        self._server.should_exit = True
        await self._serving
