"""MOPS whose nodes learn by themselves, as dicts and lists, on the naive communities."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.naive import communities, wire_sizes
from tests.naive.mops import Weights, list_bytes, short
from tests.naive.simulator import NO, Interest, Message, Story
from tests.naive.tag_protocols import Positions, Push

Edges = dict[tuple[int, int], float]


@dataclass
class Person:
    told: int = 0
    listed: int = 0
    label: int | None = None
    broker: bool = False
    close: float = 0.0
    direct: float = 0.0
    via: int | None = None
    apart: dict[int, int] = field(default_factory=dict)
    """Milliseconds from those it met, and 1."""
    level: Weights = field(default_factory=dict)
    outside: Weights = field(default_factory=dict)
    internal: Weights = field(default_factory=dict)


@dataclass
class Contacts:
    """With one other."""

    first: int
    since: int | None = None
    """None while together."""
    gaps: list[int] = field(default_factory=list)


def paths_from(edges: Edges, source: int, hops: int) -> dict[int, tuple[float, list[int]]]:
    """The best product of at most so many edges, and its nodes."""
    best = {source: (1.0, [source])}
    reached = [source]
    for _ in range(hops):
        found: dict[int, tuple[float, list[int]]] = {}
        for u in reached:
            for pair, closeness in edges.items():
                if u not in pair:
                    continue
                v, product = sum(pair) - u, best[u][0] * closeness
                old = found.get(v)
                if product > best.get(v, (0.0,))[0] and (
                    old is None or product > old[0] or (product == old[0] and u < old[1][-2])
                ):
                    found[v] = product, [*best[u][1], v]
        best |= found
        reached = list(found)
    return best


class MopsLive(Push):
    def __init__(self, story: Story, positions: Positions, **settings: Any) -> None:
        super().__init__(story, positions, **settings)
        nodes = range(story.nodes)
        self.people = [{me: Person(listed=1, label=me, close=1.0)} for me in nodes]
        self.places = [[me] for me in nodes]
        """The order in which each keeps them; who leaves gives its place to the last."""
        self.met: list[dict[int, Contacts]] = [{} for _ in nodes]
        self.begun: dict[int, int] = {}
        self.due = dict.fromkeys(nodes, 0)
        self.relays: list[list[tuple[int, int, Weights]]] = [[] for _ in nodes]
        self.errands: dict[tuple[int, int], int] = {}
        self.news = [[0, 0, 0] for _ in nodes]

    def introduce(self, me: int, name: int) -> Person | None:
        people = self.people[me]
        if name not in people:
            if len(people) == self.settings["people"]:
                return None
            people[name] = Person()
            self.places[me].append(name)
        return people[name]

    def forget(self, me: int, name: int) -> None:
        del self.people[me][name]
        place, last = self.places[me].index(name), self.places[me].pop()
        if last != name:
            self.places[me][place] = last
        for other in self.people[me].values():
            other.apart.pop(name, None)

    # -------------------------------------------------------------- looking at what I know

    def edges(self, me: int) -> Edges:
        people, apart = self.people[me], {}
        for u in people:
            for v in people:
                told = [people[one].apart[other] for one, other in ((u, v), (v, u)) if other in people[one].apart]
                if u < v and told:
                    apart[u, v] = max(told) - 1
        sigma = sum(apart.values()) / max(len(apart), 1)
        close = {p: math.exp(-float(d) * float(d) / (2 * sigma * sigma)) if d else 1.0 for p, d in apart.items()}
        return {pair: closeness for pair, closeness in sorted(close.items()) if closeness > 0}

    def mean(self, me: int, peer: int, now: int) -> int | None:
        one, gaps = self.met[me][peer], list(self.met[me][peer].gaps)
        if self.settings["boundary"] == "both":
            gaps.append(one.first - self.begun[me])
        if self.settings["boundary"] != "inner" and one.since is not None:
            gaps.append(now - one.since)
        gaps = [gap for gap in gaps if gap > 0]
        if gaps:
            return sum(gaps) // len(gaps)
        return 0 if one.first <= self.begun[me] and one.since is None else None

    def look(self, me: int, now: int) -> None:
        people, hops, mine = self.people[me], self.settings["k"], self.people[me][me]
        mine.apart = {}
        for peer in self.met[me]:
            mean = self.mean(me, peer, now)
            if mean is not None and self.introduce(me, peer) is not None:
                mine.apart[peer] = 1 + mean
        reach = paths_from(self.edges(me), me, 2 * hops)
        while len(people) > 1:
            least = min((name for name in self.places[me] if name != me), key=lambda name: reach.get(name, (0.0,))[0])
            if least in reach and 4 * len(people) <= 3 * self.settings["people"]:
                break
            self.forget(me, least)
        edges = self.edges(me)
        initiator = communities.communities(edges, self.story.nodes, self.settings["threshold"], hops)[0]
        mine.label = self.called(me, [name for name in people if initiator[name] == initiator[me]])
        found = paths_from(edges, me, hops)
        for name, person in people.items():
            person.close, path = found.get(name, (0.0, []))
            person.direct = communities.edge(edges, me, name)
            person.via = path[1] if len(path) > 2 else None
        mine.broker = self.bridges(me, edges)
        mine.told += 1

    def called(self, me: int, members: list[int]) -> int:
        """After the member after whom most of them are called; of equals the lowest."""
        said = {name: sum(self.people[me][other].label == name for other in members) for name in members}
        return max(members, key=lambda name: (said[name], -name))

    def bridges(self, me: int, edges: Edges) -> bool:
        """Whether I stay towards any community."""
        people = self.people[me]
        members: dict[int, list[int]] = {}
        for name in sorted(people):
            label = people[name].label
            if label is not None:
                members.setdefault(label, []).append(name)
        tie = {}
        for some in members.values():
            for u in some:
                found = paths_from(edges, u, self.settings["k"])
                tie[u] = sum(found.get(v, (0.0,))[0] for v in some)
        label = people[me].label
        assert label is not None
        for towards, others in members.items():
            gateway = any(communities.edge(edges, me, v) > 0 for v in others)
            large = min(len(others), len(members[label])) >= self.settings["gateway_size"]
            if towards == label or not gateway or not large:
                continue
            worth = {u: tie[u] * sum(communities.edge(edges, u, v) * tie[v] for v in others) for u in members[label]}
            above = sum(value for value in worth.values() if value > worth[me])
            if above == 0 or above / sum(worth.values()) < self.settings["betweenness"]:
                return True
        return False

    # -------------------------------------------------------------- meetings

    def parted(self, node: int, peer: int, now: float) -> None:
        self.met[node][peer].since = round(1000 * now)

    def greet(self, a: int, b: int, now_a: float, now_b: float) -> int:
        total = 0
        for me, now in ((a, round(1000 * now_a)), (b, round(1000 * now_b))):
            self.begun.setdefault(me, now)
            if now >= self.due[me]:
                every = round(1000 * self.settings["every"])
                self.look(me, now)
                self.due[me] = (now // every + 1) * every
                for i in reversed(range(len(self.relays[me]))):
                    if not self.is_member(me, self.relays[me][i][0]):
                        self.drop_relay(me, i)
                self.refresh(me)
            known = {name: one for name, one in self.people[me].items() if one.told or one.listed}
            total += wire_sizes.number(me) + wire_sizes.number(self.label(me)) + 1 + wire_sizes.number(len(known))
            total += sum(
                wire_sizes.number(number) for name, one in known.items() for number in (name, one.told, one.listed)
            )
        self.meet(a, b, round(1000 * now_a))
        self.meet(b, a, round(1000 * now_b))
        return total

    def meet(self, me: int, peer: int, now: int) -> None:
        if peer not in self.met[me]:
            self.met[me][peer] = Contacts(now)
        one = self.met[me][peer]
        if one.since is not None and now > one.since:
            one.gaps.append(now - one.since)
        one.since = None
        person = self.introduce(me, peer)
        if person is not None:
            person.label, person.broker = self.label(peer), self.people[peer][peer].broker

    def label(self, node: int) -> int:
        label = self.people[node][node].label
        assert label is not None
        return label

    def kind(self, me: int, peer: int) -> str:
        brokers = self.people[me][me].broker and self.people[peer][peer].broker
        if self.label(me) == self.label(peer):
            return "fellows" if brokers else "members"
        return "abroad" if brokers else "strangers"

    def is_member(self, me: int, name: int) -> bool:
        return name in self.people[me] and self.people[me][name].label == self.label(me)

    # -------------------------------------------------------------- weights

    def external(self, me: int) -> dict[int, Weights]:
        """E(A), in the order in which communities are come across."""
        found: dict[int, Weights] = {}
        for name in self.places[me]:
            one = self.people[me][name]
            if self.people[me][me].broker and one.broker and one.direct > 0 and not self.is_member(me, name):
                assert one.label is not None
                row = found.setdefault(one.label, {})
                for tag, weight in one.internal.items():
                    row[tag] = max(row.get(tag, 0.0), one.direct * weight)
        return found

    def summed(self, lists: list[Weights]) -> Weights:
        total = dict.fromkeys(range(self.story.tags), 0.0)
        for one in lists:
            for tag, weight in one.items():
                total[tag] += weight
        return total

    def with_relay(self, me: int) -> Weights:
        """ER"""
        found = self.external(me)
        for fellow, towards, weights in self.relays[me]:
            if self.is_member(me, fellow):
                row = found.setdefault(towards, {})
                for tag, weight in weights.items():
                    row[tag] = max(row.get(tag, 0.0), self.people[me][fellow].close * weight)
        return self.summed(list(found.values()))

    def own_internal(self, me: int) -> Weights:
        """I"""
        total: Weights = {}
        for name in self.places[me]:
            if self.is_member(me, name):
                for tag, level in self.people[me][name].level.items():
                    total[tag] = total.get(tag, 0.0) + self.people[me][name].close * level
        return total

    def combined(self, first: Weights, second: Weights) -> Weights:
        """The second at least with the default weight, which no list names."""
        a, default, tags = self.settings["a"], self.settings["default_weight"], range(self.story.tags)
        return short({tag: a * first.get(tag, 0.0) + (1.0 - a) * max(second.get(tag, 0.0), default) for tag in tags})

    def asks(self, one: Person) -> Weights:
        return self.combined(one.level, one.outside) if one.broker else one.level

    def refresh(self, me: int) -> None:
        mine, default = self.people[me][me], np.float32(self.settings["default_weight"])
        outside = short(self.summed(list(self.external(me).values())))
        asked = [{tag for tag, weight in one.items() if weight > default} for one in (mine.outside, outside)]
        mine.listed += asked[0] != asked[1]
        mine.outside = outside

    # -------------------------------------------------------------- lists

    def subscribe(self, node: int, wants: dict[int, Interest]) -> None:
        level = short({tag: interest.level for tag, interest in wants.items()})
        mine = self.people[node][node]
        mine.listed += level != mine.level
        mine.level = level

    def tell(self, node: int, peer: int) -> Any:
        kind, people, theirs = self.kind(node, peer), self.people[node], self.people[peer]
        mine, nothing = people[node], Person()
        cards = {
            name: (one.told, one.label, one.broker, dict(sorted(one.apart.items())))
            for name, one in sorted(people.items())
            if one.told > theirs.get(name, nothing).told
        }
        through: Weights = {}
        for name, one in people.items():
            if one.via == peer and self.is_member(node, name):
                for tag, weight in self.asks(one).items():
                    through[tag] = max(through.get(tag, 0.0), weight)
        digest: dict[str, Any] = {"kind": kind, "cards": cards, "through": through}
        if kind == "abroad":
            internal, collects = short(self.own_internal(node)), short(self.with_relay(node))
            return digest | {"asks": self.combined(internal, collects), "internal": internal, "collects": collects}
        if kind == "strangers":
            return digest | {"asks": mine.level}
        news = {
            name: one
            for name, one in sorted(people.items())
            if name not in (node, peer) and self.is_member(node, name) and one.listed > theirs.get(name, nothing).listed
        }
        lists = {name: (one.listed, one.level, one.outside) for name, one in ({node: mine} | news).items()}
        digest |= {"asks": self.asks(mine), "lists": lists}
        if kind == "fellows":
            digest["relays"] = {towards: short(weights) for towards, weights in self.external(node).items()}
        return digest

    def hear(self, node: int, peer: int, digest: Any, now: float) -> None:
        people = self.people[node]
        for whose, (told, label, broker, edges) in digest["cards"].items():
            person = None if whose == node else self.introduce(node, whose)
            if person is None or told <= person.told:
                continue
            person.told, person.label, person.broker = told, label, broker
            person.apart = {o: d for o, d in edges.items() if self.introduce(node, o) is not None and o != whose}
        if peer not in people:
            return
        for owner, (listed, level, outside) in digest.get("lists", {}).items():
            if owner != node and owner in people and listed > people[owner].listed:
                people[owner].listed, people[owner].level, people[owner].outside = listed, level, outside
                self.news[node][0] += 1
        if "relays" in digest:
            self.take_relays(node, peer, digest["relays"])
        if digest.get("internal", people[peer].internal) != people[peer].internal:
            people[peer].internal = digest["internal"]
            self.news[node][1] += 1
            self.refresh(node)

    def drop_relay(self, me: int, i: int) -> None:
        last = self.relays[me].pop()
        if i < len(self.relays[me]):
            self.relays[me][i] = last

    def take_relays(self, me: int, fellow: int, told: dict[int, Weights]) -> None:
        for i in reversed(range(len(self.relays[me]))):
            if self.relays[me][i][0] == fellow and self.relays[me][i][1] not in told:
                self.drop_relay(me, i)
        for towards, weights in told.items():
            places = [i for i, one in enumerate(self.relays[me]) if one[:2] == (fellow, towards)]
            if not places and len(self.relays[me]) == self.settings["people"]:
                continue
            if not places:
                self.relays[me].append((fellow, towards, {}))
            i = places[0] if places else len(self.relays[me]) - 1
            self.news[me][2] += self.relays[me][i][2] != weights
            self.relays[me][i] = fellow, towards, weights

    def size(self, digest: Any) -> int:
        number = wire_sizes.number
        total = 1 + number(len(digest["cards"]))
        for whose, (told, label, _, edges) in digest["cards"].items():
            total += number(whose) + number(told) + number(label) + 1 + number(len(edges))
            total += sum(number(name) + number(apart) for name, apart in edges.items())
        if digest["kind"] == "strangers":
            total += list_bytes(digest["asks"])
        if "internal" in digest:
            total += list_bytes(digest["internal"]) + list_bytes(digest["collects"])
        if "lists" in digest:
            total += 1 + number(len(digest["lists"]))
            for owner, (listed, level, outside) in digest["lists"].items():
                total += number(owner) + number(listed) + list_bytes(level) + list_bytes(outside)
        if "relays" in digest:
            total += number(len(digest["relays"]))
            total += sum(number(towards) + list_bytes(weights) for towards, weights in digest["relays"].items())
        return total

    # -------------------------------------------------------------- events

    def score(self, node: int, told: Any, heard: Any, message: Message) -> np.float32:
        asked = max(heard["asks"].get(tag, 0.0) for tag in message.tags)
        beyond = max(told["through"].get(tag, 0.0) for tag in message.tags)
        if message.source == node or self.errands[node, message.number] > 0:
            return np.float32(max(asked, beyond))
        return np.float32(asked) if asked > 0 else NO

    def gave(self, node: int, message: Message, score: np.float32, heard: Any) -> tuple[bool, int]:
        left = self.settings["k"] - 1 if message.source == node else self.errands[node, message.number]
        return True, max(left - 1, 0)

    def take(self, node: int, message: Message, note: int) -> bool:
        self.errands[node, message.number] = note
        return True
