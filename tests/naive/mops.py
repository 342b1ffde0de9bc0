"""MOPS as dicts and sets, on the naive communities and links; weights are rounded to 32 bits where they travel."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tests.naive import communities, wire_sizes
from tests.naive.links import virtual_links
from tests.naive.simulator import NO, YES, Interest, Message, Story
from tests.naive.tag_protocols import Positions, Push

Weights = dict[int, float]
"""By tag, those above 0."""


class MemberList(NamedTuple):
    version: int
    level: Weights
    outside: Weights


def short(weights: Weights) -> Weights:
    return {tag: float(np.float32(weight)) for tag, weight in weights.items() if np.float32(weight) > 0}


class Mops(Push):
    def __init__(self, story: Story, positions: Positions, **settings: Any) -> None:
        super().__init__(story, positions, **settings)
        nodes = range(story.nodes)
        self.edges = {pair: closeness for pair, closeness in story.closeness.items() if closeness > 0}
        hops, threshold = settings["k"], settings["threshold"]
        self.label = communities.communities(self.edges, story.nodes, threshold, hops)[0]
        size = {one: self.label.count(one) for one in self.label}
        shares = {
            (a, b): share
            for (a, b), share in communities.betweenness(self.edges, self.label, hops).items()
            if min(size[a], size[b]) >= settings["gateway_size"]
        }
        self.brokers = {node for pair in shares.values() for node in communities.brokers(pair, settings["betweenness"])}
        self.path: dict[tuple[int, int], list[int]] = {}
        self.close = {(node, node): 1.0 for node in nodes}
        for (a, b), (closeness, _, inner) in virtual_links(self.edges, story.nodes, hops).items():
            self.path[a, b], self.path[b, a] = [a, *inner, b], [b, *inner[::-1], a]
            self.close[a, b] = self.close[b, a] = closeness
        self.levels: list[Weights] = [{} for _ in nodes]
        self.lists: list[dict[int, MemberList]] = [{} for _ in nodes]
        self.internal: list[dict[int, Weights]] = [{} for _ in nodes]
        self.relay: list[dict[tuple[int, int], Weights]] = [{} for _ in nodes]
        self.sent: dict[tuple[int, int], set[int]] = {}
        self.to_send: dict[tuple[int, int], set[int]] = {}
        self.news = [[0, 0, 0] for _ in nodes]
        for node in nodes:
            everything = dict.fromkeys(range(story.tags), settings["default_weight"])
            self.lists[node][node] = MemberList(0, {}, short(everything) if node in self.brokers else {})
        self.every_weight = True
        if settings["lists"] == "at_once":
            self.tell_everyone()
        self.every_weight = settings["broadcast"] == "weights"

    def tell_everyone(self) -> None:
        """Until nothing is new any more, everybody meets everybody who is meant to have its lists."""
        nodes = range(self.story.nodes)
        for node in nodes:
            self.subscribe(node, self.story.interests[node])
        for _ in range(4):
            for a in nodes:
                for b in nodes:
                    if a != b and (self.label[a] == self.label[b] or self.edge(a, b) > 0):
                        self.hear(a, b, self.tell(b, a), 0.0)
        for node in nodes:
            for owner, one in self.lists[node].items():
                self.lists[node][owner] = one._replace(version=0 if owner == node else 1)
        self.news = [[0, 0, 0] for _ in nodes]

    # -------------------------------------------------------------- who is who

    def members(self, node: int) -> list[int]:
        return [other for other in range(self.story.nodes) if self.label[other] == self.label[node]]

    def edge(self, a: int, b: int) -> float:
        return self.edges.get((min(a, b), max(a, b)), 0.0)

    def abroad(self, node: int) -> list[int]:
        """Brokers of other communities that a broker has an edge to."""
        if node not in self.brokers:
            return []
        others = [other for other in sorted(self.brokers) if self.label[other] != self.label[node]]
        return [other for other in others if self.edge(node, other) > 0]

    def leads(self, node: int) -> list[int]:
        return sorted({self.label[other] for other in self.abroad(node)})

    def kind(self, node: int, peer: int) -> str:
        same, both = self.label[node] == self.label[peer], {node, peer} <= self.brokers
        return ("fellows" if both else "members") if same else ("abroad" if both else "strangers")

    # -------------------------------------------------------------- weights

    def external(self, node: int, community: int) -> Weights:
        """E(A)"""
        found: Weights = {}
        for other in self.abroad(node):
            if self.label[other] == community:
                for tag, weight in self.internal[node].get(other, {}).items():
                    found[tag] = max(found.get(tag, 0.0), self.edge(node, other) * weight)
        return found

    def relayed(self, node: int, community: int) -> Weights:
        """R(A)"""
        found: Weights = {}
        for (fellow, towards), weights in self.relay[node].items():
            if towards == community:
                for tag, weight in weights.items():
                    found[tag] = max(found.get(tag, 0.0), self.close[node, fellow] * weight)
        return found

    def own_internal(self, node: int) -> Weights:
        """I"""
        total: Weights = {}
        for member in self.members(node):
            if member in self.lists[node]:
                for tag, level in self.lists[node][member].level.items():
                    total[tag] = total.get(tag, 0.0) + self.close[node, member] * level
        return total

    def summed(self, lists: list[Weights]) -> Weights:
        """With the default weight."""
        found = dict.fromkeys(range(self.story.tags), 0.0)
        for one in lists:
            for tag, weight in one.items():
                found[tag] += weight
        return {tag: max(weight, self.settings["default_weight"]) for tag, weight in found.items()}

    def with_relay(self, node: int, peer: int) -> Weights:
        """ER"""
        near = sorted({to for member in self.members(node) for to in self.leads(member)})
        if self.settings["exclude_peer_community"]:
            near = [community for community in near if community != self.label[peer]]
        best = []
        for community in near:
            one, other = self.external(node, community), self.relayed(node, community)
            best.append({tag: max(one.get(tag, 0.0), other.get(tag, 0.0)) for tag in one.keys() | other.keys()})
        return self.summed(best)

    def combined(self, first: Weights, second: Weights) -> Weights:
        a = self.settings["a"]
        tags = range(self.story.tags)
        return short({tag: a * first.get(tag, 0.0) + (1.0 - a) * second.get(tag, 0.0) for tag in tags})

    def asks(self, owner: int, one: MemberList) -> Weights:
        """What a member's list says (Eq. 5)."""
        return self.combined(one.level, one.outside) if owner in self.brokers else one.level

    # -------------------------------------------------------------- lists

    def subscribe(self, node: int, wants: dict[int, Interest]) -> None:
        level = short({tag: interest.level for tag, interest in wants.items()})
        old = self.lists[node][node]
        self.lists[node][node] = MemberList(old.version + 1, level, old.outside)

    def greet(self, a: int, b: int, now_a: float, now_b: float) -> int:
        total = 0
        for node in (a, b):
            members = self.members(node)
            total += wire_sizes.number(node) + wire_sizes.number(self.label[node]) + 1 + wire_sizes.number(len(members))
            total += sum(wire_sizes.number(self.version(node, member)) for member in members)
        return total

    def version(self, node: int, member: int) -> int:
        return self.lists[node][member].version if member in self.lists[node] else 0

    def tell(self, node: int, peer: int) -> Any:
        kind = self.kind(node, peer)
        own = self.lists[node][node]
        digest: dict[str, Any] = {"kind": kind}
        if kind == "abroad":
            internal = self.own_internal(node)
            digest |= {"asks": self.combined(internal, self.with_relay(node, peer)), "internal": short(internal)}
        elif kind == "strangers":
            digest |= {"asks": own.level}
        else:
            news = {m: one for m, one in self.lists[node].items() if one.version > self.version(peer, m)}
            digest |= {"asks": self.asks(node, own), "lists": {node: own} | news}
        if kind == "fellows":
            digest["relay"] = {to: short(self.external(node, to)) for to in self.leads(node)}
        return digest

    def hear(self, node: int, peer: int, digest: Any, now: float) -> None:
        for owner, one in digest.get("lists", {}).items():
            if owner != node and one.version > self.version(node, owner):
                self.lists[node][owner] = one
                self.news[node][0] += 1
        for towards, weights in digest.get("relay", {}).items():
            self.news[node][2] += self.relay[node].get((peer, towards), {}) != weights
            self.relay[node][peer, towards] = weights
        known = self.internal[node].get(peer, {})
        if peer in self.abroad(node) and digest.get("internal", known) != known:
            self.internal[node][peer] = digest["internal"]
            self.news[node][1] += 1
            own = self.lists[node][node]
            outside = short(self.summed([self.external(node, community) for community in self.leads(node)]))
            news = self.asked(outside) != self.asked(own.outside) or (self.every_weight and outside != own.outside)
            self.lists[node][node] = MemberList(own.version + news, own.level, outside)

    def asked(self, outside: Weights) -> set[int]:
        """What is collected for others, beyond the default weight."""
        return {tag for tag, weight in outside.items() if weight > np.float32(self.settings["default_weight"])}

    def size(self, digest: Any) -> int:
        total = 1
        if digest["kind"] in ("strangers", "abroad"):
            total += list_bytes(digest["asks"])
        if digest["kind"] == "abroad":
            total += list_bytes(digest["internal"])
        if "lists" in digest:
            total += 1 + wire_sizes.number(len(digest["lists"]))
            for owner, one in digest["lists"].items():
                total += wire_sizes.number(self.members(owner).index(owner)) + wire_sizes.number(one.version)
                total += list_bytes(one.level) + list_bytes(one.outside)
        if "relay" in digest:
            total += wire_sizes.number(len(digest["relay"])) + sum(map(list_bytes, digest["relay"].values()))
        return total

    # -------------------------------------------------------------- events

    def want(self, told: Any, heard: Any, tag: int, own: bool) -> np.float32:
        return np.float32(heard["asks"].get(tag, 0.0))

    def through(self, node: int, peer: int, message: Message) -> dict[int, float]:
        """The destinations that a message still has through the peer, who is none of them; with their weights."""
        found = {}
        for member in self.members(message.source):
            path = self.path.get((message.source, member), [])
            if node not in path[:-2] or path[path.index(node) + 1] != peer:
                continue
            if node != message.source:
                if member in self.to_send[node, message.number]:
                    found[member] = float(YES)
            elif member not in self.sent[node, message.number] and member in self.lists[node]:
                asks = self.asks(member, self.lists[node][member])
                weight = max(asks.get(tag, 0.0) for tag in message.tags)
                if weight > 0:
                    found[member] = weight
        return found

    def take(self, node: int, message: Message, note: int) -> bool:
        self.sent[node, message.number] = set()
        self.to_send[node, message.number] = set()
        return True

    def errand(self, node: int, peer: int, message: Message) -> np.float32:
        return np.float32(max(self.through(node, peer, message).values(), default=NO))

    def pass_errands(self, node: int, peer: int, message: Message) -> None:
        going = set(self.through(node, peer, message))
        self.sent[node, message.number] |= going
        self.to_send[node, message.number] -= going
        self.to_send[peer, message.number] |= going


def list_bytes(weights: Weights) -> int:
    tags = sorted(weights)
    steps = [tag - before - 1 for before, tag in zip([-1, *tags], tags, strict=False)]
    return wire_sizes.number(len(tags)) + sum(wire_sizes.number(step) + 4 for step in steps)
