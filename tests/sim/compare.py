"""What must agree between two simulations of one story, whoever made them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa

from hunet.kernels import loop
from hunet.protocols.protocol import Protocol, Social, World
from hunet.sim.engine.acquaintances import closeness_of, number_peers
from hunet.sim.engine.run import Conditions, Outcome, run
from tests.naive.simulator import NaiveSimulator, Story
from tests.sim.stories import scene_of, tag_names


def closeness_table(story: Story) -> pa.Table:
    """The closeness of every pair, as the engine takes it."""
    pairs = sorted(story.closeness)
    return pa.table(
        {
            "a": pa.array([a for a, _ in pairs], pa.int32()),
            "b": pa.array([b for _, b in pairs], pa.int32()),
            "closeness": pa.array([story.closeness[pair] for pair in pairs], pa.float64()),
        }
    )


def simulate(
    story: Story, protocol: Protocol, settings: Any, *, hops: bool = False, continuous: bool, **conditions: Any
) -> Outcome:
    """The story in the engine."""
    return run(
        protocol,
        settings,
        scene_of(story),
        tag_names(story),
        Conditions("continuous" if continuous else "start", **conditions),
        extras=("hops",) if hops else (),
        closeness=closeness_table(story),
    )


def deliveries_of(outcome: Outcome) -> list[tuple[Any, ...]]:
    columns = (outcome.deliveries[name].to_pylist() for name in ("message", "node", "at", "hops"))
    return sorted(zip(*columns, strict=True))


def assert_same(outcome: Outcome, naive: NaiveSimulator) -> None:
    """Copies, deliveries with their times (and hops, if they were counted), drops, forwards and control bytes."""
    delivered = deliveries_of(outcome)
    hops = bool(delivered) and delivered[0][3] is not None
    assert delivered == sorted(delivery if hops else (*delivery[:3], None) for delivery in naive.deliveries)
    assert outcome.copies.tolist() == naive.copies
    assert outcome.dropped.tolist() == naive.dropped
    assert outcome.drops_per_node.tolist() == naive.drops_per_node
    assert outcome.forwards == naive.forwards
    assert outcome.errands == naive.errands
    assert outcome.control_bytes == naive.control_bytes


def end_of(story: Story) -> float:
    """A time after everything."""
    return 10.0 + max([contact[3] for contact in story.contacts] + [message.created for message in story.messages])


_AGERS: dict[str, Any] = {}


def bring_to(now: float, protocol: Protocol, params: Any, state: Any) -> None:
    """Age every row, so that it does not matter when a row was last touched."""
    if protocol.name not in _AGERS:
        age = protocol.age

        @loop
        def age_all(params: Any, state: Any, nodes: Any, now: Any) -> None:
            for node in range(nodes):
                age(params, state, np.uint64(node), now)

        _AGERS[protocol.name] = age_all
    _AGERS[protocol.name](params, state, state[0].shape[0], now)


def params_of(story: Story, protocol: Protocol, settings: Any) -> Any:
    """What the protocol's functions read, in this story."""
    acquaintances = number_peers(*scene_of(story)[:2], story.nodes)
    closeness = closeness_of(acquaintances, closeness_table(story))
    social = social_of(story)
    world = World(story.nodes, tag_names(story), 1, peer_start=acquaintances.start, closeness=closeness, social=social)
    return protocol.prepare(settings, world)


def social_of(story: Story) -> Social:
    """What a story's nodes know of each other beforehand."""
    levels = np.zeros((story.nodes, story.tags), np.float32)
    for node, interests in enumerate(story.interests):
        levels[node, list(interests)] = [interest.level for interest in interests.values()]
    return Social(closeness_table(story), story.nodes, levels)


def assert_same_memory(protocol: Protocol, settings: Any, state: Any, naive: Any, story: Story) -> None:
    """Counters of every filter, roles, predictabilities: what the nodes know at the end."""
    now = end_of(story)
    bring_to(now, protocol, params_of(story, protocol, settings), state)
    for node in range(story.nodes):
        naive.age(node, now)
    match protocol.name:
        case "bsub13" | "bsubp":
            assert [counters(row) for row in state.relay] == naive.relay
        case "bsub10":
            brokers = state.node["broker"]
            assert brokers.tolist() == naive.broker
            assert np.allclose(state.node["cycle"][brokers], np.array(naive.cycle)[brokers], rtol=1e-12)
            used = state.node["used"].tolist()
            pools = [[counters(row) for row in rows[:count]] for rows, count in zip(state.relay, used, strict=True)]
            assert pools == naive.relay
            assert state.node["met"].tolist() == [len(window) for window in naive.window]
        case "neighbors":
            for node, nearest in enumerate(naive.nearest):
                for rank, peer in enumerate(nearest):
                    assert set_positions(state.heard[node, rank]) == naive.heard.get((node, peer), set())
        case "prophet":
            assert [counters(row) for row in state.predictability] == naive.predictability
            assert state.heard.tolist() == naive.heard_at
        case "zigzag":
            for node, table in enumerate(naive.heard):
                used = state.used[node]
                assert [set_positions(words) for words in state.heard[node, :used]] == [words for words, _ in table]
                assert state.expires[node, :used].tolist() == [expires for _, expires in table]
        case "mops":
            assert state.lists.tolist() == naive.news
            for node in range(story.nodes):
                for place, member in enumerate(naive.members(node)):
                    known = naive.lists[node].get(member, ((), {}, {}))
                    assert state.version[node, place] == naive.version(node, member)
                    assert weights(state.level[node, place]) == known[1]
                    assert weights(state.outside[node, place]) == known[2]
                for i, broker in enumerate(naive.abroad(node)):
                    assert weights(state.internal[node, i]) == naive.internal[node].get(broker, {})
                rows = [(v, to) for v in naive.members(node) for to in naive.leads(v)]
                for i, row in enumerate(rows):
                    assert weights(state.relay[node, i]) == naive.relay[node].get(row, {})
        case "mops-live":
            assert state.lists.tolist() == naive.news
            for node in range(story.nodes):
                names = state.person["name"][node, : state.node["people"][node]].tolist()
                assert names == naive.places[node]
                for place, name in enumerate(names):
                    person, known = state.person[node, place], naive.people[node][name]
                    assert (person.told, person.listed, person.broker) == (known.told, known.listed, known.broker)
                    assert (person.label, person.via) == tuple(-1 if x is None else x for x in (known.label, known.via))
                    assert (person.close, person.direct) == (known.close, known.direct)
                    apart = dict(zip(names, state.apart[node, place].tolist(), strict=False))
                    assert {other: told for other, told in apart.items() if told} == known.apart
                    for table in ("level", "outside", "internal"):
                        assert weights(getattr(state, table)[node, place]) == getattr(known, table)
                relays = zip(state.relay_of[node].tolist(), state.relay[node], strict=True)
                told = [(*of, weights(row)) for of, row in relays][: state.node["relays"][node]]
                assert told == naive.relays[node]
        case "envoy":
            assert state.bar.tolist() == [person.bar for person in naive.people]
            assert state.strangers.tolist() == [person.strangers for person in naive.people]
            assert state.losses[:, 0].tolist() == [len(person.losses) for person in naive.people]
            for node, person in enumerate(naive.people):
                levels = state.reach[node].view(np.uint64)[:, None] >> np.arange(0, 64, 4, dtype=np.uint64) & 15
                assert counters(levels.ravel()) == {32 * row + place: c for (row, place), c in person.reach.items()}
        case "sptbf":
            for node, slots in enumerate(naive.known):
                hops, left = state.relay[node], state.left[node]
                assert {i: (hops[i], left[i] + naive.now[node]) for i in np.flatnonzero(hops)} == slots
                assert not left[hops == 0].any()


def set_positions(words: Any) -> set[int]:
    """A Bloom filter as a set."""
    return set(np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).tolist())


def weights(row: Any) -> dict[int, float]:
    """An interest list: what is above 0."""
    return {int(i): float(row[i]) for i in np.flatnonzero(row)}


def counters(row: Any) -> Counter[int]:
    """What is not 0."""
    return Counter({int(i): int(row[i]) for i in np.flatnonzero(row)})
