"""How each output of the plan is made from its inputs, and what is learnt from those that were kept.

The functions that make something are made of steps and run no action. The ones called `learn_...` run small
aggregations over what was just kept and note the numbers.
"""

from __future__ import annotations

from dataclasses import replace

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from hunet.model.errors import TraceError
from hunet.pipeline.packs import parts_of
from hunet.pipeline.read import Source, read_sound
from hunet.pipeline.steps import events, names
from hunet.pipeline.steps import positions as near
from hunet.pipeline.steps.merge import Merging, count_merged, merge_packs
from hunet.pipeline.steps.order import even_borders, in_time, shift_origin
from hunet.pipeline.steps.sound import Rules, count_faults, pack_sound
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


def sound(work: Work) -> DataFrame:
    """Packs of the rows that are sound, as the format parses them, and the bad lines."""
    assert isinstance(work.source, Source)
    return read_sound(work.spark, work.source, _rules(work))


def learn_sound(work: Work, read: DataFrame) -> None:
    """How many lines are bad, and how many rows have which fault."""
    learn_rows(work, read)
    learn_faults(work, read)


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


def sound_intervals(work: Work, made: DataFrame) -> DataFrame:
    """Packs of the sound intervals beside the counts."""
    return pack_sound(events.intervals_of(made), _rules(work))


def learn_faults(work: Work, packs: DataFrame) -> None:
    """How many rows have which fault."""
    counts = work.learnt.counts = CleanCounts(**count_faults(packs).collect()[0].asDict())
    if not counts.clean_rows:
        raise nothing_left(counts, work.learnt.lines_bad, _first_bad(work))


def named(work: Work, packs: DataFrame) -> DataFrame:
    """The nodes of the sound rows."""
    return names.number_names(names.names_in(packs), _rules(work).internal)


def merged(work: Work, packs: DataFrame, known: DataFrame) -> DataFrame:
    """Packs of contacts with counts of repeated, lengthened and short ones."""
    parts = parts_of(packs)
    asked = work.settings.clean
    how = Merging(work.gap, asked.lengthen_to, asked.drop_shorter)
    return merge_packs(names.with_ids(packs, known, parts), parts, how)


def learn_merged(work: Work, made: DataFrame) -> None:
    """What merging did, from when to when the trace lasts, how long its contacts are, and where it can be cut."""
    found, learnt = count_merged(made).collect()[0], work.learnt
    learnt.counts = replace(
        learnt.counts,
        duplicates=found.duplicates,
        lengthened=found.lengthened,
        merged=learnt.counts.clean_rows - found.duplicates - found.contacts - found.too_short,
        too_short=found.too_short,
        contacts=found.contacts,
    )
    _note_origin(work, found.first)
    learnt.start, learnt.end = found.first - learnt.origin, found["last"] - learnt.origin
    learnt.together, learnt.longest = found.together, found.longest
    learnt.borders = [time - learnt.origin for time in even_borders(found.starts, parts_of(made))]


def nodes(work: Work, known: DataFrame, made: DataFrame) -> DataFrame:
    """The nodes that still have a contact, numbered without holes, with what the metadata says about them."""
    left = names.close_ranks(known, made) if work.learnt.counts.too_short else known
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
    return in_time(_final(work, made, known, final), work.learnt.borders)


def spans(work: Work, made: DataFrame, known: DataFrame, final: DataFrame) -> DataFrame:
    """How pairs met in every window that is to be stored."""
    windows = stored_windows(work.learnt.start, work.learnt.end, work.settings.training)
    return pair_spans(_final(work, made, known, final), windows)


def _final(work: Work, made: DataFrame, known: DataFrame, final: DataFrame) -> DataFrame:
    """Packs of contacts with the ids and times of the trace."""
    numbered = names.with_new_ids(made, known, final) if work.learnt.counts.too_short else made
    return shift_origin(numbered, work.learnt.origin) if work.learnt.origin else numbered


def positioned_nodes(work: Work, read: DataFrame) -> DataFrame:
    """The nodes that have positions; external ones only if they are to stay."""
    rules = _rules(work)
    seen = _good(read)
    if not rules.keep_external:
        seen = seen.where(names.is_internal(sf.col("name"), rules.internal))
    return names.number_names(names.names_of(seen), rules.internal)


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
    return near.join_runs(made, work.settings.proximity, work.settings.clean.drop_shorter)


def positions(work: Work, samples: DataFrame) -> DataFrame:
    """The positions table, in the order of time."""
    shifted = samples.select("node", (sf.col("t") - work.learnt.origin).alias("t"), "x", "y")
    return shifted.orderBy("t", "node")


def _good(read: DataFrame) -> DataFrame:
    return read.where(sf.col("reason").isNull()).drop("text", "reason")


def _rules(work: Work) -> Rules:
    asked = work.settings.clean
    return Rules(None if asked.internal is None else Internal.parse(asked.internal), asked.keep_external)


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
