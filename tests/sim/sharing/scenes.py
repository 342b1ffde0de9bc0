"""Small random scenes of context sharing, for the simulator and for its naive twin."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from hunet.model.tables import CONTACTS
from hunet.protocols.grapevine import VARIANTS, GrapevineSettings
from hunet.protocols.grapevine_groups import AGGREGATES
from hunet.sim.sharing.allocation import Interests
from hunet.sim.sharing.beaconing import Beaconing, beacons_between, clock_offsets, is_lost, loss_limit
from hunet.sim.sharing.groups import Group
from hunet.sim.sharing.network import SharingNetwork, SharingScene
from tests.naive.sharing import NaiveSettings, NaiveStory, slots_of


def contacts_of(rows: list[tuple[int, int, float, float]]) -> pa.Table:
    columns = zip(*rows, strict=True) if rows else [[]] * 4
    return pa.table([list(column) for column in columns], schema=CONTACTS)


@dataclass(frozen=True)
class Case:
    scene: SharingScene
    settings: GrapevineSettings
    beaconing: Beaconing
    seed: int

    def network(self) -> SharingNetwork:
        return SharingNetwork(self.scene, self.settings, self.beaconing, self.seed)

    def with_clocks(self, offset: float) -> Case:
        return replace(self, beaconing=replace(self.beaconing, clock_offset=offset))

    def story(self) -> NaiveStory:
        """The same for the naive simulator."""
        nodes, until = self.scene.nodes, round(self.scene.seconds * 1000)
        limit = loss_limit(self.beaconing.loss)

        def lost(sender: int, number: int, receiver: int) -> bool:
            with np.errstate(over="ignore"):
                return bool(is_lost(limit, np.uint64(self.seed), sender, number, receiver))

        return NaiveStory(
            nodes=nodes,
            labels=self.scene.labels,
            contacts=[
                (row["a"], row["b"], round(row["start"] * 1000), round(row["end"] * 1000))
                for row in self.scene.contacts.to_pylist()
            ],
            interests=[
                (int(node), int(label), round(since * 1000), None if np.isinf(end) else round(end * 1000), int(hops))
                for node, label, since, end, hops in zip(*self.scene.interests, strict=True)
            ],
            beacons=[
                tuple(int(part[i]) for part in beacons)  # type: ignore[misc]
                for _, beacons in beacons_between(self.beaconing, nodes, self.seed, 0, until)
                for i in range(beacons.time.size)
            ],
            groups=[(one.label, one.of, one.how, one.least, one.most) for one in self.scene.groups],
            clocks=clock_offsets(self.beaconing, nodes, self.seed).tolist(),
            lost=lost,
            every=round(self.beaconing.period * 1000),
            until=until,
        )

    def naive_settings(self) -> NaiveSettings:
        s = self.settings
        names = [f"label {i}" for i in range(self.scene.labels)]
        slots = slots_of(s.interests, names, s.m, s.k, self.seed.to_bytes(16, "big"))
        m = self.scene.labels if s.interests == "exact" else s.m
        return NaiveSettings(s.interests, s.hops, s.lifetime, m, s.table, slots)


def random_case(seed: int) -> Case:
    """Up to nine nodes that come and go, a dozen labels wanted for a while or for ever, tables that overflow."""
    chance = np.random.default_rng([seed, 8])
    nodes, labels = int(chance.integers(2, 10)), int(chance.integers(1, 13))
    rows = []
    for a in range(nodes):
        for b in range(a + 1, nodes):
            times = np.sort(chance.integers(0, 60_000, 2 * int(chance.integers(0, 4)))).reshape(-1, 2) / 1000
            rows += [(a, b, float(start), float(end)) for start, end in times if end > start]
    count = int(chance.integers(0, 4 * nodes))
    since = chance.choice([0.0, 0.0, 7.5, 20.001], count)
    interests = Interests(
        chance.integers(0, nodes, count).astype(np.int32),
        chance.integers(0, labels, count).astype(np.int32),
        since,
        since + chance.choice([3.2, 15.0, np.inf], count),
        chance.integers(1, 4, count).astype(np.uint8),
    )
    settings = GrapevineSettings(
        VARIANTS[seed % 3],
        hops=int(chance.integers(1, 4)),
        lifetime=int(chance.choice([4, 15, 63])),
        m=int(chance.choice([7, 40])),
        k=3,
        table=int(chance.choice([2, 64])),
    )
    period = float(chance.choice([1.7, 5.0]))
    beaconing = Beaconing(period, period * float(chance.choice([0.0, 0.3, 1.0])), float(chance.choice([0.0, 0.3])))
    groups: tuple[Group, ...] = ()
    if labels > 2 and seed % 2:
        how = list(AGGREGATES)[seed // 2 % 4]
        least = int(chance.integers(0, labels))  # leaves out some, and with luck all
        groups = (Group(0, 1, how), Group(labels - 1, 1, how, least, least + 3 * labels))
    scene = SharingScene(contacts_of(rows), nodes, interests, 60.0, labels, groups)
    return Case(scene, settings, beaconing, seed)


def line(nodes: int, seconds: float) -> pa.Table:
    """A row of nodes, each in contact with the next."""
    return contacts_of([(i, i + 1, 0.0, seconds) for i in range(nodes - 1)])
