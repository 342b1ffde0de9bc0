"""A simulation in parts is the simulation, where protocol and conditions let messages go their own ways."""

from __future__ import annotations

import math
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hunet.model.errors import InvalidValueError
from hunet.protocols import PROTOCOLS, Protocol, protocol_named
from hunet.sim.engine.outcome import Conditions, Outcome
from hunet.sim.parts import joined, part_of, require_independent, told_by
from hunet.sim.parts_delivered import PartsDelivered
from hunet.sim.simulate import simulate
from hunet.sim.workload.workload import Workload
from tests.golden.scenarios import SEED, SMALL, trace, workload

CONTACTS, NODES = trace()
SOME = CONTACTS.sort_by("start").slice(0, 70).sort_by([("a", "ascending"), ("b", "ascending"), ("start", "ascending")])


def outcome_of(protocol: Protocol, content: Workload, model: str) -> Outcome:
    conditions = Conditions(contacts=model)
    return simulate(
        (SOME, NODES),
        content,
        protocol,
        SEED,
        settings=SMALL.get(protocol.name),
        conditions=conditions,
        measures=["hops"],
    ).outcome


def rows_of(outcome: Outcome) -> list[tuple[object, ...]]:
    return sorted(tuple(row.values()) for row in outcome.deliveries.to_pylist())


@pytest.mark.interpreted
@pytest.mark.parametrize("protocol", [one for one in PROTOCOLS if one.independent], ids=lambda protocol: protocol.name)
def test_two_parts_are_the_whole(protocol: Protocol, tmp_path: Path) -> None:
    content = workload(protocol.name == "zigzag", True)
    whole = outcome_of(protocol, content, "start")
    told = [told_by(outcome_of(protocol, part_of(content, part, 2), "start"), part, 2) for part in range(2)]
    for part, (_, tables) in enumerate(told):
        pq.write_table(tables["deliveries"], tmp_path / f"{part}.parquet", row_group_size=7)
    delivered = PartsDelivered([tmp_path / f"{part}.parquet" for part in range(2)], None)
    copies = pa.concat_tables(tables["copies"] for _, tables in told)
    found = joined([numbers for numbers, _ in told], delivered, copies, content.messages.num_rows, NODES.num_rows)
    at, message, node = (found.deliveries[name].to_pylist() for name in ("at", "message", "node"))
    assert len(delivered) == len(at)
    assert list(zip(at, message, node, strict=True)) == sorted(zip(at, message, node, strict=True))
    assert rows_of(found) == rows_of(whole)
    assert found.copies.tolist() == whole.copies.tolist()
    for name in ("forwards", "errands", "lists", "control_bytes", "contacts", "zero_length_contacts"):
        assert getattr(found, name) == getattr(whole, name), name
    assert whole.deliveries.num_rows > 0


@pytest.mark.parametrize(
    ("conditions", "asked", "reason"),
    [
        (Conditions(buffer=3), {}, "buffers of 3 messages"),
        (Conditions(bytes_per_second=10.0), {}, "limited bandwidth"),
        (Conditions(id_bits=32), {}, "ids of 32 bits"),
        (Conditions(), {"measures": ["fill_ratio"]}, "'fill_ratio'"),
        (Conditions(), {"log": True}, "log"),
        (Conditions(), {"parts": 11}, "10 messages cannot be simulated in 11 parts"),
    ],
)
def test_what_couples_messages_is_refused_with_the_reason(
    conditions: Conditions, asked: dict[str, object], reason: str
) -> None:
    usual = {"measures": ["hops"], "log": False, "messages": 10, "parts": 2}
    require_independent(protocol_named("push"), Conditions(bytes_per_second=math.inf), **usual)  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match=reason):
        require_independent(protocol_named("push"), conditions, **{**usual, **asked})  # type: ignore[arg-type]
