"""`hunet watch`: from a file, a stored trace or the log of a run to a page; and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import hunet as hn
from hunet.api.watching import show_from
from hunet.cli.main import app
from hunet.model.errors import HunetError, TraceError, WatchError
from hunet.watch.run_log import read_run_log, write_run_log
from tests.watch.scenes import conference, crowd, run, show_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "contacts.csv"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUNET_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def watch(*words: object) -> str:
    done = CliRunner().invoke(app, ["watch", *map(str, words)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output


def test_a_persons_own_file_becomes_a_page_by_one_command(tmp_path: Path) -> None:
    said = watch(EXAMPLE)
    page = tmp_path / "out" / "watch-contacts.html"
    assert f"page: {page.relative_to(tmp_path)} (0.1 MB" in said
    assert "it embeds the trace" in said
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "Anna" not in page.read_text(encoding="utf-8"), "names are in the data, not in the page's text"


def test_a_stored_trace_is_found_by_its_name(tmp_path: Path) -> None:
    conference().save("tiny")
    said = watch("tiny", "--out", tmp_path / "deep" / "p.html")
    assert "embeds" not in said, "a generated trace is nobody's data"
    assert (tmp_path / "deep" / "p.html").is_file()


def test_what_is_neither_a_file_nor_a_trace_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="nowhere"):
        watch("nowhere")
    assert not (tmp_path / "out").exists()


def test_the_log_of_a_run_comes_back_as_it_was_written(tmp_path: Path) -> None:
    show = crowd(12, 60, 8, 40)
    path = write_run_log(tmp_path / "logs" / "run.parquet", "unstored", 0, show)
    found = show_from([str(path)])
    assert found.network.contacts.equals(show.network.contacts)
    assert found.traffic is not None and show.traffic is not None  # noqa: PT018
    assert found.traffic.messages.equals(show.traffic.messages)
    assert found.plays[0].events.cast(show.plays[0].events.schema).equals(show.plays[0].events)
    assert (found.plays[0].title, found.network.generated) == ("random", True)
    assert "crowd-random-random" in watch(path, path)


def test_a_log_names_its_stored_trace_and_needs_it(tmp_path: Path) -> None:
    stored = conference().save("tiny")
    show = crowd(14, 60, 8, 40)
    path = write_run_log(tmp_path / "run.parquet", stored.name, stored.about.version, show)
    assert show_from([str(path)]).network.contacts.equals(stored.contacts)
    gone = write_run_log(tmp_path / "gone.parquet", "gone", 1, show)
    with pytest.raises(WatchError, match="it is of trace 'gone', which is not stored here"):
        watch(gone)
    with pytest.raises(WatchError, match="is no log of a run"):
        watch(path, EXAMPLE)
    with pytest.raises(WatchError, match="give two"):
        watch(path, path, path)


@pytest.mark.parametrize("damage", ["half", "events", "table", "message", "to"])
def test_a_damaged_log_is_refused_in_one_line_and_no_page_is_written(tmp_path: Path, damage: str) -> None:
    path = write_run_log(tmp_path / "run.parquet", "unstored", 0, crowd(12, 60, 8, 40))
    if damage == "half":
        path.write_bytes(path.read_bytes()[:-100])
    else:
        table = pq.read_table(path)
        metadata = dict(table.schema.metadata)
        if damage == "events":
            table = table.drop_columns(["kind"])
        elif damage == "table":
            metadata[b"hunet.messages"] = metadata[b"hunet.messages"][:40]
        else:
            place = table.column_names.index(damage)
            table = table.set_column(place, damage, pa.array([99] * table.num_rows))
        pq.write_table(table.replace_schema_metadata(metadata), path)
    with pytest.raises(HunetError) as refused:
        watch(path)
    assert "\n" not in str(refused.value)
    assert str(path) in str(refused.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.compiles
def test_a_run_is_watched_in_three_commands(tmp_path: Path) -> None:
    runner = CliRunner()
    words = ["simulate", str(EXAMPLE), "--protocol", "push", "--ttl", "2h", "--log", "events.parquet"]
    done = runner.invoke(app, words, catch_exceptions=False)
    assert "to watch it: hunet watch events.parquet" in done.output
    assert "page: out/watch-contacts-push.html" in watch("events.parquet")
    log = read_run_log(Path("events.parquet"))
    kinds = set(log.play.events["kind"].to_pylist())
    assert {"creation", "forward", "expiry"} <= kinds


@pytest.mark.compiles
def test_a_run_without_a_log_says_how_to_keep_one() -> None:
    result = hn.simulate(conference(), "push", ttl="3h")
    with pytest.raises(HunetError, match="log=True"):
        result.watch()
    with pytest.raises(HunetError, match="log=True"):
        run().watch(beside=result)
    assert show_of(run()).plays[0].details["buffer"] == "unlimited"


@pytest.mark.compiles
def test_filters_are_looked_at_while_a_run_with_a_log_goes_on() -> None:
    result = hn.simulate(conference(), "bsub13", ttl="3h", decay_cycle=600, log=True)
    heard = result.outcome.heard
    assert heard is not None
    assert 40 <= len(set(heard["time"].to_pylist())) <= 48
    wanted = {row["tag"] for row in show_of(result).traffic.interests.to_pylist()}  # type: ignore[union-attr]
    strong = [row["tag"] for row in heard.to_pylist() if row["strength"] > 20]
    assert strong
    assert sum(tag in wanted for tag in strong) > 0.8 * len(strong), "filters say what is wanted, and seldom err"
    assert hn.simulate(conference(), "push", ttl="3h", log=True).outcome.heard is None
