"""Records ("a and b were together during the last period") and point sightings become intervals."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf


def records_to_intervals(records: DataFrame, period: float) -> DataFrame:
    """Each record covers [time - period, time]; merging with the format's gap joins the records of one meeting.

    A point sighting is a record with period 0.
    """
    return records.select(
        "file",
        "line",
        "a",
        "b",
        (sf.col("time") - period).alias("start"),
        sf.col("time").alias("end"),
        "class_a",
        "class_b",
    )
