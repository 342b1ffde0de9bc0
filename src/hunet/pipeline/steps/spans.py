"""How often and how long pairs met in a window, and from when to when: what closeness (`traces.pairs`) is made of."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from hunet.traces.pairs import Window


def pair_spans(contacts: DataFrame, window: Window) -> DataFrame:
    """The table SPANS: every pair that met in the window, as `traces.pairs.spans_of` finds it in memory."""
    in_window = (sf.col("start") <= window.end) & (sf.col("end") >= window.start)
    inside = contacts.where(in_window).select(
        "a",
        "b",
        sf.greatest("start", sf.lit(window.start)).alias("start"),
        sf.least("end", sf.lit(window.end)).alias("end"),
    )
    spans = inside.groupBy("a", "b").agg(
        sf.count("*").alias("contacts"),
        sf.sum(sf.col("end") - sf.col("start")).alias("total"),
        sf.min("start").alias("first"),
        sf.max("end").alias("last"),
    )
    ends = {"window_start": window.start, "window_end": window.end}
    return spans.withColumns({name: sf.lit(value).cast("double") for name, value in ends.items()})
