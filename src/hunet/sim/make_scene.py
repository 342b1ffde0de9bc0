"""From a trace and a workload to the arrays that the event loop reads."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import WorkloadError
from hunet.protocols.protocol import INTEREST
from hunet.sim.engine.scene import Scene
from hunet.sim.workload.workload import Workload
from hunet.traces.order import by_time

__all__ = ["Spans", "interest_spans", "make_scene"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Spans(NamedTuple):
    """Interests as arrays, sorted by tag, node and time; spans of one node and tag do not overlap."""

    tag: Ints
    node: Ints
    begin: Floats
    end: Floats
    level: Floats
    hops: Ints


def tag_numbers(tags: tuple[str, ...], names: pa.ChunkedArray) -> Ints:
    """The numbers of tags, which all have one."""
    return np.asarray(pc.index_in(names, pa.array(tags, pa.string())).to_numpy(), np.int64)


def interest_spans(workload: Workload) -> Spans:
    """The interests of a workload; alike ones of a node in a tag are united where they overlap or touch.

    Those that differ in level or hops may follow one another, and are refused where they overlap.
    """
    table = workload.interests
    tag = tag_numbers(workload.tags, table.column("tag"))
    node, hops = (table.column(name).to_numpy().astype(np.int64) for name in ("node", "hops"))
    begin, end, level = (table.column(name).to_numpy() for name in ("from", "until", "level"))
    order = np.lexsort((begin, node, tag))
    tag, node, hops = tag[order], node[order], hops[order]
    begin, end, level = begin[order], end[order], level[order]
    if len(tag) == 0:
        return Spans(tag, node, begin, end, level, hops)
    fresh = np.ones(len(tag), np.bool_)
    fresh[1:] = (tag[1:] != tag[:-1]) | (node[1:] != node[:-1])
    # The furthest end so far within each node and tag.
    reach = end.copy()
    for i in np.flatnonzero(~fresh):
        reach[i] = max(reach[i], reach[i - 1])
    other = (level[1:] != level[:-1]) | (hops[1:] != hops[:-1])
    clash = np.flatnonzero(~fresh[1:] & other & (begin[1:] < reach[:-1]))
    if clash.size:
        row = int(order[clash[0] + 1])
        raise WorkloadError(
            f"workload {workload.name!r}, interests, row {row + 1}: node {table['node'][row]} wants "
            f"{table['tag'][row].as_py()!r} at the same time with another level or hop limit: let one end before"
        )
    fresh[1:] |= other | (begin[1:] > reach[:-1])
    first = np.flatnonzero(fresh)
    last = np.append(first[1:], len(tag)) - 1
    return Spans(tag[first], node[first], begin[first], reach[last], level[first], hops[first])


class Changes(NamedTuple):
    """Interests as the event loop takes them; see `Scene`."""

    change_at: Floats
    change_node: npt.NDArray[np.uint32]
    change_tag: npt.NDArray[np.uint32]
    change_to: npt.NDArray[np.uint32]
    wants: npt.NDArray[Any]
    interests: npt.NDArray[Any]


def _changes(spans: Spans, nodes: int, tags: int) -> Changes:
    """Who wants what at time 0, and every change after it."""
    each = np.zeros(spans.tag.size, INTEREST)
    each["until"], each["level"], each["hops"] = spans.end, spans.level, spans.hops
    distinct, which = np.unique(each, return_inverse=True)
    interests = np.append(np.zeros(1, INTEREST), distinct).view(np.recarray)
    number = which.astype(np.uint32) + np.uint32(1)
    # One byte is enough where few interests differ, as in all workloads whose interests stay.
    wants = np.zeros((nodes, tags), np.uint8 if interests.size <= 256 else np.uint32)
    from_the_start = (spans.begin <= 0) & (spans.end > 0)
    wants[spans.node[from_the_start], spans.tag[from_the_start]] = number[from_the_start]
    comes, goes = spans.begin > 0, (spans.end > 0) & (spans.end != np.inf)
    follows = (spans.tag[1:] == spans.tag[:-1]) & (spans.node[1:] == spans.node[:-1])
    goes[:-1] &= ~(follows & (spans.begin[1:] == spans.end[:-1]))  # what comes then takes its place
    at = np.concatenate((spans.begin[comes], spans.end[goes]))
    node = np.concatenate((spans.node[comes], spans.node[goes]))
    tag = np.concatenate((spans.tag[comes], spans.tag[goes]))
    to = np.concatenate((number[comes], np.zeros(int(goes.sum()), np.uint32)))
    order = np.lexsort((tag, node, at))
    return Changes(at[order], node[order].astype(np.uint32), tag[order].astype(np.uint32), to[order], wants, interests)


def make_scene(contacts: pa.Table, nodes: pa.Table, workload: Workload) -> Scene:
    """Contacts by (start, a, b), messages by creation, changes of interest by time; who wants what at time 0."""
    count = nodes.num_rows
    contacts = by_time(contacts)
    messages = workload.messages
    _check_nodes(count, workload)
    created = np.ascontiguousarray(messages.column("created").to_numpy(), np.float64)
    lists = messages.column("tags").combine_chunks()
    lists = lists if isinstance(lists, pa.Array) else pa.concat_arrays(lists.chunks)
    tag_start = np.append(0, np.cumsum(pc.list_value_length(lists).to_numpy(zero_copy_only=False))).astype(np.int64)
    changes = _changes(interest_spans(workload), count, len(workload.tags))
    return Scene(
        a=_column(contacts, "a", np.uint32),
        b=_column(contacts, "b", np.uint32),
        start=_column(contacts, "start", np.float64),
        end=_column(contacts, "end", np.float64),
        created=created,
        expires=created + workload.lifetimes(),
        source=_column(messages, "source", np.uint32),
        size=_column(messages, "size", np.int64),
        tag_start=tag_start,
        tag=tag_numbers(workload.tags, pc.list_flatten(lists)).astype(np.uint32),
        **changes._asdict(),
    )


def _column(table: pa.Table, name: str, kind: npt.DTypeLike) -> npt.NDArray[Any]:
    return np.array(table.column(name).to_numpy(), kind)  # a copy: numba compiles anew for arrays that are read-only


def _check_nodes(count: int, workload: Workload) -> None:
    for what, column in (
        ("a message", workload.messages.column("source")),
        ("an interest", workload.interests.column("node")),
    ):
        if len(column) == 0:
            continue
        low, high = pc.min(column).as_py(), pc.max(column).as_py()
        if low < 0 or high >= count:
            wrong = low if low < 0 else high
            raise WorkloadError(
                f"workload {workload.name!r}: node {wrong} of {what} is not in the trace (0-{count - 1})"
            )
