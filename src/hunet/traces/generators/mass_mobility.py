"""MassMobility: walkers with momentum, as in SpTBF's arenas (section 4 of the paper; INET's model of that name).

A walker goes straight for about 5 s, then turns by an angle drawn around its old direction (sigma 30 degrees) at a
speed drawn anew, and reflects off the walls (the model of Perkins and Wang that INET names). The start is uniform
with any direction, which such a walk keeps: there is no warm-up. The paper prints 100 nodes, 20 minutes and squares
of 1 and 5 km; the radio range (100 m) and the walking speed (1.4 m/s) are our readings (AMB-67).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hunet.traces.generators.generated import Floats, Generated, TraceGenerator, check_settings, seeded, setting
from hunet.traces.generators.mobility import reflect, walk
from hunet.traces.proximity import Proximity


@dataclass(frozen=True)
class MassMobilitySettings:
    """The dense arena; `side=5000` is the sparse one."""

    walkers: int = setting(100, "walkers", low=1, high=10_000_000)
    side: float = setting(1000.0, "side of the square, metres (SpTBF: 1000 and 5000)", low=1, high=1e7)
    seconds: float = setting(1200.0, "seconds walked", low=1)
    step: float = setting(1.0, "seconds between two looks", low=0.01, high=3600)
    radius: float = setting(100.0, "radio range, metres", low=0.01, high=1e7)
    speed: float = setting(1.4, "mean speed, metres per second", low=0, high=1000)
    speed_spread: float = setting(0.14, "standard deviation of the speed, metres per second", low=0, high=1000)
    leg: float = setting(5.0, "mean time between two turns, seconds", low=0.1)
    leg_spread: float = setting(0.1, "standard deviation of that time, seconds", low=0)
    turn: float = setting(30.0, "standard deviation of a turn, degrees", low=0, high=360)
    keep_positions: bool = setting(True, "hand back the positions too (28 bytes per walker and step)")

    def __post_init__(self) -> None:
        check_settings("mass-mobility", self)


class _Masses:
    def __init__(self, chance: np.random.Generator, settings: MassMobilitySettings) -> None:
        count = settings.walkers
        self._chance, self._settings = chance, settings
        self.x, self.y = chance.uniform(0.0, settings.side, (2, count))
        direction = chance.uniform(0.0, 2 * np.pi, count)
        speed = self._speeds(count)
        self._across, self._along = speed * np.cos(direction), speed * np.sin(direction)
        # Walkers are met in the middle of a leg.
        self._left = self._legs(count) * chance.random(count)

    def _speeds(self, count: int) -> Floats:
        return np.maximum(self._chance.normal(self._settings.speed, self._settings.speed_spread, count), 0.0)

    def _legs(self, count: int) -> Floats:
        # A leg is never shorter than a tenth of the mean, or a wide spread would stop time.
        drawn = self._chance.normal(self._settings.leg, self._settings.leg_spread, count)
        return np.maximum(drawn, self._settings.leg / 10)

    def advance(self, seconds: float) -> None:
        time = np.full(len(self.x), seconds)
        while True:
            straight = np.minimum(time, self._left)
            self.x += self._across * straight
            self.y += self._along * straight
            time -= straight
            self._left -= straight
            turning = np.flatnonzero(self._left <= 0)
            if not len(turning):
                break
            self._turn(turning)
        self.x, self._across = reflect(self.x, self._across, self._settings.side)
        self.y, self._along = reflect(self.y, self._along, self._settings.side)

    def _turn(self, who: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        bend = np.radians(self._chance.normal(0.0, self._settings.turn, len(who)))
        direction = np.arctan2(self._along[who], self._across[who]) + bend
        speed = self._speeds(len(who))
        self._across[who], self._along[who] = speed * np.cos(direction), speed * np.sin(direction)
        self._left[who] = self._legs(len(who))


def generate(settings: MassMobilitySettings, seed: int) -> Generated:
    """Walkers with momentum in a square; positions and contacts."""
    masses = _Masses(seeded("mass-mobility", seed), settings)
    rule = Proximity(radius=settings.radius, step=settings.step)
    return walk(masses, settings.seconds, rule, settings.keep_positions)


MASS_MOBILITY = TraceGenerator(
    name="mass-mobility",
    title="walkers with momentum in a square (the arenas of SpTBF), with positions",
    settings=MassMobilitySettings,
    generate=generate,
)
