"""How well two nodes know each other: contacts, time together, mean separation and closeness (MOPS II-B).

Eq. 1, [mops09]:  c_uv = exp(-AVG(D_uv)^2 / (2 sigma^2))

D_uv are the separation periods of u and v within a training window, sigma the mean of AVG(D) over all pairs that have
one. The paper does not say whether the time before the first and after the last contact counts (AMB-40): its example
fits `both` and `tail`, its statistics on data fit `inner` better. All three are here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from hunet.model.errors import InvalidValueError

Boundary = Literal["both", "inner", "tail"]
BOUNDARIES: tuple[Boundary, ...] = ("both", "inner", "tail")


@dataclass(frozen=True)
class Training:
    """The window in which separations are looked at, and how they are read.

    boundary `both` counts the gaps at both ends of the window, `tail` the one after the last contact, `inner`
    neither. A boundary gap of length 0 is no gap. sigma None is taken from the data.
    """

    start: float
    end: float
    boundary: Boundary = "both"
    sigma: float | None = None

    def __post_init__(self) -> None:
        if not self.start <= self.end:
            raise InvalidValueError(f"training window: end {self.end} lies before start {self.start}")
        if self.boundary not in BOUNDARIES:
            raise InvalidValueError(f"boundary {self.boundary!r}: use one of {', '.join(BOUNDARIES)}")
        if self.sigma is not None and not self.sigma > 0:
            raise InvalidValueError(f"sigma {self.sigma}: must be above 0 seconds")


def training_end(start: float, end: float, share: float) -> float:
    """When the first `share` of a trace that lasts from `start` to `end` is over."""
    if not 0 < share <= 1:
        raise InvalidValueError(f"training share {share}: must be above 0 and at most 1")
    return start + share * (end - start)


def pair_statistics(contacts: DataFrame, training: Training) -> DataFrame:
    """Per pair that met in the window: contacts, total, mean_gap.

    The contacts of a pair are disjoint, so the gaps between them add up to (last end - first start - total): no
    window function is needed. mean_gap is null where the reading leaves no gap to look at although the pair was
    separated (one contact, `inner`), and 0 for a pair that was together all the time.
    """
    first, last, total = sf.min("start"), sf.max("end"), sf.sum(sf.col("end") - sf.col("start"))
    met = _inside(contacts, training).groupBy("a", "b")
    spans = met.agg(sf.count("*").alias("contacts"), total.alias("total"), first.alias("first"), last.alias("last"))
    gaps, time = _separations(training)
    always_together = (sf.col("first") <= training.start) & (sf.col("last") >= training.end) & (sf.col("contacts") == 1)
    mean = sf.when(gaps > 0, sf.greatest(time, sf.lit(0.0)) / gaps).when(always_together, 0.0)
    return spans.select("a", "b", "contacts", "total", mean.alias("mean_gap"))


def closeness(statistics: DataFrame, training: Training) -> DataFrame:
    """The pairs table (`model.tables.PAIRS`): statistics, closeness by Eq. 1 and the settings that gave them.

    A pair without a mean separation has closeness 0, as if it had no edge.
    """
    if training.sigma is None:
        sigma_row = statistics.agg(sf.avg("mean_gap").alias("sigma"))
        widened = statistics.crossJoin(sf.broadcast(sigma_row))
    else:
        widened = statistics.withColumn("sigma", sf.lit(training.sigma))
    gap, sigma = sf.col("mean_gap"), sf.col("sigma")
    curve = sf.exp(-(gap * gap) / (2 * sigma * sigma))
    # Without any separation there is no sigma either: nobody was ever apart.
    value = sf.when(gap.isNull(), 0.0).when(gap == 0, 1.0).when(sigma > 0, curve).otherwise(0.0)
    return widened.select(
        "a",
        "b",
        "contacts",
        "total",
        "mean_gap",
        value.alias("closeness"),
        sf.lit(training.start).cast("double").alias("window_start"),
        sf.lit(training.end).cast("double").alias("window_end"),
        sf.lit(training.boundary).alias("boundary"),
        sf.coalesce(sigma, sf.lit(0.0)).alias("sigma"),
    )


def _inside(contacts: DataFrame, training: Training) -> DataFrame:
    """The parts of the contacts that lie in the window; one that only touches its edge stays with length 0."""
    in_window = (sf.col("start") <= training.end) & (sf.col("end") >= training.start)
    return contacts.where(in_window).select(
        "a",
        "b",
        sf.greatest("start", sf.lit(training.start)).alias("start"),
        sf.least("end", sf.lit(training.end)).alias("end"),
    )


def _separations(training: Training) -> tuple[Column, Column]:
    """(how many gaps a pair has, how long they are together) under the boundary reading."""
    count, time = sf.col("contacts") - 1, sf.col("last") - sf.col("first") - sf.col("total")
    before, after = sf.col("first") - sf.lit(training.start), sf.lit(training.end) - sf.col("last")
    if training.boundary == "both":
        count, time = count + (before > 0).cast("long"), time + before
    if training.boundary in ("both", "tail"):
        count, time = count + (after > 0).cast("long"), time + after
    return count, time
