"""Claims of B-SUB (TPDS 2013) about the protocols, on a generated conference of 79 people and 3 days.

The workload is B-SUB's with "about 180 messages" read as the total of the trace: only then is PUSH an upper bound. With
180 messages per node (AMB-33) buffers of 100 overflow, and what is forwarded most is delivered least.
`docs/papers/bsub13.md` has the table of outcomes, with figures on Infocom05.
"""

from __future__ import annotations

import numpy as np

from hunet.protocols import make_settings
from hunet.protocols.bsub13 import BSUB13
from hunet.protocols.pull import PULL
from hunet.protocols.push import PUSH
from hunet.sim.engine import Conditions
from hunet.sim.make_scene import make_scene
from hunet.sim.simulate import simulate
from hunet.studies.attack import Attack, attack, listen, posterior
from tests.claims.crowds import conference, light, load
from tests.slow import slow

pytestmark = slow

SEEDS = (1, 2, 3)
CYCLES = (4.0, 16.0, 64.0, 256.0, 1024.0, 4096.0, 16384.0)


def mean(measure: str, protocol: str, **settings: float) -> float:
    return float(np.mean([light(protocol, seed, **settings).measures[measure] for seed in SEEDS]))


def sweep(measure: str, protocol: str, **settings: float) -> list[float]:
    return [mean(measure, protocol, decay_cycle=cycle, **settings) for cycle in CYCLES]


def test_BSUB13_08_guesses_from_a_genuine_filter_are_as_good_as_bayes_says() -> None:
    """Small filters make guesses wrong often enough to see it: 32 positions, 2 hash functions, 5 of 200 tags each."""
    chance = np.random.default_rng(1)
    tags = tuple(f"tag {i}" for i in range(200))
    wants = np.array([np.isin(np.arange(200), chance.choice(200, 5, replace=False)) for _ in range(79)])
    scene = make_scene(*conference(), load("bsub13", 1))._replace(wants=wants)
    crowd = Attack(scene, tags, Conditions(), range(79))
    heard = listen(BSUB13, make_settings(BSUB13, {"m": 32, "k": 2}), crowd)
    guess = heard.values() > 0
    right = guess & wants[heard.speaker]
    # f by Eq. 1 for 5 keys: what an attacker who knows m, k and how many interests people have can compute.
    expected = posterior(5 / 200, (1 - (1 - 1 / 32) ** 10) ** 2)
    assert abs(right.sum() / guess.sum() / expected - 1) < 0.05
    assert (right == wants[heard.speaker]).all()  # every interest is among the guesses


def test_BSUB13_09_own_and_relayed_interests_look_alike_but_their_counters_do_not() -> None:
    workload = load("bsub13", 1, total=True)
    scene = make_scene(*conference(), workload)
    rows = {
        (row.protocol, row.knows, row.guesses_by): row
        for row in attack(Attack(scene, workload.tags, Conditions(buffer=100), range(10)))
    }
    plain = rows["bsub13", "all tags", "membership"]
    mixed = rows["bsubp", "all tags", "membership"]
    ranked = rows["bsubp", "all tags", "ranking"]
    # A plain filter of interests gives its tags to anyone with a dictionary.
    assert (plain.precision, plain.recall) == (1.0, 1.0)
    # In the mixture membership says next to nothing: 2 of 38 tags are own.
    assert mixed.recall == 1.0
    assert mixed.precision < 1.2 * 2 / 38
    # The largest counters give half of the interests away all the same.
    assert ranked.precision > 5 * mixed.precision
    assert rows["bsub13", "half of the tags", "membership"].recall < 0.7


def test_BSUB13_14_delivery_comes_close_to_push_and_falls_again_with_long_decay_cycles() -> None:
    best = mean("delivery_ratio", "push")
    for protocol in ("bsub13", "bsubp"):
        ratios = sweep("delivery_ratio", protocol)
        assert max(ratios) > 0.9 * best
        assert ratios[-1] < max(ratios) - 0.02


def test_BSUB13_15_without_a_ceiling_on_counters_delivery_does_not_fall() -> None:
    for protocol in ("bsub13", "bsubp"):
        capped = sweep("delivery_ratio", protocol)
        free = sweep("delivery_ratio", protocol, ceiling=60000)
        assert max(free) - free[-1] < (max(capped) - capped[-1]) / 2


def test_BSUB13_16_push_and_pull_know_no_decay_and_b_sub_delivers_more_than_pull() -> None:
    assert "decay_cycle" not in PUSH.settings._fields + PULL.settings._fields
    pull = mean("delivery_ratio", "pull")
    for protocol in ("bsub13", "bsubp"):
        assert mean("delivery_ratio", protocol, decay_cycle=256.0) > pull


def test_BSUB13_17_hiding_interests_costs_deliveries() -> None:
    differences = [
        light("bsub13", seed, decay_cycle=256.0).measures["delivery_ratio"]
        - light("bsubp", seed, decay_cycle=256.0).measures["delivery_ratio"]
        for seed in range(1, 9)
    ]
    # One-sided t-test, 8 seeds: the 95 % point of t with 7 degrees of freedom is 1.895.
    assert np.mean(differences) / (np.std(differences, ddof=1) / np.sqrt(len(differences))) > 1.895


def test_BSUB13_18_delay_falls_with_the_decay_cycle_and_rises_again() -> None:
    delays = sweep("delay_mean", "bsub13")
    least = int(np.argmin(delays))
    assert 0 < least < len(CYCLES) - 1
    assert delays[0] > 1.05 * delays[least]
    assert delays[-1] > 1.05 * delays[least]


def test_BSUB13_22_b_sub_p_makes_as_many_copies_as_b_sub_not_more() -> None:
    copies = {name: mean("copies_net_mean", name, decay_cycle=256.0) for name in ("bsub13", "bsubp")}
    assert abs(copies["bsubp"] / copies["bsub13"] - 1) < 0.02


def test_BSUB13_24_pull_drops_nothing_although_producers_have_more_than_100_messages() -> None:
    workload = load("bsub13", 1)
    own = np.bincount(workload.messages.column("source").to_numpy())
    assert own.max() > 100
    assert simulate(conference(), workload, "pull").measures["drops"] == 0


def test_BSUB13_25_every_false_forward_of_pull_is_a_false_delivery() -> None:
    """With filters small enough to err: what PULL sends goes to one who seems to want it and no further."""
    result = simulate(conference(), load("bsub13", 1), "pull", settings={"m": 16, "k": 1})
    received = int(np.sum(result.outcome.copies)) - result.measures["messages"]
    false_deliveries = received - result.measures["delivered"]
    false_forwards = result.measures["forwards"] - result.measures["delivered"]
    assert false_forwards > 0
    assert false_deliveries / received == false_forwards / result.measures["forwards"]
