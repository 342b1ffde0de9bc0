"""What is computed from what: every output of an import, the step that makes it, its inputs, and what is kept.

    output       from                   what it holds                                          kept
    rows         the source             rows and bad lines as the format parsed them           work  (events, positions)
    paired       rows                   intervals of up/down events, with counts               work  (events)
    sound        the source, or paired  packs of rows that are sound, what was not, bad lines  work
    named        sound or rows          names, kinds and classes with ids in natural order     work
    sampled      rows, named            positions with node ids                                work  (positions)
    runs         sampled                looks at which two nodes were in range, by slices      work  (positions)
    merged       sound, named; or runs  packs of contacts long enough, with what was counted   work
    nodes        named, merged          nodes that have a contact, or a position, dense ids    trace
    contacts     merged, named, nodes   contacts from the time origin, in the order of time    trace
    positions    sampled                positions from the time origin, in order               trace (positions)
    spans        merged, named, nodes   how often and how long pairs met, per window           trace

A pack is a table in one field (`pipeline.packs`): rows by the hundred thousand that Spark moves as one.
"trace" outputs are part of the stored trace, "work" outputs are written because several later steps read them, and go
when the import ends. `PLANS` is this table for each kind of rows a format may yield.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from pyspark.sql import DataFrame

from hunet.pipeline import making
from hunet.pipeline.stage_times import Progress
from hunet.pipeline.work import Work
from hunet.pipeline.write import jobs_of, keep

Kept = Literal["trace", "work"]


class Output(NamedTuple):
    """One line of the plan. `learn` looks at what was kept and keeps the few numbers that later steps need."""

    output: str
    inputs: tuple[str, ...]
    make: Callable[..., DataFrame]
    kept: Kept
    title: str
    learn: Callable[[Work, DataFrame], None] | None = None


_READ = Output("rows", (), making.rows, "work", "reading", making.learn_rows)
_READ_SOUND = Output("sound", (), making.sound, "work", "reading", making.learn_sound)
_MERGE = (
    Output("named", ("sound",), making.named, "work", "collecting the names"),
    Output("merged", ("sound", "named"), making.merged, "work", "uniting directions and merging", making.learn_merged),
    Output("nodes", ("named", "merged"), making.nodes, "trace", "numbering the nodes"),
)
_FINAL = ("merged", "named", "nodes")
_CONTACTS = Output("contacts", _FINAL, making.contacts, "trace", "sorting")

FACTS: tuple[Output, ...] = (Output("spans", _FINAL, making.spans, "trace", "how often and how long pairs met"),)
"""What is derived from the contacts."""

PLANS: dict[str, tuple[Output, ...]] = {
    "intervals": (_READ_SOUND, *_MERGE, _CONTACTS, *FACTS),
    "records": (_READ_SOUND, *_MERGE, _CONTACTS, *FACTS),
    "events": (
        _READ,
        Output("paired", ("rows",), making.paired, "work", "pairing ups and downs", making.learn_events),
        Output("sound", ("paired",), making.sound_intervals, "work", "looking for faults", making.learn_faults),
        *_MERGE,
        _CONTACTS,
        *FACTS,
    ),
    "positions": (
        _READ,
        Output("named", ("rows",), making.positioned_nodes, "work", "collecting the names"),
        Output("sampled", ("rows", "named"), making.sampled, "work", "preparing the positions", making.learn_samples),
        Output("runs", ("sampled",), making.runs, "work", "watching who is near whom", making.learn_runs),
        Output("merged", ("runs",), making.joined, "work", "joining what was seen", making.learn_merged),
        Output("nodes", ("named",), making.positioned, "trace", "numbering the nodes"),
        _CONTACTS,
        Output("positions", ("sampled",), making.positions, "trace", "sorting the positions"),
        *FACTS,
    ),
}


def run(stages: Sequence[Output], work: Work, folder: Path, progress: Progress) -> None:
    """Run stages in order; outputs of the trace go into `folder`, work outputs into one in it that goes in the end."""
    frames: dict[str, DataFrame] = {}
    scratch = folder / "_work"
    for number, stage in enumerate(stages):
        progress(stage.title, number, len(stages))
        with jobs_of(stage.title):
            frame = stage.make(work, *(frames[name] for name in stage.inputs))
            kept = keep(work.spark, frame, (folder if stage.kept == "trace" else scratch) / stage.output)
            frames[stage.output] = kept
            if stage.learn is not None:
                stage.learn(work, kept)
    progress("done", len(stages), len(stages))
    shutil.rmtree(scratch, ignore_errors=True)
