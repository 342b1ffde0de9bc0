"""Facts about each node: whom it met, how often, for how long, and how central that makes it.

"Centrality" is undefined in the papers (AMB-19), so every reading has its own name:

* degree_centrality: distinct peers / (nodes - 1), the recommended reading;
* contact_centrality: share of all contacts that the node took part in;
* time_centrality: time in contact / duration of the trace (above 1 where contacts run in parallel);
* closeness_centrality: sum of the closeness to all peers, which is MOPS's weighted degree d_u.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf


def node_facts(nodes: DataFrame, pairs: DataFrame, duration: float) -> DataFrame:
    """One row per node of `nodes`; `pairs` covers the whole trace with one setting. Nodes without contact have 0."""
    ends = pairs.select(sf.col("a").alias("node"), "contacts", "total", "closeness").unionByName(
        pairs.select(sf.col("b").alias("node"), "contacts", "total", "closeness")
    )
    met = ends.groupBy("node").agg(
        sf.count("*").alias("degree"),
        sf.sum("contacts").alias("contacts"),
        sf.sum("total").alias("contact_time"),
        sf.sum("closeness").alias("closeness_centrality"),
    )
    whole = nodes.agg(sf.count("*").alias("nodes")).crossJoin(pairs.agg(sf.sum("contacts").alias("all_contacts")))
    filled = nodes.select("node").join(met, "node", "left").crossJoin(sf.broadcast(whole))
    degree, contacts = sf.coalesce("degree", sf.lit(0)), sf.coalesce("contacts", sf.lit(0))
    time = sf.coalesce("contact_time", sf.lit(0.0))
    seconds = sf.lit(float(duration))
    return filled.select(
        "node",
        degree.alias("degree"),
        contacts.alias("contacts"),
        time.alias("contact_time"),
        sf.when(seconds > 0, contacts * 3600 / seconds).alias("contacts_per_hour"),
        sf.coalesce(sf.try_divide(degree, sf.col("nodes") - 1), sf.lit(0.0)).alias("degree_centrality"),
        sf.coalesce(sf.try_divide(contacts, sf.col("all_contacts")), sf.lit(0.0)).alias("contact_centrality"),
        sf.when(seconds > 0, time / seconds).alias("time_centrality"),
        sf.coalesce("closeness_centrality", sf.lit(0.0)).alias("closeness_centrality"),
    )
