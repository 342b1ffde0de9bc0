"""The log of a run says who carries a message at any time: whoever replays it finds what the engine did."""

from __future__ import annotations

import pytest

from hunet.protocols import PROTOCOLS, Protocol
from tests.golden.scenarios import CASES, MODELS, run, workload

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda one: one.name)
@pytest.mark.parametrize("model", MODELS)
def test_copies_are_handed_on_dropped_and_expire_only_where_the_log_says_they_are(
    protocol: Protocol, model: str
) -> None:
    result = run(protocol.name, model, CASES["tight"])
    log = result.outcome.log
    assert log is not None
    held: dict[int, set[int]] = {}
    before = None
    for event in log.to_pylist():
        kind, message, node, to = event["kind"], event["message"], event["from"], event["to"]
        copies = held.setdefault(message, set())
        if kind == "creation":
            copies.add(node)
        elif kind == "forward":
            assert node in copies, event
            assert to not in copies, event
            copies.add(to)
        elif kind == "delivery":  # the forward that it is stands right before it
            assert before == {**event, "kind": "forward"}
        elif kind in ("drop", "release", "expiry"):
            assert node in copies, event
            copies.remove(node)
        before = event
    assert {event["kind"] for event in log.to_pylist()} >= {"creation", "forward", "delivery", "expiry"}
    load = workload(protocol.name == "zigzag", False)
    expires = load.messages["created"].to_numpy() + load.lifetimes()
    last = log["time"][-1].as_py()
    assert all(not copies for message, copies in held.items() if expires[message] < last)
