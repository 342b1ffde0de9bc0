"""The whole social structure of MOPS from a pairs table, stage by stage: what a study or a protocol starts from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from hunet.social.communities import Progress, check_threshold, find_communities
from hunet.social.distributed import find_communities_distributed, find_gateways_distributed
from hunet.social.gateways import bridges, check_share, find_gateways, with_roles
from hunet.social.graph import Booleans
from hunet.social.links import virtual_links

__all__ = ["SocialSettings", "SocialStructure", "equal_labels", "structure_from_hellos", "structure_of"]


@dataclass(frozen=True)
class SocialSettings:
    """T, k and B of MOPS, with its defaults: least closeness, most hops, and the share at which gateways suffice.

    Communities smaller than `gateway_size` have no gateways, and none lead there (AMB-82).
    """

    threshold: float = 0.5
    hops: int = 2
    broker_share: float = 0.8
    gateway_size: int = 1

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        check_share(self.broker_share)


class SocialStructure(NamedTuple):
    """One table per stage."""

    communities: pa.Table
    """COMMUNITIES: every node's community and role."""
    formation: pa.Table
    """FORMATION: how each community came about."""
    gateways: pa.Table
    """GATEWAYS: who leads where, and who stays."""
    bridges: pa.Table
    """BRIDGES: the brokers of each community towards each other one."""
    connections: pa.Table
    """LINKS inside communities: the best path between every two members (the local connection)."""


def structure_of(
    pairs: pa.Table,
    nodes: int,
    settings: SocialSettings | None = None,
    progress: Progress = lambda _placed, _nodes: None,
) -> SocialStructure:
    """All stages, with full knowledge of the graph. Nodes that never met anyone are communities of their own."""
    chosen = settings or SocialSettings()
    made = find_communities(pairs, nodes, chosen.threshold, chosen.hops, progress)
    gateways = find_gateways(pairs, made.communities, chosen.hops, chosen.broker_share, chosen.gateway_size)
    return _assembled(pairs, made.communities, made.formation, gateways, chosen)


def structure_from_hellos(
    pairs: pa.Table,
    heard: Booleans,
    settings: SocialSettings | None = None,
    progress: Progress = lambda _placed, _nodes: None,
) -> SocialStructure:
    """All stages, each node deciding by what it heard (`hello.heard_after`)."""
    chosen = settings or SocialSettings()
    made = find_communities_distributed(pairs, heard, chosen.threshold, chosen.hops, progress)
    gateways = find_gateways_distributed(
        pairs, made.communities, heard, chosen.hops, chosen.broker_share, chosen.gateway_size
    )
    return _assembled(pairs, made.communities, made.formation, gateways, chosen)


def equal_labels(one: pa.Table, other: pa.Table) -> float:
    """The share of nodes that have the same community in both tables."""
    return float(np.mean(one["community"].to_numpy() == other["community"].to_numpy()))


def _assembled(
    pairs: pa.Table, communities: pa.Table, formation: pa.Table, gateways: pa.Table, settings: SocialSettings
) -> SocialStructure:
    links = virtual_links(pairs, communities.num_rows, settings.hops, settings.threshold)
    community = communities["community"].to_numpy()
    inside = community[links["a"].to_numpy()] == community[links["b"].to_numpy()]
    return SocialStructure(
        with_roles(communities, gateways), formation, gateways, bridges(gateways), links.filter(pa.array(inside))
    )
