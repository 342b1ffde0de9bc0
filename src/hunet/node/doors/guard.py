"""Who may ask: a program of this machine that knows the token. A page from elsewhere in the same browser may not.

Three checks, each enough against what it is for. The token travels in a header that no page of another origin can set
without being asked about, and never in a cookie that a browser would add by itself: a forged request (CSRF) has none.
The Host must be this door's own address: a name that an attacker let point here (DNS rebinding) is another. And what a
browser says of a request's origin must be this door.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hunet.node.doors.token import is_token

__all__ = ["Guard"]

_ALWAYS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Lets in what may come in. Paths in `open_paths` hold no secrets, and need no token."""

    def __init__(self, app: ASGIApp, token: str, hosts: frozenset[str], open_paths: frozenset[str]) -> None:
        self._app, self._token, self._hosts, self._open = app, token, hosts, open_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.encode(), value.encode()) for name, value in _ALWAYS.items()]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        refusal = self._refusal(scope["path"], Headers(scope=scope))
        await (refusal or self._app)(scope, receive, send_guarded)

    def _refusal(self, path: str, headers: Headers) -> Response | None:
        if headers.get("host") not in self._hosts:
            return _no(403, "this door answers under its own address only: use the one that the node printed")
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self._hosts}:
            return _no(403, "a page from elsewhere may not ask a node")
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and path not in self._open:
            return _no(403, "a page from elsewhere may not ask a node")
        if path in self._open:
            return None
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not is_token(token.strip().encode(), self._token):
            refusal = _no(401, "the token is missing or wrong: open the address that the node printed when it started")
            refusal.headers["www-authenticate"] = "Bearer"
            return refusal
        return None


def _no(status: int, why: str) -> Response:
    return JSONResponse({"error": why}, status)
