"""Inter-contact times: how long two nodes that met do not see each other, over all pairs."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

BINS_PER_DECADE = 20


def inter_contact_times(contacts: DataFrame) -> DataFrame:
    """(a, b, gap): the time from the end of each contact of a pair to the start of its next one."""
    following = F.lead("start").over(Window.partitionBy("a", "b").orderBy("start"))
    gap = (following - F.col("end")).alias("gap")
    return contacts.select("a", "b", gap).where(F.col("gap").isNotNull())


def gap_distribution(gaps: DataFrame) -> DataFrame:
    """(at_least, gaps, ccdf): gaps in logarithmic bins, and the exact share of gaps not shorter than the bin's edge.

    The result has 20 rows per decade whatever the size of the trace. Gaps below one microsecond fall in the first bin.
    """
    index = F.floor(F.log10(F.greatest("gap", F.lit(1e-6))) * BINS_PER_DECADE + 1e-9)
    binned = gaps.groupBy(index.cast("int").alias("bin")).agg(F.count("*").alias("gaps"))
    longer = Window.orderBy(F.desc("bin")).rowsBetween(Window.unboundedPreceding, Window.currentRow)
    everything = Window.rowsBetween(Window.unboundedPreceding, Window.unboundedFollowing)
    return binned.select(
        F.pow(F.lit(10.0), F.col("bin") / BINS_PER_DECADE).alias("at_least"),
        "gaps",
        (F.sum("gaps").over(longer) / F.sum("gaps").over(everything)).alias("ccdf"),
    )
