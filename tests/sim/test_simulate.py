"""One simulation from tables to a result, and the measures, each checked by hand on a trace of three people."""

from __future__ import annotations

import math
import re
from itertools import combinations

import numpy as np
import pytest

from hunet.model.errors import InvalidValueError, WorkloadError
from hunet.report.simulation import draw_comparison
from hunet.sim.engine.run import Conditions
from hunet.sim.measures import MEASURES, _percentile_of
from hunet.sim.result import Result
from hunet.sim.simulate import simulate
from tests.sim.small_traces import TRIANGLE, workload

pytestmark = pytest.mark.compiles

# ann-bob 10-20, bob-cid 30-35, ann-bob 40-50. ann publishes x at 5 and y at 12, cid publishes x at 31.
LOAD = workload([(0, 5.0, "x"), (0, 12.0, "y"), (2, 31.0, "x")], [(1, "y"), (2, "x"), (0, "x")])


@pytest.fixture(scope="module")
def push() -> Result:
    return simulate(TRIANGLE, LOAD, "push", log=True)


def test_deliveries_are_who_got_what_when(push: Result) -> None:
    # x of 5: bob at 10 (does not want it), cid at 30. y of 12: bob at 40. x of 31: born after bob and cid met.
    rows = push.deliveries.to_pylist()
    assert [(row["message"], row["node"], row["at"], row["delay"]) for row in rows] == [
        (0, 2, 30.0, 25.0),
        (1, 1, 40.0, 28.0),
    ]
    assert list(push.deliveries.to_pandas().columns) == ["message", "node", "at", "hops", "delay"]


def test_measures_are_those_computed_by_hand(push: Result) -> None:
    expected = {
        "messages": 3,
        "wanted": 3,  # (0, cid), (1, bob), (2, ann); nobody counts for a message of its own
        "delivered": 2,
        "delivery_ratio": 2 / 3,
        "delivery_ratio_per_message": 2 / 3,
        "efficiency": 3 / 4,  # message 0: cid and, in vain, bob; message 1: bob; message 2: nobody, so not counted
        "delivered_within_1h": 2 / 3,
        "delivered_within_4h": 2 / 3,
        "delivered_within_10h": 2 / 3,
        "delay_mean": 26.5,
        "delay_median": 26.5,
        "delay_p10": 25.3,
        "delay_p90": 27.7,
        "delay_p99": 27.97,
        "forwards": 3,
        "forwards_per_delivery": 1.5,
        "list_forwards": 0,
        "copies_ever": 6,
        "copies_net": 6,
        "copies_ever_mean": 2.5,
        "copies_net_mean": 2.5,
        "drops": 0,
        "drops_per_node": 0.0,
        "control_bytes": 0,
        "control_bytes_per_contact": 0.0,
        "note_bytes": 0,
        "overhead_bytes_per_contact": 0.0,
        "contacts": 3,
        "contacts_of_no_length": 0,
    }
    found = dict(push.measures)
    assert found.pop("cpu_seconds") >= 0
    assert found == pytest.approx(expected)
    assert [one.name for one in MEASURES] == list(push.measures)


def test_a_full_buffer_loses_copies_that_net_counts_leave_out() -> None:
    result = simulate(TRIANGLE, LOAD, "push", conditions=Conditions(buffer=1))
    # ann's y of 12 pushes out her own x of 5, cid's x of 31 the one she just got, and bob's copy of y his x.
    assert result.measures["drops"] == 3
    assert result.measures["copies_ever"] - result.measures["copies_net"] == 3
    assert result.measures["drops_per_node"] == 1.0


def test_where_nothing_is_delivered_delays_are_undefined() -> None:
    result = simulate(TRIANGLE, workload([(0, 60.0, "x")], [(2, "x")]), "push")
    assert result.measures["delivery_ratio"] == 0
    assert math.isnan(result.measures["delay_mean"])
    assert math.isnan(result.measures["forwards_per_delivery"])
    assert "delay_mean -" in str(result)


def test_a_delivery_counts_only_while_the_node_wants_it() -> None:
    message = [(0, 5.0, "x")]
    early = simulate(TRIANGLE, workload(message, [(2, "x", 0.0, 30.0)]), "push")
    assert (early.measures["wanted"], early.measures["delivered"]) == (
        1,
        0,
    )  # it came at 30, when the interest was gone
    there = simulate(TRIANGLE, workload(message, [(2, "x", 30.0, 31.0)]), "push")
    assert (there.measures["wanted"], there.measures["delivered"]) == (1, 1)


def test_every_measure_can_be_recomputed_from_the_log(push: Result) -> None:
    assert push.outcome.log is not None
    events = push.outcome.log.to_pylist()
    forwards = [event for event in events if event["kind"] == "forward"]
    deliveries = [(event["message"], event["to"], event["time"]) for event in events if event["kind"] == "delivery"]
    assert len(forwards) == push.measures["forwards"]
    assert deliveries == [(row["message"], row["node"], row["at"]) for row in push.deliveries.to_pylist()]
    assert sum(event["kind"] in ("creation", "forward") for event in events) == push.measures["copies_ever"]


def test_the_same_seed_gives_the_same_result() -> None:
    one, again = (simulate(TRIANGLE, "bsub13", "push", seed=4) for _ in range(2))
    assert one.deliveries.equals(again.deliveries)


def test_names_that_do_not_exist_give_the_nearest() -> None:
    with pytest.raises(InvalidValueError, match="did you mean 'push'"):
        simulate(TRIANGLE, LOAD, "pusch")
    with pytest.raises(InvalidValueError, match="did you mean 'bsub13'"):
        simulate(TRIANGLE, "bsub-13", "push")
    with pytest.raises(InvalidValueError, match="seed -1"):
        simulate(TRIANGLE, LOAD, "push", seed=-1)


def test_an_empty_trace_is_refused() -> None:
    with pytest.raises(WorkloadError, match="no contacts"):
        simulate((TRIANGLE[0].slice(0, 0), TRIANGLE[1]), LOAD, "push")


def test_a_result_draws_itself_and_shows_itself_in_a_notebook(push: Result) -> None:
    left, right = push.plot().axes
    assert left.get_ylabel() == "share of wanted pairs delivered"
    line = left.lines[0].get_ydata()
    assert np.max(line) == pytest.approx(2 / 3)
    assert right.get_xlabel() == "nodes that had a message"
    assert re.search(r">delivered</td><td[^>]*>2</td>", push._repr_html_())


def test_names_in_a_picture_stand_clear_of_each_other_and_of_other_points() -> None:
    places = {"neighbors": (12.9, 0.88), "spray": (11.5, 0.9), "prophet": (58.6, 0.87), "bsub13": (50.7, 0.86)}
    rows: list[dict[str, float | str]] = [
        {"protocol": name, "transfers": copies, "delivery_ratio": ratio, "delay": 60.0}
        for name, (copies, ratio) in places.items()
    ]
    axes = draw_comparison("crowded", rows).axes[0]
    boxes = [text.get_window_extent() for text in axes.texts]
    points = axes.transData.transform(list(places.values()))
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert not any(box.contains(*point) for box in boxes for point in points)


def test_the_share_of_brokers_over_time_joins_the_measures() -> None:
    result = simulate(TRIANGLE, LOAD, "bsub10", measures=["broker_share"])
    assert 0 < result.measures["broker_share_mean"] <= 1
    assert {share for _time, share in result.outcome.extras["broker_share"]} <= {0.0, 1 / 3, 2 / 3, 1.0}


def test_pictures_of_comparisons_name_every_protocol() -> None:
    rows: list[dict[str, float | str]] = [
        {"protocol": "push", "transfers": 60.0, "delivery_ratio": 0.9, "delay": 7200.0},
        {"protocol": "pull", "transfers": 4.0, "delivery_ratio": 0.7, "delay": 14400.0},
    ]
    rows.append({"protocol": "mute", "transfers": float("nan"), "delivery_ratio": 0.0, "delay": float("nan")})
    texts = [text.get_text() for text in draw_comparison("both", rows).axes[0].texts]
    assert texts == ["beside each name: mean delay in hours", "push  2.0", "pull  4.0"]
    assert len(draw_comparison("none", rows[2:]).axes[0].texts) == 1


def test_ids_of_few_bits_add_two_measures_that_say_what_they_are() -> None:
    result = simulate(TRIANGLE, LOAD, "push", conditions=Conditions(id_bits=1))
    said = {row["measure"]: row["meaning"] for row in result.table.rows}
    assert {"messages_alike", "mistaken_for_seen"} <= said.keys()
    assert all(said.values())


@pytest.mark.parametrize("size", [1, 2, 3, 17, 1000])
def test_percentiles_are_numpys_and_leave_what_they_look_at_in_order(size: int) -> None:
    delays = np.sort(np.random.default_rng(size).exponential(1e4, size))
    before = delays.copy()
    for share in (50, 10, 90, 99):
        assert _percentile_of(delays, share) == pytest.approx(np.percentile(before, share), rel=1e-12)
    assert (delays == before).all()
