"""How each output of the plan is made from its inputs, and what is learnt from those that were kept.

The functions that make something are made of steps and run no action. The ones called `learn_...` run small
aggregations over what was just kept and note the numbers.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from hunet.model.errors import TraceError
from hunet.pipeline.steps import clean, events, names
from hunet.pipeline.steps import positions as near
from hunet.pipeline.steps.merge import drop_shorter, merge_counting
from hunet.pipeline.steps.records import records_to_intervals
from hunet.pipeline.steps.spans import pair_spans
from hunet.pipeline.work import BadLine, Work
from hunet.traces.clean import CleanCounts
from hunet.traces.events import EventCounts, recognise_mode
from hunet.traces.names import Internal
from hunet.traces.pairs import stored_windows
from hunet.traces.whole import all_too_short, none_near, nothing_left, one_node_only

EXAMPLES = 5


def rows(work: Work) -> DataFrame:
    """Rows and bad lines, as the format parses them."""
    assert work.source is not None
    return work.source.rows(work.spark)


def learn_rows(work: Work, read: DataFrame) -> None:
    """How many lines are bad, with examples; in strict mode the first of them stops the import."""
    assert work.source is not None
    bad = read.where(sf.col("reason").isNotNull())
    work.learnt.lines_bad = bad.count()
    if not work.learnt.lines_bad:
        return
    first = bad.orderBy("file", "line").select("file", "line", "text", "reason").limit(EXAMPLES).collect()
    examples = [BadLine(one.file, work.source.line_of(one.file, one.line), one.text, one.reason) for one in first]
    work.learnt.bad_examples = tuple(examples)
    if work.settings.strict:
        raise TraceError(
            f"trace file '{examples[0].file}', line {examples[0].line}: {examples[0].reason} "
            "(fix the line, or import without --strict to skip and count such lines)"
        )


def plain_intervals(_work: Work, read: DataFrame) -> DataFrame:
    """Rows that are intervals already."""
    return _good(read)


def record_intervals(work: Work, read: DataFrame) -> DataFrame:
    """Records and sightings as intervals; merging joins them by the gap."""
    assert work.source is not None
    return records_to_intervals(_good(read), float(str(work.source.options["period"])))


def paired(work: Work, read: DataFrame) -> DataFrame:
    """Ups and downs paired; which way, is found out by counting first."""
    assert work.source is not None
    ups_and_downs = _good(read)
    if work.source.format.tells_once:
        all_told, ups_and_downs = ups_and_downs.count(), events.told_once(ups_and_downs)
        work.learnt.told_again = all_told - ups_and_downs.count()
    mode = work.settings.mode
    if mode is None:
        counted = events.event_counts(events.pair_events(ups_and_downs, "count")).collect()[0]
        mode = recognise_mode(EventCounts(**counted.asDict()))
    work.learnt.mode = mode
    return events.pair_events(ups_and_downs, mode)


def learn_events(work: Work, made: DataFrame) -> None:
    """What pairing counted."""
    counted = EventCounts(**events.event_counts(made).collect()[0].asDict())
    work.learnt.events = replace(counted, told_again=work.learnt.told_again)


def paired_intervals(_work: Work, made: DataFrame) -> DataFrame:
    """The intervals beside the counts."""
    return events.intervals_of(made)


def flagged(work: Work, intervals: DataFrame) -> DataFrame:
    """Intervals with their first fault."""
    return clean.flag_faults(intervals, _rules(work))


def learn_faults(work: Work, frame: DataFrame) -> None:
    """How many rows have which fault."""
    found = {row.fault: row for row in clean.count_faults(frame).collect()}
    count = {fault: found[fault]["rows"] if fault in found else 0 for fault in (None, *clean.FAULTS)}
    work.learnt.counts = CleanCounts(
        rows=sum(count.values()),
        self_contacts=count[clean.SELF_CONTACT],
        end_before_start=count[clean.BACKWARDS],
        external=count[clean.EXTERNAL],
    )
    if not count[None]:
        raise nothing_left(work.learnt.counts, work.learnt.lines_bad, _first_bad(work))


def named(work: Work, frame: DataFrame) -> DataFrame:
    """The nodes of the clean rows."""
    return names.number_nodes(clean.keep_clean(frame), _rules(work).internal)


def merged(work: Work, frame: DataFrame, known: DataFrame) -> DataFrame:
    """Contacts with counts of repeated and of lengthened rows."""
    return merge_counting(names.with_ids(clean.keep_clean(frame), known), work.gap, work.settings.clean.lengthen_to)


def learn_merged(work: Work, made: DataFrame) -> None:
    """What merging did, and how many contacts are too short."""
    short = sf.col("end") - sf.col("start") < work.settings.clean.drop_shorter
    found = made.agg(
        sf.count("*").alias("contacts"),
        sf.sum("duplicates").alias("duplicates"),
        sf.sum("lengthened").alias("lengthened"),
        sf.count_if(short).alias("short"),
        sf.min(sf.when(~short, sf.col("start"))).alias("first"),
    ).collect()[0]
    counts = work.learnt.counts
    work.learnt.counts = replace(
        counts,
        duplicates=found.duplicates,
        lengthened=found.lengthened,
        merged=counts.clean_rows - found.duplicates - found.contacts,
        too_short=found.short,
        contacts=found.contacts - found.short,
    )
    _note_origin(work, found.first)


def nodes(work: Work, known: DataFrame, made: DataFrame) -> DataFrame:
    """The nodes that still have a contact, numbered without holes, with what the metadata says about them."""
    left = known
    if work.settings.clean.drop_shorter > 0:
        long_enough = drop_shorter(made, work.settings.clean.drop_shorter)
        left = names.close_ranks(known, long_enough)
    return _with_metadata(work, left)


def positioned(work: Work, known: DataFrame) -> DataFrame:
    """All nodes that have positions, also those that meet nobody, with what the metadata says about them."""
    return _with_metadata(work, known)


def _with_metadata(work: Work, left: DataFrame) -> DataFrame:
    if work.told_of_nodes is None:
        return left
    return names.with_metadata(left, work.spark.createDataFrame(work.told_of_nodes))


def contacts(work: Work, made: DataFrame, known: DataFrame, final: DataFrame) -> DataFrame:
    """The contacts of the trace, in the order in which they are stored."""
    minimum = work.settings.clean.drop_shorter
    left = made if minimum == 0 else names.with_new_ids(drop_shorter(made, minimum), known, final)
    shifted = clean.shift_origin(left, work.learnt.origin)
    return shifted.select("a", "b", "start", "end").orderBy("start", "a", "b")


def learn_contacts(work: Work, made: DataFrame) -> None:
    """From when to when the trace lasts, and how long its contacts are."""
    length = sf.col("end") - sf.col("start")
    found = made.agg(
        sf.min("start").alias("start"),
        sf.max("end").alias("end"),
        sf.sum(length).alias("together"),
        sf.max(length).alias("longest"),
    ).collect()[0]
    work.learnt.start, work.learnt.end = found.start, found.end
    work.learnt.together, work.learnt.longest = found.together, found.longest


def positioned_nodes(work: Work, read: DataFrame) -> DataFrame:
    """The nodes that have positions; external ones only if they are to stay."""
    rules = _rules(work)
    seen = _good(read)
    if not rules.keep_external:
        seen = seen.where(names.is_internal(sf.col("name"), rules.internal))
    alone = sf.lit(None).cast("string")
    both = seen.select(
        sf.col("name").alias("a"), sf.col("name").alias("b"), alone.alias("class_a"), alone.alias("class_b")
    )
    return names.number_nodes(both, rules.internal)


def sampled(_work: Work, read: DataFrame, known: DataFrame) -> DataFrame:
    """Positions with node ids, and where they stood in the files."""
    return _good(read).join(known, "name").select("node", sf.col("time").alias("t"), "x", "y", "file", "line")


def learn_samples(work: Work, samples: DataFrame) -> None:
    """How many positions there are, and over which time."""
    found = samples.agg(
        sf.count("*").alias("samples"),
        sf.min("t").alias("first"),
        sf.max("t").alias("last"),
        (sf.min("node") == sf.max("node")).alias("alone"),
    ).collect()[0]
    if not found.samples:
        raise TraceError(
            f"nothing to import: no position is left ({work.learnt.lines_bad} bad lines){_first_bad(work)}"
        )
    if found.alone:
        raise one_node_only()
    work.learnt.positions, work.learnt.positions_span = found.samples, (found.first, found.last)


def runs(work: Work, samples: DataFrame) -> DataFrame:
    """Runs of looks at which two nodes were near, by slices of time."""
    rule, (first, last) = work.settings.proximity, work.learnt.positions_span
    return near.watch_slices(samples, rule, near.looks_per_slice(work.learnt.positions, first, last, rule), last)


def learn_runs(work: Work, made: DataFrame) -> None:
    """How many runs there are: the rows of a trace of positions."""
    work.learnt.counts = CleanCounts(rows=made.count())
    if not work.learnt.counts.rows:
        raise none_near(work.settings.proximity)


def joined(work: Work, made: DataFrame) -> DataFrame:
    """Contacts from runs; none of them is a repetition."""
    none = sf.lit(0).cast("long")
    return near.join_runs(made, work.settings.proximity).withColumns({"duplicates": none, "lengthened": none})


def positions(work: Work, samples: DataFrame) -> DataFrame:
    """The positions table, in the order of time."""
    shifted = samples.select("node", (sf.col("t") - work.learnt.origin).alias("t"), "x", "y")
    return shifted.orderBy("t", "node")


def spans(work: Work, made: DataFrame) -> DataFrame:
    """How pairs met in every window that is to be stored."""
    windows = stored_windows(work.learnt.start, work.learnt.end, work.settings.training)
    return reduce(DataFrame.unionByName, (pair_spans(made, window) for window in windows))


def _good(read: DataFrame) -> DataFrame:
    return read.where(sf.col("reason").isNull()).drop("text", "reason")


def _rules(work: Work) -> clean.Rules:
    asked = work.settings.clean
    return clean.Rules(None if asked.internal is None else Internal.parse(asked.internal), asked.keep_external)


def _first_bad(work: Work) -> str:
    """The end of a message: why a line was bad, if one was."""
    return "".join(f"; line {bad.line}: {bad.reason}" for bad in work.learnt.bad_examples[:1])


def _note_origin(work: Work, first: float | None) -> None:
    origin = work.settings.clean.origin
    if first is None:
        raise all_too_short(work.learnt.counts.too_short, work.settings.clean.drop_shorter)
    if isinstance(origin, str):
        work.learnt.origin = first if origin == "first" else 0.0
    else:
        work.learnt.origin = float(origin)
