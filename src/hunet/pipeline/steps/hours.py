"""Activity over time: contacts that begin in each hour of the trace."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf


def contacts_per_hour(contacts: DataFrame) -> DataFrame:
    """(hour, contacts) for every hour, counted from time 0, in which a contact begins."""
    return contacts.groupBy(_hour().alias("hour")).agg(sf.count("*").alias("contacts"))


def node_contacts_per_hour(contacts: DataFrame) -> DataFrame:
    """(node, hour, contacts): the same for each node. Hubs are counted in every part before rows are exchanged."""
    ends = contacts.select(sf.explode(sf.array("a", "b")).alias("node"), _hour().alias("hour"))
    return ends.groupBy("node", "hour").agg(sf.count("*").alias("contacts"))


def _hour() -> Column:
    return sf.floor(sf.col("start") / 3600).cast("int")
