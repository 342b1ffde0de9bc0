"""What a page is made of, without a browser: packing, layout, groups, thinning, and pages that cannot be."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hunet.model.errors import WatchError
from hunet.traces.pairs import pairs_of
from hunet.watch import thinning
from hunet.watch.groups import groups_of
from hunet.watch.layout import layout
from hunet.watch.packing import pack
from hunet.watch.preparing import prepare
from hunet.watch.show import Show
from hunet.watch.thinning import thinned
from tests.watch.scenes import conference, crowd, trace_show


def unpack(text: str) -> dict[str, list[int]]:
    """What `data.js` does, in a few lines."""
    whole = zlib.decompress(base64.b64decode(text))
    length = int.from_bytes(whole[:4], "little")
    header, body = json.loads(whole[4 : 4 + length]), whole[4 + length :]
    found: dict[str, list[int]] = {}
    for name, (at, count) in header["columns"].items():
        value, values = 0, []
        for _ in range(count):
            step, bits = 0, 0
            while True:
                byte = body[at]
                at += 1
                step |= (byte & 127) << bits
                bits += 7
                if byte < 128:
                    break
            value += -((step + 1) >> 1) if step & 1 else step >> 1
            values.append(value)
        found[name] = values
    return found


@given(st.lists(st.integers(-(2**50), 2**50)), st.lists(st.integers(0, 3)))
def test_columns_come_out_as_they_went_in(one: list[int], other: list[int]) -> None:
    packed = pack({"title": "</script> \ud800 é"}, {"one": np.array(one, np.int64), "other": np.array(other, np.int64)})
    assert unpack(packed) == {"one": one, "other": other}
    assert packed.replace("+", "").replace("/", "").rstrip("=").isalnum()


def two_cliques(size: int) -> pa.Table:
    """Two groups that meet every hour, each among itself, and one pair between them that met once."""
    rows = [(a, b, 3600.0 * hour, 3600.0 * hour + 600) for hour in range(24) for group in (0, size)
            for a in range(group, group + size) for b in range(a + 1, group + size)]  # fmt: skip
    rows.append((0, size, 100.0, 130.0))
    columns: list[Any] = list(zip(*rows, strict=True))
    return pa.table(
        {
            "a": pa.array(columns[0], pa.int32()),
            "b": pa.array(columns[1], pa.int32()),
            "start": columns[2],
            "end": columns[3],
        }
    )


def test_who_is_close_stands_close_and_always_at_the_same_place() -> None:
    size = 7
    pairs = pairs_of(two_cliques(size))
    group: npt.NDArray[np.int64] = np.full(2 * size, -1, np.int64)
    place = layout(pairs, 2 * size, group)
    assert ((place >= 0) & (place <= 1)).all()
    np.testing.assert_array_equal(place, layout(pairs, 2 * size, group))
    distance = np.linalg.norm(place[:, None] - place[None], axis=2)
    same = np.arange(2 * size)[:, None] // size == np.arange(2 * size) // size
    np.fill_diagonal(same, False)
    apart = ~same & ~np.eye(2 * size, dtype=bool)
    assert distance[same].mean() < 0.6 * distance[apart].mean()
    assert distance[~np.eye(2 * size, dtype=bool)].min() > 0.02, "nobody stands on somebody else"


@pytest.mark.parametrize("nodes", [2, 3])
def test_the_smallest_networks_have_a_layout(nodes: int) -> None:
    table = two_cliques(2).filter(pa.array(np.arange(two_cliques(2).num_rows) < 1))
    assert np.isfinite(layout(pairs_of(table), nodes, np.full(nodes, -1))).all()


def test_groups_are_classes_or_else_communities_the_largest_first() -> None:
    nodes = conference().nodes
    pairs = pairs_of(conference().contacts)
    classes = [("b", "a", "b", None)[i % 4] for i in range(nodes.num_rows)]
    place = nodes.column_names.index("class")
    found = groups_of(nodes.set_column(place, "class", pa.array(classes)), pairs)
    assert (found.kind, found.names) == ("class", ("b", "a"))
    assert found.group[:4].tolist() == [0, 1, 0, -1]
    cliques = pairs_of(two_cliques(4))
    people = nodes.slice(0, 8).set_column(place, "class", pa.nulls(8, pa.string()))
    formed = groups_of(people, cliques)
    assert formed.kind == "community"
    assert len(set(formed.group[:4].tolist())) == len(set(formed.group[4:].tolist())) == 1
    assert formed.group[0] != formed.group[4]


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinning, "MOST_NODES", 20)
    monkeypatch.setattr(thinning, "MOST_EVENTS", 1000)


@pytest.mark.usefixtures("small_limits")
def test_what_does_not_fit_is_left_out_whole_and_said() -> None:
    show = crowd(nodes=40, contacts=2000, messages=100, forwards=4000)
    few, kept, said = thinned(show, message=77)
    assert few.network.nodes.num_rows == 20
    assert few.network.contacts.num_rows + few.plays[0].events.num_rows <= 1000 + 4000 // 100 * 2
    assert "20 nodes" in said[0]
    assert f"{kept.size} of 100 messages" in said[-1]
    assert 77 in kept
    # What is shown of a message is all that happened to it among those who are shown.
    met = np.bincount(np.concatenate([show.network.contacts[end].to_numpy() for end in ("a", "b")]))
    chosen = np.sort(np.argsort(-met, kind="stable")[:20])
    events = show.plays[0].events
    whole = events.filter(pa.array(np.isin(events["to"].to_numpy(), chosen) & (events["message"].to_numpy() == 77)))
    place = int(np.searchsorted(kept, 77))
    shown = few.plays[0].events.filter(pa.array(few.plays[0].events["message"].to_numpy() == place))
    np.testing.assert_array_equal(shown["time"].to_numpy(), whole["time"].to_numpy())
    np.testing.assert_array_equal(chosen[shown["to"].to_numpy()], whole["to"].to_numpy())
    header = prepare(show, "77").header
    assert header["message"] == place
    assert header["thinned"] == said


def test_what_fits_is_shown_whole() -> None:
    show = crowd(nodes=30, contacts=200, messages=10, forwards=300)
    few, kept, said = thinned(show)
    assert said == []
    assert few is show
    assert kept.tolist() == list(range(10))


def test_a_trace_without_contacts_and_runs_of_different_kinds_are_refused() -> None:
    show = trace_show()
    empty = show.network.contacts.slice(0, 0)
    with pytest.raises(WatchError, match="no contacts"):
        Show(type(show.network)("empty", empty, show.network.nodes))
    one, other = crowd(10, 50, 5, 20), crowd(11, 50, 5, 20)
    with pytest.raises(WatchError, match="different traces"):
        one.beside(other)
    with pytest.raises(WatchError, match="different messages"):
        one.beside(crowd(10, 50, 6, 20))
    with pytest.raises(WatchError, match="only runs"):
        one.beside(show)


@pytest.mark.parametrize("message", ["10", "-1", "x", "1e3", "²"])
def test_a_message_that_does_not_exist_is_refused(message: str) -> None:
    with pytest.raises(WatchError, match="numbers 0 to 9"):
        prepare(crowd(10, 50, 10, 20), message)
