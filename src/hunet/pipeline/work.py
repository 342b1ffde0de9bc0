"""What an import is asked to do, and what it has learnt so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import SparkSession

from hunet.pipeline.read import Source
from hunet.traces.clean import CleanCounts, CleanSettings
from hunet.traces.events import EventCounts, Mode
from hunet.traces.pairs import stored_windows
from hunet.traces.proximity import Proximity


@dataclass(frozen=True)
class ImportSettings:
    """How rows become a trace.

    mode forces how up and down events are paired (recognised if None); proximity is the rule for positions; metadata
    names a file with more about the nodes; strict stops at the first bad line; training are first shares of the trace
    for which spans of pairs are stored, beside those that always are.
    """

    clean: CleanSettings = field(default_factory=CleanSettings)
    mode: Mode | None = None
    proximity: Proximity = field(default_factory=lambda: Proximity(radius=10.0, step=10.0))
    metadata: Path | None = None
    strict: bool = False
    training: tuple[float, ...] = ()

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
class Notes:
    """The few numbers that later steps and the report need; each is noted by the stage that finds it out."""

    lines_bad: int = 0
    bad_examples: tuple[BadLine, ...] = ()
    mode: Mode | None = None
    events: EventCounts | None = None
    positions: int = 0
    positions_span: tuple[float, float] = (0.0, 0.0)
    first_start: float = 0.0
    origin: float = 0.0
    counts: CleanCounts = field(default_factory=lambda: CleanCounts(0))
    start: float = 0.0
    end: float = 0.0


@dataclass(frozen=True)
class Work:
    """Everything a stage of the plan may look at beside its input frames."""

    spark: SparkSession
    settings: ImportSettings
    source: Source | None
    notes: Notes

    @property
    def gap(self) -> float:
        """The longest pause within a contact: what the format settled, or what the user asked for."""
        settled = self.source.options.get("gap", 0.0) if self.source is not None else 0.0
        return max(self.settings.clean.gap, float(str(settled)))
