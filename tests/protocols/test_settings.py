"""Protocols and their settings by name; errors that say what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hunet.model.errors import InvalidValueError
from hunet.protocols import PROTOCOLS, make_settings, protocol_named
from hunet.protocols.protocol import World


def test_every_protocol_is_found_by_its_name_and_no_two_share_one() -> None:
    names = [protocol.name for protocol in PROTOCOLS]
    assert len(set(names)) == len(names)
    assert all(protocol_named(name).name == name for name in names)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("psuh", "'push'"), ("Prophet", "'prophet'"), ("bsub2013", "'bsub13'"), ("xyzzy", "there are: push")],
)
def test_an_unknown_protocol_is_answered_with_the_nearest_name(name: str, hint: str) -> None:
    with pytest.raises(InvalidValueError, match=hint):
        protocol_named(name)


def test_settings_may_be_text_as_a_command_line_has_them() -> None:
    settings = make_settings(protocol_named("bsub13"), {"decay_cycle": "128", "m": "64", "preference": "raw"})
    assert (settings.decay_cycle, settings.m, settings.preference, settings.k) == (128.0, 64, "raw", 3)
    assert make_settings(protocol_named("pull"), {"any_holder": "yes"}).any_holder is True


@pytest.mark.parametrize(
    ("protocol", "given", "message"),
    [
        ("bsub13", {"decay_cycel": 1}, "there is no setting of bsub13 'decay_cycel'; did you mean 'decay_cycle'"),
        ("push", {"m": 1}, "there is no setting of push 'm'; there are: shuffled"),
        ("bsub13", {"m": "many"}, "bsub13.m is a whole number, got 'many'"),
        ("bsub13", {"m": 2.5}, "bsub13.m is a whole number, got 2.5"),
        ("bsub13", {"decay_cycle": "fast"}, "bsub13.decay_cycle is a number, got 'fast'"),
        ("pull", {"any_holder": "perhaps"}, "true or false, got 'perhaps'"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_by_name(protocol: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        make_settings(protocol_named(protocol), given)


@pytest.mark.parametrize(
    ("protocol", "given", "message"),
    [
        ("bsub13", {"m": 0}, "m must lie in 1.."),
        ("bsub13", {"initial": 300}, "initial must lie in 1..255, got 300"),
        ("bsub13", {"decay_cycle": 0.0}, "decay_cycle must be larger than 0"),
        ("bsub13", {"preference": "ration"}, "did you mean 'ratio'"),
        ("bsubp", {"reference": "relais"}, "did you mean 'relay'"),
        ("bsub10", {"up": 1}, "up must lie in 3.."),
        ("bsub10", {"decay": "eq4"}, "did you mean 'eq5'"),
        ("bsub10", {"copies": 0}, "copies must lie in 1.."),
        ("bsub10", {"threshold": 1.5}, "threshold must lie in 0..1, got 1.5"),
        ("spray", {"copies": 0}, "copies must lie in 1.."),
        ("prophet", {"aging": 1.5}, "aging must lie in 0..1, got 1.5"),
        ("prophet", {"aging_unit": 0.0}, "aging_unit must be larger than 0"),
        ("neighbors", {}, "no closeness was given"),
        ("zigzag", {"lifetime": 0}, "lifetime must lie in 1.."),
        ("zigzag", {"table": 0}, "table must lie in 1..65536, got 0"),
        ("zigzag", {"aggregate": -1}, "aggregate must lie in 0.."),
        ("sptbf", {"hops": 0}, "hops must lie in 1..255, got 0"),
        ("sptbf", {"lifetime": 0}, "lifetime must lie in 1..2000000, got 0"),
        ("sptbf", {"time_bits": 17}, "time_bits must lie in 1..16, got 17"),
        ("pull", {"k": 99}, "k must lie in 1..32, got 99"),
    ],
)
def test_a_protocol_refuses_settings_outside_their_limits(protocol: str, given: dict[str, Any], message: str) -> None:
    chosen = protocol_named(protocol)
    world = World(2, ["a"], 4, peer_start=np.array([0, 1, 2]))
    with pytest.raises(InvalidValueError, match=message):
        chosen.prepare(make_settings(chosen, given), world)
