"""People at a conference: sessions and breaks, communities and popular people, bursts of meetings.

The defaults give a trace like Infocom06's 79 mobile devices as B-SUB used it: about 67,000 contacts in three days.
How often a pair meets is popularity times popularity times affinity (log-normal), more within a community; when it
meets is `bursts`, on a clock that runs fast in breaks and slowly at night. Pairs of a community also meet in sessions
(they sit in the same room); others mostly in breaks. Cost: proportional to pairs and contacts, never to nodes squared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hunet.model.errors import InvalidValueError
from hunet.traces.generators.bursts import Ints, bursts, keep_apart, room_after
from hunet.traces.generators.generated import (
    Floats,
    Generated,
    TraceGenerator,
    check_settings,
    heavy_tailed,
    nodes_table,
    seeded,
    setting,
    sorted_contacts,
)

DAY = 86400.0

PROGRAMME = (
    (0.0, "night"),
    (7.5, "social"),
    (9.0, "session"),
    (10.5, "break"),
    (11.0, "session"),
    (12.5, "break"),
    (14.0, "session"),
    (15.5, "break"),
    (16.0, "session"),
    (18.0, "social"),
    (23.0, "night"),
)
"""What goes on from each hour of the day."""


@dataclass(frozen=True)
class ConferenceSettings:
    """Rates are relative to a session among members of one community."""

    nodes: int = setting(79, "participants", low=2, high=10_000_000)
    days: int = setting(3, "days, from midnight of the first", low=1, high=3650)
    contacts_per_day: float = setting(565.0, "contacts of one participant per day, on average", low=0.1, high=1e5)
    acquaintances: float = setting(75.0, "people one participant ever meets, on average", low=1)
    community_size: int = setting(20, "participants per community", low=2)
    community_boost: float = setting(2.0, "how much more often members of one community meet", low=1, high=1000)
    popularity: float = setting(0.3, "spread of popularity (sigma of a log-normal)", low=0, high=3)
    affinity: float = setting(0.5, "spread of affinity between pairs (sigma of a log-normal)", low=0, high=3)
    break_rate: float = setting(1.8, "meetings in breaks", low=0, high=1000)
    session_rate_others: float = setting(0.7, "meetings in sessions across communities", low=0, high=1000)
    social_rate: float = setting(0.5, "meetings before and after the programme", low=0, high=1000)
    night_rate: float = setting(0.04, "meetings at night", low=0, high=1000)
    gap_tail: float = setting(0.4, "tail exponent of the gaps between a pair's contacts", low=0.05, high=10)
    length_tail: float = setting(1.1, "tail exponent of contact lengths", low=0.05, high=10)
    shortest: float = setting(39.0, "shortest contact, seconds", low=0.001)
    longest: float = setting(43200.0, "longest contact, seconds", low=0.001)
    scan: float = setting(120.0, "contacts of a pair start at least this many seconds apart", low=0.1, high=DAY)

    def __post_init__(self) -> None:
        check_settings("conference", self)
        if not self.shortest < self.longest:
            raise InvalidValueError(f"conference: shortest {self.shortest:g} must be below longest {self.longest:g} s")
        if sum(self._rates(True)) == 0 or sum(self._rates(False)) == 0:
            raise InvalidValueError("conference: all rates are 0: nobody would ever meet")
        to_meet = min(self.acquaintances, self.nodes - 1)
        if to_meet > self.contacts_per_day * self.days:
            raise InvalidValueError(
                f"conference: {to_meet:g} acquaintances need as many contacts, but there are only "
                f"{self.contacts_per_day * self.days:g} per participant: lower acquaintances"
            )
        if self.contacts > self.pairs * self.most_per_pair:
            raise InvalidValueError(
                f"conference: {self.contacts} contacts do not fit into {self.pairs} pairs of at most "
                f"{self.most_per_pair} each: raise acquaintances or nodes, or lower contacts_per_day"
            )

    @property
    def contacts(self) -> int:
        return max(1, round(self.nodes * self.days * self.contacts_per_day / 2))

    @property
    def pairs(self) -> int:
        """Pairs that ever meet."""
        return max(1, min(self.nodes * (self.nodes - 1) // 2, round(self.nodes * self.acquaintances / 2)))

    @property
    def most_per_pair(self) -> int:
        """A pair is given no more than fills half of its time with scans."""
        return max(1, int(self.days * DAY / (2 * self.scan)))

    def _rates(self, same_community: bool) -> list[float]:
        rate = {
            "night": self.night_rate,
            "social": self.social_rate,
            "session": 1.0 if same_community else self.session_rate_others,
            "break": self.break_rate,
        }
        return [rate[kind] for _, kind in PROGRAMME]

    def clock(self, same_community: bool) -> tuple[Floats, Floats]:
        """The share of all meetings before each change of the programme, and the times (s) of those changes."""
        hours = np.array([hour for hour, _ in PROGRAMME])
        times = np.append((np.arange(self.days)[:, None] * 24 + hours).ravel(), 24.0 * self.days) * 3600
        weight = np.diff(times) * np.tile(self._rates(same_community), self.days)
        share = np.append(0.0, np.cumsum(weight))
        return share / share[-1], times


def _weighted(chance: np.random.Generator, cumulated: Floats, low: Floats, high: Floats) -> Ints:
    """Draw places of `cumulated` by weight, each between two values of it."""
    at = low + chance.random(len(low)) * (high - low)
    return np.asarray(np.minimum(np.searchsorted(cumulated, at, side="right"), len(cumulated) - 1))


def _few_of_many(
    chance: np.random.Generator, settings: ConferenceSettings, popularity: Floats, community: Ints
) -> tuple[Ints, Ints]:
    """Draw partners by popularity, many of them inside the community, until there are enough distinct pairs."""
    # Half of the acquaintances from the own community, unless that would know everybody twice over.
    share_inside = min(0.5, 0.5 * settings.community_size / settings.acquaintances)
    nodes = settings.nodes
    order = np.argsort(community, kind="stable")
    first = np.searchsorted(community[order], np.arange(community.max() + 2))
    keys: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)
    rounds = 0
    while len(keys) < settings.pairs:
        # The popular soon know everybody; each round looks at popularity less, so that the end is reached.
        rounds += 1
        cumulated = np.cumsum(popularity[order] ** (1 / rounds))
        edges = np.append(0.0, cumulated)[first]
        count = int(1.2 * (settings.pairs - len(keys))) + 100
        none, all_of_it = np.zeros(count), np.full(count, cumulated[-1])
        one = order[_weighted(chance, cumulated, none, all_of_it)]
        inside = chance.random(count) < share_inside
        home = community[one]
        low, high = np.where(inside, edges[home], none), np.where(inside, edges[home + 1], all_of_it)
        other = order[_weighted(chance, cumulated, low, high)]
        a, b = np.minimum(one, other), np.maximum(one, other)
        fresh = (a * nodes + b)[a != b]
        keys = np.sort(np.concatenate((keys, fresh)))
        keys = keys[np.append(True, keys[1:] != keys[:-1])]
        if len(keys) > settings.pairs:
            keys = np.sort(chance.permutation(keys)[: settings.pairs])
    return keys // nodes, keys % nodes


def _most_of_all(
    chance: np.random.Generator, settings: ConferenceSettings, popularity: Floats, community: Ints
) -> tuple[Ints, Ints]:
    """Leave out as many of all pairs as must go, the unpopular sooner."""
    a, b = (side.astype(np.int64) for side in np.triu_indices(settings.nodes, 1))
    patience = chance.exponential(size=len(a)) / (popularity[a] * popularity[b])
    kept = np.sort(np.argsort(patience, kind="stable")[: settings.pairs])
    return a[kept], b[kept]


def _share_out(chance: np.random.Generator, weight: Floats, contacts: int, most: int) -> Ints:
    """Contacts per pair: one each, the rest by weight, none above `most`."""
    count = np.ones(len(weight), dtype=np.int64)
    left = contacts - len(weight)
    while left > 0:
        open_to_more = np.where(count < most, weight, 0.0)
        count += chance.multinomial(left, open_to_more / open_to_more.sum())
        left = int(np.maximum(count - most, 0).sum())
        np.minimum(count, most, out=count)
    return count


def generate(settings: ConferenceSettings, seed: int) -> Generated:
    """A conference; exactly `settings.contacts` contacts (or one per pair, if that is more)."""
    chance = seeded("conference", seed)
    nodes = settings.nodes
    groups = max(1, round(nodes / settings.community_size))
    community = chance.permutation(np.arange(nodes) % groups)
    popularity = chance.lognormal(0.0, settings.popularity, nodes)
    # Enumerating all pairs costs no more than a few times the pairs we want.
    choose = _most_of_all if settings.pairs > nodes * (nodes - 1) // 8 else _few_of_many
    a, b = choose(chance, settings, popularity, community)
    together = community[a] == community[b]
    weight = popularity[a] * popularity[b] * chance.lognormal(0.0, settings.affinity, len(a))
    weight *= np.where(together, settings.community_boost, 1.0)
    count = _share_out(chance, weight, settings.contacts, settings.most_per_pair)

    bounds = np.append(0, np.cumsum(count))
    start = bursts(chance, bounds, settings.gap_tail)
    of_one_community = np.repeat(together, count)
    for same in (True, False):
        chosen = of_one_community == same
        start[chosen] = np.interp(start[chosen], *settings.clock(same))
    span = settings.days * DAY
    keep_apart(bounds, start, settings.scan, span)
    room = np.empty(len(start))
    room_after(bounds, start, settings.scan / 2, span, room)
    length = np.minimum(
        heavy_tailed(chance, settings.length_tail, settings.shortest, settings.longest, len(start)), room
    )
    contacts = sorted_contacts(np.repeat(a, count), np.repeat(b, count), start, start + length)
    names = [f"p{node}" for node in range(nodes)]
    return Generated(contacts, nodes_table(names, [f"community {group}" for group in community.tolist()]))


CONFERENCE = TraceGenerator(
    name="conference",
    title="a conference: sessions and breaks, communities, popular people (defaults: like Infocom06)",
    settings=ConferenceSettings,
    generate=generate,
)
