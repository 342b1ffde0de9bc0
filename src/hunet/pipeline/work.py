"""What an import is asked to do, and what it has learnt so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyspark.sql import SparkSession

from hunet.pipeline.read import Source
from hunet.pipeline.steps.pairs import BOUNDARIES, Training, training_end
from hunet.traces.clean import CleanCounts
from hunet.traces.events import EventCounts, Mode
from hunet.traces.whole import TraceRules, longest_pause


@dataclass(frozen=True)
class ClosenessSettings:
    """For which training windows closeness is computed, each in every boundary reading.

    The whole trace always is; `shares` are further windows, from the start of the trace. sigma None is taken from
    the data.
    """

    shares: tuple[float, ...] = ()
    sigma: float | None = None

    def trainings(self, start: float, end: float) -> list[Training]:
        """The windows over a trace that lasts from `start` to `end`."""
        ends = [end, *(training_end(start, end, share) for share in self.shares if share != 1)]
        return [Training(start, until, boundary, self.sigma) for until in ends for boundary in BOUNDARIES]

    def __post_init__(self) -> None:
        self.trainings(0.0, 1.0)


@dataclass(frozen=True)
class ImportSettings(TraceRules):
    """How rows become a trace, and what is derived from it."""

    closeness: ClosenessSettings = field(default_factory=ClosenessSettings)


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
        return longest_pause(self.settings.clean, {} if self.source is None else self.source.options)
