"""From a trace and a workload to the arrays that the event loop reads."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import WorkloadError
from hunet.sim.scene import Scene
from hunet.sim.workload import Workload

__all__ = ["Spans", "interest_spans", "make_scene"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Spans(NamedTuple):
    """Interests as arrays, sorted by tag, node and time; spans of one node and tag neither overlap nor touch."""

    tag: Ints
    node: Ints
    begin: Floats
    end: Floats


def tag_numbers(tags: tuple[str, ...], names: pa.ChunkedArray) -> Ints:
    """The numbers of tags, which all have one."""
    return np.asarray(pc.index_in(names, pa.array(tags, pa.string())).to_numpy(), np.int64)


def interest_spans(workload: Workload) -> Spans:
    """The interests of a workload, those of one node and tag united where they overlap or touch."""
    table = workload.interests
    tag = tag_numbers(workload.tags, table.column("tag"))
    node = table.column("node").to_numpy().astype(np.int64)
    begin, end = table.column("from").to_numpy(), table.column("until").to_numpy()
    order = np.lexsort((begin, node, tag))
    tag, node, begin, end = tag[order], node[order], begin[order], end[order]
    if len(tag) == 0:
        return Spans(tag, node, begin, end)
    fresh = np.ones(len(tag), np.bool_)
    fresh[1:] = (tag[1:] != tag[:-1]) | (node[1:] != node[:-1])
    # The furthest end so far within each node and tag.
    reach = end.copy()
    for i in np.flatnonzero(~fresh):
        reach[i] = max(reach[i], reach[i - 1])
    fresh[1:] |= begin[1:] > reach[:-1]
    first = np.flatnonzero(fresh)
    last = np.append(first[1:], len(tag)) - 1
    return Spans(tag[first], node[first], begin[first], reach[last])


def make_scene(contacts: pa.Table, nodes: pa.Table, workload: Workload) -> Scene:
    """Contacts by (start, a, b), messages by creation, changes of interest by time; who wants what at time 0."""
    count = nodes.num_rows
    contacts = contacts.take(
        pc.sort_indices(contacts, [("start", "ascending"), ("a", "ascending"), ("b", "ascending")])
    )
    messages = workload.messages
    _check_nodes(count, workload)
    created = np.ascontiguousarray(messages.column("created").to_numpy(), np.float64)
    lists = messages.column("tags").combine_chunks()
    lists = lists if isinstance(lists, pa.Array) else pa.concat_arrays(lists.chunks)
    tag_start = np.append(0, np.cumsum(pc.list_value_length(lists).to_numpy(zero_copy_only=False))).astype(np.int64)
    spans = interest_spans(workload)
    wants = np.zeros((count, len(workload.tags)), np.bool_)
    from_the_start = (spans.begin <= 0) & (spans.end > 0)
    wants[spans.node[from_the_start], spans.tag[from_the_start]] = True
    comes, goes = spans.begin > 0, (spans.end > 0) & (spans.end != np.inf)
    change_at = np.concatenate((spans.begin[comes], spans.end[goes]))
    change_node = np.concatenate((spans.node[comes], spans.node[goes]))
    change_tag = np.concatenate((spans.tag[comes], spans.tag[goes]))
    change_on = np.append(np.ones(int(comes.sum()), np.bool_), np.zeros(int(goes.sum()), np.bool_))
    order = np.lexsort((change_tag, change_node, change_at))
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
        change_at=change_at[order],
        change_node=change_node[order].astype(np.uint32),
        change_tag=change_tag[order].astype(np.uint32),
        change_on=change_on[order],
        wants=wants,
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
