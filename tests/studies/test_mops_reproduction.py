"""`hunet reproduce mops`: the worked example, verdicts on invented figures, in `make test-all` the whole command."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from matplotlib.figure import Figure as Picture

from hunet.studies.claims.verdict import Verdict, Word
from hunet.studies.papers.evidence import judge_all
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.mops.changing import new_pairs
from hunet.studies.papers.mops.claims import CLAIMS
from hunet.studies.papers.mops.evidence import EVENTS_ONLY, MopsEvidence
from hunet.studies.papers.mops.example import (
    closeness_of_contacts,
    communities_at,
    draw_closeness,
    draw_communities,
    weights,
)
from hunet.studies.papers.mops.figures import simulated
from hunet.studies.papers.mops.paper import PAPER
from hunet.studies.papers.mops.runs import BUSY, DEFAULTS, READ, READINGS, SCHEMES
from hunet.studies.papers.mops.structure import community_hops, pruning, trace_facts
from hunet.studies.papers.traces import CAMPUS as CAMPUS_KEY
from hunet.studies.papers.traces import INFOCOM05 as INFOCOM05_KEY
from hunet.studies.papers.traces import REALITY as REALITY_KEY
from hunet.studies.papers.traces import TITLES, Kind, PaperTrace
from hunet.studies.tables import Table
from hunet.traces.generators.campus import CAMPUS as GENERATOR
from hunet.traces.generators.campus import CampusSettings
from hunet.traces.store import TraceStore
from tests.golden.reproduction import Reproduced
from tests.sim.small_traces import TRIANGLE, workload

KEYS = (INFOCOM05_KEY, REALITY_KEY, CAMPUS_KEY)
INFOCOM05, REALITY, CAMPUS = (TITLES[key] for key in KEYS)
STAND_INS = ("conference for Infocom05 (generated)", "campus for Reality (generated)")
NOTHING = pa.table({}), pa.table({})
ON = [PaperTrace(key, TITLES[key], Kind.STORED, NOTHING) for key in KEYS]
REPLACED = [PaperTrace(key, title, Kind.STAND_IN, NOTHING) for key, title in zip(KEYS, STAND_INS, strict=False)] + ON[
    2:
]
HOUR = 3600.0
LIFETIMES = (6 * HOUR, 24 * HOUR, 72 * HOUR)
SEEDS = (1, 2, 3)

# As the paper has it: utility by scheme and trace, after the longest lifetime.
UTILITY = {
    INFOCOM05: {"push": 0.7, "mops": 0.8, "neighbors": 0.6, "pull": 0.5},
    REALITY: {"push": 0.39, "mops": 0.35, "neighbors": 0.2, "pull": 0.05},
    CAMPUS: {"push": 0.55, "mops": 0.6, "neighbors": 0.3, "pull": 0.1},
}
EFFICIENCY = {"push": 0.2, "mops": 0.7, "neighbors": 0.5, "pull": 1.0}
SIZES: Table = [
    {"dataset": CAMPUS, "T": 0.1, "communities": 2, "mean_size": 100.0, "largest_share": 0.9},
    {"dataset": CAMPUS, "T": 0.5, "communities": 40, "mean_size": 5.0, "largest_share": 0.2},
    {"dataset": CAMPUS, "T": 0.99, "communities": 200, "mean_size": 1.0, "largest_share": 0.005},
]
TABLES = {
    "MOPS-T1": [
        {"dataset": INFOCOM05, "nodes": 41, "rows": 22459, "contacts": 17712, "days": 2.94},
        {"dataset": REALITY, "nodes": 97, "rows": 54667, "contacts": 54667, "days": 246.0},
        {"dataset": CAMPUS, "nodes": 200, "rows": 58964, "contacts": 58964, "days": 9.5},
    ],
    "MOPS-F3": SIZES,
    "MOPS-community-hops": [
        {"dataset": dataset, "seed": 1, "hops": hops, "share": share, "scope": hops <= 2}
        for dataset in (INFOCOM05, REALITY)
        for hops, share in ((0, 0.5), (1, 0.4), (3, 0.1))
    ],
}
for row, frequency in zip(TABLES["MOPS-T1"], (294.0, 4.6, 62.0), strict=True):
    row["contacts_per_node_and_day"] = frequency


def runs_of(on: str, scheme: str, *, seed: int, **changes: float) -> list[dict[str, object]]:
    """What one run measured, as the paper would have it."""
    setting = {**DEFAULTS, **READ, **changes}
    late = LIFETIMES.index(setting["ttl"])
    # Short lifetimes cost MOPS most.
    utility = UTILITY[on][scheme] * (1.0, 0.8 if scheme != "mops" else 0.7, 0.5 if scheme != "mops" else 0.4)[-1 - late]
    utility *= 1 - setting["per_hour"] / (400 if scheme == "mops" else 200)
    efficiency = EFFICIENCY[scheme] * (1 + late / 20 if scheme in ("mops", "neighbors") else 1)
    efficiency *= 1 if scheme == "pull" else 1 - setting["per_hour"] / (4000 if scheme == "mops" else 1000)
    near_one = setting["threshold"] == 0.99
    if near_one:
        utility, efficiency = UTILITY[on]["neighbors"] * 0.8 * 0.9, EFFICIENCY["neighbors"] * 1.05 * 0.99
    forwards = {0.1: 900.0, 0.5: 300.0, 0.99: 600.0}[setting["threshold"]] + seed
    latency = {0.1: 2.0, 0.5: 4.0, 0.99: 8.0}[setting["threshold"]] * HOUR
    if setting["default_weight"] == 0:
        forwards, latency = forwards - 50, latency + 600
    gap = 0.3 if scheme == "neighbors" else 0.1
    found = {
        "utility": utility,
        "efficiency": efficiency,
        "latency": latency,
        "event_forwards": forwards / 3,
        "list_forwards": forwards * 2 / 3,
        "forwards": forwards,
        "hops_max": {"pull": 1.0, "neighbors": 2.0}.get(scheme, 5.0),
        **{f"utility_q{quarter}": utility + gap * (quarter - 2.5) / 4 for quarter in range(1, 5)},
    }
    own = {"threshold": "mops", "default_weight": "mops", "lists": "mops", "exclude_peer_community": "mops"}
    own |= {"neighbors": "neighbors", "shuffled": "push"}
    columns = {name: value if own.get(name, scheme) == scheme else None for name, value in setting.items()}
    return [{"on": on, "protocol": scheme, "seed": seed, **columns, "measure": m, "value": v} for m, v in found.items()]


@pytest.fixture(scope="module")
def invented() -> pd.DataFrame:
    """Runs in which everything is as the paper says."""
    rows = []
    for seed in SEEDS:
        for on in UTILITY:
            for scheme in SCHEMES:
                for ttl in LIFETIMES:
                    rows += runs_of(on, scheme, seed=seed, ttl=ttl)
            if on != CAMPUS:
                rows += runs_of(on, "mops", seed=seed, default_weight=0.0)
        for scheme in SCHEMES:
            for rate in (2.0, 40.0):
                rows += runs_of(CAMPUS, scheme, seed=seed, per_hour=rate)
            for on in (CAMPUS, INFOCOM05):
                rows += runs_of(on, scheme, seed=seed, per_hour=BUSY)
        for threshold in (0.1, 0.5, 0.99):
            for weight in (0.0, 1e-5):
                if (threshold, weight) != (0.5, 1e-5):
                    rows += runs_of(CAMPUS, "mops", seed=seed, threshold=threshold, default_weight=weight)
    return pd.DataFrame(rows).astype({"threshold": float, "default_weight": float})


def judged(tables: dict[str, Table], found: pd.DataFrame, on: list[PaperTrace] = ON) -> dict[str, Verdict]:
    """Claims that runs and the facts of traces decide."""
    judges = [judge for judge in CLAIMS if judge.claim > "MOPS-10"]
    there = [trace for trace in on if (found["on"] == trace.title).any()]
    return {verdict.claim: verdict for verdict in judge_all(judges, MopsEvidence(tables, Measured(there, found)))}


def words(tables: dict[str, Table], found: pd.DataFrame, on: list[PaperTrace] = ON) -> dict[str, Word]:
    return {claim: verdict.word.plain for claim, verdict in judged(tables, found, on).items()}


def test_where_all_is_as_the_paper_says_every_claim_holds(invented: pd.DataFrame) -> None:
    found = words(TABLES, invented)
    assert sorted(found) == [f"MOPS-{number}" for number in range(24, 43) if number != 26]
    # Pull is always efficient, so its efficiency cannot fall less than that of MOPS does.
    assert {claim: word for claim, word in found.items() if word is not Word.HOLDS} == {
        "MOPS-29": Word.ERRATUM,
        "MOPS-37": Word.PARTLY,
    }


def changed(found: pd.DataFrame, factor: float, **where: str | float) -> pd.DataFrame:
    """The same with some values multiplied."""
    rows = pd.Series(True, index=found.index)
    for column, value in where.items():
        rows &= found[column] == value
    return found.assign(value=found["value"].where(~rows, found["value"] * factor))


@pytest.mark.parametrize(
    ("claim", "word", "factor", "where"),
    [
        ("MOPS-27", Word.PARTLY, 0.5, {"measure": "efficiency", "protocol": "mops", "ttl": 72 * HOUR}),
        ("MOPS-27", Word.PARTLY, 0.5, {"measure": "utility", "protocol": "pull", "ttl": 72 * HOUR}),
        ("MOPS-28", Word.PARTLY, 1.2, {"measure": "utility", "protocol": "push", "on": REALITY}),
        ("MOPS-28", Word.PARTLY, 3.0, {"measure": "utility", "protocol": "neighbors", "on": REALITY}),
        ("MOPS-30", Word.PARTLY, 1.5, {"measure": "utility", "protocol": "mops", "on": CAMPUS}),
        ("MOPS-31", Word.PARTLY, 0.5, {"measure": "utility", "protocol": "mops", "on": INFOCOM05}),
        ("MOPS-32", Word.PARTLY, 0.5, {"measure": "utility", "protocol": "neighbors", "on": INFOCOM05}),
        ("MOPS-33", Word.PARTLY, 0.5, {"measure": "efficiency", "protocol": "mops", "on": REALITY}),
        ("MOPS-34", Word.DOES_NOT_HOLD, 0.1, {"threshold": 0.99}),
        ("MOPS-35", Word.PARTLY, 0.1, {"measure": "forwards", "threshold": 0.1}),
        ("MOPS-35", Word.PARTLY, 2.0, {"measure": "utility", "threshold": 0.99}),
        ("MOPS-36", Word.PARTLY, 2.0, {"measure": "forwards", "default_weight": 0.0}),
        ("MOPS-37", Word.PARTLY, 0.1, {"measure": "utility", "protocol": "mops", "per_hour": BUSY}),
        ("MOPS-38", Word.PARTLY, 3.0, {"measure": "hops_max", "protocol": "pull"}),
        ("MOPS-40", Word.PARTLY, 0.1, {"measure": "utility", "protocol": "mops", "on": CAMPUS}),
        ("MOPS-42", Word.PARTLY, 0.1, {"measure": "utility_q1", "protocol": "mops", "on": CAMPUS}),
    ],
)
def test_where_it_is_not_the_claim_fails(
    invented: pd.DataFrame, claim: str, word: Word, factor: float, where: dict[str, str | float]
) -> None:
    found = changed(invented, factor, **where)
    if claim == "MOPS-37":  # its efficiency may fall, too
        found = changed(found, 0.1, measure="efficiency", protocol="mops", per_hour=BUSY)
        found = changed(found, 20.0, measure="utility", protocol="push", per_hour=BUSY)
    assert words(TABLES, found)[claim] is word


def test_a_claim_that_holds_with_another_reading_only_says_which(invented: pd.DataFrame) -> None:
    behind = changed(invented, 0.5, measure="utility", protocol="mops", on=INFOCOM05, ttl=72 * HOUR)
    lasting = invented[invented["on"] == INFOCOM05].assign(min_contact=120.0)
    found = judged(TABLES, pd.concat([behind, lasting]))
    assert found["MOPS-31"].word is Word.PARTLY
    helped = {one.where for one in found["MOPS-31"].readings if one.word is Word.HOLDS}
    assert [READINGS[where] for where in helped] == [{"min_contact": 120.0}]


def test_the_cost_may_be_that_of_events_alone(invented: pd.DataFrame) -> None:
    dear = changed(invented, 9.0, measure="forwards", threshold=0.5)
    found = judged(TABLES, dear)
    assert found["MOPS-34"].word.plain is not Word.HOLDS
    assert (EVENTS_ONLY, Word.HOLDS) in [(one.where, one.word) for one in found["MOPS-34"].readings]


@pytest.mark.parametrize(
    ("claim", "word", "table", "column", "value"),
    [
        ("MOPS-24", Word.PARTLY, "MOPS-T1", "nodes", 42),
        ("MOPS-25", Word.NEEDS_DATA, "MOPS-T1", "rows", 64184),
        ("MOPS-39", Word.DOES_NOT_HOLD, "MOPS-T1", "contacts_per_node_and_day", 10.0),
        ("MOPS-41", Word.DOES_NOT_HOLD, "MOPS-community-hops", "scope", False),
    ],
)
def test_facts_of_the_traces_are_judged_as_well(
    invented: pd.DataFrame, claim: str, word: Word, table: str, column: str, value: object
) -> None:
    other = {**TABLES, table: [{**row, column: value} for row in TABLES[table]]}
    assert words(other, invented)[claim] is word


def test_claims_about_a_trace_that_is_not_there_are_not_judged(invented: pd.DataFrame) -> None:
    found = words(TABLES, invented[invented["on"] == CAMPUS])
    assert {claim for claim, word in found.items() if word is Word.NEEDS_DATA} == about_real_traces()
    assert found["MOPS-33"] is Word.HOLDS


def about_real_traces() -> set[str]:
    return {
        judge.claim for judge in CLAIMS if judge.claim > "MOPS-10" and {INFOCOM05_KEY, REALITY_KEY} & set(judge.traces)
    }


def test_every_simulated_figure_has_its_table_and_its_pictures(invented: pd.DataFrame) -> None:
    changing = pd.DataFrame(
        {"on": on, "seed": seed, "default_weight": weight, "measure": measure, "value": 1.0}
        for on in UTILITY
        for seed in SEEDS
        for weight in (0.0, 1e-5)
        for measure in ("reached_before", "reached_later", "utility", "latency", "forwards")
    )
    lengthened = invented[invented["ttl"] == 24 * HOUR].assign(min_contact=120.0)
    measured = Measured(ON, pd.concat([invented, lengthened]), {"changing": changing})
    found = {figure.id: figure for figure in simulated(measured, {"MOPS-F3": SIZES})}
    lifetimes = [f"MOPS-F{number}{letter}" for letter in "bac" for number in (8, 9)]
    assert list(found) == [*lifetimes, "MOPS-F10", "MOPS-F11", "MOPS-quarters", "MOPS-changing", "MOPS-readings"]
    assert list(found["MOPS-F8a"].table().columns) == [
        "dataset", "scheme", "ttl_h", "n_seeds", "utility", "utility_lo", "utility_hi"
    ]  # fmt: skip
    ten = found["MOPS-F10"].table()
    assert ten[["T", "default_weight", "latency_h", "n_communities", "mean_size"]].iloc[0].tolist() == [
        0.5, 1e-5, 4.0, 40.0, 5.0
    ]  # fmt: skip
    assert (ten["forwards_events"] + ten["forwards_lists"]).tolist() == pytest.approx(ten["forwards_total"].tolist())
    drawn: dict[str, Any] = {name: figure.draw(figure.table()) for name, figure in found.items() if figure.draw}
    assert set(drawn["MOPS-F10"]) == set(drawn["MOPS-F11"]) == {"a", "b"}
    assert set(drawn["MOPS-quarters"]) == {f"-{key}" for key in KEYS}


def test_the_worked_example_is_computed_by_the_code_for_real_traces() -> None:
    assert [round(row["closeness"], 3) for row in closeness_of_contacts()] == [0.726, 0.726, 0.923]
    assert [round(row["computed"], 9) for row in weights()] == [row["printed"] for row in weights()]
    labels = [len({row["community"] for row in communities_at(threshold)}) for threshold in (0.5, 0.7)]
    assert labels[0] < labels[1]
    assert draw_closeness(closeness_of_contacts()).axes
    assert draw_communities(communities_at(0.5)).axes


def test_in_the_place_of_absent_traces_others_are_generated_and_called_so(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    found = PAPER.traces(store, [], True)
    assert [trace.title for trace in found.found] == [*STAND_INS, CAMPUS]
    assert [trace.kind for trace in found.found] == [Kind.STAND_IN, Kind.STAND_IN, Kind.GENERATED]
    assert [sentence.split(". ")[0] for sentence in found.absent] == [
        f"Infocom05 is not stored here; a {STAND_INS[0]} stands in for it",
        f"Reality is not stored here; a {STAND_INS[1]} stands in for it",
    ]
    facts = trace_facts(found.found)
    assert facts[0]["nodes"] == 41
    assert 16_000 < facts[0]["contacts"] < 20_000, "Infocom05 has 17,712"
    rates = [facts[place]["contacts_per_node_and_day"] for place in (0, 2, 1)]
    assert rates == sorted(rates, reverse=True), "as MOPS-39 has it of what they stand for"
    assert [row["printed_nodes"] for row in facts] == [None, None, 200]
    assert [trace.title for trace in PAPER.traces(store, ["campus"], True).found] == [CAMPUS]


def test_a_figure_of_a_stand_in_says_so_and_leaves_claims_about_the_trace_unjudged(invented: pd.DataFrame) -> None:
    replaced = invented.assign(on=invented["on"].replace(dict(zip((INFOCOM05, REALITY), STAND_INS, strict=True))))
    measured = Measured(REPLACED, replaced, {"changing": pd.DataFrame()})
    figures = {figure.id: figure for figure in simulated(measured, {"MOPS-F3": SIZES})}
    by_lifetime = {f"MOPS-F{number}{letter}" for number in (8, 9) for letter in "abc"}
    assert by_lifetime <= set(figures)
    for name in by_lifetime:
        draw = figures[name].draw
        assert draw is not None
        picture = draw(figures[name].table())
        assert isinstance(picture, Picture)
        assert "(generated)" in picture.get_suptitle()
    found = words(TABLES, replaced, REPLACED)
    assert {claim for claim, word in found.items() if word is Word.NEEDS_DATA} == about_real_traces()


def test_facts_of_a_trace_are_counted() -> None:
    made = GENERATOR.generate(CampusSettings(students=24, days=3), 1)
    traces = [
        PaperTrace("small", "small", Kind.GENERATED, (made.contacts, made.nodes), rows=7),
        PaperTrace("three", "three", Kind.GENERATED, TRIANGLE),
    ]
    small, three = trace_facts(traces)
    assert (small["nodes"], small["rows"], small["contacts"]) == (24, 7, made.contacts.num_rows)
    assert (three["rows"], three["contacts_per_node_and_day"]) == (3, pytest.approx(2 / (40 / 86400)))
    brokers = [row["brokers"] for row in pruning(traces) if row["dataset"] == "small"]
    assert brokers == sorted(brokers)
    shares = pd.DataFrame(community_hops(traces[:1], 2))
    assert shares.groupby(["dataset", "seed"])["share"].sum().tolist() == pytest.approx([1.0] * 2)


def test_pairs_of_new_interests_are_those_that_did_not_exist_before() -> None:
    load = workload(
        [(0, 5.0, "x"), (1, 12.0, "x"), (2, 31.0, "x"), (2, 32.0, "y")],
        [(0, "x", -math.inf, 10.0), (0, "x", 10.0, 99.0), (1, "x", 10.0, 99.0), (1, "y", 40.0, 99.0), (2, "y")],
        ttl=6.0,
    )
    pairs, before = new_pairs(load)  # node 0 wanted x all the time; y had died when node 1 began to want it
    assert sorted(zip(pairs.tolist(), before.tolist(), strict=True)) == [([0, 1], True), ([2, 1], False)]


@pytest.mark.slow
def test_every_figure_is_written_and_every_claim_judged(reproduced: Reproduced) -> None:
    folder = reproduced.folder / "mops"
    assert "hunet trace import mit.txt.gz --name reality" in reproduced.told
    for name in (
        "F2",
        "F3a",
        "F3b",
        "F3",
        "F5-F6",
        "F8a",
        "F8b",
        "F8c",
        "F9c",
        "F10a",
        "F10b",
        "F11a",
        "F11b",
        "quarters-campus",
    ):
        assert (folder / f"MOPS-{name}.png").stat().st_size > 5000
    for name in ("F8c", "F9c", "F10", "F11", "T1", "readings"):
        assert pq.read_table(folder / f"MOPS-{name}.parquet").num_rows > 0
    assert list(reproduced.verdicts("mops")) == [f"MOPS-{number:02d}" for number in range(1, 43)]
