"""Random waypoint: the usual reference. Walk straight to a random place, pause, walk to the next.

Started naively (everybody uniform, about to leave) the walkers crowd towards the middle and slow down for a long time
before the figures settle. Here the start is drawn from the stationary state (Navidi and Camp, IEEE TMC 2004), so there
is no warm-up: paused or walking by the share of time spent so; walkers on a path chosen with probability proportional
to its length, uniformly along it, at a speed with density proportional to 1 / v.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hunet.model.errors import InvalidValueError
from hunet.traces.generators.generated import Floats, Generated, TraceGenerator, check_settings, seeded, setting
from hunet.traces.generators.mobility import walk
from hunet.traces.proximity import Proximity

MEAN_PATH = 0.5214054331647207
"""Mean distance of two random places in a square of side 1: (2 + sqrt 2 + 5 ln(1 + sqrt 2)) / 15."""


@dataclass(frozen=True)
class RandomWaypointSettings:
    """Speeds and pauses are uniform between their limits."""

    walkers: int = setting(100, "walkers", low=1, high=10_000_000)
    side: float = setting(1000.0, "side of the square, metres", low=1, high=1e7)
    seconds: float = setting(3600.0, "seconds walked", low=1)
    step: float = setting(1.0, "seconds between two looks", low=0.01, high=3600)
    radius: float = setting(100.0, "radio range, metres", low=0.01, high=1e7)
    slowest: float = setting(0.5, "lowest speed, metres per second (0 would stop everybody in the end)", low=0.001)
    fastest: float = setting(1.5, "highest speed, metres per second", low=0.001, high=1000)
    longest_pause: float = setting(120.0, "pauses last up to this many seconds", low=0)
    keep_positions: bool = setting(True, "hand back the positions too (28 bytes per walker and step)")

    def __post_init__(self) -> None:
        check_settings("random-waypoint", self)
        if self.slowest > self.fastest:
            raise InvalidValueError(f"random-waypoint: slowest {self.slowest:g} is above fastest {self.fastest:g}")

    @property
    def share_paused(self) -> float:
        """The share of time a walker pauses: mean pause / (mean pause + mean path * mean of 1 / speed)."""
        if self.fastest == self.slowest:
            slowness = 1 / self.slowest
        else:
            slowness = np.log(self.fastest / self.slowest) / (self.fastest - self.slowest)
        walking = MEAN_PATH * self.side * slowness
        return float(self.longest_pause / 2 / (self.longest_pause / 2 + walking))


class _Wanderers:
    def __init__(self, chance: np.random.Generator, settings: RandomWaypointSettings) -> None:
        count = settings.walkers
        self._chance, self._settings = chance, settings
        start, self._goal = _long_paths(chance, count)
        along = chance.random(count)
        self.x, self.y = settings.side * (start + (self._goal - start) * along)
        self._goal = settings.side * self._goal
        # Density 1 / v between the limits: uniform in the logarithm.
        self._speed = settings.slowest * (settings.fastest / settings.slowest) ** chance.random(count)
        paused = chance.random(count) < settings.share_paused
        self.x[paused], self.y[paused] = settings.side * chance.random((2, int(paused.sum())))
        self._goal[:, paused] = self.x[paused], self.y[paused]
        # What is left of the pause one falls into: long pauses are fallen into more often.
        self._pause = np.where(paused, settings.longest_pause * (1 - np.sqrt(chance.random(count))), np.nan)

    def advance(self, seconds: float) -> None:
        """A pause that is NaN has not begun: the walker is on the way."""
        time = np.full(len(self.x), seconds, np.float64)
        while True:
            busy = np.flatnonzero(time > 0)
            if not len(busy):
                return
            resting = ~np.isnan(self._pause[busy])
            self._rest(busy[resting], time)
            self._go(busy[~resting], time)

    def _rest(self, who: np.ndarray[tuple[int], np.dtype[np.int64]], time: Floats) -> None:
        spent = np.minimum(time[who], self._pause[who])
        time[who] -= spent
        self._pause[who] -= spent
        leaving = who[self._pause[who] <= 0]
        self._pause[leaving] = np.nan
        self._goal[:, leaving] = self._settings.side * self._chance.random((2, len(leaving)))
        self._speed[leaving] = self._chance.uniform(self._settings.slowest, self._settings.fastest, len(leaving))

    def _go(self, who: np.ndarray[tuple[int], np.dtype[np.int64]], time: Floats) -> None:
        across, along = self._goal[0, who] - self.x[who], self._goal[1, who] - self.y[who]
        needed = np.hypot(across, along) / self._speed[who]
        share = np.minimum(1.0, np.divide(time[who], needed, out=np.ones(len(who)), where=needed > 0))
        self.x[who] += across * share
        self.y[who] += along * share
        time[who] = np.maximum(0.0, time[who] - needed)
        there = who[share >= 1.0]
        self.x[there], self.y[there] = self._goal[0, there], self._goal[1, there]
        self._pause[there] = self._chance.uniform(0.0, self._settings.longest_pause, len(there))


def _long_paths(chance: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    """Starts and goals (2 x count) in the unit square, drawn with probability proportional to their distance."""
    found: list[Floats] = []
    missing = count
    while missing > 0:
        ends = chance.random((4, 3 * missing + 10))
        length = np.hypot(ends[0] - ends[2], ends[1] - ends[3])
        kept = ends[:, chance.random(ends.shape[1]) * np.sqrt(2.0) < length][:, :missing]
        found.append(kept)
        missing -= kept.shape[1]
    ends = np.concatenate(found, axis=1)
    return ends[:2], ends[2:]


def generate(settings: RandomWaypointSettings, seed: int) -> Generated:
    """Random waypoint from its stationary state; positions and contacts."""
    wanderers = _Wanderers(seeded("random-waypoint", seed), settings)
    rule = Proximity(radius=settings.radius, step=settings.step)
    return walk(wanderers, settings.seconds, rule, settings.keep_positions)


RANDOM_WAYPOINT = TraceGenerator(
    name="random-waypoint",
    title="random waypoint in a square, from its stationary state, with positions",
    settings=RandomWaypointSettings,
    generate=generate,
)
