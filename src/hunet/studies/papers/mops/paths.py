"""How many hops best paths take, and which communities each T gives: tables for the claims of [mops] III-A."""

from __future__ import annotations

from itertools import product

import numpy as np
import pyarrow.compute as pc

from hunet.social.links import hop_shares
from hunet.social.structure import SocialSettings, structure_of
from hunet.studies.papers.reproduction import Table, Traces
from hunet.studies.papers.traces import INFOCOM05, REALITY
from hunet.traces.pairs import TRAINING, Boundary, first_part, pairs_of

__all__ = ["PRINTED_HOPS", "hops_of_best_paths", "links_by_threshold"]

_THRESHOLDS = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9)
_READINGS: tuple[Boundary, ...] = ("both", "inner")
PRINTED_HOPS = {INFOCOM05: (0.122, 0.833), REALITY: (0.608, 0.309)}
"""Pairs whose best path is direct, and of two hops."""


def hops_of_best_paths(traces: Traces) -> Table:
    """Shares of pairs by how many hops their best path takes, for each reading of which gaps and contacts count."""
    rows: Table = []
    for name, (contacts, nodes) in traces.tables.items():
        lasting = contacts.filter(pc.greater(contacts["end"], contacts["start"]))
        for boundary, lengths in product(_READINGS, ("any", "above 0")):
            counted = lasting if lengths == "above 0" else contacts
            for part in (TRAINING, 1.0):
                pairs = pairs_of(counted, first_part(counted, part), boundary)
                two, endless = (hop_shares(pairs, nodes.num_rows, hops) for hops in (2, None))
                rows.append(
                    {
                        "dataset": name,
                        "boundary": boundary,
                        "frac": part,
                        "min_len": lengths,
                        "direct": two.by_hops[0],
                        "two_hop": two.by_hops[1],
                        "rest": two.unreachable,
                        "beyond_three": sum(endless.by_hops[3:]),
                        **dict(
                            zip(
                                ("printed_direct", "printed_two_hop"), PRINTED_HOPS.get(name, (None, None)), strict=True
                            )
                        ),
                    }
                )
    return rows


def links_by_threshold(traces: Traces) -> Table:
    """How many communities each T gives, and how close their members are."""
    rows: Table = []
    for name, (contacts, nodes) in traces.tables.items():
        pairs = pairs_of(contacts, first_part(contacts))
        for threshold in _THRESHOLDS:
            found = structure_of(pairs, nodes.num_rows, SocialSettings(threshold))
            inside = float(np.mean(found.connections["closeness"].to_numpy()))
            rows.append({"dataset": name, "T": threshold, "communities": found.formation.num_rows, "inside": inside})
    return rows
