"""Measures taken by name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hunet.model.errors import InvalidValueError
from hunet.protocols import PROTOCOLS, make_settings
from hunet.sim.engine.run import EXTRAS, Conditions, run
from hunet.sim.measures import MEASURES
from tests.sim.stories import random_story, scene_of, tag_names

pytestmark = pytest.mark.compiles

BY_NAME = {protocol.name: protocol for protocol in PROTOCOLS}


def _extras(protocol: str, names: tuple[str, ...], seed: int = 5, **settings: Any) -> dict[str, Any]:
    story = random_story(seed)
    chosen = make_settings(BY_NAME[protocol], settings)
    scene, tags = scene_of(story), tag_names(story)
    return run(BY_NAME[protocol], chosen, scene, tags, Conditions(), extras=("hops", *names)).extras


def test_relay_filters_are_measured_at_the_end() -> None:
    names = ("fill_ratio", "distinct_counters", "saturated_counters", "relayed_tags", "relayed_tags_exact")
    found = _extras("bsub13", names, m=24, k=2, decay_cycle=1e9, ceiling=9)
    assert set(found) == set(names)
    assert 0 < found["fill_ratio"] <= 1
    assert found["saturated_counters"] > 0
    assert found["relayed_tags"] >= found["relayed_tags_exact"] > 0, "filters err on one side only"
    fast = _extras("bsub13", names, m=24, k=2, decay_cycle=0.001, ceiling=9)
    assert fast == dict.fromkeys(names, 0.0), "at the end of the trace all has decayed"


def test_scoped_interests_are_measured_as_relay_filters_are() -> None:
    names = ("fill_ratio", "distinct_counters", "saturated_counters", "relayed_tags", "relayed_tags_exact")
    found = _extras("sptbf", (*names, "encodings"), m=24, k=2, hops=2, lifetime=900)
    assert found["relayed_tags"] >= found["relayed_tags_exact"] > 0
    assert 0 < found["fill_ratio"] <= 1
    assert found["control_bytes_E4"] > 0


def test_filters_without_room_are_caught_making_false_matches() -> None:
    names = ("forwarding_fpr", "delivered_fpr", "injected_fpr", "conditional_fpr")
    tight = [_extras("bsub13", ("false_positives",), seed, m=8, k=2, decay_cycle=500.0) for seed in range(12)]
    roomy = [_extras("bsub13", ("false_positives",), seed, m=4096, k=4, decay_cycle=500.0) for seed in range(3)]
    for name in names:
        assert all(rates[name] == 0.0 or np.isnan(rates[name]) for rates in roomy), name
        assert any(rates[name] > 0.0 for rates in tight), name


@pytest.mark.parametrize("protocol", ["bsub10", "bsub13", "bsubp", "sptbf"])
def test_what_is_relayed_without_errors_is_what_an_audit_lived_through(protocol: str) -> None:
    for seed in range(6):
        alone, audited = (
            _extras(protocol, ("relayed_tags_exact", *more), seed, m=24, k=2) for more in ((), ("false_positives",))
        )
        assert audited["relayed_tags_exact"] == alone["relayed_tags_exact"]


def test_push_forwards_much_that_bsub_would_not() -> None:
    shares = [_extras("push", ("not_by_bsub",), seed)["not_by_bsub"] for seed in range(12)]
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert np.mean(shares) > 0.5
    with pytest.raises(InvalidValueError, match="compares other protocols"):
        _extras("bsub13", ("not_by_bsub",))


def test_the_share_of_brokers_is_a_series_over_time() -> None:
    series = _extras("bsub10", ("broker_share",), low=2, up=3)["broker_share"]
    assert [at for at, _ in series] == sorted(at for at, _ in series)
    assert all(0.0 <= share <= 1.0 for _, share in series)
    assert series[-1][1] > 0.0
    with pytest.raises(InvalidValueError, match="'broker_share' cannot be measured: bsub13 has no brokers"):
        _extras("bsub13", ("broker_share",))


def test_every_encoding_and_raw_strings_have_their_price() -> None:
    story = random_story(5)
    tags, contacts = tag_names(story), len(story.contacts)
    found = _extras("bsub13", ("encodings",), m=64, k=2, decay_cycle=1e9)
    assert set(found) == set(EXTRAS["encodings"])
    settings = make_settings(BY_NAME["bsub13"], {"m": 64, "k": 2, "decay_cycle": 1e9})
    whole = run(BY_NAME["bsub13"], settings, scene_of(story), tags, Conditions())
    # What is sent is the shortest, filter by filter.
    assert whole.control_bytes / contacts <= min(found[f"control_bytes_E{e}"] for e in range(2, 7))
    assert whole.control_bytes / contacts < found["control_bytes_E3"], "counters share values"
    pull = _extras("pull", ("encodings",), m=64, k=2)
    assert pull["control_bytes_E0"] == 2 * (64 / 8 + 2), "content, encoding, length"
    assert pull["control_bytes_E3"] <= pull["control_bytes_E0"], "counters that are not there take no room"
    with pytest.raises(InvalidValueError, match="'encodings' cannot be measured: push tells no filters"):
        _extras("push", ("encodings",))


def test_raw_strings_are_a_length_and_a_text_for_each_interest() -> None:
    story = replace(random_story(5), changes=[])
    tags = tag_names(story)
    protocol = BY_NAME["pull"]
    settings = make_settings(protocol, {"m": 2**16, "k": 4})  # so large that no tag is mistaken for another
    found = run(protocol, settings, scene_of(story), tags, Conditions(), extras=("encodings",)).extras
    texts = [sum(1 + len(tags[tag]) for tag in wanted) for wanted in story.interests]
    raw = sum(texts[a] + texts[b] for a, b, _, _ in story.contacts)
    assert found["control_bytes_raw"] == raw / len(story.contacts)


def test_measures_that_do_not_exist_are_refused_by_name() -> None:
    with pytest.raises(InvalidValueError, match="no extra measure 'fill'; there are: hops"):
        _extras("push", ("fill",))
    with pytest.raises(InvalidValueError, match="'fill_ratio' cannot be measured: push has no relays"):
        _extras("push", ("fill_ratio",))


def test_the_page_on_the_simulator_has_a_row_for_every_measure() -> None:
    page = (Path(__file__).parents[3] / "docs" / "simulator.md").read_text(encoding="utf-8")
    rows = " ".join(line for line in page.splitlines() if line.startswith("| `"))
    numbers = [name for adds in EXTRAS.values() for name in adds]
    assert [name for name in (*(one.name for one in MEASURES), *EXTRAS, *numbers) if f"`{name}`" not in rows] == []
