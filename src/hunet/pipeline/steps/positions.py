"""Positions become contacts: slices of time are watched apart, and the pieces joined.

The proximity kernel of `hunet.traces.proximity` numbers its looks by whole numbers, so a slice of time can be watched
anywhere. A crowd is spread over as many tasks as the time it stays together has slices. Joining the runs of a pair
is merging intervals of look numbers, and streams like it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from hunet.model.errors import InvalidValueError
from hunet.pipeline.schema import spark_schema
from hunet.pipeline.steps.merge import Merging, merge_contacts
from hunet.traces.proximity import SIGHTINGS, Proximity, sightings

SAMPLES_PER_SLICE = 250_000


def looks_per_slice(samples: int, first: float, last: float, rule: Proximity) -> int:
    """How many looks a slice has: about 250,000 samples, and never so short that most of them are repeated ones."""
    per_second = samples / max(last - first, rule.step)
    seconds = max(SAMPLES_PER_SLICE / per_second, 2 * rule.hold, rule.step)
    return max(1, math.ceil(seconds / rule.step))


def watch_slices(positions: DataFrame, rule: Proximity, slice_looks: int, last: float) -> DataFrame:
    """Runs of looks (a, b, first, last) at which two nodes were in range, cut at the borders of the slices.

    `positions` has node, t, x, y, file, line; `last` is the time of the last of them. A sample goes to every slice in
    which it is still believed.
    """
    if math.isinf(rule.hold):
        raise InvalidValueError("hold inf: give the seconds after which a silent node is nowhere (such as 600)")
    end_of_data = int(rule.first_look(np.array([last]))[0]) + 1

    def watch(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for number, samples in _by_slice(batches):
            first = number * slice_looks
            until = min(first + slice_looks, end_of_data)
            yield from sightings(samples, rule, first, until).to_batches()

    # One look of margin on either side: the kernel rounds look numbers more carefully than this division.
    earliest = sf.floor((sf.col("t") / rule.step - 1) / slice_looks)
    latest = sf.floor(((sf.col("t") + rule.hold) / rule.step + 1) / slice_looks)
    sliced = positions.withColumn("slice", sf.explode(sf.sequence(earliest, latest)))
    in_order = sliced.repartition("slice").sortWithinPartitions("slice", "t", "file", "line")
    return in_order.select("slice", "node", "t", "x", "y").mapInArrow(watch, spark_schema(SIGHTINGS))


def join_runs(runs: DataFrame, rule: Proximity, drop_shorter: float = 0.0) -> DataFrame:
    """MERGED: runs at most the gap apart are one contact, from the first look until one step after the last."""
    spans = runs.select(
        "a",
        "b",
        (sf.col("first") * rule.step).alias("start"),
        ((sf.col("last") + 1) * rule.step).alias("end"),
    )
    # Looks are whole numbers: half a step of margin, and no rounding of times decides.
    return merge_contacts(spans, Merging((rule.gap_looks - 0.5) * rule.step, drop_shorter=drop_shorter))


def _by_slice(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, pa.Table]]:
    """(slice, its rows) from batches that are sorted by slice."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        numbers = batch.column("slice").to_numpy()
        if not len(numbers):
            continue
        borders = [0, *(np.flatnonzero(numbers[1:] != numbers[:-1]) + 1), len(numbers)]
        for begin, end in pairwise(borders):
            if held and held[-1].column("slice")[0].as_py() != numbers[begin]:
                yield _one_slice(held)
                held = []
            held.append(batch.slice(begin, end - begin))
    if held:
        yield _one_slice(held)


def _one_slice(held: list[pa.RecordBatch]) -> tuple[int, pa.Table]:
    return int(held[0].column("slice")[0].as_py()), pa.Table.from_batches(held)
