"""A small import: one Spark job of one task, which reads, cleans and numbers everything in memory.

A job costs a second or two whatever it does, and the plan has a dozen of them. Where one task could hold all rows, it
does all steps at once, by the rules of `hunet.traces.whole`, which the steps of the plan are held against; the tables
come back as Arrow streams, and are stored as those of a generated trace are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from hunet.pipeline.packs import pack, unpack
from hunet.pipeline.stage_times import Progress
from hunet.pipeline.work import BadLine, Learnt, Work
from hunet.pipeline.write import jobs_of
from hunet.traces.clean import CleanCounts
from hunet.traces.events import EventCounts
from hunet.traces.storing import stored_spans

if TYPE_CHECKING:
    from hunet.pipeline.read import Source
    from hunet.traces.store import Draft
    from hunet.traces.whole import WholeTrace

EXAMPLES = 5
_FOUND = "found"
_SCHEMA = "part string, content binary"


def run_small(work: Work, source: Source, draft: Draft, progress: Progress) -> None:
    """Do an import in one job, write the tables of the trace, and note what the report needs."""
    progress("reading and cleaning", 0, 2)
    with jobs_of("reading and cleaning"):
        parts = {row.part: row.content for row in _whole(work, source)}
    progress("how often and how long pairs met", 1, 2)
    found = json.loads(parts.pop(_FOUND))
    _write(work, draft, {name: unpack(bytes(content)) for name, content in parts.items()}, found)


def write_whole(work: Work, draft: Draft, trace: WholeTrace) -> None:
    """Write the tables of a trace that is in memory here, and note what the report needs."""
    _write(work, draft, _tables(trace), _found(trace))


def _write(work: Work, draft: Draft, tables: Mapping[str, pa.Table], found: dict[str, Any]) -> None:
    for name, table in tables.items():
        draft.write(name, table)
    draft.write("spans", stored_spans(tables["contacts"], work.settings.training))
    _note(work, found, tables["contacts"])


def _whole(work: Work, source: Source) -> Any:
    files, options, format_name = source.files, dict(source.options), source.format.name
    rules, told_of_nodes = work.settings, work.told_of_nodes

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from hunet.traces.formats import format_named
        from hunet.traces.reading import read_settled
        from hunet.traces.whole import trace_from

        for _batch in batches:
            paths = [Path(file) for file in files]
            reading = read_settled(paths, format_named(format_name), options, strict=rules.strict)
            yield from _packed(trace_from(reading, rules, told_of_nodes)).to_batches()

    return work.spark.range(0, 1, 1, 1).mapInArrow(read, _SCHEMA).collect()


def _packed(trace: WholeTrace) -> pa.Table:
    """Tables and findings of a trace as one table of bytes."""
    contents = {name: pack(table) for name, table in _tables(trace).items()}
    contents[_FOUND] = json.dumps(_found(trace)).encode()
    return pa.table({"part": list(contents), "content": pa.array(contents.values(), pa.binary())})


def _tables(trace: WholeTrace) -> dict[str, pa.Table]:
    tables = {"contacts": trace.contacts, "nodes": trace.nodes, "positions": trace.positions}
    return {name: table for name, table in tables.items() if table is not None}


def _found(trace: WholeTrace) -> dict[str, Any]:
    return {
        "bad": trace.reading.bad.num_rows,
        "examples": _examples(trace.reading.bad),
        "counts": asdict(trace.counts),
        "origin": trace.origin,
        "mode": trace.mode,
        "events": None if trace.events is None else asdict(trace.events),
        "positions": 0 if trace.positions is None else trace.positions.num_rows,
    }


def _examples(bad: pa.Table) -> list[dict[str, Any]]:
    first = bad.sort_by([("file", "ascending"), ("line", "ascending")]).slice(0, EXAMPLES)
    found: list[dict[str, Any]] = first.select(["file", "line", "text", "reason"]).to_pylist()
    return found


def learn_bad(learnt: Learnt, bad: pa.Table) -> None:
    """Note how many lines were bad, with examples, before it is known whether there is a trace."""
    learnt.lines_bad, learnt.bad_examples = bad.num_rows, tuple(BadLine(**example) for example in _examples(bad))


def _note(work: Work, found: dict[str, Any], contacts: pa.Table) -> None:
    learnt, lengths = work.learnt, pc.subtract(contacts["end"], contacts["start"])
    learnt.lines_bad, learnt.bad_examples = found["bad"], tuple(BadLine(**example) for example in found["examples"])
    learnt.mode, learnt.origin, learnt.positions = found["mode"], found["origin"], found["positions"]
    learnt.events = None if found["events"] is None else EventCounts(**found["events"])
    learnt.counts = CleanCounts(**found["counts"])
    learnt.start, learnt.end = pc.min(contacts["start"]).as_py(), pc.max(contacts["end"]).as_py()
    learnt.together, learnt.longest = pc.sum(lengths).as_py(), pc.max(lengths).as_py()
