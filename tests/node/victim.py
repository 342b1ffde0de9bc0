"""A node that publishes and meets another without pause, until it is killed: `python -m tests.node.victim ...`.

It prints the id of every message once that is on its disk, and complains of whatever must not be.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hunet.model.errors import LinkError
from hunet.node.budget import NO_LIMITS
from hunet.node.frames import Records
from hunet.node.handshake import Self, answer, dial
from hunet.node.host import Host
from hunet.node.identity import public_of
from hunet.node.message import Author
from hunet.node.session import session
from hunet.node.store import Store
from hunet.protocols import make_settings, protocol_named

KEY = b"k" * 32
SEEDS = {"ann": b"a" * 32, "bob": b"b" * 32}


def the_host(folder: Path, name: str, protocol: str) -> tuple[Host, Self]:
    key, chosen = Ed25519PrivateKey.from_private_bytes(SEEDS[name]), protocol_named(protocol)
    host = Host(
        Store(folder / f"{name}.db"),
        public_of(key),
        Author.from_seed(SEEDS[name]),
        chosen,
        make_settings(chosen, {}),
        clock=lambda: time.time_ns() // 1_000_000,
        limits=NO_LIMITS,
    )
    host.subscribe("all")
    return host, Self(key)


async def live(folder: Path, name: str, protocol: str, port: int, other: int) -> None:
    host, me = the_host(folder, name, protocol)

    async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await session(host, await answer(Records(reader, writer), me, [KEY]), once=True)
        except LinkError:
            pass
        except Exception as error:
            print(f"! {error!r}", flush=True)

    await asyncio.start_server(called, "127.0.0.1", port)
    while True:
        print(host.publish(os.urandom(200), ["all"]).hex(), flush=True)
        try:
            records = Records(*await asyncio.open_connection("127.0.0.1", other))
            await session(host, await dial(records, me, KEY), once=True)
        except (OSError, LinkError):
            await asyncio.sleep(0.01)
        except Exception as error:
            print(f"! {error!r}", flush=True)


if __name__ == "__main__":
    asyncio.run(live(Path(sys.argv[1]), *sys.argv[2:4], *map(int, sys.argv[4:])))  # type: ignore[arg-type]
