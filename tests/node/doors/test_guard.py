"""Who may ask: nobody without the token, nobody by another name, no page from elsewhere."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from hunet.node.doors.operations import OPERATIONS
from hunet.node.doors.token import token_at
from tests.node.doors.web import base_of, opened, token_of

EVERY_PATH = sorted({operation.path for operation in OPERATIONS} | {"/v1/stream", "/metrics"})


def test_without_the_token_nothing_is_answered_but_the_page_and_the_description(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "a") as (node, _), httpx.AsyncClient(base_url=base_of(node)) as anybody:
            for path in EVERY_PATH:
                for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {token_of(node)}"}):
                    answer = await anybody.get(path, headers=headers)
                    assert answer.status_code == 401, path
                    assert answer.headers["www-authenticate"] == "Bearer"
            for path in ("/", "/page.js", "/page.css", "/openapi.json"):
                answer = await anybody.get(path)
                assert answer.status_code == 200
                assert token_of(node) not in answer.text
                assert "default-src 'none'" in answer.headers["content-security-policy"]
            for path in ("/../network.json", "/%2e%2e/network.json", "/page/../../home.py", "/token", "/words.txt"):
                assert (await anybody.get(path)).status_code in (401, 404), path

    asyncio.run(run())


@pytest.mark.parametrize("host", ["evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}", ""])
def test_under_another_name_nothing_is_answered_even_with_the_token(host: str, tmp_path: Path) -> None:
    """DNS rebinding: the attacker's name points to this machine, so the browser thinks it is his page's own server."""

    async def run() -> None:
        async with opened(tmp_path / "a") as (node, web):
            port = base_of(node).rpartition(":")[2]
            for path in (*EVERY_PATH, "/", "/page.js"):
                answer = await web.get(path, headers={"Host": host.format(port=port)})
                assert answer.status_code in (400, 403), path

    asyncio.run(run())


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_what_a_page_from_elsewhere_asks_is_refused(headers: dict[str, str], tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "a") as (node, web):
            body = {"tags": ["spam"], "text": "forged"}
            assert (await web.post("/v1/messages", json=body, headers=headers)).status_code == 403
            answer = await web.get("/v1/status", headers=headers)
            assert answer.status_code == 403
            assert "access-control-allow-origin" not in answer.headers
            assert not node.host.shelf.held
            own = {"Origin": base_of(node), "Sec-Fetch-Site": "same-origin"}
            assert (await web.get("/v1/status", headers=own)).status_code == 200

    asyncio.run(run())


def test_the_token_is_kept_for_its_owner_alone_and_stays_the_same(tmp_path: Path) -> None:
    token = token_at(tmp_path)
    assert len(token) >= 40
    assert token_at(tmp_path) == token
    assert (tmp_path / "token").stat().st_mode & 0o077 == 0
