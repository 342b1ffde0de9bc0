"""Traces that are right, and as poor as can be: every command does its work, or says in a line what it lacks."""

from __future__ import annotations

import pyarrow as pa
import pytest

from hunet.cli.failures import INTERNAL
from hunet.model.tables import CONTACTS, NODES
from hunet.traces.store import TraceStore
from hunet.traces.storing import Label, store_tables
from tests.hostile.harness import Tally, run
from tests.hostile.scene import Scene

pytestmark = pytest.mark.interpreted  # compiling takes longer than all of it

POOR: dict[str, list[tuple[int, int, float, float]]] = {
    "nothing": [],
    "one contact": [(0, 1, 0.0, 10.0)],
    "no length": [(0, 1, float(time), float(time)) for time in range(20)],
    "before 0": [(0, 1, -1e6, -1e5), (1, 2, -5.0, 5.0)],
    "far apart": [(0, 1, 6.9e12, 6.9e12 + 1), (0, 2, -6.9e12, -6.9e12 + 1)],
    "a star": [(0, node, float(node), node + 1.0) for node in range(1, 40)],
    "all at once": [(0, 1, 7.0, 9.0), (0, 2, 7.0, 9.0), (1, 2, 7.0, 9.0)],
    "microseconds": [(0, 1, time * 1e-6, time * 1e-6 + 1e-7) for time in range(9)],
    "dates": [(0, 1, 1.7e9 + 60 * time, 1.7e9 + 60 * time + 30) for time in range(9)],
}
COMMANDS = (
    ("trace", "describe", "poor"),
    ("trace", "describe", "poor", "--no-plots", "--json"),
    ("trace", "export", "poor", "one.txt"),
    ("trace", "export", "poor", "contacts.csv"),
    ("trace", "communities", "poor"),
    ("share", "poor", "--json"),
    ("simulate", "poor", "--protocol", "push", "--json"),
    ("simulate", "poor", "--protocol", "push", "--messages", "messages.csv", "--interests", "interests.csv"),
)


@pytest.mark.parametrize("name", POOR)
def test_a_poor_trace_is_no_reason_to_break(scene: Scene, tally: Tally, name: str) -> None:
    rows = POOR[name]
    count = 1 + max((b for _, b, _, _ in rows), default=1)
    contacts = pa.table([list(column) for column in zip(*rows, strict=True)] or [[]] * 4, schema=CONTACTS)
    nodes = pa.table(
        [list(range(count)), [f"n{node}" for node in range(count)], ["internal"] * count, [None] * count], schema=NODES
    )
    store_tables(TraceStore(scene.home), Label("poor"), {"contacts": contacts, "nodes": nodes}, {})
    (scene.files / "messages.csv").write_text("time,source,tag,size,ttl\n0,n0,jazz,10,10h\n")
    (scene.files / "interests.csv").write_text("node,tag\nn1,jazz\n")
    for command in COMMANDS:
        answer = run(command)
        tally.cases += 1
        assert answer.code in (0, 1), (command, answer.err)
        assert INTERNAL not in answer.err, (command, answer.err)
        assert "Warning" not in answer.err, (command, answer.err)
        if answer.code:
            assert answer.err.count("\n") == 1, (command, answer.err)
