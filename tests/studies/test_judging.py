"""How claims are judged: by traces, by parts, and by readings that are not ours."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from hunet.studies.claims.judging import Found, Judge, Parts, everywhere, falls, rises
from hunet.studies.claims.verdict import Beside, Part, Verdict, Word, weigh
from hunet.studies.papers.bsub10.runs import nodes_met
from hunet.studies.papers.evidence import COLUMNS, OURS, Evidence, judge_all
from hunet.studies.papers.traces import (
    CAMPUS,
    INFOCOM05,
    INFOCOM06_79,
    INFOCOM06_98,
    REALITY,
    Kind,
    PaperTrace,
    busiest_days,
    only_busy_days,
)

OTHER = "another reading"
NOTHING = pa.table({}), pa.table({})
TRACES = [
    PaperTrace(INFOCOM06_98, "crowd", Kind.SURROGATE, NOTHING),
    PaperTrace(REALITY, "Reality, 3 days", Kind.STORED, NOTHING),
]


def runs(**by_reading: float) -> pd.DataFrame:
    """Delivery of B-SUB on a crowd and on Reality, by seed, at x = 1; PULL under our reading only."""
    rows = [
        ("crowd", "bsub13", reading, "cycle", 1.0, seed, "delivery_ratio", value + seed / 100)
        for reading, value in by_reading.items()
        for seed in (1, 2, 3)
    ]
    rows += [("Reality, 3 days", "bsub13", OURS, "cycle", 1.0, 1, "delivery_ratio", 0.3)]
    rows += [("crowd", "pull", OURS, "cycle", 0.0, 1, "delivery_ratio", 0.5)]
    return pd.DataFrame(rows, columns=COLUMNS)


def beats_pull(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        ours, pull = (
            evidence.at(on, "bsub13", "delivery_ratio", "cycle", 1.0),
            evidence.at(on, "pull", "delivery_ratio", "cycle"),
        )
        return {"above PULL": (ours > pull, f"{ours:.2f} and {pull:.2f}")}

    return everywhere(evidence.crowds, parts)


JUDGE = Judge("BSUB13-16", beats_pull, "It is slow", "more")


def test_a_mean_is_looked_up_by_what_was_varied_and_falls_back_to_our_reading() -> None:
    evidence = Evidence(TRACES, {}, runs(**{OURS: 0.4, OTHER: 0.8}), {"a third": OTHER})
    assert evidence.under("a third").at("crowd", "bsub13", "delivery_ratio", "cycle", 1.0) == pytest.approx(0.82)
    assert evidence.at("crowd", "bsub13", "delivery_ratio", "cycle", 1.0) == pytest.approx(0.42)
    other = evidence.under(OTHER)
    assert other.at("crowd", "bsub13", "delivery_ratio", "cycle", 1.0) == pytest.approx(0.82)
    assert other.at("crowd", "pull", "delivery_ratio", "cycle") == 0.5
    assert other.each_seed("crowd", "bsub13", "delivery_ratio", "cycle", 1.0) == pytest.approx([0.81, 0.82, 0.83])
    assert (evidence.crowds, evidence.sparse) == (["crowd"], ["Reality, 3 days"])
    with pytest.raises(KeyError, match="no delay_mean at 1 of cycle"):
        evidence.at("crowd", "bsub13", "delay_mean", "cycle", 1.0)


def test_a_claim_that_holds_needs_no_other_reading() -> None:
    (verdict,) = judge_all([JUDGE], Evidence(TRACES, {}, runs(**{OURS: 0.6, OTHER: 0.9})), [OTHER])
    assert (verdict.word, verdict.on, verdict.readings) == (Word.HOLDS_ON_SURROGATE, ("crowd",), ())
    assert verdict.parts == (Part("above PULL", "0.62 and 0.50", Word.HOLDS),)
    assert verdict.measured == "above PULL: yes, 0.62 and 0.50. Asked for: more"


def test_another_reading_stands_beside_the_word_and_never_in_it() -> None:
    (verdict,) = judge_all(
        [JUDGE], Evidence(TRACES, {}, runs(**{OURS: 0.4, OTHER: 0.8, "a third": 0.2})), [OTHER, "a third"]
    )
    assert verdict.word is Word.DOES_NOT_HOLD_ON_SURROGATE
    assert verdict.readings == (
        Beside(OTHER, Word.HOLDS_ON_SURROGATE, "above PULL: yes, 0.82 and 0.50"),
        Beside("a third", Word.DOES_NOT_HOLD_ON_SURROGATE, "above PULL: no, 0.22 and 0.50"),
    )
    assert verdict.measured.endswith("Asked for: more. It is slow")


def test_a_reading_that_changes_no_figure_is_not_named() -> None:
    (verdict,) = judge_all([JUDGE], Evidence(TRACES, {}, runs(**{OURS: 0.4})), [OTHER])
    assert verdict.readings == ()


def test_a_reading_may_look_at_another_measure_of_the_same_runs() -> None:
    both = runs(**{OURS: 0.4})
    both = pd.concat([both, both[both["protocol"] == "bsub13"].assign(measure="ever", value=0.7)])
    evidence = Evidence(TRACES, {}, both, {OTHER: OURS}, {OTHER: {"delivery_ratio": "ever"}})
    assert evidence.under(OTHER).at("crowd", "bsub13", "delivery_ratio", "cycle", 1.0) == pytest.approx(0.7)
    assert evidence.under(OTHER).each_seed("crowd", "bsub13", "delivery_ratio", "cycle", 1.0).tolist() == [0.7] * 3


@pytest.mark.parametrize(
    ("right", "word"),
    [([True, True], Word.HOLDS), ([True, False], Word.PARTLY), ([False, False], Word.DOES_NOT_HOLD)],
)
def test_a_claim_holds_in_all_some_or_none_of_its_parts_on_the_papers_own_trace(right: list[bool], word: Word) -> None:
    def parts(on: str) -> Parts:
        own = {f"part {i}": (one, "1") for i, one in enumerate(right)}
        return own if on == "own" else {"part 0": (not right[0], "2")}

    found = everywhere(["own", "other"], parts)
    assert found.settled({"own": True}).word is word
    assert found.settled({"own": False}).word is word.on_surrogate
    assert found.settled({"own": False}).word.plain is word
    assert found.settled({"own": True, "absent": False}).word is word, "what is not there makes no surrogate of it"
    assert [part.word for part in found.settled({"own": True}).parts] == [weigh(one) for one in right]
    opposite = Word.DOES_NOT_HOLD if right[0] else Word.HOLDS
    assert [(one.where, one.word) for one in found.elsewhere({"own": True})] == [("other", opposite)]
    assert found.settled({"neither": True}).word is Word.NEEDS_DATA
    assert everywhere([], parts).word is Word.NEEDS_DATA


def test_what_two_own_traces_say_is_told_of_each() -> None:
    found = everywhere(["one", "two"], lambda on: {"large": (on == "one", on.upper())}).settled(
        {"one": True, "two": True}
    )
    assert found.word is Word.PARTLY
    assert found.measured == "one, large: yes, ONE; two, large: no, TWO"


def test_only_infocom05_and_what_was_generated_are_the_very_traces_of_a_paper() -> None:
    def exact(key: str, kind: Kind) -> bool:
        return PaperTrace(key, key, kind, NOTHING).is_exact

    assert exact(INFOCOM05, Kind.STORED)
    assert exact(CAMPUS, Kind.GENERATED)
    assert not exact(REALITY, Kind.STORED)
    assert not exact(INFOCOM06_79, Kind.SURROGATE)
    assert not exact(INFOCOM05, Kind.STAND_IN)


def test_a_verdict_survives_being_stored() -> None:
    part, beside = Part("asked", "1", Word.HOLDS, "here"), Beside("there", Word.PARTLY, "2")
    verdict = Verdict("ZZ-01", Word.PARTLY, (part,), ("here",), (beside,), (beside,), "why")
    assert Verdict.read(json.loads(json.dumps(verdict.stored()))) == verdict


def test_words_for_courses_and_parts() -> None:
    assert rises([1.0, 1.0, 2.0])
    assert not rises([1.0, 0.9])
    assert falls([2.0, 1.0, 1.0])
    assert not falls([1.0, 1.1])
    words = [Word.HOLDS, Word.PARTLY, Word.DOES_NOT_HOLD, Word.HOLDS]
    assert [weigh(parts) for parts in ([True], [True, False], [False], True)] == words


def contacts(*starts: float) -> pa.Table:
    return pa.table(
        {
            "a": pa.array([0] * len(starts), pa.int32()),
            "b": pa.array([1 + i % 2 for i in range(len(starts))], pa.int32()),
            "start": list(starts),
            "end": [start + 1 for start in starts],
        }
    )


def test_the_busiest_days_in_a_row_are_taken_of_sparse_traces_only() -> None:
    day = 86_400.0
    table = contacts(5.0, 2 * day + 6, 3 * day + 6, 3 * day + 7, 9 * day)
    first, part = busiest_days(table, 2)
    assert (first, part.num_rows) == (2, 3)
    nodes = pa.table({"node": [0, 1, 2]})
    both = [PaperTrace(key, key.upper(), Kind.STORED, (table, nodes)) for key in (REALITY, "sfhh")]
    found = {trace.title: trace.contacts.num_rows for trace in only_busy_days(both, 2)}
    assert found == {"REALITY, 2 days from day 2": 3, "SFHH": 5}


def test_a_trace_that_stands_in_for_the_papers_is_not_its_own_and_nothing_printed_is_about_it() -> None:
    own, stand_in = (PaperTrace(REALITY, "r", kind, NOTHING) for kind in (Kind.STORED, Kind.STAND_IN))
    assert (own.is_own(REALITY), stand_in.is_own(REALITY)) == (True, False)
    assert own.sparse
    assert stand_in.sparse
    printed = {REALITY: (97, 246)}
    assert own.printed(printed, "nodes", "days") == {"printed_nodes": 97, "printed_days": 246}
    assert stand_in.printed(printed, "nodes", "days") == {"printed_nodes": None, "printed_days": None}


def test_the_number_of_nodes_met_within_a_time_is_a_mean_over_nodes_and_spans() -> None:
    # First 10 s: 0 meets 1 and 2, who meet 0 only: (2 + 1 + 1) / 3. Then 0 meets 1 again: 1 and 1. Mean 6 / 5.
    assert nodes_met(contacts(0.0, 5.0, 12.0), 10.0) == round(6 / 5)
    everybody = np.arange(12.0)
    assert nodes_met(contacts(*everybody), 100.0) == round(4 / 3)
