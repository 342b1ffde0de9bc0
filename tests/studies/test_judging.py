"""How claims are judged: by traces, by parts, and by readings that are not ours."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from hunet.studies.claims.judging import Found, Judge, everywhere, falls, rises, weigh
from hunet.studies.claims.verdict import Word
from hunet.studies.papers.bsub10.runs import nodes_met
from hunet.studies.papers.evidence import COLUMNS, OURS, Evidence, judge_all
from hunet.studies.papers.traces import REALITY, Kind, PaperTrace, busiest_days, only_busy_days

OTHER = "another reading"
NOTHING = pa.table({}), pa.table({})
TRACES = [
    PaperTrace("crowd", "crowd", Kind.STORED, NOTHING),
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
    def part(on: str) -> tuple[bool, str]:
        ours, pull = (
            evidence.at(on, "bsub13", "delivery_ratio", "cycle", 1.0),
            evidence.at(on, "pull", "delivery_ratio", "cycle"),
        )
        return ours > pull, f"{ours:.2f} and {pull:.2f}"

    return everywhere(evidence.crowds, part)


JUDGE = Judge("BSUB13-16", beats_pull)


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
    assert (verdict.word, verdict.reading, verdict.measured) == (Word.HOLDS, "", "crowd yes: 0.62 and 0.50")


def test_a_claim_that_holds_with_another_reading_only_holds_partly_and_names_it() -> None:
    (verdict,) = judge_all([JUDGE], Evidence(TRACES, {}, runs(**{OURS: 0.4, OTHER: 0.8})), [OTHER])
    assert (verdict.word, verdict.reading) == (Word.PARTLY, OTHER)
    assert verdict.measured == "crowd no: 0.42 and 0.50. With another reading: crowd yes: 0.82 and 0.50"


def test_a_reading_may_look_at_another_measure_of_the_same_runs_and_says_what_is_asked_for() -> None:
    both = runs(**{OURS: 0.4})
    both = pd.concat([both, both[both["protocol"] == "bsub13"].assign(measure="ever", value=0.7)])
    evidence = Evidence(TRACES, {}, both, {OTHER: OURS}, {OTHER: {"delivery_ratio": "ever"}})
    assert evidence.under(OTHER).at("crowd", "bsub13", "delivery_ratio", "cycle", 1.0) == pytest.approx(0.7)
    assert evidence.under(OTHER).each_seed("crowd", "bsub13", "delivery_ratio", "cycle", 1.0).tolist() == [0.7] * 3
    above: Judge[Evidence] = Judge(
        "BSUB13-16", lambda one: everywhere(one.crowds, lambda on: _above(one, on)), asked="0.5"
    )
    (verdict,) = judge_all([above], evidence, [OTHER])
    assert verdict.measured == "crowd no: 0.42. With another reading: crowd yes: 0.70. Asked for: 0.5"
    assert (verdict.word, verdict.on) == (Word.PARTLY, "crowd")


def _above(evidence: Evidence, on: str) -> tuple[bool, str]:
    found = evidence.at(on, "bsub13", "delivery_ratio", "cycle", 1.0)
    return found > 0.5, f"{found:.2f}"


def test_a_claim_that_no_reading_helps_fails() -> None:
    (verdict,) = judge_all([JUDGE], Evidence(TRACES, {}, runs(**{OURS: 0.4, OTHER: 0.3})), [OTHER])
    assert (verdict.word, verdict.reading) == (Word.DOES_NOT_HOLD, "")


@pytest.mark.parametrize(
    ("parts", "word"),
    [
        ({"a": True, "b": True}, Word.HOLDS),
        ({"a": True, "b": False}, Word.PARTLY),
        ({"a": False, "b": False}, Word.DOES_NOT_HOLD),
        ({"a": [True, False], "b": False}, Word.PARTLY),
        ({"a": [True, True], "b": [True]}, Word.HOLDS),
        ({}, Word.NEEDS_DATA),
    ],
)
def test_a_claim_about_traces_holds_on_all_some_or_none(parts: dict[str, bool | list[bool]], word: Word) -> None:
    assert everywhere(list(parts), lambda name: (parts[name], "1")).word is word


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
