"""`load` and `stored`: the traces that are kept under the user's home of hunet."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hunet.home import home
from hunet.model.errors import TraceError
from hunet.report.table import Table
from hunet.traces.manifest import Manifest, manifests_in, trace_folder

if TYPE_CHECKING:
    from hunet.api.trace import Trace
    from hunet.traces.store import TraceStore

__all__ = ["load", "load_or_read", "store", "stored"]


def store() -> TraceStore:
    """The user's trace store."""
    from hunet.traces.store import TraceStore

    return TraceStore(home())


def load(name: str, version: int | None = None) -> Trace:
    """A stored trace by its name: its current version, or one that was current before.

    Its tables are read when they are asked for. `stored()` lists what there is; `hunet trace import`, `generate` and
    `fetch`, or `Trace.save`, put a trace there.

    >>> import hunet as hn
    >>> hn.generate("conference", nodes=8, days=1, contacts_per_day=20).save("eight-people")
    Trace 'eight-people', version 1: 8 nodes, 80 contacts, 0.9 days
    >>> len(hn.load("eight-people"))
    80
    """
    from hunet.api.trace import Trace

    found = store().open(name, version)
    return Trace(found.manifest, found)


def load_or_read(name: str) -> Trace:
    """The stored trace of this name; where there is none, the raw files (a file, folder or pattern), read in memory."""
    if name not in store():
        if os.path.lexists(name) or any(sign in name for sign in "*?["):
            from hunet.api.reading import read

            return read(name)
        if os.sep in name:
            raise TraceError(f"trace file '{name}' does not exist")
    return load(name)


def stored() -> Table:
    """The traces that `load` knows: name, version, contacts, whether it is a surrogate, origin and licence.

    >>> import hunet as hn
    >>> [row["name"] for row in hn.stored() if row["surrogate"]]
    []
    """
    found = list(manifests_in(trace_folder(home())))  # no more than that is read: Arrow takes longer to load
    rows = [
        {
            "name": manifest.name,
            "version": manifest.version,
            "contacts": manifest.counts.get("contacts", 0),
            "surrogate": manifest.surrogate,
            "origin": manifest.origin,
            "licence": manifest.licence,
        }
        for manifest in found
        if isinstance(manifest, Manifest)
    ]
    broken = "\n".join(str(error) for error in found if isinstance(error, TraceError))
    if not rows:
        return Table(f"no traces in {home()} yet: hunet trace import, generate or fetch makes one", rows, note=broken)
    return Table(f"traces in {home()}", rows, note=broken)
