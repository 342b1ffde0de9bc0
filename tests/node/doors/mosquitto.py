"""Debian's stock clients, as anybody runs them."""

from __future__ import annotations

import asyncio
import shutil

from tests.needed import skip_or_fail


def program(name: str) -> str:
    """Where it is, or no test."""
    found = shutil.which(name)
    if found is None:
        skip_or_fail(f"no {name} here: it is in Debian's package mosquitto-clients")
    return found


async def mosquitto(name: str, port: int, *arguments: str) -> asyncio.subprocess.Process:
    """`mosquitto_pub` or `mosquitto_sub` at a door; environment and settings of this machine's user do not count."""
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        program(name), "-h", "127.0.0.1", "-p", str(port), *arguments, stdin=pipe, stdout=pipe, stderr=pipe,
        env={"PATH": "/usr/bin:/bin"},
    )  # fmt: skip


async def said(process: asyncio.subprocess.Process, given: bytes = b"", patience: float = 60.0) -> tuple[int, str]:
    """How it ended, and what it wrote."""
    async with asyncio.timeout(patience):
        out, err = await process.communicate(given)
    return int(process.returncode or 0), (out + err).decode()
