"""The store: versions, manifests, and what a killed writer leaves behind."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hunet.model.errors import TraceError
from hunet.model.tables import CONTACTS, NODES, POSITIONS
from hunet.traces.fingerprint import fingerprint
from hunet.traces.locking import exclusive
from hunet.traces.manifest import manifests_in
from hunet.traces.pairs import pairs_from, pairs_of, spans_of
from hunet.traces.store import KEPT_VERSIONS, Draft, TraceStore

NODE_ROWS = pa.table([[0, 1, 2], ["a", "b", "c"], ["internal"] * 3, [None] * 3], schema=NODES)


def contacts_of(*rows: tuple[int, int, float, float]) -> pa.Table:
    return pa.table([list(column) for column in zip(*rows, strict=True)], schema=CONTACTS)


TWO = contacts_of((0, 1, 0.0, 5.0), (1, 2, 3.0, 4.0))


def save(store: TraceStore, name: str = "small", contacts: pa.Table = TWO, **facts: object) -> None:
    with store.write_version(name) as draft:
        draft.write("contacts", contacts)
        draft.write("nodes", NODE_ROWS)
        draft.describe(**facts)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    save(store, origin="invented", licence="none", settings={"internal": "1-3"}, counts={"rows": 2}, surrogate=True)
    trace = store.open("small")
    assert trace.contacts().equals(TWO)
    assert trace.nodes().equals(NODE_ROWS)
    assert trace.manifest.origin == "invented"
    assert (trace.manifest.version, trace.manifest.surrogate) == (1, True)
    assert trace.manifest.settings == {"internal": "1-3"}
    assert store.list() == [trace.manifest]


def test_tables_that_were_not_written_are_empty(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    save(store)
    assert store.open("small").positions().equals(POSITIONS.empty_table())


def test_contacts_come_sorted_whatever_files_they_lie_in(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    rows = [(1, 2, 3.0, 4.0), (0, 1, 7.0, 8.0), (0, 1, 0.0, 5.0)]
    with store.write_version("parts") as draft:
        folder = draft.table_path("contacts")
        folder.mkdir()
        for number, row in enumerate(rows):
            pq.write_table(contacts_of(row), folder / f"part-{number}.parquet")
        (folder / "_SUCCESS").touch()
        draft.write("nodes", NODE_ROWS)
    trace = store.open("parts")
    assert trace.contacts().equals(contacts_of(rows[2], rows[0], rows[1]))
    save(store, "whole", contacts_of(*sorted(rows)))
    whole = store.open("whole")
    assert whole.manifest.content_hash == trace.manifest.content_hash
    assert pa.Table.from_batches(whole.batches("contacts")).equals(trace.contacts())


def test_writing_the_same_again_changes_nothing(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    save(store, settings={"ranges": (1, 2)})
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    save(store, settings={"ranges": (1, 2)})
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")} == before
    assert sorted(path.name for path in (tmp_path / "traces" / "small").iterdir()) == [".lock", "1", "manifest.json"]


def test_a_change_is_a_new_version_and_the_old_one_stays(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    save(store)
    save(store, contacts=contacts_of((0, 2, 1.0, 2.0)))
    assert store.open("small").manifest.version == 2
    assert store.open("small").contacts().num_rows == 1
    assert store.open("small", version=1).contacts().equals(TWO)
    with pytest.raises(TraceError, match="no version 7; the current one is 2"):
        store.open("small", version=7)


def test_a_writer_that_fails_leaves_the_old_trace(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    save(store)

    def fail(draft: Draft) -> None:
        draft.write("contacts", contacts_of((0, 2, 1.0, 2.0)))
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError), store.write_version("small") as draft:
        fail(draft)
    assert store.open("small").contacts().equals(TWO)
    assert not list((tmp_path / "traces" / "small").glob(".draft-*"))


def test_a_trace_that_was_refused_leaves_no_folder(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    with pytest.raises(TraceError, match="it has no contacts and no nodes"), store.write_version("small"):
        pass
    assert not (tmp_path / "traces" / "small").exists()
    save(store)
    store.remove("small")
    assert not (tmp_path / "traces" / "small").exists()


def test_a_killed_writer_leaves_the_old_trace_and_the_next_one_clears_its_draft(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    save(store)
    script = textwrap.dedent("""
        import os, signal, sys
        from pathlib import Path
        import pyarrow as pa
        from hunet.model.tables import CONTACTS
        from hunet.traces.store import TraceStore
        with TraceStore(Path(sys.argv[1])).write_version("small") as draft:
            draft.write("contacts", pa.table([[0], [2], [1.0], [2.0]], schema=CONTACTS))
            os.kill(os.getpid(), signal.SIGKILL)
    """)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.run([sys.executable, "-c", script, str(tmp_path)], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(list((tmp_path / "traces" / "small").glob(".draft-*"))) == 1
    assert store.open("small").contacts().equals(TWO)
    save(store, contacts=contacts_of((0, 2, 1.0, 2.0)))
    assert not list((tmp_path / "traces" / "small").glob(".draft-*"))
    assert store.open("small").contacts().num_rows == 1


def test_a_version_that_was_not_pointed_to_yet_is_not_seen(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    save(store)
    place = tmp_path / "traces" / "small"
    (place / "2").mkdir()  # a writer died between moving its version and replacing the manifest
    assert store.open("small").manifest.version == 1
    save(store, contacts=contacts_of((0, 2, 1.0, 2.0)))
    assert store.open("small").manifest.version == 3


def test_two_writers_of_one_trace_are_refused(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    with store.write_version("small") as draft:
        with pytest.raises(TraceError, match="being written by another command"), store.write_version("small"):
            pass
        draft.write("contacts", TWO)
        draft.write("nodes", NODE_ROWS)
    assert store.open("small").contacts().num_rows == 2


def test_a_version_needs_contacts_and_nodes(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    with (
        pytest.raises(TraceError, match="'small' was not finished: it has no nodes"),
        store.write_version("small") as draft,
    ):
        draft.write("contacts", TWO)
    with pytest.raises(TraceError, match="lacks the columns end"), store.write_version("small") as draft:
        draft.write("contacts", TWO.drop_columns("end"))
    assert store.list() == []


def test_nodes_may_say_more_than_their_schema(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    with store.write_version("small") as draft:
        draft.write("contacts", TWO)
        draft.write("nodes", NODE_ROWS.append_column("attributes", pa.array(["F", "M", None])))
    assert store.open("small").nodes()["attributes"].to_pylist() == ["F", "M", None]


def test_pairs_come_from_the_stored_spans_and_of_another_window_from_the_contacts(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    whole, part = spans_of(TWO), spans_of(TWO, (0.0, 2.0))
    marked = whole.set_column(2, "contacts", pa.array([7, 8]))  # so that they can be told from computed ones
    with store.write_version("small") as draft:
        draft.write("contacts", TWO)
        draft.write("nodes", NODE_ROWS)
        draft.write("spans", pa.concat_tables([part, marked]))
    trace = store.open("small")
    assert trace.pairs()["contacts"].to_pylist() == [7, 8]
    assert trace.pairs((0.0, 5.0), "inner", 3.0).equals(pairs_from(marked, "inner", 3.0))
    assert trace.pairs((0.0, 2.0)).equals(pairs_from(part))
    assert trace.pairs((0.0, 4.0)).equals(pairs_of(TWO, (0.0, 4.0)))


def test_looking_at_a_trace_loads_neither_the_compiler_nor_spark() -> None:
    look = "import sys, hunet.traces.store, hunet.traces.describe, hunet.traces.export; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run([sys.executable, "-c", look], env=environment, check=True, capture_output=True, text=True)
    assert {"numba", "pyspark"}.isdisjoint(found.stdout.split())


def test_traces_are_removed_whole(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    save(store)
    store.remove("small")
    assert store.list() == []
    assert not (tmp_path / "traces" / "small").exists()
    with pytest.raises(TraceError, match="there is no trace 'small'; there are none"):
        store.remove("small")


@pytest.mark.parametrize("name", ["", "../evil", "a/b", ".hidden", "x" * 101])
def test_names_that_are_no_plain_file_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(TraceError, match="use letters, digits"):
        TraceStore(tmp_path).open(name)


def test_damaged_and_newer_manifests_are_refused(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    save(store)
    manifest = tmp_path / "traces" / "small" / "manifest.json"
    newer = json.loads(manifest.read_text()) | {"schema_version": 99}
    manifest.write_text(json.dumps(newer))
    with pytest.raises(TraceError, match="schema version 99, this hunet reads 1: update hunet"):
        store.open("small")
    manifest.write_text("{")
    with pytest.raises(TraceError, match="import or generate the trace again"):
        store.open("small")


ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 9).map(float), st.integers(0, 9).map(float)),
    min_size=1, max_size=8,
)  # fmt: skip


@given(rows=ROWS, other=ROWS)
def test_the_content_hash_is_that_of_a_set_of_rows(
    rows: list[tuple[int, int, float, float]], other: list[tuple[int, int, float, float]]
) -> None:
    one = fingerprint(contacts_of(*rows).to_batches(), NODE_ROWS)
    assert one == fingerprint(contacts_of(*reversed(rows)).to_batches(max_chunksize=1), NODE_ROWS)
    assert (one == fingerprint(contacts_of(*other).to_batches(), NODE_ROWS)) == (sorted(rows) == sorted(other))
    assert one != fingerprint(contacts_of(*rows).to_batches(), NODE_ROWS.slice(1))


def test_a_damaged_manifest_is_named_and_the_other_traces_are_listed(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    save(store)
    broken = tmp_path / "traces" / "broken"
    broken.mkdir()
    (broken / "manifest.json").write_text("[" * 100_000)
    assert [manifest.name for manifest in store.list()] == ["small"]
    wrong = [error for error in manifests_in(tmp_path / "traces") if isinstance(error, TraceError)]
    assert len(wrong) == 1
    assert str(broken / "manifest.json") in str(wrong[0])
    store.remove("broken")
    assert not any(isinstance(found, TraceError) for found in manifests_in(tmp_path / "traces"))


def test_a_trace_whose_tables_are_gone_is_refused(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    save(store)
    shutil.rmtree(tmp_path / "traces" / "small" / "1" / "contacts")
    with pytest.raises(TraceError, match=r"'small' is damaged .*contacts' is gone"):
        store.open("small")


def test_a_trace_that_is_being_written_cannot_be_removed(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    save(store)
    with (
        exclusive(tmp_path / "traces" / "small" / ".lock", "mine"),
        pytest.raises(TraceError, match="being written by another command"),
    ):
        store.remove("small")
    assert store.open("small").contacts().num_rows


def test_the_last_versions_are_kept_and_older_ones_go(tmp_path: Path) -> None:
    store = TraceStore(tmp_path)
    for number in range(1, KEPT_VERSIONS + 3):
        save(store, origin=f"number {number}")
    kept = sorted(path.name for path in (tmp_path / "traces" / "small").iterdir() if path.name.isdecimal())
    assert kept == [str(number) for number in range(3, KEPT_VERSIONS + 3)]
    assert store.open("small", 3).manifest.origin == "number 3"


def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(TraceError, match="is no folder, so no traces can be kept there: set HUNET_HOME"):
        TraceStore(tmp_path / "home")
