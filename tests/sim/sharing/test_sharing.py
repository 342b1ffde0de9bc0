"""Context sharing in beacons: equal to the naive simulator, indifferent to clocks, and what its measures say."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from hunet.cli.main import app
from hunet.model.errors import InvalidValueError, WorkloadError
from hunet.protocols import make_settings
from hunet.protocols.grapevine import GRAPEVINE, VARIANTS, GrapevineSettings
from hunet.sim.sharing.allocation import Interests, by_applications, by_percent, standing
from hunet.sim.sharing.beaconing import Beaconing, beacons_between
from hunet.sim.sharing.groups import Group
from hunet.sim.sharing.network import SharingNetwork, SharingScene, count_savings, share
from hunet.traces.generators.generated import nodes_table
from hunet.traces.store import TraceStore
from tests.naive.sharing import NaiveOutcome, simulate
from tests.sim.sharing.scenes import Case, contacts_of, line, random_case

STORIES = 60


def run(case: Case) -> SharingNetwork:
    network = case.network()
    network.run_until(case.scene.seconds / 3)  # in two parts: nothing may depend on where time is cut
    network.run_until(case.scene.seconds)
    return network


def knowledge(network: SharingNetwork) -> list[tuple[dict[int, tuple[int, int]], object]]:
    """What each node knows at the end: of interests, and of others' context."""
    state = network.state
    end = network.now + network.ground.clock
    found: list[tuple[dict[int, tuple[int, int]], object]] = []
    for node in range(network.scene.nodes):
        ends = state.timebase[node] + state.times[node] - end[node]
        interests = {int(i): (int(state.hops[node, i]), int(ends[i])) for i in np.flatnonzero(ends > 0)}
        rows = range(state.used[node])
        labels = [np.unpackbits(state.labels[node, row].view(np.uint8), bitorder="little") for row in rows]
        context = [
            (
                int(state.origin[node, row]),
                int(state.version[node, row]),
                int(state.left[node, row]),
                bool(state.due[node, row]),
                int(state.heard[node, row] - end[node]),
                {int(label): int(state.values[node, row, label]) for label in np.flatnonzero(labels[row])},
            )
            for row in rows
        ]
        found.append((interests, context))
    return found


def naive_knowledge(case: Case, outcome: NaiveOutcome) -> list[object]:
    story = case.story()
    found: list[object] = []
    for node in outcome.nodes:
        end = story.until + story.clocks[node.number]
        interests = {slot: (hops, over - end) for slot, (hops, over) in node.known.items() if over > end}
        context = [
            (e.summary.origin, e.summary.version, e.summary.left, e.due, e.heard - end, e.summary.values)
            for e in node.entries
        ]
        found.append((interests, context))
    return found


def test_the_simulator_does_as_the_naive_one_does() -> None:
    seen = dict.fromkeys(("heard", "lost", "forgotten", "arrived"), 0)
    for seed in range(STORIES):
        case = random_case(seed)
        network, outcome = run(case), simulate(case.story(), case.naive_settings())
        measures = network.measures()
        for name in ("beacons", "bytes", "values", "own_values", "heard", "lost"):
            assert measures[name] == getattr(outcome, name), (seed, name)
        assert measures["forgotten"] == sum(node.forgotten for node in outcome.nodes)
        assert measures["wanted"] == len(outcome.within)
        arrived = len(outcome.within & outcome.arrived)
        for name, part, whole in (
            ("coverage", arrived, len(outcome.within)),
            ("coverage_now", outcome.there, outcome.looked),
        ):
            assert measures[name] == (part / whole if whole else pytest.approx(math.nan, nan_ok=True)), (seed, name)
        assert knowledge(network) == naive_knowledge(case, outcome), seed
        for name in ("heard", "lost", "forgotten"):
            seen[name] += int(measures[name])
        seen["arrived"] += arrived
    assert all(count > 100 for count in seen.values()), seen


def test_results_do_not_depend_on_how_clocks_are_set() -> None:
    for seed in range(12):
        together, apart = run(random_case(seed).with_clocks(0.0)), run(random_case(seed))
        assert together.ground.clock.max() < 1000 < apart.ground.clock.max()
        np.testing.assert_equal(together.measures(), apart.measures())
        assert knowledge(together) == knowledge(apart)


def test_no_interest_outlives_its_end_or_travels_beyond_its_hops() -> None:
    """Times are rounded down on the air: among nodes that echo each other, maxima of times rounded up never end."""
    lived = 0
    for seed in range(20):
        case = random_case(seed)
        interests = case.scene.interests._replace(until=np.full(case.scene.interests.node.size, 20.0))
        settings = case.settings._replace(interests="sptbf", lifetime=63)
        network = replace(case, scene=replace(case.scene, interests=interests), settings=settings).network()
        network.run_until(19.0)
        lived += sum(bool(known) for known, _ in knowledge(network))
        network.run_until(20.0)
        assert not any(known for known, _ in knowledge(network)), seed
        assert network.state.hops.max(initial=0) <= interests.hops.max(initial=0)
    assert lived > 40


def everybody(nodes: int, labels: int, hops: int) -> Interests:
    return standing(np.ones((nodes, labels), np.bool_), hops)


def test_where_all_want_all_the_interest_summary_is_pure_loss() -> None:
    """SPTBF-15, exactly: once everybody has heard everybody, savings are -(m + 4) of the bytes that are sent anyway."""
    rows = [(a, b, 0.0, 100.0) for a in range(5) for b in range(a + 1, 5)]
    scene = SharingScene(contacts_of(rows), 5, everybody(5, 100, 2), 100.0)
    last = {}
    for variant in ("agnostic", "sptbf"):
        network = SharingNetwork(scene, GrapevineSettings(variant, hops=2))
        network.run_until(50.0)
        before = network.measures()
        network.run_until(100.0)
        after = network.measures()
        last[variant] = {name: after[name] - before[name] for name in ("beacons", "bytes")}
    assert last["agnostic"]["beacons"] == last["sptbf"]["beacons"] > 45
    assert last["sptbf"]["bytes"] - last["agnostic"]["bytes"] == 104 * last["sptbf"]["beacons"]


def test_values_reach_who_wants_them_up_to_the_hop_limit_and_not_beyond() -> None:
    """A line of six; node 0 wants label 3. Whoever hears more than that hears of nothing else."""
    for hops, variant in product((1, 2, 3), VARIANTS):
        wants = np.zeros((6, 8), np.bool_)
        wants[0, 3] = True
        scene = SharingScene(line(6, 200.0), 6, standing(wants, hops), 200.0, 8)
        network = SharingNetwork(scene, GrapevineSettings(variant, hops=hops, m=400))
        network.run_until(200.0)
        state = network.state
        heard = {int(state.origin[0, row]): int(state.labels[0, row, 0]) for row in range(state.used[0])}
        assert sorted(heard) == list(range(1, hops + 1))
        if variant != "agnostic":
            assert set(heard.values()) == {1 << 3}
        assert network.measures()["coverage"] == 1.0
        for row in range(state.used[0]):
            assert state.values[0, row, 3] == 8 * state.origin[0, row] + 3


def test_the_same_beacons_leave_in_every_variant_and_a_lost_one_is_lost_in_all() -> None:
    case = random_case(1)
    case = replace(case, beaconing=Beaconing(loss=0.5))
    counts = set()
    for variant in VARIANTS:
        measures = run(replace(case, settings=case.settings._replace(interests=variant))).measures()
        counts.add((measures["beacons"], measures["heard"], measures["lost"]))
    assert len(counts) == 1
    _, heard, lost = counts.pop()
    assert lost / (lost + heard) == pytest.approx(0.5, abs=0.15)


def test_a_node_sends_one_beacon_per_period_within_its_jitter() -> None:
    beaconing = Beaconing(period=2.0, jitter=0.4)
    parts = [list(beacons_between(beaconing, 7, 3, begin, end)) for begin, end in ((0, 9_000), (9_000, 20_000))]
    time, node, number = (np.concatenate([part[i] for piece in parts for _, part in piece]) for i in range(3))
    (_, whole), *rest = beacons_between(beaconing, 7, 3, 0, 20_000)
    assert not rest
    assert np.array_equal(whole.time, time)
    assert np.array_equal(whole.node, node)
    assert (np.diff(time) >= 0).all()
    for one in range(7):
        assert number[node == one].tolist() == list(range((node == one).sum()))
        gaps = np.diff(time[node == one])
        assert (np.abs(gaps - 2000) < 400).all()
        assert gaps.std() > 50
    assert np.ptp(time[number == 0]) > 500, "nodes begin at different times"


def test_exact_sets_send_no_more_than_filters_and_filters_no_more_than_everything() -> None:
    scene = SharingScene(line(12, 120.0), 12, standing(by_percent(12, 40, 20, 5), 2), 120.0, 40)
    values = [
        share(scene, GrapevineSettings(variant, hops=2, m=m))["own_values"]
        for variant, m in (("exact", 40), ("sptbf", 80), ("sptbf", 16), ("agnostic", 16))
    ]
    assert values == sorted(values)
    assert len(set(values)) == 4


def test_savings_count_only_where_coverage_is_kept() -> None:
    agnostic = {"bytes": 1000.0, "bytes_with_headers": 1280.0, "bytes_where_heard": 500.0, "coverage": 0.8}
    aware = {"bytes": 600.0, "bytes_with_headers": 880.0, "bytes_where_heard": 400.0, "coverage": 0.77}
    saved = count_savings(agnostic, aware)
    assert saved["savings"] == pytest.approx(40.0)
    assert saved["savings_with_headers"] == pytest.approx(31.25)
    assert saved["savings_where_heard"] == pytest.approx(20.0)
    assert saved["counts"] == 1.0
    assert count_savings(agnostic, {**aware, "coverage": 0.75})["counts"] == 0.0


def test_the_command_compares_the_variants_on_a_stored_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    nodes = nodes_table([f"n{i}" for i in range(4)])
    for name, contacts in (("row", line(4, 60.0)), ("nobody", line(1, 60.0))):
        with TraceStore(tmp_path).write_version(name) as draft:
            draft.write("contacts", contacts)
            draft.write("nodes", nodes)

    def hunet(*words: str) -> Result:
        return CliRunner().invoke(app, ["share", *words])

    told = hunet("row", "--percent", "10", "--hops", "2").stdout
    assert "4 nodes on row, 10 % of 100 labels, hop limit 2" in told
    found = json.loads(hunet("row", "--applications", "10", "--hops", "2", "--time", "50s", "--json").stdout)
    assert found["seconds"] == 50.0
    agnostic, sptbf, exact = found["variants"]
    assert agnostic["beacons"] == sptbf["beacons"] == exact["beacons"]
    assert agnostic["savings"] == 0 < sptbf["savings"] <= exact["savings"]
    assert json.loads(hunet("row", "--percent", "0", "--json").stdout)["variants"][0]["coverage"] is None
    for words, said in (
        (("rov",), "did you mean 'row'"),
        (("nobody",), "has no contacts"),
        (("row", "--hops", "4"), r"hops must lie in 1\.\.3"),
        (("row", "--percent", "101"), r"percent must lie in 0\.\.100"),
        (("row", "--period", "0"), "period must lie"),
    ):
        assert re.search(said, str(hunet(*words).exception)), words
    assert hunet("row", "--percent", "5", "--applications", "2").exit_code == 2


def test_allocations_give_every_node_its_share() -> None:
    assert (by_percent(30, 100, 30, 1).sum(axis=1) == 30).all()
    assert not np.array_equal(by_percent(30, 100, 30, 1), by_percent(30, 100, 30, 2))
    for applications in (1, 3, 7):
        wants = by_applications(30, 100, applications, 1)
        kinds, sizes = np.unique(wants, axis=0, return_counts=True)
        assert len(kinds) == applications
        assert (kinds.sum(axis=0) == 1).all(), "every label belongs to one application"
        assert sizes.max() - sizes.min() <= 1
        assert np.ptp(kinds.sum(axis=1)) <= 1


def test_what_cannot_be_is_refused_with_what_is_wrong() -> None:
    scene = SharingScene(line(3, 10.0), 3, everybody(3, 4, 1), 10.0, 4)
    for change, error, words in (
        ({"nodes": 2}, WorkloadError, "there is no node 2"),
        ({"labels": 3}, WorkloadError, "no label 3"),
        ({"seconds": 0.0}, InvalidValueError, "0 seconds"),
        ({"interests": everybody(3, 4, 4)}, InvalidValueError, r"hops of an interest must lie in 1\.\.3, got 4"),
        ({"nodes": 2, "interests": everybody(2, 4, 1)}, WorkloadError, "contacts: a node above 1"),
    ):
        with pytest.raises(error, match=words):
            SharingNetwork(replace(scene, **change))
    with pytest.raises(InvalidValueError, match="seed must lie"):
        SharingNetwork(scene, seed=-1)
    for settings, words in (
        ({"interests": "sptfb"}, "did you mean 'sptbf'"),
        ({"hops": 4}, r"hops must lie in 1\.\.3"),
        ({"lifetime": 64}, r"lifetime must lie in 1\.\.63"),
        ({"m": 0}, "m must lie"),
    ):
        with pytest.raises(InvalidValueError, match=words):
            SharingNetwork(scene, make_settings(GRAPEVINE, settings))
    for wrong in ({"jitter": 6.0}, {"loss": 1.5}, {"period": 0.0}):
        with pytest.raises(InvalidValueError):
            Beaconing(**wrong)
    with pytest.raises(InvalidValueError, match="101 applications cannot share 100 labels"):
        by_applications(5, 100, 101, 1)


def test_a_group_says_in_one_value_what_its_members_would_say_in_many() -> None:
    """A line of six: each wants label 1 of who is next, and from afar label 0, the mean of label 1 among these."""
    nodes, hops = 6, 3
    near, far = np.zeros((nodes, 8), np.bool_), np.zeros((nodes, 8), np.bool_)
    near[:, 1], far[0, 0] = True, True
    pairs: Any = zip(standing(near, 1), standing(far, hops), strict=True)
    both = Interests(*(np.concatenate(columns) for columns in pairs))
    scene = SharingScene(line(nodes, 200.0), nodes, both, 200.0, 8, (Group(0, 1, "mean"),))
    network = SharingNetwork(scene, GrapevineSettings("exact", hops=hops))
    network.run_until(200.0)
    state, values = network.state, 8 * np.arange(nodes) + 1
    told = {int(state.origin[0, row]): int(state.values[0, row, 0]) for row in range(state.used[0])}
    # Of six in a line those at the ends know four, the next two five, and those in the middle all.
    assert network.measures()["group_members"] == pytest.approx((4 + 5 + 6) / 3)
    # What is told of label 1 travels as far as any context, three hops; node 3 knows of all six.
    assert told == {1: int(values[:5].mean()), 2: int(values.mean()), 3: int(values.mean())}
    for groups, words in (
        ((Group(0, 9),), "no label 9"),
        ((Group(0, 1), Group(1, 2)), "label 1 is a group's itself"),
        ((Group(0, 1), Group(0, 2)), "label 0 is given to two"),
    ):
        with pytest.raises(WorkloadError, match=words):
            SharingNetwork(replace(scene, groups=groups))
    with pytest.raises(InvalidValueError, match="did you mean 'mean'"):
        Group.parse("0=men:1")
    with pytest.raises(InvalidValueError, match="LABEL=HOW:OF"):
        Group.parse("0=mean")
    assert Group.parse("0=mean:1") == scene.groups[0]
    assert "group_members" not in SharingNetwork(replace(scene, groups=())).measures()
