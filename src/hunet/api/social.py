"""`communities`: the social structure of a trace, after MOPS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from hunet.api.trace import Trace
from hunet.atomic import whole_file
from hunet.report.table import Table
from hunet.social.hello import heard_after
from hunet.social.structure import (
    SocialSettings,
    SocialStructure,
    equal_labels,
    structure_from_hellos,
    structure_of,
)
from hunet.traces.encounters import encounters
from hunet.traces.pairs import first_part

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Communities", "communities"]

_SHOWN = 20
"""Communities that a terminal shows."""
_NAMED = 8
"""Brokers that are named in a row; all are in `bridges`."""


@dataclass(frozen=True)
class Hellos:
    """What each node knew by hello messages: the share of nodes it heard of in so many rounds, on average, and the
    share of nodes that ended in the community that full knowledge gives them."""

    heard_share: float
    equal_labels: float
    rounds: int


@dataclass(frozen=True, repr=False)
class Communities:
    """Communities, gateways and brokers; one Arrow table per stage, with numbers of nodes.

    communities   node, community, role (member, gateway, broker), round, degree
    formation     how each community came about
    gateways      who leads from one community to another, and who stays a broker
    bridges       the brokers of each community towards each other one
    connections   the best path between every two members of a community
    """

    trace: Trace
    settings: SocialSettings
    training: float
    structure: SocialStructure
    hellos: Hellos | None = None
    """Where each node decided by itself: how well it was informed."""

    @property
    def communities(self) -> pa.Table:
        """node, community, role, round, degree."""
        return self.structure.communities

    @property
    def formation(self) -> pa.Table:
        """community, round, degree, neighbours, cliques, size, ncut."""
        return self.structure.formation

    @property
    def gateways(self) -> pa.Table:
        """node, community, towards, edges, betweenness, above, broker."""
        return self.structure.gateways

    @property
    def bridges(self) -> pa.Table:
        """community, towards, edges, gateways, brokers."""
        return self.structure.bridges

    @property
    def connections(self) -> pa.Table:
        """a, b, closeness, hops, via."""
        return self.structure.connections

    @property
    def informed(self) -> dict[str, float]:
        """Where each node decided by itself: heard_share and equal_labels of `hellos`."""
        if self.hellos is None:
            return {}
        return {"heard_share": self.hellos.heard_share, "equal_labels": self.hellos.equal_labels}

    @property
    def names(self) -> list[str]:
        """The names of the nodes, by number."""
        return list(self.trace.nodes["name"].to_pylist())

    @property
    def title(self) -> str:
        """What was looked at, and how."""
        asked = f"T = {self.settings.threshold:g}, k = {self.settings.hops}"
        return f"{self.trace.title}, first {100 * self.training:g} % of the time, {asked}"

    @property
    def table(self) -> Table:
        """The communities, largest first, each under the name of the node that formed it."""
        names, roles = self.names, self.communities["role"].to_pylist()
        brokers: dict[int, int] = {}
        for community, role in zip(self.communities["community"].to_pylist(), roles, strict=True):
            brokers[community] = brokers.get(community, 0) + (role == "broker")
        formed = sorted(self.formation.to_pylist(), key=lambda row: (-row["size"], row["round"], row["community"]))
        rows = [
            {
                "community": names[row["community"]],
                "nodes": row["size"],
                "brokers": brokers[row["community"]],
                "round": row["round"],
                "cliques tried": row["cliques"],
                "Ncut": row["ncut"],
            }
            for row in formed
        ]
        return Table(self.title, rows, note=self._said(roles))

    @property
    def across(self) -> Table:
        """What leads from community to community, most edges first."""
        names = self.names
        found = sorted(self.bridges.to_pylist(), key=lambda row: (-row["edges"], row["community"], row["towards"]))
        rows = [
            {
                "from": names[row["community"]],
                "to": names[row["towards"]],
                "edges": row["edges"],
                "gateways": row["gateways"],
                "brokers": _some([names[node] for node in row["brokers"]]),
            }
            for row in found
        ]
        return Table("from community to community", rows)

    def plot(self) -> Figure:
        """The community graph: who belongs together, and who leads from one community to another."""
        from hunet.report.communities import draw_communities

        title = f"{self.trace.title}: communities, T = {self.settings.threshold:g}"
        return draw_communities(title, self.communities, self.bridges, self.names)

    def save(self, folder: str | Path) -> Path:
        """Write the table of every stage into a folder, as Parquet."""
        import pyarrow.parquet as pq

        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        for stage, table in self.structure._asdict().items():
            with whole_file(place / f"{stage}.parquet") as draft:
                pq.write_table(table, draft)
        return place

    def __repr__(self) -> str:
        return str(self.table.first(_SHOWN, "communities: `formation` has all"))

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def _said(self, roles: list[str]) -> str:
        count = self.formation.num_rows
        said = (
            f"{len(roles):,} nodes in {count:,} communit{'y' if count == 1 else 'ies'}; "
            f"brokers: {roles.count('broker'):,}, other gateways: {roles.count('gateway'):,}, "
            f"without an edge to another community: {roles.count('member'):,}"
        )
        if self.hellos is None:
            return said
        return (
            f"{said}\neach node heard of {self.hellos.heard_share:.1%} of the nodes in {self.hellos.rounds} rounds of "
            f"hello messages; {self.hellos.equal_labels:.1%} are in the community that full knowledge gives them"
        )


def communities(
    trace: Trace,
    threshold: float = 0.5,
    *,
    hops: int = 2,
    broker_share: float = 0.8,
    training: float = 0.4,
    distributed: bool = False,
    progress: Callable[[str, int, int], None] = lambda _title, _done, _total: None,
) -> Communities:
    """Communities, gateways and brokers of a trace (MOPS), from who was close to whom in its first part.

    threshold     T: closeness that makes local neighbours, 0 to 1
    hops          k: most hops of a path
    broker_share  B: a gateway goes if those above it have this share of betweenness, 0 to 1
    training      first share of the trace to learn closeness from
    distributed   each node decides by what hello messages brought it
    progress      called with a title, how far it is, and of how much

    >>> import hunet as hn
    >>> t = hn.generate("conference", nodes=8, days=1, contacts_per_day=20)
    >>> found = hn.communities(t, threshold=0.5)
    >>> found.communities.column_names
    ['node', 'community', 'role', 'round', 'degree']
    """
    settings = SocialSettings(threshold, hops, broker_share)
    size = trace.nodes.num_rows
    learnt = first_part(trace.contacts, training)
    progress("closeness of pairs", 0, size)
    pairs = trace.pairs(learnt)
    full = structure_of(pairs, size, settings, partial(progress, "finding communities"))
    if not distributed:
        return Communities(trace, settings, training, full)
    rounds = 2 * hops
    heard = heard_after(encounters(trace.contacts, *learnt, rounds), size)
    own = structure_from_hellos(pairs, heard, settings, partial(progress, "each node by itself"))
    informed = Hellos(float(heard.mean()), equal_labels(full.communities, own.communities), rounds)
    return Communities(trace, settings, training, own, informed)


def _some(brokers: list[str]) -> str:
    more = f" and {len(brokers) - _NAMED} more" if len(brokers) > _NAMED else ""
    return ", ".join(brokers[:_NAMED]) + more
