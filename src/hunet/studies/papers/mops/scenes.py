"""The claims of [mops] III-B, III-C and IV-B about lists and events: nodes of the paper's example meet by a script."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.tables import CONTACTS, INTERESTS, MESSAGES, NODES
from hunet.protocols import make_settings
from hunet.protocols.mops import MOPS
from hunet.protocols.mops_lists import MopsParams, add_up_external, add_up_internal, add_up_with_relay
from hunet.protocols.protocol import Social, World
from hunet.sim.result import Result
from hunet.sim.simulate import simulate
from hunet.sim.workload.workload import Workload
from hunet.studies.claims.judging import Alone, Found
from hunet.studies.papers.mops import example as mops_example

__all__ = ["SCENES"]

_TAGS = ("A", "C", "X")
_SIZE = 10
"""Bytes of an event."""
_LISTS = ((1, 5), (1, 8), (5, 8), (6, 9), (2, 5), (2, 8), (7, 8), (7, 9), (2, 7))
"""Meetings by which all lists of Fig. 6 get where they belong."""


def _play(
    meetings: Sequence[tuple[int, int]],
    wants: Mapping[int, str],
    events: Sequence[tuple[float, int, str]] = (),
    default_weight: float = 0.0,
    room: float = math.inf,
) -> Result:
    """Nodes meet one pair after the other, at 10, 20, ... for 1 s; each wants some tags; events: time, source, tag."""
    contacts = [(*sorted(pair), 10.0 * i, 10.0 * i + 1) for i, pair in enumerate(meetings, 1)]
    names = [(node, f"{node}", "internal", None) for node in range(mops_example.NODES)]
    published = [(source, at, [tag], _SIZE, None) for at, source, tag in events]
    interests = [(node, tag, -math.inf, math.inf, 1.0, 0) for node, tags in wants.items() for tag in tags]
    load = Workload("example", _table(published, MESSAGES), _table(interests, INTERESTS), _TAGS, bytes_per_second=room)
    trace = _table(contacts, CONTACTS), _table(names, NODES)
    settings = {"default_weight": default_weight}
    return simulate(trace, load, MOPS, settings=settings, log=True, closeness=mops_example.pairs())


def _table(rows: Sequence[tuple[object, ...]], schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)


def _delivered(result: Result) -> list[tuple[int, float]]:
    """Who got an event it wanted, and when."""
    found = result.deliveries
    return list(zip(found["node"].to_pylist(), found["at"].to_pylist(), strict=True))


def _params() -> MopsParams:
    """As in the simulation, for reading lists."""
    nodes = mops_example.NODES
    social = Social(mops_example.pairs(), nodes, np.zeros((nodes, len(_TAGS)), np.float32))
    found: MopsParams = MOPS.prepare(
        make_settings(MOPS, {"default_weight": 0.0}), World(nodes, _TAGS, 1, social=social)
    )
    return found


def _publisher_sends_to_who_asks() -> Found:
    """Fig. 5a: 1 broadcasts its list and 3 publishes; over two hops for 4; and nothing where no list has come."""
    near = _play([(1, 3), (1, 3)], {1: "AC"}, [(15.0, 3, "C")])
    place = int(np.flatnonzero(_params().around.member[3]["name"] == 1)[0])
    heard = near.outcome.state.level[3, place].tolist()
    far = _play([(1, 4), (1, 3), (1, 3), (1, 4)], {4: "C"}, [(25.0, 3, "C")])
    unasked = _play([(1, 3), (1, 3), (1, 4)], {4: "C"}, [(15.0, 3, "C")])
    right = heard == [1.0, 1.0, 0.0] and _delivered(near) == [(1, 20.0)]
    right &= _delivered(far) == [(4, 40.0)] and far.outcome.copies.tolist() == [3]
    right &= _delivered(unasked) == [] and unasked.outcome.copies.tolist() == [1]
    shown = ", ".join(f"({tag},{level:g})" for tag, level in zip(_TAGS, heard, strict=True) if level)
    found = f"3 has {{{shown}}} of 1 and sends it C_1; over 1 to 4, who asked; nothing where no list has come"
    return Found.of(right, found)


def _brokers_collect_and_relay() -> Found:
    """Fig. 6: 2 collects for community 1 and asks 7 to do so too; a relay list does not count in the own community."""
    wants = dict.fromkeys(mops_example.WANT_C, "C")
    lists = _play(_LISTS, wants)
    params, state = _params(), lists.outcome.state

    def weight(of: Callable[[], None], row: int) -> float:
        of()
        return float(params.total[row, _TAGS.index("C")])

    internal = weight(lambda: add_up_internal(params, state, 5), 0)
    external = {node: weight(lambda node=node: add_up_external(params, state, node), 1) for node in (2, 7)}  # type: ignore[misc]
    relayed = weight(lambda: add_up_with_relay(params, state, 7, -1), 1)
    event = _play([*_LISTS, (2, 7), (2, 5), (1, 5)], wants, [(95.0, 7, "C")])
    arrives = (1, 120.0) in _delivered(event)
    printed = [1.5, 0.75, 1.11, 0.3 * 1.8 + 0.3 * 1.7]
    right = np.allclose([internal, external[2], relayed, external[7]], printed) and arrives
    found = (
        f"2 collects {external[2]:.2f} for community 1; 7 with its relay list {relayed:.2f}, inside its own community "
        f"without, {external[7]:.2f}; an event of 7 comes to 1 through 2 and 5: {'yes' if arrives else 'no'}"
    )
    return Found.of(bool(right), found)


def _weight_decides() -> Found:
    """2 and 7 want A, 7 wants C, nobody X: broker 2 asks 5 for A (I = 1.8), then C (0.8), and X by default only."""
    events = [(12.0, 5, "A"), (13.0, 5, "C"), (14.0, 5, "X")]

    def sent(room: float, default_weight: float) -> str:
        result = _play([(2, 7), (2, 5)], {2: "A", 7: "AC"}, events, default_weight, room)
        log = result.outcome.log
        assert log is not None
        forwards = log.filter(pc.equal(log["kind"].cast(pa.string()), "forward"))
        # All that go are logged at one instant: what has room tells which come first.
        return "".join(sorted(events[message][2] for message in forwards["message"].to_pylist()))

    rooms = [_SIZE * count - 1.0 for count in (1, 2, 3, 4)]
    without, usual = ([sent(room, weight) for room in rooms] for weight in (0.0, 1e-5))
    right = without == ["", "A", "AC", "AC"] and usual == ["", "A", "AC", "ACX"]
    all_ = ", ".join(one or "none" for one in usual)
    found = f"with room for 0, 1, 2 and 3: {all_}; without default weight {without[-1]} at most"
    return Found.of(right, found)


SCENES: Alone = {
    "MOPS-17": _publisher_sends_to_who_asks,
    "MOPS-18": _brokers_collect_and_relay,
    "MOPS-21": _weight_decides,
}
"""By the id in the ledger."""
