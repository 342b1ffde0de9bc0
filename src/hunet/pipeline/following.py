"""Following logs that grow: from what is added to them to a trace that grows with them.

    logs ──look──► spool ──Structured Streaming──► entries ──► a version of the trace
          whole lines,       parsed once, by batch    clocks aligned, contacts paired, cleaned and merged,
          never changed      and checkpoint           as an import of the logs would do it

A look takes whole lines that are new into a file of the spool, and then moves its marks (`traces.growing`). Spark's
stream parses what is in the spool, each file once by its checkpoint, and keeps the entries (`pipeline.entries`). Then
all entries become a version of the trace. Whatever is killed in between, the next look goes on: at worst it reads lines
again that it has already, and equal entries count once. So nothing is lost and nothing doubled.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.errors import PySparkException

from hunet.atomic import PARTS, whole_file
from hunet.input_files import parse_json, read_text, require_regular
from hunet.model.errors import EmptyTraceError, SparkError, TraceError
from hunet.pipeline import read
from hunet.pipeline.entries import Entries, parsed
from hunet.pipeline.importing import counts_of_learnt, figures_of
from hunet.pipeline.plan import PLANS, run
from hunet.pipeline.schema import spark_schema
from hunet.pipeline.session import SparkSettings, spark_session
from hunet.pipeline.small import learn_bad, write_whole
from hunet.pipeline.work import BadLine, ImportSettings, Learnt, Work
from hunet.pipeline.write import jobs_of, pattern_of, place_of
from hunet.traces.align import CLOCKS, align, clocks_set, on_one_clock
from hunet.traces.format import LINES
from hunet.traces.formats.nodelog import NODELOG
from hunet.traces.growing import Look, Mark, look
from hunet.traces.lines import read_head
from hunet.traces.locking import exclusive
from hunet.traces.names import natural_order
from hunet.traces.sanity import judge
from hunet.traces.storing import Label, put_label
from hunet.traces.whole import settings_of, trace_from

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from hunet.traces.manifest import Manifest
    from hunet.traces.store import TraceStore

__all__ = ["Following", "Taken", "following", "require_followable"]

_FOR_EVER = "36500d"
"""Spark forgets files of a stream after a week, also those that it has not read."""


@dataclass(frozen=True)
class Taken:
    """What a look at the logs took in, and what became of the trace.

    lines, late and begun_anew are of this look, unfinished and refused as it stands now; bad_lines and what follows it
    are of all that was ever read. manifest is None as long as no contact has ended.
    """

    manifest: Manifest | None
    lines: int = 0
    begun_anew: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    changed: bool = False
    late: int = 0
    """Entries of contacts from before the end of what was published: they were put where they belong."""
    bad_lines: int = 0
    bad_examples: tuple[BadLine, ...] = ()
    told_again: int = 0
    open_contacts: int = 0
    clocks_set: Mapping[str, int] = field(default_factory=dict)
    odd: tuple[str, ...] = ()


@dataclass
class _State:
    """What is remembered between looks: how far logs were read, and until when the published trace reaches."""

    marks: dict[str, Mark] = field(default_factory=dict)
    bytes: int = 0
    end: float | None = None
    behind: bool = False
    """Whether lines were taken that no version has yet."""


def require_followable(store: TraceStore, patterns: Sequence[str], name: str) -> None:
    """Refuse a name that is taken, and what is there and no log. A folder may be empty yet."""
    if not store.beside(name).is_dir() and name in store:
        raise TraceError(f"trace {name!r} is there and was not made by following logs: choose another name")
    for pattern in patterns:
        if not Path(pattern).is_dir() and not _logs([pattern]):
            require_regular(Path(pattern), TraceError, "log")
    for file in _logs(patterns):
        head = read_head(Path(file))
        if head and not any(NODELOG.evidence(file, [line]) for line in head):
            raise TraceError(f"'{file}' is no log of a node (of its first lines none is an entry): name logs alone")


def _logs(patterns: Sequence[str]) -> list[str]:
    found: set[str] = set()
    for pattern in patterns:
        with suppress(TraceError):  # nothing there yet, or just now
            found |= set(read.expand([pattern]))
    return natural_order(found)


@contextmanager
def following(
    spark: SparkSession | SparkSettings, store: TraceStore, patterns: Sequence[str], label: Label
) -> Iterator[Following]:
    """Follow logs as this trace; one command at a time does."""
    require_followable(store, patterns, label.name)
    folder = store.beside(label.name)
    folder.mkdir(parents=True, exist_ok=True)
    with exclusive(folder / ".lock", f"trace {label.name!r} is being followed by another command: let it do so"):
        for draft in (*folder.glob(PARTS), *(folder / "spool").glob(PARTS)):
            draft.unlink()
        with spark_session(spark) as session:
            yield Following(session, store, patterns, label)


class Following:
    """Logs that are followed. Every `look` takes what is new and publishes a version of the trace."""

    def __init__(self, spark: SparkSession, store: TraceStore, patterns: Sequence[str], label: Label) -> None:
        self._spark, self._store, self._patterns, self._label = spark, store, patterns, label
        self._folder = store.beside(label.name)
        self._entries = Entries(self._folder / "entries", {})
        self._spool = self._folder / "spool"
        self._spool.mkdir(exist_ok=True)
        self._state = self._read_state()
        self._last: Taken | None = None

    def look(self) -> Taken:
        """Take what is new, all or nothing; what was taken is in the trace when this returns."""
        if not self._spool.is_dir():
            raise TraceError(f"trace {self._label.name!r} was removed while its logs were followed: start again")
        found, lines = self._take()
        batches = self._stream()
        if self._last is None or batches or self._state.behind:
            self._entries.compact(self._spark)
            self._last = self._publish(batches)
        else:
            self._last = replace(self._last, late=0, changed=False)
        return replace(
            self._last,
            lines=lines,
            begun_anew=tuple(found.begun_anew),
            unfinished=tuple(found.unfinished),
            refused=found.refused,
        )

    def _take(self) -> tuple[Look, int]:
        """New whole lines into the spool, and then the marks."""
        found = look(_logs(self._patterns), self._state.marks)
        lines = 0
        if (first := next(found.lines, None)) is not None:
            with whole_file(self._spool / f"{secrets.token_hex(8)}.parquet") as draft:
                with pq.ParquetWriter(draft, LINES) as writer:
                    for piece in chain((first,), found.lines):
                        lines += piece.num_rows
                        self._state.bytes += pc.sum(pc.binary_length(piece["text"])).as_py() or 0
                        writer.write_table(piece)
                _on_disk(draft)
        if found.marks != self._state.marks:
            self._state.marks = found.marks
            self._save()
        return found, lines

    def _stream(self) -> list[int]:
        """Parse and keep what is in the spool; the numbers of the batches that it was."""
        files = list(self._spool.glob("*.parquet"))
        if not files:
            return []
        self._state.behind = True
        self._save()
        batches: list[int] = []
        failures: list[Exception] = []

        def keep_batch(batch: DataFrame, number: int) -> None:
            try:
                self._entries.keep(batch, number)
            except Exception as failure:  # which goes through Java and comes back as a text of many pages
                failures.append(failure)
                raise SparkError("a batch was not kept") from None
            batches.append(number)

        checkpoint = self._folder / "checkpoint"
        if not any(file.name.isdecimal() for file in checkpoint.glob("offsets/*")):
            # A command was killed before its first batch began. Nothing was read, and Spark would refuse what it left.
            shutil.rmtree(checkpoint, ignore_errors=True)
        lines = self._spark.readStream.schema(spark_schema(LINES)).option("maxFileAge", _FOR_EVER)
        with jobs_of("following the logs"):
            query = (
                parsed(lines.parquet(pattern_of(self._spool)))
                .writeStream.foreachBatch(keep_batch)
                .option("checkpointLocation", place_of(checkpoint))
                .trigger(availableNow=True)
                .start()
            )
            try:
                query.awaitTermination()
            except PySparkException as failed:
                raise (failures[0] if failures else failed) from None
            finally:
                query.stop()
        for file in files:
            file.unlink()
        return batches

    def _publish(self, batches: Sequence[int]) -> Taken:
        """A version of the trace from all entries, by the rules of an import."""
        options = align(self._entries.contacts())
        entries = replace(self._entries, options=options)
        learnt, settings = Learnt(), ImportSettings(yes=True)
        work = Work(self._spark, settings, entries, learnt)
        before = self._current()
        try:
            with self._store.write_version(self._label.name) as draft:
                if self._state.bytes <= read.SMALL_BYTES:
                    reading = entries.reading()
                    learn_bad(learnt, reading.bad)
                    write_whole(work, draft, trace_from(reading, settings))
                else:
                    run(PLANS[entries.format.yields], work, draft.path, lambda _title, _number, _total: None)
                odd = judge(figures_of(options, learnt, draft.path))
                told = {**settings_of(entries.format, options, [], settings), "files": self._files(), "followed": True}
                put_label(draft, self._label, told, counts_of_learnt(learnt))
        except EmptyTraceError:
            self._done(None)
            return Taken(manifest=self._current(), bad_lines=learnt.lines_bad, bad_examples=learnt.bad_examples)
        late = self._late(batches, options)
        self._done(learnt.end + learnt.origin)
        after = self._current()
        assert learnt.events is not None
        return Taken(
            manifest=after,
            changed=after != before,
            late=late,
            bad_lines=learnt.lines_bad,
            bad_examples=learnt.bad_examples,
            told_again=learnt.events.told_again,
            open_contacts=learnt.events.never_closed,
            clocks_set=clocks_set(options),
            odd=(*odd.proof, *odd.odd),
        )

    def _late(self, batches: Sequence[int], options: Mapping[str, Any]) -> int:
        """How many new entries of contacts are from before the end of what was published."""
        if self._state.end is None or CLOCKS not in options:
            return 0
        new = self._entries.of_batches(batches)
        new = new.filter(pc.equal(new["kind"], "contact"))
        return int(np.count_nonzero(on_one_clock(new, options) < self._state.end))

    def _current(self) -> Manifest | None:
        return self._store.open(self._label.name).manifest if self._label.name in self._store else None

    def _files(self) -> list[list[object]]:
        return [[Path(file).name, mark.bytes] for file, mark in self._state.marks.items()]

    def _done(self, end: float | None) -> None:
        self._state.behind, self._state.end = False, end
        self._save()

    def _save(self) -> None:
        with whole_file(self._folder / "state.json") as draft:
            draft.write_text(json.dumps(asdict(self._state)), encoding="utf-8")
            _on_disk(draft)

    def _read_state(self) -> _State:
        file = self._folder / "state.json"
        if not file.exists():
            return _State()
        found = parse_json(read_text(file, TraceError, "state"), f"'{file}'", TraceError, own=True)
        try:
            marks = {name: Mark(**mark) for name, mark in found.pop("marks").items()}
            return _State(marks, **found)
        except (TypeError, AttributeError, KeyError) as error:
            raise TraceError(
                f"'{file}' is damaged ({error}): remove the trace {self._label.name!r} and follow its logs anew"
            ) from None


def _on_disk(file: Path) -> None:
    with file.open("rb+") as written:
        os.fsync(written.fileno())
