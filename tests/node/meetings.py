"""Small networks of hosts in one process, for tests: who they are, and how two of them meet."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from hunet.model.errors import LinkError
from hunet.node.budget import Limits
from hunet.node.clock import Clock, VirtualClock
from hunet.node.host import Host
from hunet.node.link import memory_links
from hunet.node.message import Author
from hunet.node.session import Outcome, session
from hunet.node.store import Store
from hunet.protocols import make_settings, protocol_named
from tests.node.lives import key_of


def a_host(
    number: int,
    protocol: str = "push",
    *,
    clock: Clock | None = None,
    limits: Limits = Limits(),  # noqa: B008
    path: Path | str = ":memory:",
    wall: Clock | None = None,
    holder: bytes | None = None,
    pinned: bool = False,
    **settings: Any,
) -> Host:
    chosen = protocol_named(protocol)
    me = key_of(number)
    return Host(
        Store(path),
        me,
        Author.from_seed(me),
        chosen,
        make_settings(chosen, settings),
        clock=clock or VirtualClock(1_000_000),
        limits=limits,
        wall=wall,
        holder=holder,
        pinned=pinned,
    )


async def meet(a: Host, b: Host, *, breaks_after: int = -1, **how: Any) -> tuple[Outcome | None, Outcome | None]:
    """One exchange; where the link breaks (after so many frames of a), None for an end that noticed."""
    links = memory_links(a.me, b.me, os.urandom(32))
    links[0].breaks_after = breaks_after
    ends = [session(host, link, once=True, **how) for host, link in zip((a, b), links, strict=True)]
    found = await asyncio.gather(*ends, return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException) and not isinstance(one, LinkError):
            raise one
    return tuple(None if isinstance(one, BaseException) else one for one in found)  # type: ignore[return-value]


def inbox(host: Host) -> list[bytes]:
    return [one.id for one in host.store.deliveries(most=10**6)]
