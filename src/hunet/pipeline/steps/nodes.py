"""Facts about each node: whom it met, how often, for how long, and how central that makes it.

"Centrality" is undefined in the papers (AMB-19), so every reading has its own name:

* degree_centrality: distinct peers / (nodes - 1), the recommended reading;
* contact_centrality: share of all contacts that the node took part in;
* time_centrality: time in contact / duration of the trace (above 1 where contacts run in parallel);
* closeness_centrality: sum of the closeness to all peers, which is MOPS's weighted degree d_u.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def node_facts(nodes: DataFrame, pairs: DataFrame, duration: float) -> DataFrame:
    """One row per node of `nodes`; `pairs` covers the whole trace with one setting. Nodes without contact have 0."""
    ends = pairs.select(F.col("a").alias("node"), "contacts", "total", "closeness").unionByName(
        pairs.select(F.col("b").alias("node"), "contacts", "total", "closeness")
    )
    met = ends.groupBy("node").agg(
        F.count("*").alias("degree"),
        F.sum("contacts").alias("contacts"),
        F.sum("total").alias("contact_time"),
        F.sum("closeness").alias("closeness_centrality"),
    )
    whole = nodes.agg(F.count("*").alias("nodes")).crossJoin(pairs.agg(F.sum("contacts").alias("all_contacts")))
    filled = nodes.select("node").join(met, "node", "left").crossJoin(F.broadcast(whole))
    degree, contacts = F.coalesce("degree", F.lit(0)), F.coalesce("contacts", F.lit(0))
    time = F.coalesce("contact_time", F.lit(0.0))
    seconds = F.lit(float(duration))
    return filled.select(
        "node",
        degree.alias("degree"),
        contacts.alias("contacts"),
        time.alias("contact_time"),
        F.when(seconds > 0, contacts * 3600 / seconds).alias("contacts_per_hour"),
        F.coalesce(F.try_divide(degree, F.col("nodes") - 1), F.lit(0.0)).alias("degree_centrality"),
        F.coalesce(F.try_divide(contacts, F.col("all_contacts")), F.lit(0.0)).alias("contact_centrality"),
        F.when(seconds > 0, time / seconds).alias("time_centrality"),
        F.coalesce("closeness_centrality", F.lit(0.0)).alias("closeness_centrality"),
    )
