"""A process with some nodes of a replay. Told what to do by lines of JSON; between nodes all goes over TCP.

It is a node's process as people run it, but for two things: a driver sets the clocks, and says who dials whom.
"""

from __future__ import annotations

import asyncio
import gc
import json
import math
import resource
import sys
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, TextIO

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hunet.model.errors import HunetError
from hunet.node.budget import NO_LIMITS
from hunet.node.choice import permitted
from hunet.node.clock import VirtualClock
from hunet.node.frames import Records
from hunet.node.handshake import Self, answer, dial
from hunet.node.host import Host
from hunet.node.identity import public_of
from hunet.node.link import Link
from hunet.node.log import NodeLog
from hunet.node.message import Author
from hunet.node.session import SettingsError, session
from hunet.node.store import Store
from hunet.protocols import make_settings, protocol_named

__all__ = ["link_keys"]

KEY = blake2b(b"hunet replay", digest_size=32).digest()
"""The network's."""
PATIENCE = 600.0
"""Seconds: here nobody walks away, but the machine may have other things to do."""


def link_keys(count: int) -> list[Ed25519PrivateKey]:
    """A key for each node, in the order of their public halves: where keys break ties, a trace's numbers do."""
    seeds = (blake2b(b"link %d" % i, digest_size=32).digest() for i in range(count))
    return sorted((Ed25519PrivateKey.from_private_bytes(seed) for seed in seeds), key=public_of)


def author_of(node: int) -> Author:
    """Who signs what a node publishes."""
    return Author.from_seed(blake2b(b"author %d" % node, digest_size=32).digest())


HOLDER = Author.from_seed(blake2b(b"settings", digest_size=32).digest())
"""Who signs settings."""


class ReplayLog(NodeLog):
    """A log in which contacts last as long as in the trace: nodes exchange at their beginning, in no time."""

    def __init__(self, file: TextIO, me: bytes, key: bytes) -> None:
        super().__init__(file, me, key)
        self.ends: dict[bytes, int] = {}
        """By peer, when the contact with it ends."""

    def contact(self, now: int, link: Link, *, up: bool, peer_time: int | None = None) -> None:
        """A contact begins, or is over for the nodes."""
        super().contact(now if up else self.ends[link.peer], link, up=up, peer_time=peer_time)


class ReplayNode:
    """One node, and the contacts that it is told of."""

    def __init__(
        self, number: int, key: Ed25519PrivateKey, spec: dict[str, Any], ahead: int, names: dict[bytes, int]
    ) -> None:
        protocol = protocol_named(spec["protocol"])
        folder, buffer = Path(spec["folder"]), spec["buffer"]
        limits = replace(NO_LIMITS, messages=math.inf if buffer is None else buffer, fair=spec["fair"])
        self.number, self.ahead, self.clock = number, ahead, VirtualClock(ahead)
        self.self, me = Self(key), public_of(key)
        self.host = Host(
            Store(folder / f"{number}.db"),
            me,
            author_of(number),
            protocol,
            make_settings(protocol, spec["settings"]),
            clock=self.clock,
            limits=limits,
            number=names.__getitem__,  # protocols may go by numbers: here they are the trace's
            holder=HOLDER.public,
        )
        self.log = ReplayLog((Path(spec["logs"]) / f"{number}.jsonl").open("w", encoding="utf-8"), me, KEY)
        self._logged = 0
        self.host.on_delivery = self._tell_delivered
        self.host.on_change = lambda: self.log.settings(self.host.now, self.host.runs)
        self._awaited: dict[bytes, asyncio.Future[tuple[Link, asyncio.Future[None]]]] = {}

    async def listen(self) -> int:
        """The port."""
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = await answer(Records(reader, writer), self.self, [KEY], patience=PATIENCE)
        over = asyncio.get_running_loop().create_future()
        self._caller(link.peer).set_result((link, over))
        await over

    def _caller(self, peer: bytes) -> asyncio.Future[tuple[Link, asyncio.Future[None]]]:
        return self._awaited.setdefault(peer, asyncio.get_running_loop().create_future())

    async def dial(self, port: int, capacity: float, until: int) -> None:
        """Meet who listens there; once more, as nodes do, if one of the two had to be told of newer settings."""
        for _ in range(2):
            records = Records(*await asyncio.open_connection("127.0.0.1", port))
            if await self._meet(await dial(records, self.self, KEY, PATIENCE), capacity, until):
                break

    async def expect(self, peer: bytes, capacity: float, until: int) -> None:
        """Meet who is about to call, and then maybe calls once more."""
        for _ in range(2):
            link, over = await self._caller(peer)
            del self._awaited[peer]
            met = await self._meet(link, capacity, until)
            over.set_result(None)
            if met:
                break

    async def _meet(self, link: Link, capacity: float, until: int) -> bool:
        """Whether both ran the same settings."""
        self.log.ends[link.peer] = until
        try:
            await session(self.host, link, once=True, capacity=capacity, silence=PATIENCE, log=self.log)
        except SettingsError:
            return False
        return True

    def _tell_delivered(self) -> None:
        self._logged = self.log.news(self.host.store, self._logged)

    def report(self) -> dict[str, Any]:
        """What came of it, on the trace's clock."""
        found = self.host.store.deliveries(most=sys.maxsize)
        return {
            "node": self.number,
            "runs": self.host.runs.name,
            "deliveries": [(one.id.hex(), one.at - self.ahead, one.hops) for one in found],
            "had": [mid.hex() for (mid,) in self.host.store.rows("SELECT id FROM seen")],
            "drops": self.host.drops,
            "control": self.host.control_bytes,
            "forwards": self.host.forwards,
        }


class Worker:
    """Some nodes."""

    def __init__(self, spec: dict[str, Any]) -> None:
        keys = link_keys(spec["count"])
        names = {public_of(key): i for i, key in enumerate(keys)}
        names |= {author_of(i).public: i for i in range(len(keys))}
        self.nodes = {
            int(i): ReplayNode(int(i), keys[int(i)], spec, ahead, names) for i, ahead in spec["ahead"].items()
        }

    async def do(self, do: str, node: int = -1, now: int = 0, **rest: Any) -> Any:
        """One command; times are milliseconds of the trace."""
        if do == "listen":
            ports = {i: await one.listen() for i, one in self.nodes.items()}
            gc.freeze()
            return ports
        if do == "report":
            usage = resource.getrusage(resource.RUSAGE_SELF)
            about = {"cpu": usage.ru_utime + usage.ru_stime, "memory": _most_memory()}
            return about | {"nodes": [one.report() for one in self.nodes.values()]}
        one = self.nodes[node]
        one.clock.now = now + one.ahead
        match do:
            case "want":
                until = None if rest["until"] is None else rest["until"] + one.ahead
                one.host.subscribe(rest["tag"], level=rest["level"], hops=rest["hops"], until=until)
            case "forget":
                one.host.unsubscribe(rest["tag"])
            case "publish":
                return one.host.publish(bytes(rest["size"]), rest["tags"], lifetime=rest["lifetime"]).hex()
            case "send":
                one.host.announce(HOLDER, permitted(rest["protocol"], rest["settings"]), rest["wait"])
            case "dial":
                await one.dial(rest["port"], float(rest["capacity"]), rest["until"] + one.ahead)
            case "expect":
                await one.expect(bytes.fromhex(rest["peer"]), float(rest["capacity"]), rest["until"] + one.ahead)
            case "part":
                one.host.part(bytes.fromhex(rest["peer"]))
        return None


def _most_memory() -> int:
    """Bytes; of this process alone, where the system says so, and not of the one that started it."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    except OSError:
        pass
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


async def _main() -> None:
    worker = Worker(json.loads(sys.stdin.readline()))
    reader = asyncio.StreamReader(limit=2**24)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    tasks: set[asyncio.Task[None]] = set()

    async def answered(number: int, command: dict[str, Any]) -> None:
        try:
            result = {"n": number, "ok": await worker.do(**command)}
        except (HunetError, OSError) as error:
            result = {"n": number, "error": f"node {command.get('node')}, {command['do']}: {error}"}
        print(json.dumps(result), flush=True)

    print(json.dumps({"n": 0, "ok": None}), flush=True)
    while line := await reader.readline():
        command = json.loads(line)
        task = asyncio.create_task(answered(command.pop("n"), command))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


if __name__ == "__main__":
    asyncio.run(_main())
