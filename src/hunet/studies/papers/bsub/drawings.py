"""The drawings of [bsub10] and [bsub13] as small examples with positions of our choice, and their table of keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Picture

from hunet.filters import TCBF, Hashing
from hunet.report.filters import draw_decay, draw_merges
from hunet.report.study import Look, draw_study
from hunet.sim.workload.tag_pool import trends_2009
from hunet.studies.papers.bsub.bogus_counters import meetings
from hunet.studies.papers.bsub.filter_samples import key_at
from hunet.studies.tables import Table

__all__ = [
    "bogus_counters",
    "decay_course",
    "draw_bogus",
    "draw_course",
    "draw_merged",
    "draw_table",
    "keys",
    "merges",
]

_DRAWING = Hashing(m=5, k=2, distinct=True)


def merges() -> Table:
    """Two filters with I = 10 that share a position: A-merge adds, M-merge takes the maximum."""
    f, g = (TCBF(_DRAWING, 10, keys=[key_at(_DRAWING, places)]) for places in ({0, 3}, {1, 3}))
    columns = zip(
        f.counters.tolist(), g.counters.tolist(), (f + g).counters.tolist(), (f | g).counters.tolist(), strict=True
    )
    names = ("counter_f", "counter_g", "a_merge", "m_merge")
    return [{"position": i, **dict(zip(names, row, strict=True))} for i, row in enumerate(columns)]


def draw_merged(table: Table) -> Picture:
    """Operands and results as bars, and what both merges do to B and C who meet every two units."""
    frame = pd.DataFrame(table)
    echo = {f"{kind}-merge": [0, *(b for b, _ in meetings(2, kind, until=24))] for kind in ("A", "M")}
    operands = {"F": frame["counter_f"].tolist(), "G": frame["counter_g"].tolist()}
    results = {"A-merge": frame["a_merge"].tolist(), "M-merge": frame["m_merge"].tolist()}
    return draw_merges(operands, results, echo)


def decay_course(places: Mapping[str, set[int]], arrivals: Mapping[int, Sequence[str]]) -> Table:
    """Counters and keys alive over 19 units (I = 10, DF = 1), keys being merged in at chosen times."""
    keys = {name: key_at(_DRAWING, where) for name, where in places.items()}
    f = TCBF(_DRAWING, 10, decay_cycle=1.0)
    rows: Table = []
    for now in range(20):
        f.decay(now)
        for name in arrivals.get(now, ()):
            f.m_merge(TCBF(_DRAWING, 10, decay_cycle=1.0, now=now, keys=[keys[name]]))
        counters = {f"counter_{i}": int(value) for i, value in enumerate(f.counters)}
        alive = {f"value_{name}": int(f[key]) for name, key in keys.items()}
        rows.append({"time": now, **counters, **alive, "alive": " ".join(n for n, key in keys.items() if key in f)})
    return rows


def draw_course(table: Table) -> Picture:
    """The counters as strips, the keys as lines."""
    frame = pd.DataFrame(table)
    counters = frame[[f"counter_{i}" for i in range(5)]].to_numpy(np.int64)
    values = {name.removeprefix("value_"): frame[name].tolist() for name in table[0] if name.startswith("value_")}
    return draw_decay(frame["time"].tolist(), counters, values)


def bogus_counters() -> Table:
    """A meets B once, then B and C meet every p units (I = 10, DF = 1)."""
    return [
        {"p": p, "t": t, "merge": merge, "counter_b": b, "counter_c": c}
        for p in range(1, 6)
        for merge in ("A", "M")
        for t, (b, c) in enumerate(((10, 0), *meetings(p, merge, until=40)))
    ]


def draw_bogus(table: Table) -> Picture:
    """B's counter over time for each p; with M-merge all are the same line, which ends as that of the longest p."""
    frame = pd.DataFrame(table)
    frame = frame[(frame["merge"] == "A") | (frame["p"] == 1)].sort_values("merge", kind="stable")
    line = np.where(frame["merge"] == "A", "A-merge, every " + frame["p"].astype(str), "M-merge")
    shown = frame.assign(line=line, x=frame["t"], mean=frame["counter_b"], low=np.nan, high=np.nan, measure="b")
    words = {"b": ("Counter at B", "counter")}
    return draw_study(
        "An interest that B heard of once", shown, words, "time", Look(log_y=True, linear_x=True, in_front=["M-merge"])
    )


def keys() -> Table:
    """The keys with their probabilities and lengths."""
    pool = trends_2009()
    pairs = enumerate(zip(pool.names, pool.weights, strict=True), start=1)
    return [{"rank": rank, "key": key, "probability": p, "length": len(key.encode())} for rank, (key, p) in pairs]


def draw_table(title: str, table: Table, x: tuple[str, str], panels: Mapping[str, Mapping[str, str]]) -> Picture:
    """Columns of a table as lines over another, each in its panel; `x` is that other and what it is."""
    frame = pd.DataFrame(table)
    parts = [
        # A line that belongs to another panel keeps its colour here, and is empty.
        pd.DataFrame({"line": name, "x": frame[x[0]], "mean": frame[column] if column in lines else np.nan,
                      "low": np.nan, "high": np.nan, "measure": words})
        for words, lines in panels.items()
        for every in panels.values()
        for column, name in every.items()
    ]  # fmt: skip
    return draw_study(title, pd.concat(parts), {words: ("", words) for words in panels}, x[1])
