"""From the log of a run every total can be computed again."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from hunet.protocols import PROTOCOLS, Protocol, make_settings
from hunet.sim.engine.run import Conditions, run
from tests.sim.stories import random_conditions, random_story, scene_of, tag_names, variants_of
from tests.slow import slow

pytestmark = slow

LOGGED = [protocol for protocol in PROTOCOLS if protocol.name in ("push", "spray")]


def _run(protocol: Protocol, seed: int) -> tuple[Any, Any, Any]:
    story, conditions = random_story(seed), random_conditions(seed)
    settings = make_settings(protocol, variants_of(protocol)[0])
    outcome = run(
        protocol, settings, scene_of(story), tag_names(story), Conditions(**conditions), log=True, extras=("hops",)
    )
    assert outcome.log is not None
    return story, outcome, outcome.log.to_pylist()


@pytest.mark.parametrize("protocol", LOGGED, ids=lambda protocol: protocol.name)
def test_every_total_can_be_computed_again_from_the_log(protocol: Protocol) -> None:
    for seed in range(40):
        story, outcome, log = _run(protocol, seed)
        of = {kind: [e for e in log if e["kind"] == kind] for kind in ("creation", "forward", "delivery", "drop")}
        assert [e["time"] for e in log] == sorted(e["time"] for e in log)
        assert len(of["forward"]) == outcome.forwards
        assert [(e["message"], e["from"], e["time"]) for e in of["creation"]] == [
            (m.number, m.source, m.created) for m in story.messages
        ]
        copies = Counter(e["message"] for e in of["creation"] + of["forward"])
        assert [copies[m] for m in range(len(story.messages))] == outcome.copies.tolist()
        dropped = Counter(e["message"] for e in of["drop"])
        assert [dropped[m] for m in range(len(story.messages))] == outcome.dropped.tolist()
        drops = Counter(e["from"] for e in of["drop"])
        assert [drops[node] for node in range(story.nodes)] == outcome.drops_per_node.tolist()

        hops = {(e["message"], e["from"]): 0 for e in of["creation"]}
        for e in of["forward"]:
            hops[e["message"], e["to"]] = hops[e["message"], e["from"]] + 1
        rows = outcome.deliveries.to_pylist()
        assert [(e["message"], e["to"], e["time"]) for e in of["delivery"]] == [
            (row["message"], row["node"], row["at"]) for row in rows
        ]
        assert [hops[row["message"], row["node"]] for row in rows] == [row["hops"] for row in rows]


def test_every_copy_ends_once_and_nothing_moves_after_its_end() -> None:
    push = LOGGED[0]
    for seed in range(40):
        story, _, log = _run(push, seed)
        expires = {m.number: m.expires for m in story.messages}
        horizon = max([c[3] for c in story.contacts] + [m.created for m in story.messages])
        holders: set[tuple[int, int]] = set()
        for e in log:
            if e["kind"] == "creation":
                holders.add((e["message"], e["from"]))
            elif e["kind"] == "forward":
                assert e["time"] <= expires[e["message"]]
                holders.add((e["message"], e["to"]))
            elif e["kind"] in ("drop", "expiry"):
                holders.remove((e["message"], e["from"]))
                assert e["kind"] == "drop" or e["time"] == expires[e["message"]]
        assert all(expires[m] >= horizon for m, _ in holders), "what is left is still alive"


def test_no_log_and_no_hops_unless_asked_for() -> None:
    story = random_story(3)
    push = LOGGED[0]
    outcome = run(push, make_settings(push, {}), scene_of(story), tag_names(story), Conditions())
    assert outcome.log is None
    assert outcome.deliveries["hops"].null_count == len(outcome.deliveries)
    assert outcome.zero_length_contacts == sum(c[2] == c[3] for c in story.contacts)
    assert np.issubdtype(outcome.copies.dtype, np.integer)
