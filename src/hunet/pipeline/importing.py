"""Importing: from raw files to a trace in the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from hunet.pipeline.plan import PLANS, run
from hunet.pipeline.read import Source
from hunet.pipeline.session import SparkSettings, end_java, spark_session
from hunet.pipeline.small import run_small
from hunet.pipeline.stage_times import Progress, StageTimes
from hunet.pipeline.work import BadLine, ImportSettings, Learnt, Work
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
    learnt, stages = Learnt(), StageTimes(progress)
    before = _version(store, label.name)
    told_of = told_of_nodes(settings.metadata)  # what is wrong with it is said before Spark starts
    with stages, store.write_version(label.name) as draft:
        stages.begin("starting Spark")
        with spark_session(spark) as session:
            work = Work(session, settings, source, learnt, told_of)
            if source.is_small:
                run_small(work, source, draft, stages)
            else:
                run(PLANS[source.format.yields], work, draft.path, stages)
            odd = refuse_misread(figures_of(source.options, learnt, draft.path), settings.yes)
            files = [Path(file) for file in source.files]
            told = settings_of(source.format, source.options, files, settings, settings.training)
            put_label(draft, label, told, counts_of_learnt(learnt))
            stages.begin("stopping Spark")
        if isinstance(spark, SparkSettings):
            end_java()
        stages.begin("publishing")
    manifest = store.open(label.name).manifest
    return ImportReport(
        manifest=manifest,
        changed=manifest.version != before,
        format_name=source.format.name,
        format_title=source.format.title,
        files=len(source.files),
        lines_bad=learnt.lines_bad,
        bad_examples=learnt.bad_examples,
        counts=asdict(learnt.counts),
        odd=odd,
        events={} if learnt.events is None else {"mode": learnt.mode, **asdict(learnt.events)},
        seconds=stages.seconds,
    )


def figures_of(options: Options, learnt: Learnt, folder: Path) -> Figures:
    """What tells whether a trace makes sense, whose tables lie in a folder."""
    return Figures(
        names=pq.read_table(folder / "nodes", columns=["name"])["name"].to_pylist(),
        rows=learnt.positions or learnt.counts.rows,
        bad_lines=learnt.lines_bad,
        backwards=learnt.counts.end_before_start,
        with_self=learnt.counts.self_contacts,
        contacts=learnt.counts.contacts,
        together=learnt.together,
        longest=learnt.longest,
        start=learnt.start + learnt.origin,
        end=learnt.end + learnt.origin,
        dates=bool(options.get("dates")),
    )


def counts_of_learnt(learnt: Learnt) -> dict[str, object]:
    """What a manifest says of what was found."""
    return counts_of(learnt.counts, learnt.lines_bad, learnt.mode, learnt.events, learnt.positions, learnt.origin)


def _version(store: TraceStore, name: str) -> int | None:
    return next((manifest.version for manifest in store.list() if manifest.name == name), None)
