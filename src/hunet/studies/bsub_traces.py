"""The traces of [bsub10] and [bsub13]: the papers' as far as they are stored, generated ones in their place, and more.

Both papers use Infocom06, whose contacts are not public (a surrogate can be generated), and Reality. Infocom05, ht2009
and SFHH are other crowds of the kind; they are taken along where they are stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from hunet.studies.reproduction import Traces, sound_rows
from hunet.traces.generators.campus import CAMPUS, CampusSettings
from hunet.traces.generators.conference import CONFERENCE, ConferenceSettings
from hunet.traces.store import Trace, TraceStore

__all__ = ["INFOCOM06", "REALITY", "busiest_days", "crowds", "facts", "is_sparse", "only_busy_days", "traces"]

INFOCOM06, REALITY = "Infocom06 (surrogate)", "Reality"
_CONFERENCE, _CAMPUS = "conference (generated)", "campus (generated)"
_STORED = {
    "infocom06-surrogate": INFOCOM06,
    "infocom05": "Infocom05",
    "ht2009": "ht2009",
    "sfhh": "SFHH",
    "reality": REALITY,
}
_TABLES = "--table table.Exp6.dat.gz --event-times event_times.infopy.gz"
_INSTEAD = {
    "infocom06-surrogate": (_CONFERENCE, f"hunet trace generate surrogate {_TABLES} --name infocom06-surrogate"),
    "reality": (_CAMPUS, "hunet trace import mit.txt.gz --name reality"),
}
_DAY = 86_400.0


def is_sparse(trace: str) -> bool:
    """Reality, or what stands in for it: people who meet a few times a day, not a crowd under one roof."""
    return trace.startswith((REALITY, _CAMPUS))


def crowds(names: Sequence[str]) -> list[str]:
    """The traces that are crowds."""
    return [name for name in names if not is_sparse(name)]


def traces(store: TraceStore, names: Sequence[str], quick: bool) -> Traces:
    """Those that are named; else the papers' two and, unless it should be quick, the other crowds."""
    known = {manifest.name for manifest in store.list()}
    asked = list(names) or [name for name in _STORED if name in _INSTEAD or (name in known and not quick)]
    missing = [name for name in asked if name in _INSTEAD and name not in known and not names]
    stored = {name: store.open(name) for name in asked if name not in missing}
    tables: dict[str, tuple[pa.Table, pa.Table]] = {}
    for name in asked:
        if name in missing:
            tables |= _generated(_INSTEAD[name][0])
        else:
            tables[_title(stored[name])] = stored[name].contacts(), stored[name].nodes()
    rows = {_title(trace): sound_rows(trace) for trace in stored.values()}
    absent = [f"{_STORED[name]} is not stored here; a {other} stands in for it: {how}" for name, (other, how) in
              _INSTEAD.items() if name in missing]  # fmt: skip
    return Traces(tables, {name: count for name, count in rows.items() if count is not None}, absent)


def _title(trace: Trace) -> str:
    """What people call it; a surrogate is called so everywhere."""
    name = trace.manifest.name
    surrogate = trace.manifest.surrogate and "surrogate" not in name
    return _STORED.get(name, f"{name} (surrogate)" if surrogate else name)


def _generated(name: str) -> dict[str, tuple[pa.Table, pa.Table]]:
    made = CONFERENCE.generate(ConferenceSettings(), 1) if name == _CONFERENCE else CAMPUS.generate(CampusSettings(), 1)
    return {name: (made.contacts, made.nodes)}


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


def facts(found: Traces) -> list[Mapping[str, object]]:
    """A row per trace, as the papers' tables have them."""
    rows: list[Mapping[str, object]] = []
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
    return rows
