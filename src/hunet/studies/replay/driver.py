"""Who does what when in a replay: every node's events happen in order, those of different nodes at the same time."""

from __future__ import annotations

import asyncio
import json
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hunet.model.errors import StudyError
from hunet.node.choice import Choice
from hunet.node.identity import public_of
from hunet.protocols import protocol_named
from hunet.sim.engine.acquaintances import partings
from hunet.sim.engine.outcome import Conditions
from hunet.sim.engine.scene import Scene
from hunet.studies.replay.worker import link_keys

__all__ = ["Lived", "Noon", "live"]

_CHANGE, _BIRTH, _CONTACT, _PARTING = range(4)


@dataclass(frozen=True)
class Lived:
    """What came of a replay."""

    deliveries: set[tuple[int, int, float, int]]
    """(message, node, time in seconds, hops)"""
    drops: list[int]
    """By node: messages that left a full buffer."""
    control_bytes: int
    forwards: int
    seconds: float
    """From the first event to the last."""
    cpu_seconds: float
    """Of all processes, their start included."""
    memory: int
    """Bytes that the largest process took."""
    runs: list[str]
    """By node: the protocol and its settings, in the end."""
    copies: Counter[int]
    """By message: nodes that ever had it, the producer included."""


class Noon(NamedTuple):
    """A moment of a replay in which everything rests, somebody thinks, and sends what came of it to all nodes."""

    at: float
    """Seconds of the trace."""
    sender: int
    wait: float
    """Seconds from then in which nodes take it over."""
    decide: Callable[[Lived], Choice]
    """By what was lived through until then; the nodes' logs lie in their folder."""


class Process:
    """One worker, and the answers that it owes."""

    async def start(self, spec: dict[str, Any]) -> None:
        """Returns when its nodes are there."""
        loop = asyncio.get_running_loop()
        self._owed: dict[int, asyncio.Future[Any]] = {0: loop.create_future()}
        self._number = 0
        command = (sys.executable, "-m", "hunet.studies.replay.worker")
        pipe = asyncio.subprocess.PIPE
        interpreted = os.environ | {"NUMBA_DISABLE_JIT": "1"}  # as on a device
        self._process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, limit=2**28, env=interpreted
        )
        self._write(spec)
        self._reading = loop.create_task(self._read())
        await self._owed[0]

    def _write(self, line: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(line).encode() + b"\n")

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            answer = json.loads(line)
            owed = self._owed.pop(answer["n"])
            if "error" in answer:
                owed.set_exception(StudyError(f"a replay failed: {answer['error']}"))
            else:
                owed.set_result(answer["ok"])
        for owed in self._owed.values():
            owed.set_exception(StudyError("a replay failed: a process of nodes ended; its last words are above"))

    async def do(self, do: str, **rest: Any) -> Any:
        """Its answer to a command."""
        self._number += 1
        owed = self._owed[self._number] = asyncio.get_running_loop().create_future()
        self._write({"n": self._number, "do": do, **rest})
        return await owed

    async def stop(self) -> None:
        """It ends when nobody tells it anything more."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()
        await self._reading


async def live(
    scene: Scene,
    tags: Sequence[str],
    protocol: str,
    settings: dict[str, Any],
    conditions: Conditions,
    folder: Path,
    logs: Path,
    *,
    processes: int,
    speed: float = math.inf,
    noon: Noon | None = None,
) -> Lived:
    """Live through a scene whose times are whole milliseconds; `speed`: seconds of it in one."""
    count = scene.wants.shape[0]
    ahead = [round(1000 * clock) for clock in conditions.clocks or [0.0] * count]
    workers = [Process() for _ in range(min(processes, count))]
    home = [workers[i % len(workers)] for i in range(count)]
    spec = {"protocol": protocol, "settings": settings, "folder": str(folder), "logs": str(logs),
            "buffer": conditions.buffer, "fair": conditions.eviction == "fair", "count": count}  # fmt: skip
    try:
        await asyncio.gather(
            *(
                worker.start(spec | {"ahead": {i: ahead[i] for i in range(count) if home[i] is worker}})
                for worker in workers
            )
        )
        ports: dict[int, int] = {}
        for worker in workers:
            ports |= {int(i): port for i, port in (await worker.do("listen")).items()}
        parts = noon is not None or protocol_named(protocol).parted is not None
        story = _Story(scene, tags, conditions, home, ports, speed, parts)
        began = time.perf_counter()
        if noon is None:
            await story.run()
        else:
            await story.run(until=noon.at)
            choice = noon.decide(await _lived(story, workers, time.perf_counter() - began))
            told = {"now": _ms(noon.at), **choice.facts, "wait": _ms(noon.wait)}
            await home[noon.sender].do("send", node=noon.sender, **told)
            await story.run()
        return await _lived(story, workers, time.perf_counter() - began)
    finally:
        await asyncio.gather(*(worker.stop() for worker in workers if hasattr(worker, "_process")))


async def _lived(story: _Story, workers: Sequence[Process], seconds: float) -> Lived:
    """What came of it until now."""
    reports = [await worker.do("report") for worker in workers]
    nodes = sorted((node for report in reports for node in report["nodes"]), key=lambda node: int(node["node"]))
    delivered = {
        (story.numbers[mid], node["node"], at / 1000, hops) for node in nodes for mid, at, hops in node["deliveries"]
    }
    return Lived(
        delivered,
        [node["drops"] for node in nodes],
        sum(node["control"] for node in nodes),
        sum(node["forwards"] for node in nodes),
        seconds,
        sum(report["cpu"] for report in reports),
        max(report["memory"] for report in reports),
        [node["runs"] for node in nodes],
        Counter(story.numbers[mid] for node in nodes for mid in node["had"]),
    )


class _Story:
    """The events of a scene, as commands to the processes."""

    def __init__(
        self,
        scene: Scene,
        tags: Sequence[str],
        conditions: Conditions,
        home: list[Process],
        ports: dict[int, int],
        speed: float,
        parts: bool,
    ) -> None:
        self.scene, self.tags, self.home, self.ports, self.speed = scene, tags, home, ports, speed
        self.parts = parts
        self.bytes_per_second = conditions.bytes_per_second
        self.keys = [public_of(key).hex() for key in link_keys(len(home))]
        self.numbers: dict[str, int] = {}
        """Of messages, by their ids."""
        self._told = False
        self._events = self._in_order()
        self._next = 0

    def _in_order(self) -> list[tuple[float, int, int]]:
        scene = self.scene
        events = [(at, _CHANGE, i) for i, at in enumerate(scene.change_at.tolist())]
        events += [(at, _BIRTH, i) for i, at in enumerate(scene.created.tolist())]
        events += [(at, _CONTACT, i) for i, at in enumerate(scene.start.tolist())]
        if self.parts:
            events += [(float(scene.end[i]), _PARTING, int(i)) for i in partings(*scene[:4])]
        return sorted(events)

    async def run(self, until: float = math.inf) -> None:
        """Go on until this time; everything before it has happened then."""
        if not self._told:
            self._told = True
            for node, tag in np.argwhere(self.scene.wants).tolist():
                await self._want(node, tag, int(self.scene.wants[node, tag]), 0.0)
        count = sum(at < until for at, _, _ in self._events)
        events, self._next = self._events[self._next : count], count
        first = events[0][0] if events else 0.0
        began = time.perf_counter()
        last: dict[int, asyncio.Task[None]] = {}
        for at, kind, i in events:
            if math.isfinite(self.speed):
                await asyncio.sleep(max(0.0, (at - first) / self.speed - (time.perf_counter() - began)))
            who, doing = self._event(kind, i)
            before = {last[node] for node in who if node in last}
            last |= dict.fromkeys(who, asyncio.create_task(_after(before, doing)))
        await asyncio.gather(*last.values())

    def _event(self, kind: int, i: int) -> tuple[list[int], Any]:
        scene = self.scene
        if kind == _CHANGE:
            node, tag, to = (int(column[i]) for column in (scene.change_node, scene.change_tag, scene.change_to))
            return [node], self._want(node, tag, to, float(scene.change_at[i]))
        if kind == _BIRTH:
            return [int(scene.source[i])], self._birth(i)
        return [int(scene.a[i]), int(scene.b[i])], self._contact(i) if kind == _CONTACT else self._part(i)

    async def _want(self, node: int, tag: int, interest: int, at: float) -> None:
        told = {"node": node, "now": _ms(at), "tag": self.tags[tag]}
        if interest == 0:
            await self.home[node].do("forget", **told)
            return
        wanted = self.scene.interests[interest]
        until = _ms(float(wanted.until)) if math.isfinite(wanted.until) else None
        await self.home[node].do("want", **told, until=until, level=float(wanted.level), hops=int(wanted.hops))

    async def _birth(self, i: int) -> None:
        scene = self.scene
        source, created, expires = int(scene.source[i]), float(scene.created[i]), float(scene.expires[i])
        tags = [self.tags[tag] for tag in scene.tag[scene.tag_start[i] : scene.tag_start[i + 1]].tolist()]
        lifetime = max(1, _ms(expires) - _ms(created)) if math.isfinite(expires) else 0
        about = {"size": int(scene.size[i]), "tags": tags, "lifetime": lifetime}
        mid = await self.home[source].do("publish", node=source, now=_ms(created), **about)
        self.numbers[mid] = i

    async def _contact(self, i: int) -> None:
        scene = self.scene
        a, b, start, end = int(scene.a[i]), int(scene.b[i]), float(scene.start[i]), float(scene.end[i])
        capacity = self.bytes_per_second * (end - start) if math.isfinite(self.bytes_per_second) else math.inf
        about = {"now": _ms(start), "until": _ms(end), "capacity": str(capacity)}
        await asyncio.gather(
            self.home[a].do("dial", node=a, port=self.ports[b], **about),
            self.home[b].do("expect", node=b, peer=self.keys[a], **about),
        )

    async def _part(self, i: int) -> None:
        a, b, now = int(self.scene.a[i]), int(self.scene.b[i]), _ms(float(self.scene.end[i]))
        await asyncio.gather(
            self.home[a].do("part", node=a, peer=self.keys[b], now=now),
            self.home[b].do("part", node=b, peer=self.keys[a], now=now),
        )


async def _after(before: set[asyncio.Task[None]], doing: Any) -> None:
    try:
        await asyncio.gather(*before)
    except BaseException:
        doing.close()
        raise
    await doing


def _ms(seconds: float) -> int:
    return round(1000 * seconds)
