"""Putting a trace that is in memory, such as a generator's, into the store, without Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

import hunet
from hunet.traces.manifest import Manifest
from hunet.traces.pairs import first_part, spans_of, stored_windows
from hunet.traces.store import Draft, TraceStore

__all__ = ["Label", "put_label", "store_tables", "stored_spans"]


@dataclass(frozen=True)
class Label:
    """What a trace is called, and what is said about where it came from."""

    name: str
    origin: str = ""
    licence: str = ""
    surrogate: bool = False


def store_tables(
    store: TraceStore,
    label: Label,
    tables: Mapping[str, pa.Table],
    settings: Mapping[str, object],
    counts: Mapping[str, object] | None = None,
) -> Manifest:
    """Store contacts, nodes (and positions), with the same derived tables as an import has."""
    contacts = tables["contacts"]
    with store.write_version(label.name) as draft:
        for table, content in tables.items():
            draft.write(table, content)
        draft.write("spans", stored_spans(contacts))
        put_label(draft, label, settings, counts or {"contacts": contacts.num_rows})
    return store.open(label.name).manifest


def stored_spans(contacts: pa.Table, training: Sequence[float] = ()) -> pa.Table:
    """How pairs met in every window that is to be stored."""
    windows = stored_windows(*first_part(contacts, 1.0), training) if contacts.num_rows else [None]
    return pa.concat_tables([spans_of(contacts, window) for window in windows])


def put_label(draft: Draft, label: Label, settings: Mapping[str, object], counts: Mapping[str, object]) -> None:
    """Write into the manifest what a trace is, how it was made, and what was counted on the way."""
    draft.describe(
        origin=label.origin,
        licence=label.licence,
        surrogate=label.surrogate,
        settings=settings,
        counts=counts,
        made_by=f"hunet {hunet.__version__}",
    )
