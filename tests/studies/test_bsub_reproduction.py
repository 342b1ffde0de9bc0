"""`hunet reproduce bsub10` and `bsub13`: tables, figures of invented runs; in `make test-all` the whole commands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hunet.studies.papers.bsub.traces import traces
from hunet.studies.papers.bsub10 import figures as bsub10_figures
from hunet.studies.papers.bsub10 import runs as bsub10_runs
from hunet.studies.papers.bsub13 import figures as bsub13_figures
from hunet.studies.papers.bsub13 import runs as bsub13_runs
from hunet.studies.papers.bsub13.runs import TOTAL
from hunet.studies.papers.bsub13.survey import consensus, draw_surveys, surveys
from hunet.studies.papers.depth import Depth
from hunet.studies.papers.evidence import COLUMNS, OURS
from hunet.studies.papers.figures import write_figures
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.papers import PAPERS
from hunet.studies.papers.traces import INFOCOM06_79, INFOCOM06_98, REALITY, Kind, PaperTrace, Traces
from hunet.traces.generators.conference import CONFERENCE, ConferenceSettings
from hunet.traces.store import TraceStore
from tests.golden.reproduction import Reproduced

CROWD, SPARSE = "Infocom06, 79 nodes (surrogate)", "Reality, 3 days from day 7"
NOTHING = pa.table({}), pa.table({})
ON = [PaperTrace(INFOCOM06_79, CROWD, Kind.SURROGATE, NOTHING), PaperTrace(REALITY, SPARSE, Kind.STORED, NOTHING)]
STAND_INS = ["conference of 79 for Infocom06 (generated)", "campus for Reality (generated)"]


def invented(
    studies: dict[str, tuple[str, ...]], xs: tuple[float, ...], measures: set[str], reading: str
) -> pd.DataFrame:
    """Numbers between 0 and 1, by study and protocol."""
    chance = np.random.default_rng(1)
    rows = [
        (on, protocol, reading, study, x, seed, measure, chance.random())
        for on in (CROWD, SPARSE)
        for study, protocols in studies.items()
        for protocol in protocols
        for x in ((0.0,) if protocol in ("push", "pull") and study == "cycle" else xs)
        for seed in (1, 2)
        for measure in sorted(measures)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def test_figures_of_2010_have_their_columns_intervals_and_pictures(tmp_path: Path) -> None:
    panels = [*bsub10_figures._BY_LIFETIME.values(), *bsub10_figures._BY_FACTOR.values()]
    measures = {name for some in panels for name in some} | {"relayed_tags", "fill_ratio", "forwards", "delivered"}
    studies = {"lifetime": ("push", "bsub10", "pull"), "decay": ("bsub10",)}
    brokers = pd.DataFrame(
        {
            "on": CROWD,
            "seed": seed,
            "t": t,
            "brokers": 3.0,
            "share": 0.3,
            "degree_of_brokers": 9.0,
            "degree_of_users": 5.0,
        }
        for seed in (1, 2)
        for t in (18_000.0, 36_000.0)
    )
    runs = invented(studies, (0.0, 0.138, 2.0), measures, OURS)
    write_figures(tmp_path, bsub10_figures.simulated(Measured(ON, runs, {"brokers": brokers}), {}))
    ids = [f"BSUB10-F{number}{letter}" for number in (7, 8) for letter in "abc"]
    ids += [*(f"BSUB10-F9{letter}" for letter in "abcd"), "BSUB10-brokers"]
    assert {path.stem for path in tmp_path.glob("*.png")} == {path.stem for path in tmp_path.glob("*.csv")} == set(ids)
    delay = pq.read_table(tmp_path / "BSUB10-F7b.parquet").to_pandas()
    ends = [
        "delay_min",
        "delay_min_lo",
        "delay_min_hi",
        "delay_min_median",
        "delay_min_median_lo",
        "delay_min_median_hi",
    ]
    assert delay.columns.tolist() == ["trace", "scheme", "ttl_min", "n_seeds", *ends]
    assert len(delay) == 9
    assert (delay["delay_min"] < 1 / 60).all(), "in minutes"
    assert pq.read_table(tmp_path / "BSUB10-F8a.parquet")["trace"].unique().to_pylist() == [SPARSE]


def test_figures_of_2013_are_drawn_for_both_readings_of_how_many_messages_there_are(tmp_path: Path) -> None:
    some = {name for panels in bsub13_figures._PANELS.values() for name in panels} | {
        *bsub13_figures._BESIDE["h"],
        "forwards",
    }
    studies = {"cycle": ("push", "bsub13", "bsubp", "pull"), "unlimited": ("bsub13", "bsubp")}
    measures = some - {"forwarding_fpr"} | {"not_by_bsub"}
    runs = pd.concat([invented(studies, (1.0, 256.0), measures, reading) for reading in (OURS, TOTAL)])
    write_figures(tmp_path, bsub13_figures.simulated(Measured(ON, runs), {}))
    ids = {f"BSUB13-F9{letter}{trace}{load}" for letter in "abcdegh" for trace in ("", "-R") for load in ("", "-total")}
    assert {path.stem for path in tmp_path.glob("*.png")} == {path.stem for path in tmp_path.glob("*.csv")} == ids
    bytes_ = pq.read_table(tmp_path / "BSUB13-F9h.parquet").to_pandas()
    assert {"scheme", "counters", "cycle_s", "n_seeds", "bytes_raw_lo", "bytes_E5"} <= {*bytes_.columns}


def test_other_readings_are_run_if_asked_and_all_of_them_then() -> None:
    made = CONFERENCE.generate(ConferenceSettings(nodes=6, days=1, contacts_per_day=40.0), 1)
    crowd = PaperTrace(INFOCOM06_98, "a crowd", Kind.SURROGATE, (made.contacts, made.nodes))
    drawn = {OURS, TOTAL}
    for runs, readings, usual in (
        (bsub10_runs, bsub10_runs.READINGS, {OURS}),
        (bsub13_runs, bsub13_runs.READINGS, drawn),
    ):
        of_own_runs = {*readings} - {*getattr(runs, "INSTEAD", ())}
        for depth, expected in (
            (Depth(quick=True), usual),
            (Depth(), usual),
            (Depth(all_readings=True), of_own_runs | usual),
        ):
            plan = runs.plan_of(depth)._replace(seeds=1)
            assert {run.labels["reading"] for run in runs._runs(crowd, plan)} == expected


def test_computed_tables_say_what_the_papers_drawings_say() -> None:
    tables = {figure.id: figure.table for figure in bsub10_figures.computed(Traces([]), True)}
    k2 = [row["says_k2"] for row in tables["BSUB10-F2"]()]
    assert k2 == [False, True]
    assert tables["BSUB10-F4"]()[-1]["alive"] == "k0"
    shared = next(row for row in tables["BSUB10-F3"]() if row["counter_f"] == row["counter_g"] == 10)
    assert (shared["a_merge"], shared["m_merge"]) == (20, 10)
    at_ten = [row for row in tables["BSUB10-F6"]() if row["t"] == 10 and row["merge"] == "A"]
    assert [row["counter_b"] > 0 for row in at_ten] == [True, True, True, True, False]
    keys = tables["BSUB10-T2"]()
    assert (len(keys), keys[0]["probability"]) == (38, 0.132)
    assert tables["BSUB10-T1"]() == []
    tables = {figure.id: figure.table for figure in bsub13_figures.computed(Traces([]), True)}
    assert tables["BSUB13-F5"]()[-1]["alive"] == "y w"
    assert {row["title"] for row in tables["BSUB13-F7"]()} == set(range(1, 11))


def test_consensus_of_the_lastfm_data(real_traces: Path) -> None:
    """Of 1,715 artists with at least ten taggers, half of whom on average agree, 16 pass the 0.86 of the paper."""
    files = sorted((real_traces / "tagging-lastfm-hetrec").glob("user_taggedartists*.dat*"))
    table = pd.concat(pd.read_csv(file, sep="\t") for file in files)
    assert len(table) == 186_478
    chosen = table.groupby(["artistID", "userID"])["tagID"].agg(list).groupby("artistID").agg(list)
    much_tagged = chosen[chosen.map(len) >= 10].map(consensus)
    assert (len(much_tagged), round(much_tagged.mean(), 3), (much_tagged > 0.86).sum()) == (1_715, 0.488, 16)


def test_fig_7_is_of_real_tags_where_they_are_stored_and_of_a_generated_survey_elsewhere(tmp_path: Path) -> None:
    assert {row["source"] for row in surveys(tmp_path)} == {"generated"}
    rows = [(user, artist, artist if user % 2 else 0) for artist in range(1, 13) for user in range(2 * artist)]
    (tmp_path / "tagging").mkdir()
    table = pd.DataFrame(rows, columns=["userID", "artistID", "tagID"])
    table.to_csv(tmp_path / "tagging" / "user_taggedartists.dat", sep="\t", index=False)
    found = surveys(tmp_path)
    assert [row["people"] for row in found] == [24, 22, 20, 18, 16, 14, 12, 10, 8, 6]
    assert {(row["source"], row["consensus"]) for row in found} == {("last.fm", 0.5)}
    assert draw_surveys(found).axes


@pytest.mark.parametrize("paper", PAPERS)
def test_every_figure_has_a_caption_and_an_id_of_its_own(paper: str) -> None:
    figures = PAPERS[paper].computed(Traces([]), True)
    assert len({figure.id for figure in figures}) == len(figures)
    assert all(figure.caption.endswith(".") for figure in figures)


def test_what_is_not_stored_is_generated_and_said_so(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    found = traces(INFOCOM06_79, store, [], True)
    assert [trace.title for trace in found.found] == STAND_INS
    assert {trace.kind for trace in found.found} == {Kind.STAND_IN}
    assert "hunet trace generate surrogate" in found.absent[0]
    contacts, nodes = found.found[1].trace
    with store.write_version("reality") as draft:
        draft.write("contacts", contacts)
        draft.write("nodes", nodes)
    assert [trace.title for trace in traces(INFOCOM06_79, store, [], True).found] == [STAND_INS[0], "Reality"]
    assert [trace.title for trace in traces(INFOCOM06_79, store, ["reality"], False).found] == ["Reality"]


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "claims"), [("bsub10", 59), ("bsub13", 34)])
def test_the_command_reproduces_the_paper(reproduced: Reproduced, paper: str, claims: int) -> None:
    assert len(reproduced.verdicts(paper)) == claims
    assert (reproduced.folder / paper / "claims.csv").exists()
    assert "stands in for it" in reproduced.told
