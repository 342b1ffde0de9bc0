"""Claims about the workloads of the papers, and about choosing tags."""

from __future__ import annotations

import numpy as np
import pytest

from hunet.sim.generate import people_and_time
from hunet.sim.tag_pool import trends_2009
from tests.claims.crowds import crowd, load


def test_BSUB10_41_the_head_of_the_keys_is_as_printed_and_they_are_11_5_bytes_on_average() -> None:
    pool = trends_2009()
    assert len(pool.names) == 38
    assert pool.names[:4] == ("NewMoon", "Twitter'sNew", "funnybutnotcool", "openwebawards")
    assert pool.weights[:4] == (0.132, 0.103, 0.0887, 0.0739)
    assert sum(pool.weights) == pytest.approx(1.0, abs=1e-12)
    assert np.mean([len(name.encode()) for name in pool.names]) == 11.5
    # AMB-18: a Zipf tail from rank 4 on; its exponent follows from the missing weight.
    exponents = [np.log(pool.weights[3] / pool.weights[rank - 1]) / np.log(rank / 4) for rank in range(5, 39)]
    assert exponents == pytest.approx([1.043] * 34, abs=5e-4)
    assert (pool.weights[4], pool.weights[37]) == pytest.approx((0.0586, 0.0071), abs=5e-5)


def test_BSUB10_43_nodes_publish_in_proportion_to_their_degree_the_least_central_every_30_minutes() -> None:
    people = people_and_time(crowd()[0])
    workload = load("bsub10", 1)
    source = workload.messages.column("source").to_numpy()
    created = workload.messages.column("created").to_numpy()
    for node, degree in zip(people.node, people.degree, strict=True):
        own = created[source == node]
        period = 1800.0 * people.degree.min() / degree
        assert np.diff(own) == pytest.approx(period)
        assert people.start <= own[0] < people.start + period
        assert own[-1] > people.end - period
