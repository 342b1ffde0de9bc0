"""An interest that spreads and dies among walkers (Fig. 3, [sptbf]): a strip of pictures.

python -m hunet.studies.papers.sptbf.pictures DIRECTORY
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from hunet.protocols.grapevine import GrapevineSettings
from hunet.report.sharing import Frame, draw_spread
from hunet.report.style import save
from hunet.sim.sharing.allocation import single
from hunet.sim.sharing.beaconing import TICKS, Beaconing
from hunet.sim.sharing.network import SharingNetwork, SharingScene
from hunet.traces.generators.mass_mobility import MASS_MOBILITY, MassMobilitySettings
from hunet.traces.proximity import pairs_in_range

__all__ = ["draw_life"]

_MOMENTS = (0, 2, 5, 10, 14, 15)
_RANGE = 100.0


def draw_life(seed: int = 8) -> Figure:
    """60 walkers, a beacon every 5 s: somebody in their middle wants a label from within 2 hops for 15 s."""
    settings = MassMobilitySettings(walkers=60, side=650.0, seconds=20.0, radius=_RANGE)
    made = MASS_MOBILITY.generate(settings, seed)
    assert made.positions is not None
    places = made.positions.to_pandas()
    start = places[places["t"] == 0]
    owner = int(start["node"].iloc[np.hypot(start["x"] - 325.0, start["y"] - 325.0).argmin()])
    interest = single(owner, 0, since=0, until=15, hops=2)
    scene = SharingScene(made.contacts, settings.walkers, interest, settings.seconds, labels=1)
    network = SharingNetwork(scene, GrapevineSettings(hops=2, lifetime=15), Beaconing(period=5.0), seed)
    slots = network.params.table[:, 0]
    frames = []
    for second in _MOMENTS:
        network.run_until(second + 1 / TICKS)
        state = network.state
        passed = second * TICKS + network.ground.clock - state.timebase
        alive = (state.times[:, slots] > passed[:, None]).all(axis=1)
        now = places[places["t"] == second].sort_values("node")
        x, y = now["x"].to_numpy(), now["y"].to_numpy()
        near = list(zip(*(ends.tolist() for ends in pairs_in_range(x, y, _RANGE)), strict=True))
        frames.append(Frame(second, x, y, near, np.where(alive, state.hops[:, slots].min(axis=1), 0)))
    return draw_spread("An interest for 2 hops and 15 s: a beacon every 5 s, 100 m of range", frames, owner)


if __name__ == "__main__":
    print(save(draw_life(), Path(sys.argv[1]) / "sptbf-spread.png"))
