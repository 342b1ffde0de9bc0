"""What an import is asked to do, and what it has learnt so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Protocol

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from hunet.traces.clean import CleanCounts
from hunet.traces.events import EventCounts, Mode
from hunet.traces.format import Format, Options
from hunet.traces.pairs import stored_windows
from hunet.traces.whole import TraceRules, longest_pause


@dataclass(frozen=True)
class ImportSettings(TraceRules):
    """How rows become a trace; training are first shares of it for which spans of pairs are stored, beside those that
    always are."""

    training: tuple[float, ...] = ()

    @classmethod
    def of(cls, rules: TraceRules, training: Sequence[float] = ()) -> ImportSettings:
        """The settings of an import by these rules."""
        return cls(**{one.name: getattr(rules, one.name) for one in fields(rules)}, training=tuple(training))

    def __post_init__(self) -> None:
        stored_windows(0.0, 1.0, self.training)


@dataclass(frozen=True)
class BadLine:
    """An example of a line that could not be used."""

    file: str
    line: int
    text: str
    reason: str


@dataclass
class Learnt:
    """The few numbers that later steps and the report need; each is set by the stage that finds it out."""

    lines_bad: int = 0
    bad_examples: tuple[BadLine, ...] = ()
    mode: Mode | None = None
    events: EventCounts | None = None
    told_again: int = 0
    positions: int = 0
    positions_span: tuple[float, float] = (0.0, 0.0)
    origin: float = 0.0
    counts: CleanCounts = field(default_factory=lambda: CleanCounts(0))
    start: float = 0.0
    end: float = 0.0
    together: float = 0.0
    longest: float = 0.0
    borders: list[float] = field(default_factory=list)
    """Times that cut the contacts into parts of equal size."""


class Rows(Protocol):
    """Where rows come from: files (`read.Source`), or what was kept of logs that are followed."""

    @property
    def format(self) -> Format:
        """What they are rows of."""

    @property
    def options(self) -> Options:
        """What was settled about them."""

    def rows(self, spark: SparkSession) -> DataFrame:
        """All of them, and the bad lines among them, which have a `reason` and a `text`."""

    def line_of(self, file: str, line: int) -> int:
        """What is said of where a bad line stands."""


@dataclass(frozen=True)
class Work:
    """Everything a stage of the plan may look at beside its input frames."""

    spark: SparkSession
    settings: ImportSettings
    source: Rows | None
    learnt: Learnt
    told_of_nodes: pa.Table | None = None
    """What the settings' file of metadata says."""

    @property
    def gap(self) -> float:
        """The longest pause within a contact: what the format settled, or what the user asked for."""
        return longest_pause(self.settings.clean, {} if self.source is None else self.source.options)
