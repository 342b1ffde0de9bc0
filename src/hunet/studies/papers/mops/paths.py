"""How many hops best paths take, and which communities each T gives: tables for the claims of [mops] III-A."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pyarrow.compute as pc

from hunet.social.links import hop_shares
from hunet.social.structure import SocialSettings, structure_of
from hunet.studies.papers.traces import INFOCOM05, REALITY, PaperTrace
from hunet.studies.tables import Table
from hunet.traces.pairs import TRAINING, Boundary, first_part, pairs_of

__all__ = ["COUNTED", "PRINTED_HOPS", "hops_of_best_paths", "links_by_threshold"]

_THRESHOLDS = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9)
PRINTED_HOPS = {INFOCOM05: (0.122, 0.833), REALITY: (0.608, 0.309)}
"""Pairs whose best path is direct, and of two hops."""
_BOUNDARIES: tuple[Boundary, ...] = ("both", "inner")
COUNTED = tuple(product(_BOUNDARIES, ("any", "above 0"), (TRAINING, 1.0)))
"""Which gaps and contacts may count, and which part of a trace."""


def hops_of_best_paths(traces: Sequence[PaperTrace]) -> Table:
    """Shares of pairs by how many hops their best path takes, for each reading of which gaps and contacts count."""
    rows: Table = []
    for trace in traces:
        contacts, nodes = trace.trace
        lasting = contacts.filter(pc.greater(contacts["end"], contacts["start"]))
        for boundary, lengths, part in COUNTED:
            counted = lasting if lengths == "above 0" else contacts
            pairs = pairs_of(counted, first_part(counted, part), boundary)
            two, endless = (hop_shares(pairs, nodes.num_rows, hops) for hops in (2, None))
            direct = two.by_hops[0] * (nodes.num_rows * (nodes.num_rows - 1) / 2) / max(1, pairs.num_rows)
            rows.append(
                {
                    "dataset": trace.title,
                    "boundary": boundary,
                    "frac": part,
                    "min_len": lengths,
                    "direct": two.by_hops[0],
                    "two_hop": two.by_hops[1],
                    "rest": two.unreachable,
                    "direct_of_met": direct,  # of pairs that met themselves (AMB-84): the others have a better path
                    "two_hop_of_met": 1 - direct,
                    "beyond_three": sum(endless.by_hops[3:]),
                    **trace.printed(PRINTED_HOPS, "direct", "two_hop"),
                }
            )
    return rows


def links_by_threshold(traces: Sequence[PaperTrace]) -> Table:
    """How many communities each T gives, and how close their members are."""
    rows: Table = []
    for trace in traces:
        contacts, nodes = trace.trace
        pairs = pairs_of(contacts, first_part(contacts))
        for threshold in _THRESHOLDS:
            found = structure_of(pairs, nodes.num_rows, SocialSettings(threshold))
            inside = float(np.mean(found.connections["closeness"].to_numpy()))
            rows.append(
                {"dataset": trace.title, "T": threshold, "communities": found.formation.num_rows, "inside": inside}
            )
    return rows
