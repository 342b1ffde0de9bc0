"""What nodes that run `mops-live` have learned of each other, beside what full knowledge of the same contacts gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.figure import Figure as Picture

from hunet.report.study import draw_study
from hunet.sim.simulate import simulate
from hunet.social.structure import structure_of
from hunet.studies.tables import Table
from hunet.traces.pairs import first_part, pairs_of

__all__ = ["SHARES", "draw_learned", "learned"]

SHARES = (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
"""Of a trace's time, after which nodes are asked."""


def learned(contacts: pa.Table, nodes: pa.Table, shares: Sequence[float] = SHARES, people: int = 64) -> Table:
    """A row for each share of the trace: communities (and the largest) and brokers, given and learned, T = 0.5.

    `alike`: of the two communities that a node has, common members by all, mean over the nodes. `both` are brokers in
    either. `people` is how many nodes one may know of.
    """
    return [_after(share, contacts, nodes, people) for share in shares]


def _after(share: float, contacts: pa.Table, nodes: pa.Table, people: int) -> dict[str, float]:
    window = first_part(contacts, share)
    lived = contacts.filter(pc.less(contacts["start"], window[1]))
    given = structure_of(pairs_of(contacts, window), nodes.num_rows).communities
    state = simulate((lived, nodes), "mops", "mops-live", settings={"people": people}).outcome.state
    known = _together(given["community"].to_numpy())
    said = _together(state.person["label"][:, 0])
    brokers = given["role"].to_numpy(zero_copy_only=False) == "broker"
    say_so = state.person["broker"][:, 0].astype(np.bool_)
    return {
        "share": share,
        "communities_given": _count(known),
        "largest_given": int(known.sum(axis=1).max()),
        "communities_learned": _count(said),
        "largest_learned": int(said.sum(axis=1).max()),
        "alike": float(((known & said).sum(axis=1) / (known | said).sum(axis=1)).mean()),
        "brokers_given": int(brokers.sum()),
        "brokers_learned": int(say_so.sum()),
        "brokers_both": int((brokers & say_so).sum()),
    }


def _together(labels: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """[u, v]: whether both have the same label."""
    return np.equal.outer(labels, labels)


def _count(together: npt.NDArray[np.bool_]) -> int:
    return int(np.unique(together, axis=0).shape[0])


def draw_learned(title: str, table: Table) -> Picture:
    """Communities, brokers and how alike communities are, against the share of the trace that is over."""
    measures = {
        "communities": ("Communities", "how many"),
        "brokers": ("Brokers", "nodes"),
        "alike": ("Alike", "common members of two communities, by all"),
    }
    frame = pd.DataFrame(table).rename(columns={"alike": "alike_learned", "share": "x"}).assign(alike_given=1.0)
    shown = [f"{measure}_{line}" for measure in measures for line in ("given", "learned")]
    long = frame.melt(["x"], shown, "measure", "mean")
    long[["measure", "line"]] = long["measure"].str.split("_", expand=True)
    return draw_study(title, long.assign(low=np.nan, high=np.nan), measures, "share of the trace that is over")
