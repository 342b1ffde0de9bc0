"""Importing: from raw files to a trace in the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from hunet.pipeline.plan import PLANS, run
from hunet.pipeline.read import Source
from hunet.pipeline.session import SparkSettings, spark_session
from hunet.pipeline.small import run_small
from hunet.pipeline.stages import Progress, Stages
from hunet.pipeline.work import BadLine, ImportSettings, Notes, Work
from hunet.traces.format import Options
from hunet.traces.manifest import Manifest
from hunet.traces.sanity import Figures, refuse_misread
from hunet.traces.store import TraceStore
from hunet.traces.storing import Label, put_label
from hunet.traces.whole import counts_of, settings_of, told_of_nodes

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class ImportReport:
    """What an import read, what each cleaning step removed, and the trace it led to.

    changed is False if the store had exactly this trace already; odd are sentences about what is; seconds says how
    long each stage took.
    """

    manifest: Manifest
    changed: bool
    format_name: str
    format_title: str
    files: int
    lines_bad: int
    bad_examples: tuple[BadLine, ...]
    counts: Mapping[str, object]
    odd: tuple[str, ...] = ()
    events: Mapping[str, object] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)


def import_trace(
    spark: SparkSession | SparkSettings,
    store: TraceStore,
    source: Source,
    label: Label,
    settings: ImportSettings,
    progress: Progress = lambda _title, _number, _total: None,
) -> ImportReport:
    """Import the files of a source under a name; the trace becomes visible when all of it is there.

    The same files, settings and reader version give the same content hash, and a second import changes nothing.
    """
    notes, stages = Notes(), Stages(progress)
    before = _version(store, label.name)
    told_of = told_of_nodes(settings.metadata)  # what is wrong with it is said before Spark starts
    with stages, store.write_version(label.name) as draft:
        stages.begin("starting Spark")
        with spark_session(spark) as session:
            work = Work(session, settings, source, notes, told_of)
            if source.is_small:
                run_small(work, source, draft, stages)
            else:
                run(PLANS[source.format.yields], work, draft.path, stages)
            odd = refuse_misread(figures_of(source.options, notes, draft.path), settings.yes)
            files = [Path(file) for file in source.files]
            told = settings_of(source.format, source.options, files, settings, settings.training)
            put_label(draft, label, told, counts_of_notes(notes))
            stages.begin("stopping Spark")
        stages.begin("publishing")
    manifest = store.open(label.name).manifest
    return ImportReport(
        manifest=manifest,
        changed=manifest.version != before,
        format_name=source.format.name,
        format_title=source.format.title,
        files=len(source.files),
        lines_bad=notes.lines_bad,
        bad_examples=notes.bad_examples,
        counts=asdict(notes.counts),
        odd=odd,
        events={} if notes.events is None else {"mode": notes.mode, **asdict(notes.events)},
        seconds=stages.seconds,
    )


def figures_of(options: Options, notes: Notes, folder: Path) -> Figures:
    """What tells whether a trace makes sense, whose tables lie in a folder."""
    return Figures(
        names=pq.read_table(folder / "nodes", columns=["name"])["name"].to_pylist(),
        rows=notes.positions or notes.counts.rows,
        bad_lines=notes.lines_bad,
        backwards=notes.counts.end_before_start,
        with_self=notes.counts.self_contacts,
        contacts=notes.counts.contacts,
        together=notes.together,
        longest=notes.longest,
        start=notes.start + notes.origin,
        end=notes.end + notes.origin,
        dates=bool(options.get("dates")),
    )


def counts_of_notes(notes: Notes) -> dict[str, object]:
    """What a manifest says of what was found."""
    return counts_of(notes.counts, notes.lines_bad, notes.mode, notes.events, notes.positions, notes.origin)


def _version(store: TraceStore, name: str) -> int | None:
    return next((manifest.version for manifest in store.list() if manifest.name == name), None)
