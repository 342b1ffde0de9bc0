"""Cleaning rows before they become contacts: each row is kept or has one named fault.

Nothing is dropped silently: `flag_faults` says why a row cannot be used, `count_faults` counts that over all rows in
one pass, and `keep_clean` drops them.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from hunet.pipeline.steps.names import is_internal
from hunet.traces.names import Internal

SELF_CONTACT = "self-contact"
BACKWARDS = "end before start"
EXTERNAL = "external device"
FAULTS = (SELF_CONTACT, BACKWARDS, EXTERNAL)
"""In the order in which they are looked for; a row has the first that applies."""


@dataclass(frozen=True)
class Rules:
    """What cleaning depends on: the experiment's own devices (None: all), and whether contacts with others stay."""

    internal: Internal | None = None
    keep_external: bool = False


def flag_faults(rows: DataFrame, rules: Rules) -> DataFrame:
    """The rows with a column `fault`, null where there is none."""
    fault = sf.when(sf.col("a") == sf.col("b"), SELF_CONTACT).when(sf.col("end") < sf.col("start"), BACKWARDS)
    if rules.internal is not None and not rules.keep_external:
        both = is_internal(sf.col("a"), rules.internal) & is_internal(sf.col("b"), rules.internal)
        fault = fault.when(~both, EXTERNAL)
    return rows.withColumn("fault", fault)


def keep_clean(flagged: DataFrame) -> DataFrame:
    """The rows without a fault."""
    return flagged.where(sf.col("fault").isNull()).drop("fault")


def count_faults(flagged: DataFrame) -> DataFrame:
    """(fault, rows, first, last): how many rows have each fault, and from when to when; null is no fault."""
    return flagged.groupBy("fault").agg(
        sf.count("*").alias("rows"), sf.min("start").alias("first"), sf.max("end").alias("last")
    )


def shift_origin(contacts: DataFrame, origin: float) -> DataFrame:
    """Times counted from `origin`."""
    return contacts.withColumns({"start": sf.col("start") - origin, "end": sf.col("end") - origin})
