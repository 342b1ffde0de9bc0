"""Exact counts on real files through Spark, and what the papers say about them; the same on what stands in for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyspark.sql import functions as sf

from hunet.pipeline.read import find_source
from hunet.pipeline.steps.merge import Merging, merge_contacts
from hunet.pipeline.steps.spans import pair_spans
from hunet.pipeline.work import ImportSettings, Learnt
from hunet.social.links import hop_shares
from hunet.traces.clean import CleanSettings, clean, to_intervals
from hunet.traces.order import by_pair
from hunet.traces.pairs import BOUNDARIES, Boundary, Window, pairs_from, training_end
from hunet.traces.proximity import Proximity
from hunet.traces.reading import read_files
from tests.pipeline.conftest import import_without_facts
from tests.traces.stand_ins import INFOCOM05, MIDNIGHT, NCCU, NCCU_DAY, NCCU_RADIUS, REALITY_BROKEN, SCHOOL, StandIns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def contacts_of(
    spark: SparkSession, path: Path, folder: Path, settings: ImportSettings
) -> tuple[Learnt, DataFrame, int]:
    """What an import noted, its contacts, and how many nodes there are."""
    learnt = import_without_facts(spark, find_source([str(path)], None, {}), settings, folder)
    contacts, nodes = (spark.read.parquet((folder / table).as_uri()) for table in ("contacts", "nodes"))
    return learnt, contacts, nodes.count()


ONE_OF_A_KIND = [
    ("haggle-infocom05/contacts.Exp3.dat", "1-41", 22_459, 17_712, 41, 2.94),
    ("mit-reality/dtnsim2/MITcontacts.txt.gz", None, 35_659, 35_659, 102, 489.24),
    ("sociopatterns/ht2009_contact_list.dat.gz", None, 20_818, 9_865, 113, 2.46),
]
OTHERS = [
    ("haggle-infocom05/one/Haggle3-Infocom5.csv", None, 22_459, 17_712, 41, 2.94),
    ("haggle-intel/contacts.Exp1.dat", "1-9", 1_364, 1_001, 9, 4.16),
    ("haggle-cambridge-lab/contacts.Exp2.dat", "1-12", 4_228, 2_789, 12, 5.27),
    ("mit-reality/one/mit.txt.gz", None, 64_184, 64_175, 96, 154.55),
    ("sociopatterns/primaryschool.csv.gz", None, 125_773, 77_521, 242, 1.35),
    ("sociopatterns/SFHH_tij.dat.gz", None, 70_261, 26_040, 403, 1.32),
    ("sociopatterns/workplace_InVS_tij.dat.zip", None, 9_827, 4_592, 92, 11.43),
]


@pytest.mark.parametrize(
    ("file", "internal", "clean_rows", "contacts", "nodes", "days"),
    [*ONE_OF_A_KIND, *(pytest.param(*row, marks=pytest.mark.slow) for row in OTHERS)],
)
def test_counts_on_real_files_are_exact(
    spark: SparkSession,
    real_traces: Path,
    tmp_path: Path,
    file: str,
    internal: str | None,
    clean_rows: int,
    contacts: int,
    nodes: int,
    days: float,
) -> None:
    settings = ImportSettings(clean=CleanSettings(internal=internal), strict=True)
    learnt, _contacts, found_nodes = contacts_of(spark, real_traces / file, tmp_path, settings)
    assert (learnt.counts.clean_rows, learnt.counts.contacts, found_nodes) == (clean_rows, contacts, nodes)
    assert round((learnt.end - learnt.start) / 86_400, 2) == days


@pytest.mark.parametrize(
    ("file", "internal"),
    [(INFOCOM05, "1-41"), *(pytest.param(file, None, marks=pytest.mark.slow) for file in (REALITY_BROKEN, SCHOOL))],
)
def test_contacts_of_what_stands_in_are_those_read_in_memory(
    spark: SparkSession, stand_ins: StandIns, tmp_path: Path, file: str, internal: str | None
) -> None:
    asked = CleanSettings(internal=internal)
    learnt, contacts, nodes = contacts_of(spark, stand_ins.folder / file, tmp_path, ImportSettings(clean=asked))
    reading = read_files([stand_ins.folder / file])
    expected = clean(to_intervals(reading.rows, reading.format.yields, reading.options).intervals, asked)
    assert by_pair(contacts.toArrow()).equals(expected.contacts)
    assert (learnt.counts, nodes) == (expected.counts, expected.nodes.num_rows)


def test_a_day_of_nccu_positions_gives_the_pairs_of_its_own_derived_file(
    spark: SparkSession, trace_files: Path, tmp_path: Path
) -> None:
    """Positions within 10 m, by a gap of 600 s, against the file its authors' tool derived from them.

    That tool scaled its 10 m by 3,764 / 20,000 and believed a position until the next one of the day; so read, pairs
    agree exactly (see tests/traces/test_proximity.py for all 13 days). A node that is nowhere after 600 s of silence,
    which is our default, would lose 4 of 10 pairs: phones that sleep beside each other.
    """
    rule = Proximity(radius=NCCU_RADIUS, step=1.0, gap=600.0, hold=86_400.0)
    _notes, contacts, _nodes = contacts_of(spark, trace_files / NCCU_DAY, tmp_path, ImportSettings(proximity=rule))
    names = {row.node: int(row.name) - 2 for row in spark.read.parquet((tmp_path / "nodes").as_uri()).collect()}
    ours = {(names[row.a], names[row.b]) for row in contacts.select("a", "b").distinct().collect()}
    derived = read_files([trace_files / NCCU]).rows
    there = derived.filter(pa.array(derived["start"].to_numpy() < MIDNIGHT + 86_400))
    ends = zip(map(int, there["a"].to_pylist()), map(int, there["b"].to_pylist()), strict=True)
    assert ours == {(min(a, b), max(a, b)) for a, b in ends}
    assert len(ours) > 100


@pytest.fixture(scope="module")
def infocom05(spark: SparkSession, real_traces: Path, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    settings = ImportSettings(clean=CleanSettings(internal="1-41"))
    folder = tmp_path_factory.mktemp("infocom05")
    return contacts_of(spark, real_traces / "haggle-infocom05/contacts.Exp3.dat", folder, settings)[1]


def shares_of(
    spans: pa.Table, nodes: int, boundary: Boundary, hops: int | None = 2, sigma: float | None = None
) -> tuple[float, ...]:
    """Percentages of pairs whose best path has 1, 2, ... hops, and last those without any."""
    found = hop_shares(pairs_from(spans, boundary, sigma), nodes, hops)
    return tuple(round(100 * share, 1) for share in (*found.by_hops, found.unreachable))


@pytest.mark.parametrize(
    ("boundary", "with_zero_length", "without"),
    [
        ("inner", (13.4, 86.5, 0.1), (12.3, 82.7, 5.0)),
        ("both", (20.5, 79.5, 0.0), (19.4, 75.7, 4.9)),
        ("tail", (15.2, 84.8, 0.0), (14.9, 80.2, 4.9)),
    ],
)
def test_hop_shares_of_infocom05_for_every_boundary_reading(
    infocom05: DataFrame, boundary: Boundary, with_zero_length: tuple[float, ...], without: tuple[float, ...]
) -> None:
    """III-A says 12.2 % direct and 83.3 % over two hops in Haggle (which leaves 4.5 %).

    `inner`, the first 40 % as training and contacts of no length dropped, comes within 0.6 points: partly verified.
    """
    start, end = 20_733.0, 274_883.0
    training = Window(start, training_end(start, end, 0.4))
    spans = pair_spans(merge_contacts(infocom05), [training]).toArrow()
    assert shares_of(spans, 41, boundary) == with_zero_length
    longer = merge_contacts(infocom05, Merging(drop_shorter=1.0))
    assert shares_of(pair_spans(longer, [training]).toArrow(), 41, boundary) == without
    assert shares_of(spans, 41, boundary, sigma=50_000.0) == with_zero_length  # sigma does not matter


def test_how_many_best_paths_of_infocom05_take_more_than_three_hops(infocom05: DataFrame) -> None:
    spans = pair_spans(merge_contacts(infocom05), [Window(20_733.0, 274_883.0)]).toArrow()
    shares = {boundary: round(sum(shares_of(spans, 41, boundary, None)[3:-1]), 1) for boundary in BOUNDARIES}
    assert shares["both"] == 12.7
    assert shares["inner"] > 50  # by inner gaps, which MOPS-06 favours, two or three hops do not suffice


@pytest.mark.slow
def test_hop_shares_of_reality(spark: SparkSession, real_traces: Path, tmp_path: Path) -> None:
    """III-A says 60.8 % direct and 30.9 % over two hops. The copy at hand is not the one used there (96 nodes, 154.6
    days instead of 97 and 246), and no reading comes near: a stored verdict, not reproduced.
    """
    _notes, contacts, nodes = contacts_of(spark, real_traces / "mit-reality/one/mit.txt.gz", tmp_path, ImportSettings())
    found = contacts.agg(sf.min("start").alias("start"), sf.max("end").alias("end")).collect()[0]
    spans = pair_spans(merge_contacts(contacts), [Window(found.start, found.end)]).toArrow()
    assert {boundary: shares_of(spans, nodes, boundary) for boundary in BOUNDARIES} == {
        "both": (5.2, 94.8, 0.0),
        "inner": (8.6, 91.2, 0.2),
        "tail": (5.7, 94.3, 0.0),
    }
