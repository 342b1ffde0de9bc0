"""N devices and a story: carries bytes between them and knows nothing else of what they do."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from itertools import accumulate, zip_longest
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hunet.protocols.protocol import Protocol
from tests.naive.simulator import BIRTH, CHANGE, END, START, Story, part
from tests.sim.compare import social_of
from tests.twin.node import Held, Line, TwinNode, capacity


class Choice(NamedTuple):
    held: Held
    entry: int
    score: Any
    known: bool

    @property
    def size(self) -> int:
        return 0 if self.known else self.held.size


Plan: TypeAlias = "list[Choice]"


class TwinNetwork:
    def __init__(
        self,
        story: Story,
        protocol: Protocol,
        settings: Any,
        tags: list[str],
        *,
        continuous: bool,
        buffer: int | None,
        bytes_per_second: float,
        shared: bool = False,
        eviction: str = "oldest",
        clocks: Sequence[float] | None = None,
        own_outside: bool | None = None,
        open_tags: bool = False,
    ) -> None:
        self.story, self.protocol, self.tags = story, protocol, tags
        self.continuous, self.bytes_per_second, self.shared = continuous, bytes_per_second, shared
        room = math.inf if buffer is None else buffer
        self.nodes = []
        social = social_of(story)
        ahead = clocks if clocks is not None else [0.0] * story.nodes
        for name in range(story.nodes):
            met = list(dict.fromkeys(a + b - name for a, b, _, _ in story.contacts if name in (a, b)))
            close = [story.closeness.get((min(name, peer), max(name, peer)), 0.0) for peer in met]
            fair = eviction == "fair"
            outside = protocol.own_outside if own_outside is None else own_outside
            self.nodes.append(
                TwinNode(
                    name, protocol, settings, tags, room, len(met), outside, fair, ahead[name], close, social, open_tags
                )
            )
        self.forwards = 0
        self.errands = 0
        self.copies = [0] * len(story.messages)
        self.moved: list[tuple[int, int]] = []

    @np.errstate(over="ignore")  # as in compiled code
    def run(self) -> TwinNetwork:
        story = self.story
        events = [(change[0], CHANGE, i) for i, change in enumerate(story.changes)]
        events += [(message.created, BIRTH, i) for i, message in enumerate(story.messages)]
        events += [(contact[2], START, i) for i, contact in enumerate(story.contacts)]
        events += [(contact[3], END, i) for i, contact in enumerate(story.contacts)]
        for node, interests in zip(self.nodes, story.interests, strict=True):
            node.subscribe(interests, 0.0)
        lines: dict[int, tuple[Line, Line]] = {}
        for now, kind, i in sorted(events):
            self.moved = []
            if kind == CHANGE:
                _, name, tag, interest = story.changes[i]
                self.nodes[name].subscribe({tag: interest}, now)
            elif kind == BIRTH:
                self.birth(i, now)
            elif kind == START:
                lines[i] = self.contact(story.contacts[i], now)
            else:
                for end, line in zip(story.contacts[i][:2], lines.pop(i), strict=True):
                    if part(story, i):
                        self.nodes[end].parted(line, now)
                    if self.continuous:
                        self.nodes[end].lines.remove(line)
            if self.continuous:
                for name, number in self.moved:
                    self.spread(name, number, now)
        return self

    def birth(self, i: int, now: float) -> None:
        message = self.story.messages[i]
        names = tuple(self.tags[tag] for tag in message.tags)
        self.copies[i] += 1
        if self.nodes[message.source].publish(i, message.size, names, message.expires - message.created, now):
            self.moved.append((message.source, i))

    def contact(self, contact: tuple[int, int, float, float], now: float) -> tuple[Line, Line]:
        a, b = self.nodes[contact[0]], self.nodes[contact[1]]
        for node in (a, b):
            node.wake(now)
            node.age()
        room = capacity(self.bytes_per_second, contact[2], contact[3])
        line_a, line_b = Line(b.name, room), Line(a.name, room)
        if self.protocol.greet is not None:
            hello_a, hello_b = a.hello(), b.hello()
            b.obey(a.judge(line_a, hello_b))
            a.obey(b.judge(line_b, hello_a))
        if self.shared:
            line_b.used = line_a.used
        told_a, told_b = a.tell(line_a), b.tell(line_b)
        a.listen(line_a, told_b)
        b.listen(line_b, told_a)
        plans = []
        for me, peer, line in ((a, b, line_a), (b, a, line_b)):
            chosen = me.choose(line, peer.lacks(me.offer()), peer.has(me.offer()))
            plans.append([Choice(me.held[number], me.entry[number], *rest) for number, *rest in chosen])
        if self.shared:
            plans = in_turn(plans, room)
        else:
            plans = [fitting(plan, room) for plan in plans]
        if (
            self.protocol.deployable
        ):  # a device merges what it heard in the step that chooses; the simulator does it last
            a.hear(line_a)
            b.hear(line_b)
        for me, peer, line, plan in ((a, b, line_a, plans[0]), (b, a, line_b, plans[1])):
            for choice in plan:
                self.transfer(me, peer, line, choice)
        a.trim()
        b.trim()
        if not self.protocol.deployable:
            a.hear(line_a)
            b.hear(line_b)
        if self.continuous:
            a.lines.append(line_a)
            b.lines.append(line_b)
        return line_a, line_b

    def transfer(self, me: TwinNode, peer: TwinNode, line: Line, choice: Choice) -> None:
        self.errands += choice.known
        self.forwards += not choice.known
        self.copies[choice.held.number] += not choice.known
        sent = me.hand_over(line, *choice)
        if peer.receive(sent, me.name):
            self.moved.append((peer.name, choice.held.number))
        me.acknowledged(line, sent, *choice)

    def spread(self, name: int, number: int, now: float) -> None:
        queue = deque([name])
        while queue:
            me = self.nodes[queue.popleft()]
            for line in me.lines:
                peer = self.nodes[line.peer]
                if number not in me.held or not peer.lacks([number]):
                    continue
                me.wake(now)
                peer.wake(now)
                me.age()
                held, score = me.held[number], me.score(line, number, known=False)
                if score > 0 and line.used[0] + held.size <= line.capacity:
                    self.moved = []
                    self.transfer(me, peer, line, Choice(held, me.entry[number], score, False))
                    peer.trim()
                    queue += [holder for holder, _ in self.moved]


def fitting(plan: Plan, room: float) -> Plan:
    """All, or where they do not fit the best until one does not."""
    return in_turn([plan, []], room)[0]


def in_turn(plans: list[Plan], room: float) -> list[Plan]:
    """Both ends share the room: all, or one message each way in turn, best first, until one does not fit."""
    if sum(choice.size for plan in plans for choice in plan) <= room:
        return plans
    ranked = [sorted(plan, key=lambda choice: -choice.score) for plan in plans]
    turns = [(side, choice) for pair in zip_longest(*ranked) for side, choice in enumerate(pair) if choice is not None]
    sizes = accumulate(choice.size for _, choice in turns)
    over = [turn for turn, used in zip(turns, sizes, strict=True) if turn[1].size == 0 or used <= room]
    return [[choice for end, choice in over if end == side] for side in range(2)]
