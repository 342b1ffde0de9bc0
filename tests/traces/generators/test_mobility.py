"""Walkers: where they are, how fast they go, and that their contacts are those of their positions."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

from hunet.model.errors import InvalidValueError
from hunet.traces.generators import Generated
from hunet.traces.generators import mass_mobility as mass
from hunet.traces.generators import random_waypoint as waypoint
from hunet.traces.generators.mass_mobility import MassMobilitySettings
from hunet.traces.generators.mobility import reflect
from hunet.traces.generators.random_waypoint import RandomWaypointSettings
from hunet.traces.proximity import Proximity, contacts_from_positions
from tests.traces.generators.shape import shape_of

Floats = npt.NDArray[np.float64]


def steps(made: Generated, walkers: int) -> tuple[Floats, Floats]:
    """x and y as arrays step x walker."""
    assert made.positions is not None
    x, y = (made.positions[name].to_numpy().reshape(-1, walkers) for name in ("x", "y"))
    return x, y


def mean_neighbours(contacts: pa.Table, walkers: int, seconds: float) -> float:
    return 2 * float(shape_of(contacts, walkers, seconds).length.sum()) / seconds / walkers


def expected_neighbours(others: int, share: float) -> float:
    """Mean number within d of a point, all uniform in a square of side 1 (d < 1): (pi - 8d/3 + d^2/2) d^2 each."""
    return others * (math.pi - 8 * share / 3 + share**2 / 2) * share**2


@pytest.mark.parametrize(("side", "tolerance"), [(1000.0, 0.1), (5000.0, 0.25)])
def test_mass_mobility_keeps_the_mean_neighbours_of_the_two_arenas(side: float, tolerance: float) -> None:
    settings = MassMobilitySettings(side=side, keep_positions=False)
    found = np.mean([mean_neighbours(mass.generate(settings, seed).contacts, 100, 1200) for seed in range(8)])
    assert found == pytest.approx(expected_neighbours(99, 100 / side), rel=tolerance)


def test_mass_mobility_stays_uniform_in_its_square_at_walking_speed() -> None:
    settings = MassMobilitySettings(walkers=2000, seconds=400.0, side=300.0, radius=1.0)
    x, y = steps(mass.generate(settings, 1), 2000)
    assert x.shape == (400, 2000)
    for place in (x, y):
        assert place.min() >= 0
        assert place.max() <= 300
        for part in (place[0], place[-1]):
            assert np.histogram(part, bins=4, range=(0, 300))[0] / 2000 == pytest.approx(0.25, abs=0.04)
    moved = np.hypot(np.diff(x, axis=0), np.diff(y, axis=0))
    assert moved.mean() == pytest.approx(1.4, rel=0.03)
    assert moved.max() < 1.4 + 6 * 0.14


def test_mass_mobility_turns_about_every_five_seconds_by_thirty_degrees() -> None:
    settings = MassMobilitySettings(walkers=500, seconds=100.0, side=1e6, radius=1.0, speed_spread=0.0)
    x, y = steps(mass.generate(settings, 1), 500)
    heading = np.unwrap(np.arctan2(np.diff(y, axis=0), np.diff(x, axis=0)), axis=0)
    # In the seconds between two turns the heading stands still; over 50 s ten turns add up: 30 degrees x sqrt(10).
    turned = np.degrees(heading[55] - heading[5])
    assert turned.std() == pytest.approx(30 * math.sqrt(10), rel=0.1)
    bends = np.abs(np.diff(heading, axis=0)) > 1e-6
    assert bends.mean() == pytest.approx(2 / 5, abs=0.05)  # a turn within a step shows in two differences


def test_random_waypoint_starts_in_its_stationary_state() -> None:
    """Walkers crowd in the middle; the share there, the speed and the share paused are the same early and late."""
    settings = RandomWaypointSettings(walkers=3000, seconds=1500.0, step=5.0, side=300.0, radius=1.0)
    x, y = steps(waypoint.generate(settings, 1), 3000)
    centre = (np.abs(x - 150) < 75) & (np.abs(y - 150) < 75)
    early, late = centre[:20].mean(), centre[-20:].mean()
    assert early == pytest.approx(late, abs=0.025)
    assert early > 0.3  # uniform would be 0.25
    moved = np.hypot(np.diff(x, axis=0), np.diff(y, axis=0)) / 5
    assert moved[:20].mean() == pytest.approx(moved[-20:].mean(), rel=0.04)
    paused = moved == 0
    # A look sees a pause only if it fills a whole step: the share is a little below that of the time.
    assert paused[:20].mean() == pytest.approx(paused[-20:].mean(), abs=0.025)
    assert paused.mean() == pytest.approx(settings.share_paused, abs=0.05)
    assert paused.mean() < settings.share_paused


def test_random_waypoint_without_pauses_and_with_one_speed_never_stands_still() -> None:
    settings = RandomWaypointSettings(walkers=50, seconds=500.0, slowest=1.0, fastest=1.0, longest_pause=0.0)
    assert settings.share_paused == 0
    x, y = steps(waypoint.generate(settings, 1), 50)
    moved = np.hypot(np.diff(x, axis=0), np.diff(y, axis=0))
    assert moved.max() <= 1 + 1e-9
    assert np.median(moved) == pytest.approx(1)


@pytest.mark.parametrize("keep", [True, False])
def test_contacts_are_those_of_the_positions(keep: bool) -> None:
    settings = MassMobilitySettings(walkers=60, side=400.0, seconds=120.0, radius=40.0, keep_positions=keep)
    made = mass.generate(settings, 4)
    whole = mass.generate(MassMobilitySettings(walkers=60, side=400.0, seconds=120.0, radius=40.0), 4)
    assert (made.positions is None) == (not keep)
    expected = contacts_from_positions(whole.positions, Proximity(radius=40.0, step=1.0, hold=0.0))
    assert made.contacts.equals(expected)
    assert made.contacts.num_rows > 50


def test_a_wall_reflects_at_the_same_angle_also_more_than_once() -> None:
    place, velocity = reflect(np.array([-1.0, 11.0, 5.0, 23.0]), np.array([-2.0, 2.0, 2.0, 2.0]), side=10.0)
    assert place.tolist() == [1.0, 9.0, 5.0, 3.0]
    assert velocity.tolist() == [2.0, -2.0, 2.0, 2.0]


def test_a_waypoint_speed_range_that_is_upside_down_is_refused() -> None:
    with pytest.raises(InvalidValueError, match=r"slowest 2 is above fastest 1\.5"):
        RandomWaypointSettings(slowest=2.0)
