"""How pairs met, derived by Spark and from arrays in memory: the same, on invented, generated and real contacts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

from hunet.model.tables import CONTACTS, SPANS
from hunet.pipeline.schema import spark_schema
from hunet.pipeline.steps.merge import merge_contacts
from hunet.pipeline.steps.spans import pair_spans
from hunet.traces.clean import CleanSettings, clean, to_intervals
from hunet.traces.generators.conference import CONFERENCE, ConferenceSettings
from hunet.traces.pairs import BOUNDARIES, Window, first_part, pairs_from, pairs_of, spans_of
from hunet.traces.reading import read_files
from tests.naive import pipeline as naive
from tests.pipeline.conftest import random_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REAL = {
    "infocom05": ("haggle-infocom05/contacts.Exp3.dat", "1-41"),
    "reality": ("mit-reality/one/mit.txt.gz", None),
    "ht2009": ("sociopatterns/ht2009_contact_list.dat.gz", None),
}
TWIN = "a generated twin of infocom05"


def from_spark(spark: SparkSession, contacts: pa.Table, window: Window) -> pa.Table:
    """SPANS as Spark finds them, in the order in which a store reads them."""
    frame = spark.createDataFrame(contacts).repartition(7)
    found = pair_spans(merge_contacts(frame), [window]).toArrow()
    return found.cast(SPANS).sort_by([("a", "ascending"), ("b", "ascending")])


@pytest.mark.parametrize("seed", range(3))
def test_on_invented_contacts_spark_and_arrays_find_the_same_spans(spark: SparkSession, seed: int) -> None:
    rows = naive.merge(random_rows(seed, nodes=8, rows=60))
    contacts = pa.table([list(column) for column in zip(*rows, strict=True)], schema=CONTACTS)
    for window in (first_part(contacts, 1.0), Window(2_000.0, 14_000.0), Window(3_025.0, 3_030.0)):
        assert from_spark(spark, contacts, window).equals(spans_of(contacts, window))


def test_the_step_has_the_columns_of_the_table(spark: SparkSession) -> None:
    nothing = spark.createDataFrame([], spark_schema(CONTACTS))
    made = pair_spans(merge_contacts(nothing), [Window(0.0, 1.0)])
    assert [(field.name, field.dataType) for field in made.schema] == [
        (field.name, field.dataType) for field in spark_schema(SPANS)
    ]


@pytest.mark.parametrize("name", [*REAL, TWIN])
def test_equation_1_is_one_for_what_spark_derived_and_for_arrays(
    spark: SparkSession, name: str, request: pytest.FixtureRequest
) -> None:
    """Closeness of every pair, in every boundary reading, of the whole trace and of its first 40 %."""
    if name == TWIN:
        settings = ConferenceSettings(nodes=41, acquaintances=38.0, contacts_per_day=294.0)
        contacts = CONFERENCE.generate(settings, 1).contacts
    else:
        contacts = _real(request.getfixturevalue("real_traces"), *REAL[name])
    for share in (0.4, 1.0):
        window = first_part(contacts, share)
        spans = from_spark(spark, contacts, window)
        for boundary in BOUNDARIES:
            ours, theirs = pairs_of(contacts, window, boundary), pairs_from(spans, boundary)
            assert ours.num_rows > 500
            assert ours.select(["a", "b", "contacts"]).equals(theirs.select(["a", "b", "contacts"]))
            for column in ("total", "mean_gap", "closeness", "sigma"):
                one, other = ours[column].to_numpy(), theirs[column].to_numpy()
                np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12, err_msg=column)


def _real(folder: Path, file: str, internal: str | None) -> pa.Table:
    reading = read_files([folder / file], strict=True)
    intervals = to_intervals(reading.rows, reading.format.yields, reading.options).intervals
    return clean(intervals, CleanSettings(internal=internal)).contacts
