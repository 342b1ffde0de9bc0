"""From raw files to clean contacts, and how pairs met, on Spark: embedded by default, the same on a cluster.

Steps are pure functions from DataFrames to DataFrames (`steps/`), `plan.py` is the visible table of what is computed
from what, and only `read.py` and `write.py` touch files. This room must not know the command line, protocols or
pictures, and no code here uses what Spark Connect lacks (RDDs, the Spark context).
"""
