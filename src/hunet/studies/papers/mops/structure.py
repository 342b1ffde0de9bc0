"""What the traces of [mops] are like before anything is simulated: their size, their communities, their brokers.

Communities come from the first 40 % of each trace, as in the simulations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.sim.workload.generate import people_and_time
from hunet.sim.workload.numbers import generate_numbers
from hunet.sim.workload.profiles import MOPS
from hunet.social.gateways import find_gateways
from hunet.social.structure import SocialSettings, structure_of
from hunet.studies.papers.traces import CAMPUS, INFOCOM05, REALITY, PaperTrace
from hunet.studies.tables import Table
from hunet.traces.pairs import first_part, pairs_of

__all__ = ["THRESHOLDS", "community_hops", "community_sizes", "pruning", "trace_facts"]

THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99)
"""The values of T that are swept."""

_SHARES = (0.2, 0.5, 0.8, 0.9, 1.0)
_SCOPE = 2
"""Communities as far as this are within the scope of a broker's lists (III-C)."""
_DAY = 86_400.0
_PRINTED = {INFOCOM05: (41, 22_459, 3), REALITY: (97, 54_667, 246), CAMPUS: (200, None, 10)}
"""Nodes, contacts and days in Table I."""


def trace_facts(traces: Sequence[PaperTrace]) -> Table:
    """MOPS-T1: nodes, contacts and days. `rows` are those of the raw file, where it is known."""
    rows: Table = []
    for trace in traces:
        contacts, nodes = trace.trace
        people = people_and_time(contacts)
        days = (people.end - people.start) / _DAY
        length = contacts["end"].to_numpy() - contacts["start"].to_numpy()
        rows.append(
            {
                "dataset": trace.title,
                "nodes": nodes.num_rows,
                "rows": contacts.num_rows if trace.rows is None else trace.rows,
                "contacts": contacts.num_rows,
                "no_length": int((length == 0).sum()),
                "days": days,
                "contacts_per_node_and_day": 2 * contacts.num_rows / nodes.num_rows / days,
                **trace.printed(_PRINTED, "nodes", "contacts", "days"),
            }
        )
    return rows


def community_sizes(traces: Sequence[PaperTrace]) -> Table:
    """MOPS-F3: how many communities each T gives, and how large they are."""
    return [
        {
            "dataset": trace.title,
            "T": threshold,
            "communities": len(sizes),
            "mean_size": float(sizes.mean()),
            "largest_share": float(sizes.max() / sizes.sum()),
        }
        for trace in traces
        for threshold, sizes in sizes_by_threshold(trace.contacts, trace.nodes.num_rows).items()
    ]


def sizes_by_threshold(contacts: pa.Table, nodes: int) -> Mapping[float, npt.NDArray[np.int64]]:
    """The sizes of the communities for every T."""
    pairs = pairs_of(contacts, first_part(contacts))
    return {
        threshold: structure_of(pairs, nodes, SocialSettings(threshold)).formation["size"].to_numpy()
        for threshold in THRESHOLDS
    }


def pruning(traces: Sequence[PaperTrace]) -> Table:
    """Gateways, and those that stay brokers, by the share B at which they suffice."""
    rows: Table = []
    for trace in traces:
        contacts, nodes = trace.trace
        pairs = pairs_of(contacts, first_part(contacts))
        communities = structure_of(pairs, nodes.num_rows).communities
        for share in _SHARES:
            gateways = find_gateways(pairs, communities, SocialSettings().hops, share)
            brokers = gateways.filter(gateways["broker"])
            row = {"gateways": len(gateways["node"].unique()), "brokers": len(brokers["node"].unique())}
            rows.append({"dataset": trace.title, "T": SocialSettings().threshold, "B": share, **row})
    return rows


def community_hops(traces: Sequence[PaperTrace], seeds: int) -> Table:
    """How many communities lie between the publisher of an event and those who want it: MOPS-41.

    A row per trace, seed and distance (0: the same community, -1: no way), with the share of interested pairs.
    """
    rows: Table = []
    for trace in traces:
        contacts, nodes = trace.trace
        distance = _distances(contacts, nodes.num_rows)
        for seed in range(1, seeds + 1):
            pairs = _interested(contacts, nodes.num_rows, seed)
            total = pairs.sum()
            for hops in np.unique(distance).tolist():
                share = float(pairs[distance == hops].sum() / total)
                rows.append(
                    {"dataset": trace.title, "seed": seed, "hops": hops, "share": share, "scope": 0 <= hops <= _SCOPE}
                )
    return rows


def _distances(contacts: pa.Table, nodes: int) -> npt.NDArray[np.int64]:
    """[u, v]: steps from the community of u to that of v, over gateways; -1 where none lead there."""
    found = structure_of(pairs_of(contacts, first_part(contacts)), nodes)
    labels, place = np.unique(found.communities["community"].to_numpy(), return_inverse=True)
    neighbours = np.eye(len(labels), dtype=np.bool_)
    at = [np.searchsorted(labels, found.bridges[column].to_numpy()) for column in ("community", "towards")]
    neighbours[at[0], at[1]] = neighbours[at[1], at[0]] = True
    steps = np.full(neighbours.shape, -1, np.int64)
    reached = np.eye(len(labels), dtype=np.bool_)
    for hops in range(len(labels)):
        steps[reached & (steps < 0)] = hops
        reached = reached @ neighbours
    return steps[np.ix_(place, place)]


def _interested(contacts: pa.Table, nodes: int, seed: int) -> npt.NDArray[np.int64]:
    """[u, v]: events of u that v, another, is interested in."""
    load = generate_numbers(MOPS, contacts, seed)
    number = {tag: i for i, tag in enumerate(load.tags)}
    published, wants = np.zeros((2, nodes, len(load.tags)), np.int64)
    tags = [number[tag] for (tag,) in load.messages["tags"].to_pylist()]
    np.add.at(published, (load.messages["source"].to_numpy(), tags), 1)
    wants[load.interests["node"].to_numpy(), [number[tag] for tag in load.interests["tag"].to_pylist()]] = 1
    pairs = published @ wants.T
    np.fill_diagonal(pairs, 0)
    return pairs
