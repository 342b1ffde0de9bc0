"""The campus trace against the description in MOPS V-A."""

from __future__ import annotations

import numpy as np
import pytest

from hunet.model.errors import InvalidValueError
from hunet.traces.generators import campus
from hunet.traces.generators.campus import DAY, CampusSettings, generate
from tests.traces.generators.shape import Shape, shape_of


@pytest.fixture(scope="module")
def default() -> Shape:
    return shape_of(generate(CampusSettings(), 1).contacts, 200, 10 * DAY)


def test_the_contact_rate_lies_between_those_of_haggle_and_reality(default: Shape) -> None:
    """MOPS V-B: 'contact frequency between that of the Haggle and Reality datasets' (Table I), per node and day."""
    rate = 2 * len(default.a) / 200 / 10
    haggle, reality = 2 * 22459 / 41 / 3, 2 * 54667 / 97 / 246
    assert reality < rate < haggle
    assert len(default.per_node()) == 200


def test_students_meet_in_teaching_hours_and_rarely_at_weekends(default: Shape) -> None:
    hour = default.start % DAY // 3600
    assert (hour.min(), hour.max()) == (8, 18)
    day = np.bincount((default.start // DAY).astype(int), minlength=10)
    assert day[[5, 6]].max() < 0.5 * day[[0, 1, 2, 3, 4, 7, 8, 9]].min()


def test_lengths_have_a_density_exponent_of_two_up_to_the_slot(default: Shape) -> None:
    """P(length > x) of a power law with tail 1 between 60 and 3600 s is (1/x - 1/3600) / (1/60 - 1/3600)."""
    for seconds in (120, 300, 900, 2400):
        expected = (1 / seconds - 1 / 3600) / (1 / 60 - 1 / 3600)
        assert (default.length > seconds).mean() == pytest.approx(expected, abs=0.01)
    assert default.length.max() < 3600


def test_students_of_one_department_meet_more() -> None:
    made = generate(CampusSettings(), 1)
    shape = shape_of(made.contacts, 200, 10 * DAY)
    department = np.array(made.nodes["class"].to_pylist())
    together = (department[shape.a] == department[shape.b]).mean()
    assert together > 1.5 * (49 / 199)  # by chance alone, with four departments of 50: 49 in 199


def test_two_in_the_same_building_meet_with_the_probability_given() -> None:
    """Everybody sits in the union all day: each of the 45 pairs meets in 0.8 of the 110 slots."""
    always = CampusSettings(students=10, courses=0, stay=0.0, library=0.0, union=1.0, department=0.0, drop_in=1.0)
    met = generate(always, 1).contacts.num_rows
    # From the second slot of a day on all are in the union; in the first they may be in their department.
    chances = 45 * 10 * 10
    assert 0.8 * chances - 4 * np.sqrt(0.16 * chances) < met < 0.8 * (chances + 450) + 4 * np.sqrt(0.16 * chances)
    assert generate(CampusSettings(students=10, meeting=0.0), 1).contacts.num_rows == 0


def test_at_most_one_contact_per_pair_and_slot(default: Shape) -> None:
    slots = np.stack((default.a, default.b, default.start // 3600), axis=1)
    assert len(np.unique(slots, axis=0)) == len(slots)
    assert ((default.start + default.length) // 3600 == default.start // 3600).all()


def test_a_large_campus_with_buildings_to_match_costs_by_its_contacts() -> None:
    large = CampusSettings(students=20_000, days=1, departments=400, buildings=1200)
    made = generate(large, 1)
    assert made.nodes.num_rows == 20_000
    rate = 2 * made.contacts.num_rows / 20_000
    one_day = 2 * generate(CampusSettings(days=1), 1).contacts.num_rows / 200
    assert rate == pytest.approx(one_day, rel=0.4)  # per student and day, whatever the size of the campus


def test_too_many_students_for_the_buildings_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campus, "MOST_PAIRS", 10)
    with pytest.raises(InvalidValueError, match="above the limit 10: raise buildings"):
        generate(CampusSettings(), 1)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"stay": 0.9, "union": 0.3}, "is 1.45, above its limit 1"),
        ({"slots": 20}, "20 slots of 3600 s from 8:00 on do not fit"),
        ({"shortest": 4000.0}, "shortest 4000 must be below the slot, 3600 s"),
        ({"departments": 11}, "buildings 12 must be at least 17"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(wrong: dict[str, float], said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        CampusSettings(**wrong)  # type: ignore[arg-type]
