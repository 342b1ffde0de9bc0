"""The conference against what is known of Infocom06 (per-pair table) and Infocom05 (gaps between contacts)."""

from __future__ import annotations

import numpy as np
import pytest

from hunet.model.errors import InvalidValueError
from hunet.traces.generators.conference import DAY, ConferenceSettings, generate
from tests.traces.generators.shape import Shape, shape_of


@pytest.fixture(scope="module")
def default() -> Shape:
    return shape_of(generate(ConferenceSettings(), 1).contacts, 79, 3 * DAY)


def test_the_defaults_give_79_people_and_about_67000_contacts_in_three_days(default: Shape) -> None:
    assert len(default.a) == 66952
    assert len(default.per_node()) == 79
    assert (default.start[-1] - default.start.min()) / DAY > 2.9 or default.start.max() > 2.9 * DAY
    assert len(default.per_pair()) == 2962  # Infocom06: 2,966 of 3,003 pairs of its 78 participants met


def test_contacts_per_pair_and_person_spread_as_in_infocom06(default: Shape) -> None:
    """Infocom06: contacts per pair 11, 19, 29, 79 (quartiles, 99 %), per person 303 to 2,838, median 1,725."""
    pairs = np.percentile([count for count, _ in default.per_pair().values()], [25, 50, 75, 99])
    assert pairs == pytest.approx([11, 19, 29, 79], rel=0.3)
    people = np.percentile(default.per_node(), [5, 50, 95])
    assert people == pytest.approx([790, 1725, 2740], rel=0.25)


def test_gaps_follow_a_power_law_with_a_cut_off(default: Shape) -> None:
    """Infocom05: 0.40 of the gaps above 10 minutes, 0.21 above 1 hour, 0.11 above 4 hours, 0.015 above a day."""
    for seconds, real in ((600, 0.40), (3600, 0.21), (14400, 0.11)):
        assert default.share_of_gaps_above(seconds) == pytest.approx(real, abs=0.12)
    # A straight line between 10 minutes and 3 hours on log-log paper ...
    at = np.array([600.0, 1200.0, 2400.0, 5400.0, 10800.0])
    tail = np.log([default.share_of_gaps_above(seconds) for seconds in at])
    slope, offset = np.polyfit(np.log(at), tail, 1)
    assert -0.6 < slope < -0.3
    assert np.abs(tail - (slope * np.log(at) + offset)).max() < 0.1
    # ... that breaks off after half a day: not half of what the line would leave is above a day.
    assert default.share_of_gaps_above(DAY) < 0.5 * np.exp(slope * np.log(DAY) + offset)


def test_lengths_are_heavy_tailed_with_the_mean_of_infocom06(default: Shape) -> None:
    assert default.length.mean() == pytest.approx(151, rel=0.15)
    half = np.median(default.length)
    assert half < 80
    assert default.length.max() > 100 * half


def test_breaks_are_busier_than_sessions_and_nights_nearly_empty(default: Shape) -> None:
    hours = default.per_hour(72).reshape(3, 24).sum(axis=0)
    assert hours[13] > 1.8 * hours[11]  # lunch against a session
    assert hours[11] > 10 * hours[3]
    assert hours[3] > 0


def test_members_of_one_community_meet_more_often_and_more_in_sessions() -> None:
    made = generate(ConferenceSettings(), 1)
    shape = shape_of(made.contacts, 79, 3 * DAY)
    group = np.array(made.nodes["class"].to_pylist())
    together = group[shape.a] == group[shape.b]
    met = {pair: group[pair[0]] == group[pair[1]] for pair in shape.per_pair()}
    inside = together.sum() / sum(met.values())
    across = (~together).sum() / (len(met) - sum(met.values()))
    assert inside == pytest.approx(2 * across, rel=0.25)
    in_session = np.isin(shape.start // 3600 % 24, (9, 11, 14, 16, 17))
    assert in_session[together].mean() > in_session[~together].mean() + 0.05


def test_a_large_crowd_costs_by_its_contacts_and_keeps_its_degree() -> None:
    settings = ConferenceSettings(nodes=20_000, days=1, contacts_per_day=20.0, acquaintances=12.0)
    shape = shape_of(generate(settings, 2).contacts, 20_000, DAY)
    assert len(shape.a) == 200_000
    assert len(shape.per_pair()) == 120_000


def test_people_of_very_unequal_popularity_still_find_enough_acquaintances() -> None:
    settings = ConferenceSettings(nodes=1000, days=1, contacts_per_day=220.0, acquaintances=200.0, popularity=3.0)
    assert len(shape_of(generate(settings, 1).contacts, 1000, DAY).per_pair()) == 100_000


def test_pairs_that_meet_all_the_time_still_have_gaps() -> None:
    settings = ConferenceSettings(nodes=3, days=1, contacts_per_day=600.0, acquaintances=2.0, affinity=2.0)
    shape = shape_of(generate(settings, 1).contacts, 3, DAY)
    assert len(shape.a) == 900
    assert max(count for count, _ in shape.per_pair().values()) <= settings.most_per_pair


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"shortest": 100.0, "longest": 50.0}, "shortest 100 must be below longest 50"),
        ({"days": 1, "contacts_per_day": 10.0}, "75 acquaintances need as many contacts"),
        ({"nodes": 2, "contacts_per_day": 5000.0}, "15000 contacts do not fit into 1 pairs"),
        ({"night_rate": 0.0, "social_rate": 0.0, "break_rate": 0.0, "session_rate_others": 0.0}, "all rates are 0"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(wrong: dict[str, float], said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        ConferenceSettings(**wrong)  # type: ignore[arg-type]
