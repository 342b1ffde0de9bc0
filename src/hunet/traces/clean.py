"""Cleaning in memory: from intervals as files have them to contacts and nodes, with a count of what each step removed.

The steps, in order: self-contacts, end before start, external devices, duplicates, lengthening of short rows, uniting
both directions and merging, contacts too short, time origin, dense ids. Pairing and merging are the kernels of `events`
and `merge`; the steps on Spark use the same ones and are held against this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import InvalidValueError, TraceError
from hunet.model.numbers import MOST_SECONDS
from hunet.model.tables import CONTACTS, NODES
from hunet.traces.events import EventCounts, Mode, pair_events, recognise_mode
from hunet.traces.format import INTERVALS, Options
from hunet.traces.merge import merge_contacts
from hunet.traces.names import Internal, natural_order


@dataclass(frozen=True)
class CleanSettings:
    """What cleaning is asked to do; the defaults change nothing that a file says about its contacts.

    internal: ids of the experiment's own devices, such as `1-41`; others are dropped unless keep_external.
    lengthen_to: rows shorter than this many seconds end that long after their start. A contact seen in one scan only
        has no length in the file; the scan period is a fair guess (AMB-60: 120 s for iMotes).
    drop_shorter: contacts shorter than this many seconds, after merging, are dropped.
    gap: pauses of at most this many seconds do not end a contact (point sightings).
    origin: `keep` the times of the file, or let the `first` contact start at 0, or subtract a number of seconds.
    """

    internal: str | None = None
    keep_external: bool = False
    lengthen_to: float = 0.0
    drop_shorter: float = 0.0
    gap: float = 0.0
    origin: float | str = "keep"

    def __post_init__(self) -> None:
        for name in ("lengthen_to", "drop_shorter", "gap"):
            value = getattr(self, name)
            if not 0 <= value <= MOST_SECONDS:
                raise InvalidValueError(f"{name} {value!r}: give seconds, 0 to {MOST_SECONDS:.0e}")
        if self.origin in ("keep", "first"):
            return
        if isinstance(self.origin, str) or not abs(self.origin) <= MOST_SECONDS:
            raise InvalidValueError(
                f"origin {self.origin!r}: use keep, first or a number of seconds up to {MOST_SECONDS:.0e}"
            )


@dataclass(frozen=True)
class CleanCounts:
    """rows were read; each step removed so many of those before it; contacts are left. `lengthened` removes none.

    contacts = rows - self_contacts - end_before_start - external - duplicates - merged - too_short.
    """

    rows: int
    self_contacts: int = 0
    end_before_start: int = 0
    external: int = 0
    duplicates: int = 0
    lengthened: int = 0
    merged: int = 0
    too_short: int = 0
    contacts: int = 0

    @property
    def clean_rows(self) -> int:
        """Rows that are sound and internal, before duplicates and directions are united."""
        return self.rows - self.self_contacts - self.end_before_start - self.external


@dataclass(frozen=True)
class Cleaned:
    """A trace: contacts (CONTACTS, sorted by a, b, start), nodes (NODES), counts, and the seconds subtracted."""

    contacts: pa.Table
    nodes: pa.Table
    counts: CleanCounts
    origin: float


@dataclass(frozen=True)
class Paired:
    """Intervals made of other rows; for events also how, and what was counted."""

    intervals: pa.Table
    mode: Mode | None = None
    events: EventCounts | None = None


def to_intervals(rows: pa.Table, yields: str, options: Options, mode: Mode | None = None) -> Paired:
    """The intervals of rows of any kind but positions. Events are paired in `mode`, recognised if not given."""
    if yields == "intervals":
        return Paired(rows)
    if yields == "records":
        return Paired(records_to_intervals(rows, options))
    if yields == "events":
        if mode is None:
            mode = recognise_mode(pair_events(rows, "count")[1])
        intervals, counts = pair_events(rows, mode)
        return Paired(intervals, mode, counts)
    raise TraceError(f"rows of kind {yields!r} hold no contacts: positions become contacts by proximity")


def records_to_intervals(records: pa.Table, options: Options) -> pa.Table:
    """Records of pairs as intervals: each lasted from `period` seconds before its time until its time."""
    period = options["period"]
    assert isinstance(period, float)
    columns: Mapping[str, pa.ChunkedArray] = {
        "start": pc.subtract(records.column("time"), period),
        "end": records.column("time"),
    }
    arrays = [columns[name] if name in columns else records.column(name) for name in INTERVALS.names]
    return pa.table(arrays, schema=INTERVALS)


def clean(intervals: pa.Table, settings: CleanSettings, metadata: pa.Table | None = None) -> Cleaned:
    """All steps over intervals (INTERVALS). `metadata` (name, class, attributes) is kept in the nodes."""
    internal = None if settings.internal is None else Internal.parse(settings.internal)
    names = _names(intervals)
    outside = np.array([internal is not None and name not in internal for name in names], np.bool_)
    rows = _numbered(intervals, names)
    rows, counts = _drop_faults(rows, outside, settings.keep_external)
    classes = _classes(rows)  # of what is sound: a row that is dropped says nothing
    rows = rows.select(CONTACTS.names)
    distinct = rows.group_by(rows.column_names).aggregate([])
    counts = replace(counts, duplicates=rows.num_rows - distinct.num_rows)
    distinct, lengthened = _lengthen(distinct, settings.lengthen_to)
    counts = replace(counts, lengthened=lengthened)
    contacts = merge_contacts(distinct, gap=settings.gap)
    counts = replace(counts, merged=distinct.num_rows - contacts.num_rows)
    contacts, removed = _drop(contacts, pc.less(_length(contacts), settings.drop_shorter))
    counts = replace(counts, too_short=removed, contacts=contacts.num_rows)

    contacts, origin = shift(contacts, settings.origin)
    contacts, kept = _dense(contacts, len(names))
    kinds = np.where(outside[kept], "external", "internal")
    said = [classes.get(place) for place in kept.tolist()]
    nodes = nodes_table([names[place] for place in kept], kinds.tolist(), said, metadata)
    return Cleaned(contacts, nodes, counts, origin)


class Sound(NamedTuple):
    """Rows of a part of a trace that are sound: a and b are places in `nodes` (name, class), beside start and end.

    counts has how many rows there were, and what was dropped."""

    rows: pa.Table
    nodes: pa.Table
    counts: CleanCounts


def sound_rows(intervals: pa.Table, internal: Internal | None, *, keep_external: bool) -> Sound:
    """The first three steps over any part of the rows (INTERVALS), and who is in those that are left."""
    ends = [intervals.column(end).combine_chunks() for end in ("a", "b")]
    coded = pa.chunked_array(ends, pa.string()).dictionary_encode()
    names = coded.chunk(0).dictionary
    outside = np.array([internal is not None and name not in internal for name in names.to_pylist()], np.bool_)
    codes = [coded.chunk(place).indices for place in (0, 1)]
    others = {name: intervals.column(name) for name in ("start", "end", "class_a", "class_b")}
    rows, counts = _drop_faults(pa.table({"a": codes[0], "b": codes[1], **others}), outside, keep_external)
    dense, kept = _dense(rows.select(CONTACTS.names), len(names))
    classes = _classes(rows)
    said = pa.array([classes.get(place) for place in kept.tolist()], pa.string())
    return Sound(dense, pa.table({"name": names.take(pa.array(kept)), "class": said}), counts)


def _drop_faults(
    rows: pa.Table, outside: np.ndarray[tuple[int], np.dtype[np.bool_]], keep_external: bool
) -> tuple[pa.Table, CleanCounts]:
    """Rows of numbered nodes without those that are no contact; a row has the first fault that applies."""
    counts = CleanCounts(rows.num_rows)
    rows, removed = _drop(rows, pc.equal(rows["a"], rows["b"]))
    counts = replace(counts, self_contacts=removed)
    rows, removed = _drop(rows, pc.less(rows["end"], rows["start"]))
    counts = replace(counts, end_before_start=removed)
    if not keep_external:
        seen = np.logical_or(outside[rows["a"].to_numpy()], outside[rows["b"].to_numpy()])
        rows, removed = _drop(rows, pa.array(seen))
        counts = replace(counts, external=removed)
    return rows, counts


def _names(intervals: pa.Table) -> list[str]:
    both = pa.chunked_array([*intervals.column("a").chunks, *intervals.column("b").chunks], pa.string())
    return natural_order(pc.unique(both).to_pylist())


def _numbered(intervals: pa.Table, names: list[str]) -> pa.Table:
    known = pa.array(names, pa.string())
    ends = {end: pc.index_in(intervals.column(end), known) for end in ("a", "b")}
    return pa.table({**ends, **{name: intervals.column(name) for name in ("start", "end", "class_a", "class_b")}})


def _drop(rows: pa.Table, wrong: pa.Array) -> tuple[pa.Table, int]:
    kept = rows.filter(pc.invert(wrong))
    return kept, rows.num_rows - kept.num_rows


def _length(rows: pa.Table) -> pa.ChunkedArray:
    return pc.subtract(rows["end"], rows["start"])


def _lengthen(rows: pa.Table, least: float) -> tuple[pa.Table, int]:
    short = pc.less(_length(rows), least)
    end = pc.if_else(short, pc.add(rows["start"], least), rows["end"])
    return rows.set_column(rows.schema.get_field_index("end"), "end", end), pc.sum(short).as_py() or 0


def shift(contacts: pa.Table, origin: float | str) -> tuple[pa.Table, float]:
    """Contacts with their times counted from an origin (CleanSettings.origin), and the seconds that were subtracted."""
    if origin == "keep":
        return contacts, 0.0
    seconds = (pc.min(contacts["start"]).as_py() or 0.0) if origin == "first" else float(origin)
    times = [pc.subtract(contacts[name], seconds) for name in ("start", "end")]
    return pa.table([contacts["a"], contacts["b"], *times], schema=CONTACTS), seconds


def _dense(contacts: pa.Table, size: int) -> tuple[pa.Table, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Ids without holes, in the old order; and the old id of each new one."""
    old = [contacts[end].to_numpy() for end in ("a", "b")]
    met = np.zeros(size, np.bool_)
    for end in old:
        met[end] = True
    new = np.cumsum(met) - 1
    ends = [pa.array(new[end], pa.int32()) for end in old]
    return pa.table([*ends, contacts["start"], contacts["end"]], schema=CONTACTS), np.flatnonzero(met)


def _classes(rows: pa.Table) -> dict[int, str]:
    """The class of each node that has one; the first in the alphabet where a file says several."""
    sides = [pa.table({"node": rows[end], "class": rows[f"class_{end}"]}) for end in ("a", "b")]
    said = pa.concat_tables(sides).filter(pc.field("class").is_valid())
    least = said.group_by("node").aggregate([("class", "min")])
    return dict(zip(least["node"].to_pylist(), least["class_min"].to_pylist(), strict=True))


def nodes_table(
    names: Sequence[str], kinds: Sequence[str], classes: Sequence[str | None], metadata: pa.Table | None
) -> pa.Table:
    """NODES numbered in this order; with `attributes`, and classes where the trace has none, from the metadata."""
    columns = [pa.array(range(len(names)), pa.int32()), pa.array(names, pa.string()), pa.array(kinds, pa.string())]
    if metadata is None:
        return pa.table([*columns, pa.array(classes, pa.string())], schema=NODES)
    told: dict[str, Mapping[str, str | None]] = {}
    for row in metadata.to_pylist():
        told.setdefault(row["name"], row)
    about = [told.get(name, {}) for name in names]
    joined = [row.get("class") if said is None else said for said, row in zip(classes, about, strict=True)]
    nodes = pa.table([*columns, pa.array(joined, pa.string())], schema=NODES)
    return nodes.append_column("attributes", pa.array([row.get("attributes") for row in about], pa.string()))
