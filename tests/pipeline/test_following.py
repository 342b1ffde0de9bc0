"""Logs that are followed become the trace that an import of them makes, however they arrive and whatever dies."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

import hunet as hn
from hunet.cli.main import main
from hunet.model.errors import TraceError
from hunet.model.node_log import contact_line
from hunet.model.tables import SPANS
from hunet.pipeline import entries, read
from hunet.pipeline.following import Following, Taken, following
from hunet.pipeline.importing import import_trace
from hunet.pipeline.read import find_source
from hunet.pipeline.work import ImportSettings
from hunet.studies.replay.replay import replay
from hunet.traces.store import TraceStore
from hunet.traces.storing import Label
from tests.traces.test_align import write_logs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, nothing_is_small: None) -> None:
    monkeypatch.setattr(read, "SMALL_BYTES", 1 << 20)


class World:
    """Logs of a network in `whole`, and the folder into which they arrive."""

    def __init__(self, spark: SparkSession, folder: Path, whole: Mapping[str, bytes]) -> None:
        self.spark, self.logs, self.store, self.whole = spark, folder / "logs", TraceStore(folder / "home"), whole
        self.logs.mkdir(parents=True)
        self.come = dict.fromkeys(whole, 0)

    @contextmanager
    def followed(self) -> Iterator[Following]:
        with following(self.spark, self.store, [str(self.logs)], Label("live")) as found:
            yield found

    def look(self) -> Taken:
        """What a command does that is started, looks once and ends."""
        with self.followed() as found:
            return found.look()

    def arrive(self, name: str, share: float = 1.0) -> None:
        """More of a log arrives: this share of all its bytes, wherever that cuts it."""
        end = max(self.come[name], int(share * len(self.whole[name])))
        with (self.logs / name).open("ab") as stream:
            stream.write(self.whole[name][self.come[name] : end])
        self.come[name] = end

    def assert_as_imported(self, folder: Path | None = None) -> None:
        """The trace is the one that an import makes of the logs as they lie there, all of it."""
        source = find_source([str(folder or self.logs)], None, {})
        imported = TraceStore(self.store.home / "imported")
        import_trace(self.spark, imported, source, Label("batch"), ImportSettings(yes=True))
        one, other = self.store.open("live"), imported.open("batch")
        assert one.contacts().equals(other.contacts())
        assert one.nodes().equals(other.nodes())
        assert spans(one.table_path("spans")).equals(spans(other.table_path("spans")))
        assert one.manifest.content_hash == other.manifest.content_hash
        assert one.contacts().num_rows > 90
        counts = [dict(trace.manifest.counts) for trace in (one, other)]
        again = [dict(found.pop("events"), told_again=0) for found in counts]  # type: ignore[call-overload]
        assert again[0] == again[1]
        assert counts[0] == counts[1]


def spans(folder: Path) -> Any:
    order = [(name, "ascending") for name in ("window_start", "window_end", "a", "b")]
    return pq.read_table(folder).cast(SPANS).sort_by(order)


@pytest.fixture
def world(spark: SparkSession, tmp_path: Path) -> World:
    source = tmp_path / "source"
    source.mkdir()
    write_logs(source, 6, 120, lost=True)
    return World(spark, tmp_path, {file.name: file.read_bytes() for file in sorted(source.iterdir())})


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_in_any_order_of_arrival_and_cut_at_any_byte_it_is_the_trace_of_an_import(world: World, seed: int) -> None:
    chance = random.Random(seed)
    last = chance.choice(sorted(world.whole))  # comes when all others are there: all its lines are late
    with world.followed() as found:
        for share in (0.2, 0.5, 0.8):
            for name in chance.sample(sorted(world.whole), 4):
                if name != last:
                    world.arrive(name, share * chance.random())
            assert found.look().manifest is not None or share == 0.2
        for name in sorted(world.whole):
            if name != last:
                world.arrive(name)
        before = found.look()
        assert before.manifest is not None
        assert before.unfinished == ()
        assert hn.Trace(before.manifest, world.store.open("live")).describe()  # readable while it grows
        world.arrive(last)
        after = found.look()
        assert after.late > 10
        assert after.manifest is not None
        assert after.manifest.version == before.manifest.version + 1
        assert after.told_again == 0
        idle = found.look()
        assert (idle.lines, idle.changed, idle.late) == (0, False, 0)
        assert idle.manifest == after.manifest
    world.assert_as_imported()


def test_copies_rotation_damage_and_odd_lines_are_counted_and_change_nothing(world: World) -> None:
    first, second, third, *others = sorted(world.whole)
    for name in (first, second, third):
        world.arrive(name, 0.4)
    world.look()
    for name in sorted(world.whole):
        world.arrive(name)
    (world.logs / first).rename(world.logs / f"{first}.1")
    line = json.dumps(contact_line(9e8, "00", "zz", True, "f" * 64))
    (world.logs / first).write_text(f"{line}\n" + "not an entry\n" * 3)
    (world.logs / f"copy-of-{second}").write_bytes(world.whole[second])
    content = world.whole[third]
    (world.logs / f"{third}.1.gz").write_bytes(gzip.compress(content))
    found = world.look()
    assert found.begun_anew == (str(world.logs / first),)
    assert found.told_again > 20
    assert (found.bad_lines, found.bad_examples[0].reason[:8]) == (3, "not JSON")
    assert found.open_contacts > 0
    world.assert_as_imported()
    (world.logs / others[0]).unlink()  # what was read stays
    kept = world.look()
    assert kept.manifest == found.manifest


def test_a_clock_that_is_set_while_its_log_is_followed_is_named(world: World) -> None:
    lines = [json.loads(line) for line in world.whole["03.jsonl"].splitlines()]
    for line in lines[len(lines) // 2 :]:
        line["time"] += 7200.0
    content = "".join(json.dumps(line) + "\n" for line in lines).encode()
    world.arrive("01.jsonl")
    for share in (0.5, 1.0):
        (world.logs / "03.jsonl").write_bytes(content[: int(share * len(content))])
        for name in sorted(world.whole):
            if name != "03.jsonl":
                world.arrive(name, share)
        found = world.look()
    assert list(found.clocks_set) == ["03"]
    assert found.begun_anew == ()
    world.assert_as_imported()


class KilledError(BaseException):
    """The process dies here."""


def _spooled(after: Following) -> tuple[object, str]:
    return after, "_save"


def _streamed(_after: Following) -> tuple[object, str]:
    return Path, "unlink"


def _published(after: Following) -> tuple[object, str]:
    return after, "_done"


@pytest.mark.parametrize("where", [_spooled, _streamed, _published])
def test_killed_anywhere_it_goes_on_with_nothing_lost_or_doubled(
    world: World, monkeypatch: pytest.MonkeyPatch, where: Callable[[Following], tuple[object, str]]
) -> None:
    for name in sorted(world.whole)[:3]:
        world.arrive(name, 0.7)
    with world.followed() as first:
        first.look()
    for name in sorted(world.whole):
        world.arrive(name, 0.9)

    def dies(*_arguments: object, **_named: object) -> None:
        raise KilledError

    with world.followed() as second, monkeypatch.context() as patch:
        patch.setattr(*where(second), dies)
        with pytest.raises(KilledError):
            second.look()
    for name in sorted(world.whole):
        world.arrive(name)
    found = world.look()
    assert found.told_again == 0 or where is _spooled
    world.assert_as_imported()


def test_what_was_killed_before_its_first_batch_begins_anew(world: World) -> None:
    for name in sorted(world.whole):
        world.arrive(name)
    offsets = world.store.beside("live") / "checkpoint" / "offsets"
    offsets.mkdir(parents=True)
    (offsets / ".0.b1f2.tmp").write_text("v1")  # as Spark leaves it
    world.look()
    world.assert_as_imported()


def test_a_batch_that_failed_is_done_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in sorted(world.whole):
        world.arrive(name)
    kept = entries.Entries.keep

    def fails(self: entries.Entries, batch: Any, number: int) -> None:
        kept(self, batch, number)
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(entries.Entries, "keep", fails)
        with pytest.raises(OSError, match="no space left"):
            world.look()
    assert "live" not in world.store
    found = world.look()
    assert found.told_again == 0
    world.assert_as_imported()


@pytest.mark.slow
def test_large_logs_go_through_the_plan_and_many_batches_are_put_together(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "_MOST_FOLDERS", 3)
    with world.followed() as found:
        for share in (0.3, 0.6, 0.8):
            for name in world.whole:
                world.arrive(name, share)
            found.look()
        assert len(list((world.store.beside("live") / "entries").iterdir())) == 1
        monkeypatch.setattr(read, "SMALL_BYTES", 0)
        for name in world.whole:
            world.arrive(name)
        (world.logs / "01.jsonl.1").write_bytes(world.whole["01.jsonl"])
        taken = found.look()
    assert taken.told_again > 10
    monkeypatch.setattr(read, "SMALL_BYTES", 1 << 20)
    world.assert_as_imported()


@pytest.mark.slow
def test_infocom05_lived_through_by_real_nodes_is_followed_in_any_order_of_arrival(
    spark: SparkSession, tmp_path: Path, real_traces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """41 nodes on real sockets, their clocks up to a day apart, write 70,848 lines of contacts and more of messages."""
    trace = hn.read(real_traces / "haggle-infocom05" / "contacts.Exp3.dat", internal="1-41")
    assert replay(trace.contacts, trace.nodes, "push", logs=tmp_path / "lived").identical
    whole = {file.name: file.read_bytes() for file in sorted((tmp_path / "lived").iterdir())}
    assert len(whole) == 41
    chance = random.Random(5)
    one_by_one = [dict.fromkeys(chance.sample(sorted(whole), len(whole))[:most], 1.0) for most in (10, 30, 41)]
    in_pieces = [{name: number / 4 - chance.random() / 5 for name in whole} for number in (1, 2, 3)]
    some_late = [dict.fromkeys(chance.sample(sorted(whole), 20), number / 2) for number in (1, 2)]
    for number, (arrivals, most) in enumerate(((one_by_one, 1 << 26), (in_pieces, 1 << 26), (some_late, 0))):
        monkeypatch.setattr(read, "SMALL_BYTES", 1 << 26)
        world = World(spark, tmp_path / str(number), whole)
        for arrival in arrivals:
            for name, share in arrival.items():
                world.arrive(name, share)
            world.look()
        for name in whole:
            world.arrive(name)
        monkeypatch.setattr(read, "SMALL_BYTES", most)
        found = world.look()
        assert (found.told_again, found.bad_lines, found.open_contacts) == (0, 0, 0)
        monkeypatch.setattr(read, "SMALL_BYTES", 1 << 26)
        world.assert_as_imported()
        assert world.store.open("live").contacts().num_rows == 17_712


def test_what_is_no_log_and_a_name_that_is_taken_are_refused_and_nothing_is_made(world: World) -> None:
    (world.logs / "letter.txt").write_text("Dear Ann\n")
    with pytest.raises(TraceError, match=r"letter\.txt' is no log of a node"):
        world.look()
    (world.logs / "letter.txt").unlink()
    assert not world.store.beside("live").exists()
    with (
        pytest.raises(TraceError, match="does not exist"),
        following(world.spark, world.store, [str(world.logs / "nobody.jsonl")], Label("live")),
    ):
        pass
    hn.generate("conference", nodes=8, days=1, contacts_per_day=20)
    import_of = find_source([str(_csv(world.logs.parent))], None, {})
    import_trace(world.spark, world.store, import_of, Label("taken"), ImportSettings(yes=True))
    with (
        pytest.raises(TraceError, match="choose another name"),
        following(world.spark, world.store, [str(world.logs)], Label("taken")),
    ):
        pass


def _csv(folder: Path) -> Path:
    file = folder / "contacts.csv"
    file.write_text("a,b,start,end\nann,bob,0,60\n")
    return file


def test_as_typed_it_says_what_it_did_and_a_removed_trace_begins_anew(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HUNET_HOME", str(world.store.home))
    monkeypatch.setattr("hunet.pipeline.session.open_session", lambda _settings: _Shared(world.spark))
    command = ["trace", "follow", str(world.logs), "--name", "live", "--once"]

    def typed(*words: str) -> str:
        with pytest.raises(SystemExit) as end:
            main([*command, *words])
        assert end.value.code == 0
        return capsys.readouterr().out

    assert "no contact has ended yet" in typed()
    for name in world.whole:
        world.arrive(name, 0.95)
    out = typed()
    assert "live, version 1: " in out
    assert "ends within a line, whose rest is awaited: 00.jsonl, 01.jsonl, 02.jsonl and 3 more" in out
    for name in world.whole:
        world.arrive(name)
    told = json.loads(typed("--json"))
    assert (told["version"], told["unfinished"]) == (2, [])
    with pytest.raises(SystemExit):
        main(["trace", "remove", "live", "--yes"])
    assert not world.store.beside("live").exists()
    capsys.readouterr()
    assert "live, version 1: " in typed()
    world.assert_as_imported()
    shutil.rmtree(world.logs)  # what was read of them is kept: enough for a page
    with pytest.raises(SystemExit) as end:
        main(["report", "live", "--out", str(world.store.home / "page.html")])
    assert end.value.code == 0
    assert "6 nodes met 1" in (world.store.home / "page.html").read_text()


class _Shared:
    """A session that stays when a command is done with it."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark

    def __getattr__(self, name: str) -> Any:
        return getattr(self._spark, name)

    def stop(self) -> None:
        pass
