"""Range workloads: what is wanted is what lies in the boxes, as points exactly and as cells with some excess."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hunet.model.errors import InvalidValueError
from hunet.sim.workload.profiles import CAMERA_CELLS, CAMERAS, workload_named
from hunet.sim.workload.ranges import SPREADS, RangeSettings, draw_content, generate_ranges
from hunet.sim.workload.workload import Workload
from hunet.sweeps.simulation import workload_data
from hunet.traces.generators.conference import CONFERENCE, ConferenceSettings

pytestmark = pytest.mark.compiles

CONTACTS = CONFERENCE.generate(ConferenceSettings(nodes=12, days=1, acquaintances=8), 1).contacts


def pairs(workload: Workload) -> set[tuple[int, int]]:
    """Every (message, node) by tags."""
    interests = zip(workload.interests["node"].to_pylist(), workload.interests["tag"].to_pylist(), strict=True)
    fans: dict[str, set[int]] = {}
    for node, tag in interests:
        fans.setdefault(tag, set()).add(node)
    tags = workload.messages["tags"].to_pylist()
    return {(i, node) for i, (tag,) in enumerate(tags) for node in fans.get(tag, ())}


@pytest.mark.parametrize("spread", SPREADS)
def test_points_are_wanted_exactly_and_cells_include_them(spread: str) -> None:
    settings = replace(CAMERAS, spread=spread)
    content = draw_content(settings, CONTACTS, 3)
    inside = np.all((content.lows <= content.points[:, None]) & (content.points[:, None] <= content.highs), axis=2)
    message, box = np.nonzero(inside)
    true = set(zip(message.tolist(), content.node[box].tolist(), strict=True))
    points = generate_ranges(settings, CONTACTS, 3)
    cells = generate_ranges(replace(settings, tags="cells"), CONTACTS, 3)
    assert pairs(points) == true
    assert true < pairs(cells)
    assert points.messages.drop(["tags"]).equals(cells.messages.drop(["tags"]))
    assert points.ranges is not None
    for i, (tag,) in enumerate(cells.messages["tags"].to_pylist()):
        assert points.ranges.cell_of_tag[i] == tag
    for node, wanted in points.ranges.cells_wanted.items():
        assert {row["tag"] for row in cells.interests.to_pylist() if row["node"] == node} == {
            cell for one in wanted for cell in one
        }


def test_the_same_seed_makes_the_same_and_another_one_another() -> None:
    one, again, other = (workload_named("cameras", CONTACTS, seed) for seed in (1, 1, 2))
    assert one.messages.equals(again.messages)
    assert one.interests.equals(again.interests)
    assert one.ranges == again.ranges != other.ranges


def test_popular_places_attract_more_subscriptions_than_chance() -> None:
    wanted = [len(draw_content(replace(CAMERAS, spread=spread), CONTACTS, 1).wanted[0]) for spread in SPREADS]
    assert wanted[0] < wanted[1] < wanted[2]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"tags": "cell"}, "did you mean 'cells'"),
        ({"spread": "normal"}, "there is no spread 'normal'"),
        ({"per_node": -1}, "below 0"),
        ({"widest": 1.5}, "from 0 to 1"),
    ],
)
def test_settings_that_cannot_be_are_refused(change: dict[str, object], reason: str) -> None:
    with pytest.raises(InvalidValueError, match=reason):
        RangeSettings(name="x", **change)  # type: ignore[arg-type]


def test_a_workload_of_ranges_is_no_data_for_a_sweep_but_one_of_cells_is() -> None:
    with pytest.raises(InvalidValueError, match="name of its profile"):
        workload_data(generate_ranges(CAMERAS, CONTACTS, 1))
    assert workload_data(generate_ranges(CAMERA_CELLS, CONTACTS, 1)).tables.keys() == {"messages", "interests", "about"}
