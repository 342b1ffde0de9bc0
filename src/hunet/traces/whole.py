"""A trace from raw files, whole and in memory: what an import does on Spark, by the same rules, where it fits.

rows of the files  ->  intervals, or positions  ->  cleaned, merged, numbered  ->  contacts, nodes (and positions)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import EmptyTraceError, TraceError
from hunet.model.tables import POSITIONS
from hunet.traces.clean import CleanCounts, CleanSettings, clean, nodes_table, shift, to_intervals
from hunet.traces.events import EventCounts, Mode, told_once
from hunet.traces.fields import without_blanks
from hunet.traces.format import Format, Options
from hunet.traces.formats.sociopatterns import METADATA, read_metadata
from hunet.traces.lines import read_lines
from hunet.traces.names import Internal, natural_order
from hunet.traces.proximity import Proximity, contacts_from_positions
from hunet.traces.reading import Reading, read_files
from hunet.traces.sanity import Figures

READER_VERSION = 5
"""Goes up when the same file with the same options would become another trace."""

__all__ = [
    "READER_VERSION",
    "TraceRules",
    "WholeTrace",
    "all_too_short",
    "counts_of",
    "longest_pause",
    "none_near",
    "nothing_left",
    "one_node_only",
    "read_trace",
    "settings_of",
    "told_of_nodes",
    "trace_from",
]


@dataclass(frozen=True)
class TraceRules:
    """How rows become a trace.

    mode forces how up and down events are paired (recognised if None); proximity is the rule for positions; metadata
    names a file with more about the nodes; strict stops at the first bad line; yes takes
    a trace also where it seems to be misread.
    """

    clean: CleanSettings = field(default_factory=CleanSettings)
    mode: Mode | None = None
    proximity: Proximity = field(default_factory=lambda: Proximity(radius=10.0, step=10.0))
    metadata: Path | None = None
    strict: bool = False
    yes: bool = False


@dataclass(frozen=True)
class WholeTrace:
    """A trace that was read, and what was found on the way: bad lines, what each step removed, how events were paired.

    positions is None where the files have none; origin are the seconds that were subtracted from all times.
    """

    reading: Reading
    contacts: pa.Table
    nodes: pa.Table
    positions: pa.Table | None
    counts: CleanCounts
    origin: float
    mode: Mode | None = None
    events: EventCounts | None = None

    @property
    def figures(self) -> Figures:
        """What tells whether it makes sense."""
        lengths = pc.subtract(self.contacts["end"], self.contacts["start"])
        return Figures(
            names=self.nodes["name"].to_pylist(),
            rows=self.counts.rows if self.positions is None else self.positions.num_rows,
            bad_lines=self.reading.bad.num_rows,
            backwards=self.counts.end_before_start,
            with_self=self.counts.self_contacts,
            contacts=self.contacts.num_rows,
            together=pc.sum(lengths).as_py(),
            longest=pc.max(lengths).as_py(),
            start=pc.min(self.contacts["start"]).as_py() + self.origin,
            end=pc.max(self.contacts["end"]).as_py() + self.origin,
            dates=bool(self.reading.options.get("dates")),
        )

    @property
    def told(self) -> dict[str, object]:
        """What a manifest says of it."""
        positions = 0 if self.positions is None else self.positions.num_rows
        return counts_of(self.counts, self.reading.bad.num_rows, self.mode, self.events, positions, self.origin)


def settings_of(
    form: Format, options: Options, files: Sequence[Path], rules: TraceRules, training: Sequence[float] = ()
) -> dict[str, object]:
    """What a manifest says of how a trace was read."""
    told: dict[str, object] = {
        "reader_version": READER_VERSION,
        "format": form.name,
        "options": dict(options),
        "files": [[file.name, file.stat().st_size] for file in files],
        "clean": asdict(rules.clean),
        "training": list(training),
    }
    if rules.metadata is not None:
        told["metadata"] = rules.metadata.name
    if form.yields == "positions":
        told["proximity"] = asdict(rules.proximity)
    return told


def counts_of(
    counts: CleanCounts, bad_lines: int, mode: Mode | None, events: EventCounts | None, positions: int, origin: float
) -> dict[str, object]:
    """What a manifest says of what was found in the files."""
    told: dict[str, object] = {"bad_lines": bad_lines, **asdict(counts)}
    if events is not None:
        told["events"] = {"mode": mode, **asdict(events)}
    if positions:
        told["positions"] = positions
    if origin:
        told["time_origin"] = origin
    return told


def read_trace(
    files: Sequence[Path], rules: TraceRules, format_name: str | None = None, options: Options | None = None
) -> WholeTrace:
    """Read files of one format together; the first decides on format and options."""
    reading = read_files(files, format_name=format_name, options=options, strict=rules.strict)
    return trace_from(reading, rules, told_of_nodes(rules.metadata))


def trace_from(reading: Reading, rules: TraceRules, metadata: pa.Table | None = None) -> WholeTrace:
    """A trace from what was read, with what a file says about its nodes (`told_of_nodes`)."""
    if reading.format.yields == "positions":
        return _from_positions(reading, rules, metadata)
    rows = told_once(reading.rows) if reading.format.tells_once else reading.rows
    paired = to_intervals(rows, reading.format.yields, reading.options, rules.mode)
    asked = replace(rules.clean, gap=longest_pause(rules.clean, reading.options))
    made = clean(paired.intervals, asked, metadata)
    if not made.counts.clean_rows:
        raise nothing_left(made.counts, reading.bad.num_rows, _first_bad(reading))
    if not made.counts.contacts:
        raise all_too_short(made.counts.too_short, asked.drop_shorter)
    again = reading.rows.num_rows - rows.num_rows
    events = None if paired.events is None else replace(paired.events, told_again=again)
    return WholeTrace(reading, made.contacts, made.nodes, None, made.counts, made.origin, paired.mode, events)


def told_of_nodes(path: Path | None) -> pa.Table | None:
    """What a file says about nodes (METADATA); None where there is none."""
    if path is None:
        return None
    told = METADATA.empty_table()
    for lines in read_lines(path):
        said = without_blanks(lines)
        told = pa.concat_tables([told, found := read_metadata(said)])
        strange = pc.match_substring(said["text"], "\N{REPLACEMENT CHARACTER}")
        wrong = pc.indices_nonzero(pc.or_(strange, pc.is_null(found["class"])))
        if len(wrong):
            first = said.slice(wrong[0].as_py(), 1)
            reason = "a letter is not UTF-8" if strange[wrong[0].as_py()].as_py() else "expected `id class [more]`"
            raise TraceError(f"file about nodes '{path}', line {first['line'][0].as_py()}: {reason}")
    if not told.num_rows:
        raise TraceError(f"file about nodes '{path}' says nothing: give lines `id class [more]`")
    return told


def longest_pause(asked: CleanSettings, options: Options) -> float:
    """The longest pause within a contact: what the format settled, or what the user asked for."""
    return max(asked.gap, float(str(options.get("gap", 0.0))))


def nothing_left(counts: CleanCounts, bad_lines: int, first_bad: str) -> EmptyTraceError:
    """The error where no row is sound."""
    return EmptyTraceError(
        f"nothing to import: of {counts.rows} rows none is left after cleaning "
        f"({bad_lines} bad lines, {counts.self_contacts} self-contacts, "
        f"{counts.end_before_start} ending before they start, {counts.external} with external devices){first_bad}"
    )


def all_too_short(contacts: int, least: float) -> EmptyTraceError:
    """The error where no contact lasts long enough."""
    return EmptyTraceError(f"nothing to import: all {contacts} contacts are shorter than {least:g} s")


def one_node_only() -> TraceError:
    """The error where all positions are of one node."""
    return TraceError(
        "all positions are of one node, so there is no contact (files of one node each are given together; "
        "`hunet trace look` shows what was taken for names)"
    )


def none_near(rule: Proximity) -> TraceError:
    """The error where positions give no contact."""
    return TraceError(
        f"no contact found: no two nodes come within {rule.radius:g} m of each other (choose a larger --radius)"
    )


def _first_bad(reading: Reading) -> str:
    """The end of a message: why a line was bad, if one was."""
    return "".join(f"; line {bad['line']}: {bad['reason']}" for bad in reading.bad.slice(0, 1).to_pylist())


def _from_positions(reading: Reading, rules: TraceRules, metadata: pa.Table | None) -> WholeTrace:
    """Contacts of nodes that were near each other. A node stays also where it met nobody: it has positions."""
    asked = rules.clean
    internal = None if asked.internal is None else Internal.parse(asked.internal)
    names = natural_order(pc.unique(reading.rows["name"]).to_pylist())
    if internal is not None and not asked.keep_external:
        names = [name for name in names if name in internal]
    samples = _samples(reading.rows, names)
    if not samples.num_rows:
        raise TraceError(
            f"nothing to import: no position is left ({reading.bad.num_rows} bad lines){_first_bad(reading)}"
        )
    if len(pc.unique(samples["node"])) == 1:
        raise one_node_only()
    found = contacts_from_positions(samples, rules.proximity)
    if not found.num_rows:
        raise none_near(rules.proximity)
    long_enough = found.filter(pc.greater_equal(pc.subtract(found["end"], found["start"]), asked.drop_shorter))
    if not long_enough.num_rows:
        raise all_too_short(found.num_rows, asked.drop_shorter)
    contacts, origin = shift(long_enough, asked.origin)
    kinds = ["internal" if internal is None or name in internal else "external" for name in names]
    nodes = nodes_table(names, kinds, [None] * len(names), metadata)
    counts = CleanCounts(found.num_rows, too_short=found.num_rows - long_enough.num_rows, contacts=long_enough.num_rows)
    moved = samples.set_column(1, "t", pc.subtract(samples["t"], origin))
    positions = moved.sort_by([("t", "ascending"), ("node", "ascending")])
    return WholeTrace(reading, contacts, nodes, positions, counts, origin)


def _samples(rows: pa.Table, names: Sequence[str]) -> pa.Table:
    """POSITIONS of these nodes, in the order in which they stand in the files where times are equal."""
    known = rows.filter(pc.is_in(rows["name"], pa.array(names, pa.string())))
    ordered = known.sort_by([("time", "ascending"), ("file", "ascending"), ("line", "ascending")])
    node = pc.index_in(ordered["name"], pa.array(names, pa.string()))
    return pa.table([node, ordered["time"], ordered["x"], ordered["y"]], schema=POSITIONS)
