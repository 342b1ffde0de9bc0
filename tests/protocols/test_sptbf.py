"""Scoped interests: how far and how long they are served, whose clock says so, and how they come from files."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hunet.model.errors import DecodeError
from hunet.protocols import make_settings
from hunet.protocols.protocol import INTEREST, World
from hunet.protocols.pull import PULL
from hunet.protocols.sptbf import SPTBF
from hunet.sim import simulate as simulator
from hunet.sim.workload.files import workload_from_tables
from tests.interpreted import interpreted_only
from tests.naive.simulator import Interest, Message, Story
from tests.sim.compare import deliveries_of, simulate
from tests.sim.small_traces import contacts_table, nodes_table
from tests.sim.stories import random_story

pytestmark = interpreted_only

ANN, BOB, CID, DEE = range(4)


def story(contacts: list[tuple[int, int, float]], interests: dict[int, Interest], created: float) -> Story:
    """Contacts without length; dee publishes one message of tag 0 that never ends."""
    met = [(a, b, at, at) for a, b, at in contacts]
    wants = [{0: interests[node]} if node in interests else {} for node in range(4)]
    return Story(4, met, [Message(0, created, math.inf, DEE, 10, (0,))], [], wants, 1)


def receivers(told: Story, **given: Any) -> list[int]:
    outcome = simulate(told, SPTBF, make_settings(SPTBF, {"m": 16, **given}), continuous=False)
    return [node for _, node, _, _ in deliveries_of(outcome)]


# What ann wants goes to bob and on to cid; dee's message comes back the same way.
SPREADING = [(ANN, BOB, 1.0), (BOB, CID, 2.0)]
COMING = [(CID, DEE, 11.0), (BOB, CID, 12.0), (ANN, BOB, 13.0)]


@pytest.mark.parametrize(("limit", "served"), [(1, False), (2, False), (3, True), (7, True)])
def test_an_interest_is_served_over_as_many_hops_as_it_names_and_no_more(limit: int, served: bool) -> None:
    told = story(SPREADING + COMING, {ANN: Interest(hops=limit)}, 10.0)
    assert receivers(told, hops=7) == ([ANN] if served else [])
    # Two hops: dee meets bob.
    nearer = story([*SPREADING, (BOB, DEE, 11.0), (ANN, BOB, 13.0)], {ANN: Interest(hops=limit)}, 10.0)
    assert receivers(nearer, hops=7) == ([ANN] if limit > 1 else [])
    assert receivers(story([(ANN, DEE, 11.0)], {ANN: Interest(hops=limit)}, 10.0), hops=7) == [ANN]


def test_interests_that_name_no_hops_travel_as_far_as_the_network_lets_them_and_none_further() -> None:
    for named in (0, 5):
        told = story(SPREADING + COMING, {ANN: Interest(hops=named)}, 10.0)
        assert [receivers(told, hops=hops) for hops in (2, 3)] == [[], [ANN]]


def test_a_message_that_came_near_for_somebody_else_has_spent_its_hops_all_the_same() -> None:
    interests = {ANN: Interest(hops=1), BOB: Interest(hops=3)}
    assert receivers(story(SPREADING + COMING, interests, 10.0), hops=3) == [BOB]


def test_an_interest_away_from_its_owner_ends_with_its_lifetime() -> None:
    contacts = [(ANN, BOB, 1.0), (BOB, DEE, 60.0), (ANN, BOB, 70.0)]
    told = story(contacts, {ANN: Interest()}, 10.0)
    assert [receivers(told, lifetime=seconds) for seconds in (59, 60)] == [[], [ANN]]
    # Hearing it again makes it live on.
    again = story([contacts[0], (ANN, BOB, 30.0), *contacts[1:]], {ANN: Interest()}, 10.0)
    assert receivers(again, lifetime=31) == [ANN]


def test_an_interest_ends_everywhere_when_its_owner_said() -> None:
    contacts = [(ANN, BOB, 1.0), (BOB, DEE, 60.0)]
    for until, copies in ((59.0, 1), (60.0, 1), (61.0, 2)):
        told = story(contacts, {ANN: Interest(until=until)}, 10.0)
        outcome = simulate(told, SPTBF, make_settings(SPTBF, {"m": 16, "lifetime": 63}), continuous=False)
        assert outcome.copies.tolist() == [copies]


APART = {"m": 11, "k": 1}
"""A filter in which the six tags of a story have slots of their own."""


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_nothing_is_delivered_over_more_hops_than_the_limit(hops: int) -> None:
    seen = set()
    for seed in range(20):
        told = random_story(seed)
        told.interests = [dict.fromkeys(some, Interest()) for some in told.interests]
        told.changes = []
        settings = make_settings(SPTBF, {**APART, "hops": hops, "lifetime": 2000})
        outcome = simulate(told, SPTBF, settings, continuous=False, hops=True)
        seen |= {row[3] for row in deliveries_of(outcome)}
        if hops == 1:  # from the producer itself: what PULL is
            pull = simulate(told, PULL, PULL.settings(**APART), continuous=False, hops=True)
            assert deliveries_of(outcome) == deliveries_of(pull)
    assert seen == set(range(1, hops + 1))


def test_clocks_need_not_agree() -> None:
    """Devices whose clocks differ by up to a year know the same in the end, to the millisecond."""
    random = np.random.default_rng(3)
    told = random_story(5, nodes=6, contacts=80)
    contacts = [(a, b, at + random.integers(1000) / 1000) for a, b, at, _ in told.contacts]
    params = SPTBF.prepare(make_settings(SPTBF, {"m": 16, "hops": 3, "lifetime": 900}), World(1, ["x", "y"], 1))
    ends = []
    for clocks in (np.zeros(6), random.integers(0, 3 * 10**10, 6) / 1000):
        world = World(1, ["x", "y"], 1)
        states = [SPTBF.new_state(params, world) for _ in range(6)]
        for node, state in enumerate(states):
            wants = np.zeros(2, INTEREST).view(np.recarray)
            wants[node % 2] = (clocks[node] + 1500.5, 1.0, node % 4) if node < 4 else (math.inf, 1.0, 0)
            SPTBF.age(params, state, 0, clocks[node])
            SPTBF.subscribe(params, state, 0, wants)
        for a, b, at in contacts:
            heard = []
            for node in (a, b):
                digest = SPTBF.digest.new(params, world)
                SPTBF.age(params, states[node], 0, clocks[node] + at)
                SPTBF.tell(params, states[node], 0, clocks[node] + at, None, 0, digest)
                heard.append(SPTBF.digest.new(params, world))
                SPTBF.digest.decode(params, SPTBF.digest.encode(params, digest), heard[-1])
            for node, digest in ((b, heard[0]), (a, heard[1])):
                SPTBF.hear(params, states[node], 0, digest, 0, clocks[node] + at)
        ends.append([(state.relay.tolist(), state.left.tolist()) for state in states])
    assert ends[0] == ends[1]
    assert any(np.any(left) for _, left in ends[0])


def test_a_slot_is_the_byte_of_the_paper_up_to_3_hops_and_63_seconds() -> None:
    world = World(1, ["x"], 1)
    for given, width, step in (({"hops": 3, "lifetime": 63}, 1, 1), ({"hops": 4, "lifetime": 64}, 2, 2)):
        params = SPTBF.prepare(make_settings(SPTBF, given), world)
        digest = SPTBF.digest.new(params, world)
        assert (digest.packed.itemsize, params.step) == (width, 1000 * step)


def test_digests_that_say_what_nobody_tells_are_refused() -> None:
    world = World(1, ["x"], 1)
    params = SPTBF.prepare(make_settings(SPTBF, {"m": 8, "hops": 2, "lifetime": 50}), world)
    for slot in (0b01_000000, 0b00_000001, 0b11_000001, 0b01_110011):  # no time, no hops, too far, too long
        digest = SPTBF.digest.new(params, world)
        digest.packed[3] = slot
        data = SPTBF.digest.encode(params, digest)
        fresh = SPTBF.digest.new(params, world)
        with pytest.raises(DecodeError):
            SPTBF.digest.decode(params, data, fresh)
        assert not any(part.any() for part in fresh)


def test_hop_limits_and_ends_of_a_file_reach_the_protocol(tmp_path: Path) -> None:
    met = [(a, b, at, at) for a, b, at in SPREADING + COMING]
    trace = contacts_table(*met), nodes_table("ann", "bob", "cid", "dee")
    (tmp_path / "m.csv").write_text("time,source,tag\n10,dee,jazz\n", encoding="utf-8")
    delivered = []
    for row in ("3,", "2,", "3,9"):
        (tmp_path / "i.csv").write_text(f"node,tag,hops,until\nann,jazz,{row}\n", encoding="utf-8")
        workload = workload_from_tables(tmp_path / "m.csv", tmp_path / "i.csv", trace[1])
        found = simulator.simulate(trace, workload, "sptbf", settings={"hops": 7, "lifetime": 63})
        delivered.append((found.measures["delivered"], found.measures["forwards"]))
    assert delivered == [(1, 3), (0, 0), (0, 0)]
