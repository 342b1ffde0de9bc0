"""`load` and `stored`: the traces that are kept under the user's home of hunet."""

from __future__ import annotations

from hunet.api.trace import Trace
from hunet.home import home
from hunet.report.table import Table
from hunet.traces.store import TraceStore

__all__ = ["load", "store", "stored"]


def store() -> TraceStore:
    """The user's trace store."""
    return TraceStore(home())


def load(name: str, version: int | None = None) -> Trace:
    """A stored trace by its name: its current version, or one that was current before.

    Its tables are read when they are asked for. `stored()` lists what there is; `hunet trace import`, `generate` and
    `fetch`, or `Trace.save`, put a trace there.

    >>> import hunet as hn
    >>> hn.generate("conference", nodes=8, days=1, contacts_per_day=20).save("tiny")
    Trace 'tiny', version 1: 8 nodes, 80 contacts, 0.9 days
    >>> len(hn.load("tiny"))
    80
    """
    found = store().open(name, version)
    return Trace(found.manifest, found)


def stored() -> Table:
    """The traces that `load` knows: name, version, contacts, whether it is a surrogate, origin and licence.

    >>> import hunet as hn
    >>> [row["name"] for row in hn.stored() if row["surrogate"]]
    []
    """
    there = store()
    rows = [
        {
            "name": manifest.name,
            "version": manifest.version,
            "contacts": manifest.counts.get("contacts", 0),
            "surrogate": manifest.surrogate,
            "origin": manifest.origin,
            "licence": manifest.licence,
        }
        for manifest in there.list()
    ]
    broken = "\n".join(there.damaged())
    if not rows:
        return Table(f"no traces in {home()} yet: hunet trace import, generate or fetch makes one", rows, note=broken)
    return Table(f"traces in {home()}", rows, note=broken)
