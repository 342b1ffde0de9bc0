"""Who listens to filters hears of every interest; what else matches is for the papers' figures to count."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hunet.protocols import Protocol, make_settings
from hunet.protocols.bsub13 import BSUB13
from hunet.protocols.bsubp import BSUBP
from hunet.sim.engine.run import Conditions
from hunet.studies.papers.bsub13.attack import Attack, attack, listen
from tests.sim.stories import random_story, scene_of, tag_names

pytestmark = pytest.mark.compiles

SETTINGS = {"m": 64, "k": 2, "decay_cycle": 500.0}


def scene(seed: int) -> Attack:
    story = replace(random_story(seed), changes=[])
    return Attack(scene_of(story), tag_names(story), Conditions(), listeners=(0, 1))


@pytest.mark.parametrize("protocol", [BSUB13, BSUBP], ids=lambda protocol: protocol.name)
def test_every_digest_told_to_a_listener_confirms_the_interests_of_who_told_it(protocol: Protocol) -> None:
    on = scene(1)
    heard = listen(protocol, make_settings(protocol, SETTINGS), on)
    meetings = sum(int(node in (a, b)) for a, b in zip(on.scene.a, on.scene.b, strict=True) for node in on.listeners)
    assert len(heard.speaker) == meetings > 10
    assert set(heard.listener) == {0, 1}
    wanted = on.scene.wants[heard.speaker] > 0
    assert wanted.any()
    assert (heard.values()[wanted] > 0).all()


def test_both_protocols_are_attacked_with_all_knowledge_and_in_every_way() -> None:
    rows = attack(scene(2), SETTINGS)
    assert {row.protocol for row in rows} == {"bsub13", "bsubp"}
    assert {row.knows for row in rows} == {"all tags", "half of the tags", "tags of messages it relayed"}
    assert len({(row.protocol, row.knows, row.guesses_by) for row in rows}) == len(rows)
    by_membership = [row for row in rows if row.knows == "all tags" and row.posterior is not None]
    assert by_membership
    assert all(row.recall == 1.0 for row in by_membership)
    assert all(0.0 <= row.precision <= 1.0 for row in rows if not np.isnan(row.precision))
