"""Traces that are in memory go into the store as imported ones do; traces that an earlier hunet stored still open."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hunet.model.tables import CONTACTS, NODES, POSITIONS
from hunet.sim.simulate import simulate
from hunet.social.structure import structure_of
from hunet.traces import store as store_module
from hunet.traces.describe import describe
from hunet.traces.generators.conference import CONFERENCE, ConferenceSettings
from hunet.traces.generators.generated import Generated
from hunet.traces.pairs import first_part, pairs_of, spans_of
from hunet.traces.store import Trace, TraceStore
from hunet.traces.storing import Label, store_tables


@pytest.fixture(scope="module")
def made() -> Generated:
    return CONFERENCE.generate(ConferenceSettings(nodes=20, acquaintances=10.0, days=2), 1)


def test_a_trace_is_stored_with_what_is_derived_from_it(tmp_path: Path, made: Generated) -> None:
    label = Label("made-surrogate", "generated", "CC0", surrogate=True)
    manifest = store_tables(TraceStore(tmp_path), label, {"contacts": made.contacts, "nodes": made.nodes}, {"seed": 1})
    assert (manifest.surrogate, manifest.licence, manifest.settings) == (True, "CC0", {"seed": 1})
    assert manifest.counts == {"contacts": made.contacts.num_rows}
    trace = TraceStore(tmp_path).open("made-surrogate")
    ends = pq.read_table(trace.table_path("spans"))["window_end"].unique().to_pylist()
    assert ends == [first_part(made.contacts, share).end for share in (1.0, 0.4)]
    assert trace.pairs().equals(pairs_of(made.contacts))


def test_a_trace_without_contacts_is_stored_as_well(tmp_path: Path, made: Generated) -> None:
    store_tables(TraceStore(tmp_path), Label("empty"), {"contacts": CONTACTS.empty_table(), "nodes": made.nodes}, {})
    assert TraceStore(tmp_path).open("empty").pairs().num_rows == 0


def test_generating_starts_no_jvm_and_stores_positions_too(tmp_path: Path) -> None:
    words = ["trace", "generate", "random-waypoint", "--walkers", "9", "--seconds", "300", "--json"]
    code = "import sys; from hunet.cli.main import app; app(sys.argv[1:], standalone_mode=False)"
    check = "assert not {'pyspark', 'py4j'} & set(sys.modules), 'Spark was loaded'"
    environment = {**os.environ, "HUNET_HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{check}", *words], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    trace = TraceStore(tmp_path).open("random-waypoint")
    told = json.loads(done.stdout)
    assert told["content_hash"] == trace.manifest.content_hash
    assert trace.positions().schema == POSITIONS
    assert trace.positions().num_rows == 9 * 300  # one look per second
    assert told["pairs"] == trace.pairs().num_rows > 0


def test_figures_communities_and_simulations_read_what_is_stored(
    tmp_path: Path, made: Generated, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = _as_stored_now(tmp_path, made)
    computed = Mock(wraps=spans_of)
    monkeypatch.setattr(store_module, "spans_of", computed)
    describe(trace)
    structure_of(trace.pairs(first_part(trace.contacts())), made.nodes.num_rows)
    for workload in ("mops", "bsub13"):  # one with a history, one without
        simulate(trace, workload, "neighbors")
    computed.assert_not_called()
    structure_of(trace.pairs(first_part(trace.contacts(), 0.5)), made.nodes.num_rows)
    computed.assert_called_once()


def test_a_store_of_before_opens_and_what_it_lacks_is_computed(tmp_path: Path, made: Generated) -> None:
    old, new = _as_stored_before(tmp_path / "old", made), _as_stored_now(tmp_path / "new", made)
    assert old.manifest.content_hash == new.manifest.content_hash
    assert not old.table_path("spans").exists()
    learnt = first_part(made.contacts)
    for window in (None, learnt, (learnt.start, learnt.end - 1.0)):
        assert old.pairs(window).equals(new.pairs(window))
    (summary, curves), (expected, shown) = describe(old), describe(new)
    assert summary == expected
    np.testing.assert_equal(asdict(curves), asdict(shown))
    size = made.nodes.num_rows
    ours, theirs = (structure_of(trace.pairs(learnt), size) for trace in (old, new))
    assert all(mine.equals(other) for mine, other in zip(ours, theirs, strict=True))
    one, other, tables = (simulate(trace, "mops", "neighbors") for trace in (old, new, (made.contacts, made.nodes)))
    assert one.deliveries.equals(other.deliveries)
    assert one.deliveries.equals(tables.deliveries)
    assert one.deliveries.num_rows > 0


def _as_stored_now(home: Path, made: Generated) -> Trace:
    store_tables(TraceStore(home), Label("t"), {"contacts": made.contacts, "nodes": made.nodes}, {})
    return TraceStore(home).open("t")


def _as_stored_before(home: Path, made: Generated) -> Trace:
    """The layout of schema version 1 as it was: Spark's parts, and derived tables that nobody reads any more."""
    folder = home / "traces" / "t" / "1"
    manifest = {
        "name": "t",
        "version": 1,
        "settings": {"closeness": {"shares": [0.4], "sigma": None}},
        "counts": {"contacts": made.contacts.num_rows},
        "content_hash": _as_stored_now(home.with_name("hash"), made).manifest.content_hash,
        "made_by": "hunet 0.1.0",
        "schema_version": 1,
    }
    half = made.contacts.num_rows // 2
    tables = {
        "contacts": [made.contacts.cast(CONTACTS).slice(half), made.contacts.cast(CONTACTS).slice(0, half)],
        "nodes": [made.nodes.select(NODES.names)],
        "pairs": [pairs_of(made.contacts, None, "inner"), pairs_of(made.contacts, None, "tail")],
        "node_facts": [pa.table({"node": [0], "degree": [99], "contact_time": [1.0]})],
        "hours": [pa.table({"hour": pa.array([0], pa.int32()), "contacts": [99]})],
        "gaps": [pa.table({"at_least": [1.0], "gaps": [99], "ccdf": [1.0]})],
    }
    for name, parts in tables.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "_SUCCESS").touch()
        for number, part in enumerate(parts):
            pq.write_table(part, folder / name / f"part-{number:05d}-c000.snappy.parquet")
    for place in (folder, folder.parent):
        (place / "manifest.json").write_text(json.dumps(manifest))
    return TraceStore(home).open("t")
