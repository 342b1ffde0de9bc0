"""Looking for settings: what is tried, what is dropped, and what a trace is cut into."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from hunet.model.errors import InvalidValueError, TraceError
from hunet.model.tables import CONTACTS
from hunet.protocols import PROTOCOLS, Protocol, make_settings, protocol_named
from hunet.protocols.search import Span
from hunet.protocols.settings_file import read_settings, write_settings
from hunet.studies.claims.errata import errata_from_pages, errata_of
from hunet.studies.study_file.protocols import can_be
from hunet.studies.tuning.parts import parts_of
from hunet.studies.tuning.results import draw, verdict, write_file
from hunet.studies.tuning.search import Candidate, Effort, Found, candidates, search
from hunet.studies.tuning.tune import Goal, Interval, Tuned

SEARCHED = [protocol for protocol in PROTOCOLS if protocol.searched]
SPRAY = protocol_named("spray")


@pytest.mark.parametrize("protocol", SEARCHED, ids=lambda protocol: protocol.name)
def test_candidates_are_settings_that_can_be_with_the_defaults_first(protocol: Protocol) -> None:
    some = candidates(protocol, Effort(), 1)
    defaults = protocol.settings()
    assert some[0] == {name: getattr(defaults, name) for name in protocol.searched}
    assert all(can_be(protocol, one) for one in some)
    assert some == candidates(protocol, Effort(), 1)
    assert len({tuple(one.values()) for one in some}) == len(some)
    for name, where in protocol.searched.items():
        found = [one[name] for one in some]
        if isinstance(where, Span):
            assert where.low <= min(found) <= max(found) <= where.high
        else:
            assert set(found) == set(where.values)


def test_every_stretch_of_a_range_is_tried() -> None:
    found = sorted(one["aging_unit"] for one in candidates(protocol_named("prophet"), Effort(32), 7)[1:])
    assert max(later / earlier for earlier, later in pairwise(found)) < 8192 ** (2 / 32) * 1.01


def test_a_protocol_without_anything_to_search_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="push has no settings that could be searched"):
        candidates(protocol_named("push"), Effort(), 1)


class Fake:
    """Copies cost what they are; each adds a tenth of delivery, up to all; chance adds noise."""

    def __init__(self, noise: float = 0.0, most: float = 1.0) -> None:
        self.noise, self.most = noise, most
        self.asked: list[tuple[int, int]] = []

    def __call__(self, some: Sequence[Candidate], seeds: int) -> pd.DataFrame:
        self.asked.append((len(some), seeds))
        rows = []
        for place, one in enumerate(some):
            for part in (0, 1):
                for seed in range(1, seeds + 1):
                    chance = np.random.default_rng([one["copies"], part, seed]).normal(0, self.noise)
                    delivery = min(self.most, 0.1 * one["copies"] - 0.05 * part) + chance
                    rows.append((place, part, seed, delivery, float(one["copies"])))
        return pd.DataFrame(rows, columns=["candidate", "part", "seed", "delivery", "cost"])


def test_the_cheapest_that_delivers_enough_in_every_part_is_found() -> None:
    some = candidates(SPRAY, Effort(), 1)
    found = search(some, Fake(), 0.9, Effort())
    assert found.meets
    assert found.best == {"copies": 10}  # 9 would be enough in the first part alone
    assert found.tried.loc[some.index(found.best), "delivery"] == pytest.approx(0.95)


def test_chance_does_not_pass_for_delivery() -> None:
    found = search(candidates(SPRAY, Effort(), 1), Fake(noise=0.02), 0.9, Effort())
    assert found.meets
    assert 10 <= found.best["copies"] <= 12


def test_where_nothing_is_enough_the_nearest_is_found_and_said_to_miss() -> None:
    found = search(candidates(SPRAY, Effort(), 1), Fake(most=0.7), 0.9, Effort())
    assert not found.meets
    assert found.best["copies"] == 8  # the cheapest that has all there is


def test_the_better_are_tried_with_more_seeds() -> None:
    some, fake = candidates(SPRAY, Effort(), 1), Fake()
    found = search(some, fake, 0.9, Effort(seeds=(2, 4, 8), keep=4))
    assert fake.asked == [(53, 2), (14, 4), (4, 8)]
    assert len(some) == 53
    assert found.tried["round"].value_counts().to_dict() == {1: 39, 2: 10, 3: 4}


def contacts(rows: Sequence[tuple[int, int, float, float]]) -> tuple[pa.Table, pa.Table]:
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[], [], [], []]
    return pa.table(columns, schema=CONTACTS), pa.table({"node": [0, 1, 2]})


def test_a_trace_is_cut_by_time_and_its_first_part_by_contacts() -> None:
    rows = [(0, 1, float(start), start + 1.0) for start in range(0, 40, 10)] + [(0, 2, 60.0, 80.0), (1, 2, 95.0, 100.0)]
    parts = parts_of(contacts(rows))
    (one, _), (other, _) = parts.search
    assert one["start"].to_pylist() == [0.0, 10.0]
    assert other["start"].to_pylist() == [20.0, 30.0, 60.0]
    assert other["end"].to_pylist()[-1] == 70.0  # a contact over the cut ends with it
    assert parts.judge[0]["start"].to_pylist() == [70.0, 95.0]
    assert (parts.searched, parts.judged) == (70.0, 30.0)


@pytest.mark.parametrize("rows", [[], [(0, 1, 0.0, 1.0)], [(0, 1, 0.0, 1.0), (0, 1, 90.0, 100.0)]])
def test_a_trace_that_cannot_be_cut_is_refused(rows: list[tuple[int, int, float, float]]) -> None:
    with pytest.raises(TraceError, match="no contacts"):
        parts_of(contacts(rows))


BSUB13 = protocol_named("bsub13")


def tuned(best: Candidate, delivery: Interval, meets: bool = True) -> Tuned:
    same = {who: Interval(2.0, 1.5, 2.5) for who in ("push", "defaults", "tuned")}
    tried = pd.DataFrame([{"decay_cycle": 256.0, "round": 1, "delivery": 0.9, "cost": 2.0}, {**best, "round": 2}])
    judged = {"delivery_ratio": same, "copies_ever_mean": same}
    return Tuned(Found(best, meets, tried), judged, {**same, "tuned": delivery}, Interval(0.25, 0.2, 0.3), 20)


@pytest.mark.parametrize(
    ("cycle", "delivery", "meets", "words"),
    [
        (
            64.0,
            Interval(1.1, 1.0, 1.2),
            True,
            ["The goal is met: it delivers 1.1 (1 to 1.2) of", "25 % (20 to 30) less"],
        ),
        (
            64.0,
            Interval(0.9, 0.8, 1.0),
            True,
            ["The goal may be missed: it delivers 0.9 (0.8 to 1)", "25 % (20 to 30) less"],
        ),
        (64.0, Interval(0.5, 0.4, 0.6), False, ["Nothing reached 0.9", "The goal is missed: it delivers 0.5"]),
        (256.0, Interval(1.1, 1.0, 1.2), True, ["The goal is met", "Nothing better than the defaults"]),
    ],
)
def test_the_verdict_says_whether_it_is_worth_it_and_how_sure_that_is(
    tmp_path: Path, cycle: float, delivery: Interval, meets: bool, words: list[str]
) -> None:
    goal = Goal(BSUB13, 0.9, "copies", "bsub13")
    found = tuned({"decay_cycle": cycle}, delivery, meets)
    sentences = verdict(goal, found)
    for part, sentence in zip(words, sentences, strict=False):
        assert part in sentence
    assert "over 20 workloads" in sentences[-1]
    file = write_file(tmp_path / "bsub13.toml", goal, found, {"name": "mine"})
    assert read_settings(file) == (BSUB13, make_settings(BSUB13, {"decay_cycle": cycle})._asdict())
    assert draw("A title", goal, found, tmp_path / "tuning.png").stat().st_size > 10_000


def test_what_costs_more_than_the_defaults_is_not_called_less() -> None:
    found = tuned({"decay_cycle": 64.0}, Interval(1.1, 1.0, 1.2))._replace(saved=Interval(-0.6, -0.7, -0.5))
    assert verdict(Goal(BSUB13, 0.9, "copies", "bsub13"), found)[1] == (
        "Copies: 60 % (50 to 70) more than with the defaults, which deliver 2 (1.5 to 2.5)."
    )


def test_a_settings_file_says_what_was_written(tmp_path: Path) -> None:
    protocol = protocol_named("bsub13")
    chosen = {"decay_cycle": 64.5, "initial": 7, "preference": "raw"}
    notes: dict[str, dict[str, object]] = {
        "judged": {"delivery": [1.0, float("nan"), float("inf")], "ok": True},
        "trace": {"name": 'a "b" ü'},
    }
    file = write_settings(tmp_path / "new" / "mine.toml", protocol, chosen, notes)
    assert read_settings(file) == (protocol, make_settings(protocol, chosen)._asdict())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("protocol = 3", "write protocol ="),
        ("protocol =", "is not TOML"),
        ('protocol = "bsub"', "did you mean 'bsubp'"),
        ('protocol = "bsub13"\n[settings]\ndecay_cycel = 3', "did you mean 'decay_cycle'"),
        ('protocol = "bsub13"\n[settings]\nk = "many"', "k is a whole number"),
        (None, "does not exist"),
    ],
)
def test_a_settings_file_with_a_mistake_is_refused(tmp_path: Path, text: str | None, complaint: str) -> None:
    file = tmp_path / "mine.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidValueError, match=r"mine\.toml") as refused:
        read_settings(file)
    assert complaint in str(refused.value)


def test_the_errata_of_the_report_are_those_of_the_papers_pages() -> None:
    """Where a page has changed: python -m hunet.studies.claims.errata docs/papers"""
    pages = errata_from_pages(Path(__file__).parents[2] / "docs" / "papers")
    papers = {row["paper"] for row in pages}
    found = [{"paper": paper, **row} for paper in sorted(papers) for row in errata_of([paper])]
    assert [{name: row[name] for name in ("paper", "id", "where", "printed", "used")} for row in pages] == found
    assert [row["id"] for row in errata_of(["neighbors"])] == ["ERR-16", "ERR-17", "ERR-18", "ERR-19"]
