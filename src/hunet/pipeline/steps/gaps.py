"""Inter-contact times: how long two nodes that met do not see each other, over all pairs."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

BINS_PER_DECADE = 20


def inter_contact_times(contacts: DataFrame) -> DataFrame:
    """(a, b, gap): the time from the end of each contact of a pair to the start of its next one."""
    following = sf.lead("start").over(Window.partitionBy("a", "b").orderBy("start"))
    gap = (following - sf.col("end")).alias("gap")
    return contacts.select("a", "b", gap).where(sf.col("gap").isNotNull())


def gap_distribution(gaps: DataFrame) -> DataFrame:
    """(at_least, gaps, ccdf): gaps in logarithmic bins, and the exact share of gaps not shorter than the bin's edge.

    The result has 20 rows per decade whatever the size of the trace. Gaps below one microsecond fall in the first bin.
    """
    index = sf.floor(sf.log10(sf.greatest("gap", sf.lit(1e-6))) * BINS_PER_DECADE + 1e-9)
    binned = gaps.groupBy(index.cast("int").alias("bin")).agg(sf.count("*").alias("gaps"))
    all_bins = Window.partitionBy(sf.lit(1))  # a few hundred rows at most
    longer = all_bins.orderBy(sf.desc("bin")).rowsBetween(Window.unboundedPreceding, Window.currentRow)
    return binned.select(
        sf.pow(sf.lit(10.0), sf.col("bin") / BINS_PER_DECADE).alias("at_least"),
        "gaps",
        (sf.sum("gaps").over(longer) / sf.sum("gaps").over(all_bins)).alias("ccdf"),
    )
