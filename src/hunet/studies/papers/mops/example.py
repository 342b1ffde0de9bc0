"""The example of [mops] Fig. 2 to 6, as far as the text tells it, through the code that serves real traces."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure as Picture

from hunet.report.mops import draw_graph, draw_history
from hunet.social.structure import SocialSettings, SocialStructure, structure_of
from hunet.social.weights import broker_lists
from hunet.studies.tables import Table
from hunet.traces.pairs import Boundary, pairs_of

__all__ = [
    "EDGES",
    "NODES",
    "WANT_C",
    "as_pairs",
    "closeness_of_contacts",
    "communities_at",
    "draw_closeness",
    "draw_communities",
    "draw_weights",
    "pairs",
    "weights",
]

EDGES = {
    (1, 3): 0.9,
    (1, 4): 0.8,
    (1, 5): 0.8,
    (1, 8): 0.8,
    (5, 8): 0.7,
    (2, 5): 0.5,
    (2, 8): 0.4,
    (2, 7): 0.8,
    (7, 8): 0.3,
    (7, 9): 0.3,
    (6, 9): 0.7,
}
"""Node 6 stands beside 9 so that I_9 = 1.7, and 3 and 4 beside 1 so that c_34 = 0.72. There is no node 0."""
NODES = 10
WANT_C = (1, 8, 6, 9)
"""Who is interested in category C."""

_WINDOW, _SIGMA, _CONTACTS = 100.0, 25.0, ((20.0, 40.0), (50.0, 70.0))
"""Fig. 2: the contacts of nodes 5 and 8 in the training window."""


def as_pairs(edges: Mapping[tuple[int, int], float]) -> pa.Table:
    """(a, b, closeness)."""
    a, b = ([pair[side] for pair in edges] for side in (0, 1))
    return pa.table({"a": pa.array(a, pa.int32()), "b": pa.array(b, pa.int32()), "closeness": list(edges.values())})


def pairs() -> pa.Table:
    """Those of the example."""
    return as_pairs(EDGES)


def _structure(threshold: float) -> SocialStructure:
    return structure_of(pairs(), NODES, SocialSettings(threshold))


def closeness_of_contacts() -> Table:
    """MOPS-F2: c_58 for the three readings of which gaps count (AMB-40)."""
    ends = [0.0, *(time for contact in _CONTACTS for time in contact), _WINDOW]
    gaps = [end - start for start, end in zip(ends[::2], ends[1::2], strict=True)]
    readings: dict[Boundary, list[float]] = {"both": gaps, "tail": gaps[1:], "inner": gaps[1:-1]}
    start, end = zip(*_CONTACTS, strict=True)
    contacts = pa.table({"a": [5, 5], "b": [8, 8], "start": start, "end": end})
    rows: Table = []
    for boundary, counted in readings.items():
        (pair,) = pairs_of(contacts, (0.0, _WINDOW), boundary, _SIGMA).to_pylist()
        rows.append(
            {
                "pair": "5-8",
                "boundary": boundary,
                "gaps": " ".join(f"{gap:g}" for gap in counted),
                "mean_gap": pair["mean_gap"],
                "closeness": pair["closeness"],
                "printed": 0.7,
            }
        )
    return rows


def communities_at(threshold: float) -> Table:
    """MOPS-F3a and b: who belongs together at T = 0.5 and 0.7."""
    rows = _structure(threshold).communities.to_pylist()
    return [{"T": threshold, **row} for row in rows if row["node"]]


def weights() -> Table:
    """MOPS-F5 and F6: the three weights of the text."""
    found = _structure(0.5)
    levels = np.zeros((NODES, 1))
    levels[list(WANT_C)] = 1.0
    lists = broker_lists(pairs(), found.communities, found.connections, levels)
    return [
        {"weight": "I_5", "equation": "Eq. 2", "printed": 1.5, "computed": float(lists.internal[5, 0])},
        {"weight": "E_2", "equation": "Eq. 3", "printed": 0.75, "computed": float(lists.external_sum[2, 0])},
        {"weight": "ER_7", "equation": "Eq. 4", "printed": 1.11, "computed": float(lists.with_relay[7, 0])},
    ]


def draw_closeness(table: Table) -> Picture:
    """The contacts of a pair, and the graph that all pairs make."""
    return draw_history(_WINDOW, _CONTACTS, f"c = {table[0]['closeness']:.3f}", EDGES)


def draw_communities(table: Table) -> Picture:
    """The graph, coloured by community."""
    community = {row["node"]: row["community"] for row in table}
    return draw_graph(f"T = {table[0]['T']:g}: {len(set(community.values()))} communities", EDGES, community, {})


def draw_weights(table: Table) -> Picture:
    """The graph at T = 0.5 with the weights at their nodes."""
    community = {row["node"]: row["community"] for row in communities_at(0.5)}
    shown = {row["weight"]: f"{row['weight']} = {row['computed']:.2f}" for row in table}
    notes = {int(weight.rpartition("_")[2]): words for weight, words in shown.items()}
    return draw_graph("Weights of category C, wanted by 1, 6, 8 and 9", EDGES, community, notes)
