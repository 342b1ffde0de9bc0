"""How claims of both B-SUB papers are judged: by traces, by parts, and by readings that are not ours."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from hunet.studies.papers.bsub.evidence import (
    COLUMNS,
    OURS,
    Claim,
    Evidence,
    Found,
    everywhere,
    falls,
    judge_all,
    rises,
    weigh,
)
from hunet.studies.papers.bsub.traces import busiest_days, only_busy_days
from hunet.studies.papers.bsub10.runs import nodes_met
from hunet.studies.papers.reproduction import Traces

OTHER = "another reading"


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


CLAIM = Claim("BSUB13-16", "B-SUB beats PULL", beats_pull)


def test_a_mean_is_looked_up_by_what_was_varied_and_falls_back_to_our_reading() -> None:
    evidence = Evidence({}, runs(**{OURS: 0.4, OTHER: 0.8}), {"a third": OTHER})
    assert evidence.under("a third").at("crowd", "bsub13", "delivery_ratio", "cycle", 1.0) == pytest.approx(0.82)
    assert evidence.at("crowd", "bsub13", "delivery_ratio", "cycle", 1.0) == pytest.approx(0.42)
    other = evidence.under(OTHER)
    assert other.at("crowd", "bsub13", "delivery_ratio", "cycle", 1.0) == pytest.approx(0.82)
    assert other.at("crowd", "pull", "delivery_ratio", "cycle") == 0.5
    assert other.each_seed("crowd", "bsub13", "delivery_ratio", "cycle", 1.0) == pytest.approx([0.81, 0.82, 0.83])
    assert (evidence.crowds, evidence.sparse, evidence.seeds) == (["crowd"], ["Reality, 3 days"], 3)
    with pytest.raises(KeyError, match="no delay_mean at 1 of cycle"):
        evidence.at("crowd", "bsub13", "delay_mean", "cycle", 1.0)


def test_a_claim_that_holds_needs_no_other_reading() -> None:
    (verdict,) = judge_all([CLAIM], Evidence({}, runs(**{OURS: 0.6, OTHER: 0.9})), [OTHER])
    assert (verdict.verdict, verdict.reading, verdict.measured) == ("holds", "", "crowd yes: 0.62 and 0.50")


def test_a_claim_that_holds_with_another_reading_only_holds_partly_and_names_it() -> None:
    (verdict,) = judge_all([CLAIM], Evidence({}, runs(**{OURS: 0.4, OTHER: 0.8})), [OTHER])
    assert (verdict.verdict, verdict.reading) == ("partly", OTHER)
    assert verdict.measured == "crowd no: 0.42 and 0.50. With another reading: crowd yes: 0.82 and 0.50"


def test_a_reading_may_look_at_another_measure_of_the_same_runs_and_says_what_is_asked_for() -> None:
    both = runs(**{OURS: 0.4})
    both = pd.concat([both, both[both["protocol"] == "bsub13"].assign(measure="ever", value=0.7)])
    evidence = Evidence({}, both, {OTHER: OURS}, {OTHER: {"delivery_ratio": "ever"}})
    assert evidence.under(OTHER).at("crowd", "bsub13", "delivery_ratio", "cycle", 1.0) == pytest.approx(0.7)
    assert evidence.under(OTHER).each_seed("crowd", "bsub13", "delivery_ratio", "cycle", 1.0).tolist() == [0.7] * 3
    above = Claim("BSUB13-16", "", lambda one: everywhere(one.crowds, lambda on: _above(one, on)), asked="0.5")
    (verdict,) = judge_all([above], evidence, [OTHER])
    assert verdict.measured == "crowd no: 0.42. With another reading: crowd yes: 0.70. Asked for: 0.5"
    assert (verdict.verdict, verdict.on) == ("partly", "crowd")


def _above(evidence: Evidence, on: str) -> tuple[bool, str]:
    found = evidence.at(on, "bsub13", "delivery_ratio", "cycle", 1.0)
    return found > 0.5, f"{found:.2f}"


def test_a_claim_that_no_reading_helps_fails() -> None:
    (verdict,) = judge_all([CLAIM], Evidence({}, runs(**{OURS: 0.4, OTHER: 0.3})), [OTHER])
    assert (verdict.verdict, verdict.reading) == ("fails", "")


@pytest.mark.parametrize(
    ("parts", "word"),
    [
        ({"a": True, "b": True}, "holds"),
        ({"a": True, "b": False}, "partly"),
        ({"a": False, "b": False}, "fails"),
        ({"a": [True, False], "b": False}, "partly"),
        ({"a": [True, True], "b": [True]}, "holds"),
        ({}, "not judged"),
    ],
)
def test_a_claim_about_traces_holds_on_all_some_or_none(parts: dict[str, bool | list[bool]], word: str) -> None:
    assert everywhere(list(parts), lambda name: (parts[name], "1"))[0] == word


def test_words_for_courses_and_parts() -> None:
    assert rises([1.0, 1.0, 2.0])
    assert not rises([1.0, 0.9])
    assert falls([2.0, 1.0, 1.0])
    assert not falls([1.0, 1.1])
    assert [weigh(parts) for parts in ([True], [True, False], [False], True)] == ["holds", "partly", "fails", "holds"]


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
    found = only_busy_days(Traces({"Reality": (table, nodes), "SFHH": (table, nodes)}), 2)
    assert {name: len(some) for name, (some, _) in found.items()} == {"Reality, 2 days from day 2": 3, "SFHH": 5}


def test_the_number_of_nodes_met_within_a_time_is_a_mean_over_nodes_and_spans() -> None:
    # First 10 s: 0 meets 1 and 2, who meet 0 only: (2 + 1 + 1) / 3. Then 0 meets 1 again: 1 and 1. Mean 6 / 5.
    assert nodes_met(contacts(0.0, 5.0, 12.0), 10.0) == round(6 / 5)
    everybody = np.arange(12.0)
    assert nodes_met(contacts(*everybody), 100.0) == round(4 / 3)
