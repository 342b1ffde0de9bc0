"""A node that runs: it listens, finds others, dials, and lives through a contact with each until it is told to stop.

Everything happens in one thread. Each link has a task of its own that runs a session; a slow or hostile peer holds up
nobody else. What a person asks for comes through the door (`door.py`).
"""

from __future__ import annotations

import asyncio
import math
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hunet.model.errors import LinkError, NodeError
from hunet.node.beacon import BEACON_PORT, Beacon, Sighting
from hunet.node.clock import BootClock
from hunet.node.contacts import Address, Contacts
from hunet.node.dialling import Call, Dialling
from hunet.node.door import Door
from hunet.node.frames import Records, StreamLink
from hunet.node.handshake import HANDSHAKE_PATIENCE, Self, VersionError, dial
from hunet.node.home import DOOR, LOG, STORE, in_charge, wipe
from hunet.node.host import Host
from hunet.node.identity import Identity, holder_at, public_of
from hunet.node.log import NodeLog, open_log
from hunet.node.network import Network
from hunet.node.publishing import Publisher
from hunet.node.reception import Reception
from hunet.node.session import session
from hunet.node.store import Store
from hunet.protocols import Protocol

if TYPE_CHECKING:
    from hunet.node.doors.http import HttpDoor
    from hunet.node.doors.mqtt import MqttDoor
    from hunet.node.ranges import Ranges

__all__ = ["DEFAULT_PORT", "Node", "Options", "run"]

DEFAULT_PORT = 47470
"""Where a node listens unless it is told otherwise, if nobody else does."""
BEAT = 0.25
"""Seconds between two looks at what is due."""
PROBE_EVERY = 5.0
MOST_MET = 64
"""Addresses that are remembered, to be asked directly where multicast is dropped."""
MOST_REASONS = 32
PARTING = 3.0
"""Seconds that contacts get to end when the node stops, or takes over other settings."""


@dataclass(frozen=True)
class Options:
    """How a node is run."""

    home: Path
    protocol: Protocol
    settings: Any
    listen: Address | None = None
    """None for every address, at the usual port if it is free."""
    peers: tuple[Address, ...] = ()
    beacon_port: int = BEACON_PORT
    http: Address | None = None
    mqtt: Address | None = None
    """Where the doors for people and their programs are, on this machine; None for shut."""
    pinned: bool = False
    """Whether the protocol and its settings are never replaced by those that the network sends."""


class Node:
    """All that a running node consists of. The functions of `service.py` work on it."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.network = Network.at(options.home)
        identity = Identity.at(options.home)
        self.me = public_of(identity.link)
        self.author = identity.author
        self.store = Store(options.home / STORE)
        clock = BootClock(self.store.get("clock"), int(self.store.get("now") or 0))
        self.store.put("clock", clock.keep())
        self.ranges = _ranges(self.network.schema)
        self.holder = holder_at(options.home)
        """Who signs settings, if that is me."""
        self.host = Host(
            self.store,
            self.me,
            identity.author,
            options.protocol,
            options.settings,
            clock=clock,
            wall=lambda: time.time_ns() // 1_000_000,
            key=self.network.salt,
            ranges=self.ranges,
            holder=self.network.holder,
            pinned=options.pinned,
        )
        self.host.commit()
        self.publisher = Publisher(self.host)
        self.host.on_delivery, self.host.on_change = self._tell_delivered, self._tell_changed
        self._changing_since = math.inf
        self.paused = self.wiping = False
        self.http: HttpDoor | None = None
        self.mqtt: MqttDoor | None = None
        self.started = time.monotonic()
        self.contacts = Contacts(self.me, time.monotonic)
        self.dialling = Dialling(options.peers, self.contacts, time.monotonic)
        self._self = Self(identity.link)
        self.reception = Reception(self._self, self.keys)
        self.beacon: Beacon | None = None
        self.port = 0
        self.unreached: Counter[str] = Counter()
        """Dials that became no link, by reason."""
        self.ended: Counter[str] = Counter()
        """Contacts that did not end with a word, by what happened."""
        self.last_version_error: VersionError | None = None
        self.delivered = asyncio.Event()
        """Set, and replaced, whenever something was delivered or published."""
        self._logged = int(self.store.rows("SELECT coalesce(max(seq), 0) FROM delivery")[0][0])
        self.stopping = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._met: dict[str, None] = dict.fromkeys(self._kept_addresses())
        self._log_file = open_log(options.home / LOG)
        self.log = NodeLog(self._log_file, self.me, self.network.salt)

    def keys(self) -> tuple[bytes, ...]:
        """The network's keys that count now, the newest first."""
        return self.network.accepted(time.time())

    def _announced(self) -> tuple[bytes, ...]:
        return () if self.paused else self.keys()

    def reload(self) -> None:
        """The network's keys were changed on disk."""
        self.network = Network.at(self.options.home)

    def close(self) -> None:
        """Let go of the files."""
        self.store.close()
        self._log_file.close()

    def pause(self, paused: bool) -> None:
        """Meet nobody for a while, or go on. Contacts end when what is under way in them is done."""
        self.paused = self.host.leaving = paused
        if paused:
            self.host.leave()

    # ------------------------------------------------------------------ running

    async def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Until `stopping` is set."""
        server = await self._listen()
        host, self.port = server.sockets[0].getsockname()[:2]
        listening = ("" if ":" in host or host == "0.0.0.0" else host), self.port  # beacons are of IPv4
        self.beacon = Beacon(self._announced, listening, self._saw, at=self.options.beacon_port)
        try:
            await self.beacon.start()
        except OSError as error:
            self.beacon = None
            self.unreached[f"no beacons: {error.strerror}"] += 1
        door = Door(self, self.options.home / DOOR)
        await door.start()
        beating = asyncio.create_task(self._beat())
        try:
            await self._open_doors()
            ready()
            stopped = asyncio.create_task(self.stopping.wait())
            await asyncio.wait((stopped, beating), return_when=asyncio.FIRST_COMPLETED)
            if beating.done():
                beating.result()
        finally:
            await self._end(server, door, beating)

    async def _open_doors(self) -> None:
        """Those that were asked for; their code is not loaded otherwise."""
        if self.options.http is not None:
            from hunet.node.doors.http import HttpDoor

            self.http = HttpDoor(self, self.options.http)
            await self.http.start()
        if self.options.mqtt is not None:
            from hunet.node.doors.mqtt import MqttDoor

            self.mqtt = MqttDoor(self, self.options.mqtt)
            await self.mqtt.start()

    async def _end(self, server: asyncio.Server, door: Door, beating: asyncio.Task[None]) -> None:
        """Finish what is under way, for a moment; then leave."""
        server.close()
        beating.cancel()
        if self.beacon is not None:
            await self.beacon.stop()
        self.host.leave()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=PARTING)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(beating, *self._tasks, return_exceptions=True)
        for opened in (self.http, self.mqtt, door):
            if opened is not None:
                await opened.stop()
        self.host.commit()
        self.close()

    async def _listen(self) -> asyncio.Server:
        for host, port in [self.options.listen] if self.options.listen else [("0.0.0.0", DEFAULT_PORT), ("0.0.0.0", 0)]:
            try:
                return await asyncio.start_server(self._answer, host, port)
            except OSError as error:
                reason = error
        raise NodeError(
            f"nobody can listen at {host}:{port} ({reason.strerror}): "
            "give another address or port, such as --listen 0.0.0.0:0"
        )

    async def _beat(self) -> None:
        probed = -PROBE_EVERY
        while True:
            keys = self.keys()
            for call in [] if self.paused else self.dialling.due(keys):
                self._begin(self._dial(call))
            for standing in self.contacts:
                if standing.link.key not in keys:  # it was rotated, and its time is over
                    standing.link.abort()
            if self.beacon is not None and not self.paused and time.monotonic() - probed >= PROBE_EVERY:
                probed = time.monotonic()
                near = {standing.address[0] for standing in self.contacts}
                for host in {host for host, _ in self.options.peers} | set(self._met) - near:
                    self.beacon.probe(host)
            self.host.wake()
            self._part()
            await asyncio.sleep(BEAT)

    def _part(self) -> None:
        """Where other settings are to run, contacts end: by themselves, or after a moment."""
        if not self.host.changing:
            self._changing_since = math.inf
            return
        self._changing_since = min(self._changing_since, time.monotonic())
        for line in list(self.host.lines):
            line.kick()
        if time.monotonic() - self._changing_since > PARTING:
            for standing in self.contacts:
                standing.link.abort()

    def _begin(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------------ links

    def _saw(self, sighting: Sighting) -> None:
        if self.beacon is not None:
            self.dialling.see(sighting, self.beacon.name, self.keys())

    async def _dial(self, call: Call) -> None:
        lasted = 0.0
        try:
            async with asyncio.timeout(HANDSHAKE_PATIENCE):
                records = Records(*await asyncio.open_connection(*call.address))
            try:
                link = await dial(records, self._self, call.key)
            except BaseException:
                records.abort()
                raise
            self.dialling.answered(call, link.peer)
            began = time.monotonic()
            lived = await self._live(link, True, call.address)
            lasted = time.monotonic() - began if lived else math.inf
        except VersionError as error:
            self.unreached["version"] += 1
            self.last_version_error = error
        except LinkError:
            self.unreached["no answer"] += 1
        except OSError:  # a TimeoutError is one
            self.unreached["not there"] += 1
        finally:
            self.dialling.ended(call, lasted)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A caller. The server keeps no hold of this task, so it is among mine."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self.paused:
            writer.transport.abort()
            return
        address = writer.get_extra_info("peername") or ("", 0)
        link = await self.reception.receive(reader, writer)
        if link is not None:
            await self._live(link, False, (address[0], address[1]))

    async def _live(self, link: StreamLink, dialled: bool, address: Address) -> bool:
        """A contact from its first frame to its last; whether there was one, or there is one already."""
        standing = None if self.host.changing else self.contacts.admit(link, dialled, address)
        if standing is None:
            await link.close()
            return False
        self._remember(address[0])
        try:
            await session(self.host, link, log=self.log)
        except LinkError as error:  # it walked away, or misbehaved: what it brought before is kept
            self.ended[str(error)] += 1
            if len(self.ended) > MOST_REASONS:
                del self.ended[min(self.ended, key=self.ended.__getitem__)]
        finally:
            self.contacts.end(standing)
            await link.close()
        return True

    # ------------------------------------------------------------------ what is remembered, and told

    def _kept_addresses(self) -> list[str]:
        kept = str(self.store.get("addresses") or "")
        return [host for host in kept.split(" ") if host][-MOST_MET:]

    def _remember(self, host: str) -> None:
        """Where somebody was met: the network there may drop multicast the next time."""
        if not host or host in self._met or host.startswith("127."):
            return
        self._met[host] = None
        while len(self._met) > MOST_MET:
            del self._met[next(iter(self._met))]
        self.store.put("addresses", " ".join(self._met))

    def _tell_changed(self) -> None:
        self.log.settings(self.host.now, self.host.runs)
        self.dialling.anew()

    def _tell_delivered(self) -> None:
        self._logged = self.log.news(self.store, self._logged)
        self.delivered.set()
        self.delivered = asyncio.Event()


def _ranges(schema: str | None) -> Ranges | None:
    """Only networks that have a schema load what it takes."""
    if schema is None:
        return None
    from hunet.node.ranges import Ranges

    return Ranges(schema)


def run(options: Options, ready: Callable[[Node], None]) -> None:
    """Run a node until a signal ends it, or its person wipes it."""

    async def live() -> bool:
        node = Node(options)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, node.stopping.set)
        await node.run(lambda: ready(node))
        return node.wiping

    with in_charge(options.home):
        with suppress(FileNotFoundError):
            (options.home / DOOR).unlink()  # of one that was killed
        wiping = asyncio.run(live())
    if wiping:
        wipe(options.home)
