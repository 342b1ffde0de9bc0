"""The traces of [bsub10] and [bsub13]: the papers' as far as they are stored, generated ones in their place, and more.

Both papers use Infocom06, whose contacts are not public (a surrogate can be generated), and Reality. Infocom05, ht2009
and SFHH are other crowds of the kind; they are taken along where they are stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from hunet.studies.papers.reproduction import Table, Traces
from hunet.studies.papers.traces import FOR_REALITY, INFOCOM06, REALITY, paper_traces
from hunet.traces.store import TraceStore

__all__ = ["PRINTED", "busiest_days", "crowds", "facts", "is_sparse", "only_busy_days", "traces"]

PRINTED: Mapping[str, tuple[int, int, int]] = {INFOCOM06: (79, 67_360, 3), REALITY: (97, 54_667, 246)}
"""Nodes, contacts and days in [bsub10] Table I."""
_DAY = 86_400.0


def is_sparse(trace: str) -> bool:
    """Reality, or what stands in for it: people who meet a few times a day, not a crowd under one roof."""
    return trace.startswith((REALITY, FOR_REALITY))


def crowds(names: Sequence[str]) -> list[str]:
    """The traces that are crowds."""
    return [name for name in names if not is_sparse(name)]


def traces(store: TraceStore, names: Sequence[str], quick: bool) -> Traces:
    """Those that are named; else the papers' two and, unless it should be quick, the other crowds."""
    return paper_traces(
        store, names, ("infocom06-surrogate", "reality"), () if quick else ("infocom05", "ht2009", "sfhh")
    )


def only_busy_days(found: Traces, days: int) -> dict[str, tuple[pa.Table, pa.Table]]:
    """The tables, where of sparse traces only the busiest days in a row are taken, and named so (AMB-21)."""
    tables: dict[str, tuple[pa.Table, pa.Table]] = {}
    for name, (contacts, nodes) in found.tables.items():
        if is_sparse(name):
            first, part = busiest_days(contacts, days)
            tables[f"{name}, {days} days from day {first}"] = part, nodes
        else:
            tables[name] = contacts, nodes
    return tables


def busiest_days(contacts: pa.Table, days: int) -> tuple[int, pa.Table]:
    """The days in a row, counted from 0 at the first contact, in which most contacts begin; and these contacts."""
    start = contacts.column("start").to_numpy()
    day = ((start - start.min()) // _DAY).astype(np.int64)
    counts = np.bincount(day, minlength=days)
    sums = np.convolve(counts, np.ones(days, np.int64), mode="valid")
    first = int(np.argmax(sums))
    return first, contacts.filter(pa.array((day >= first) & (day < first + days)))


def facts(found: Traces, printed: Mapping[str, tuple[int, int, int]] | None = None) -> Table:
    """A row per trace, as the papers' tables have them; `rows` are those of the raw file, before cleaning."""
    rows: Table = []
    for name, (contacts, _nodes) in found.tables.items():
        a, b, start, end = (contacts.column(column).to_numpy() for column in ("a", "b", "start", "end"))
        rows.append(
            {
                "trace": name,
                "nodes": int(np.unique(np.concatenate((a, b))).size),
                "rows": found.rows.get(name),
                "contacts": contacts.num_rows,
                "days": float((end.max() - start.min()) / _DAY),
            }
        )
        if printed is not None:
            beside = printed.get(name, (None, None, None))
            rows[-1] |= dict(zip(("printed_nodes", "printed_contacts", "printed_days"), beside, strict=True))
    return rows
