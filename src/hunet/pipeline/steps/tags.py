"""Tag consensus: do people describe the same thing with the same word? (BSUB13 4.2)"""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf


def tag_consensus(assignments: DataFrame) -> DataFrame:
    """Per item of an (item, user, tag) table: users, tag, chosen, consensus.

    consensus(item) = users who chose its most-chosen tag / all users who tagged it; 1 means that all share a tag.
    A user who gives an item the same tag twice counts once; of tags chosen equally often the smallest is named.
    """
    distinct = assignments.select("item", "user", "tag").distinct()
    chosen = distinct.groupBy("item", "tag").agg(sf.count("*").alias("chosen"))
    best_first = Window.partitionBy("item").orderBy(sf.desc("chosen"), "tag")
    most_chosen = chosen.withColumn("rank", sf.row_number().over(best_first)).where("rank = 1").drop("rank")
    users = distinct.groupBy("item").agg(sf.count_distinct("user").alias("users"))
    return users.join(most_chosen, "item").select(
        "item", "users", "tag", "chosen", (sf.col("chosen") / sf.col("users")).alias("consensus")
    )
