"""Positions become contacts: slices of time are watched apart, and the pieces joined.

The proximity kernel of `hunet.traces.proximity` numbers its looks by whole numbers, so a slice of time can be watched
anywhere. A crowd is spread over as many tasks as the time it stays together has slices. Joining the runs of a pair
is merging intervals of look numbers, and streams like it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from hunet.model.errors import InvalidValueError
from hunet.pipeline.packs import PARTED, gathered, parted, unpack
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

    def slices(t: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """From which slice to which a sample counts, with one look of margin: the kernel rounds more carefully."""
        earliest, latest = t / rule.step - 1, (t + rule.hold) / rule.step + 1
        return np.floor(earliest / slice_looks).astype(np.int64), np.floor(latest / slice_looks).astype(np.int64)

    final = int(slices(np.array([last]))[1][0])

    def cut(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for samples in gathered(pa.Table.from_batches([batch]) for batch in batches):
            earliest, latest = slices(samples.column("t").to_numpy())
            for more in range(int((latest - earliest).max()) + 1):
                there = np.flatnonzero(earliest + more <= latest)
                yield from parted(samples.take(pa.array(there)), final - earliest[there] - more)

    def watch(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part, samples in _by_part(batches):
            first = (final - part) * slice_looks
            until = min(first + slice_looks, end_of_data)
            yield from sightings(samples, rule, first, until).to_batches()

    samples = positions.select("node", "t", "x", "y", "file", "line").mapInArrow(cut, spark_schema(PARTED))
    return samples.repartition("part").sortWithinPartitions("part").mapInArrow(watch, spark_schema(SIGHTINGS))


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


def _by_part(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, pa.Table]]:
    """(part, all its samples in the order of time and files) from packs that are sorted by their part."""
    packs = ((part, content) for batch in batches for part, content in zip(*batch.columns, strict=True))
    for part, same in groupby(packs, lambda pack: int(pack[0].as_py())):
        samples = pa.concat_tables([unpack(content) for _part, content in same])
        yield part, samples.sort_by([(key, "ascending") for key in ("t", "file", "line")])
