"""`hunet trace` as a user types it. Looking at a stored trace loads no Spark and answers at once."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import hunet
from hunet.cli.main import app
from hunet.model.errors import HunetError
from hunet.model.tables import CONTACTS, NODES
from hunet.traces.store import TraceStore

RUN = CliRunner()


def store_contacts(home: Path, name: str, rows: Sequence[tuple[int, int, float, float]], **about: Any) -> None:
    """A trace of three nodes with these contacts."""
    contacts = pa.table([list(column) for column in zip(*rows, strict=True)] or [[]] * 4, schema=CONTACTS)
    nodes = pa.table([[0, 1, 2], ["ann", "bob", "eve"], ["internal"] * 3, [None] * 3], schema=NODES)
    with TraceStore(home).write_version(name) as draft:
        draft.write("contacts", contacts)
        draft.write("nodes", nodes)
        draft.describe(**about)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one small trace, `party-surrogate`."""
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    rows = [(0, 1, 0.0, 60.0), (0, 1, 3_700.0, 3_760.0), (0, 2, 100.0, 100.0), (1, 2, 86_000.0, 86_400.0)]
    store_contacts(
        tmp_path, "party-surrogate", rows, origin="invented", licence="CC0", surrogate=True, counts={"contacts": 4}
    )
    return tmp_path


def run(*words: str, code: int = 0) -> str:
    result = RUN.invoke(app, ["trace", *words])
    assert result.exit_code == code, result.output
    return result.stdout


def test_describe_prints_what_a_paper_prints_and_draws_three_plots(home: Path) -> None:
    told = json.loads(run("describe", "party-surrogate", "--json"))
    expected = {"nodes": 3, "contacts": 4, "pairs": 3, "start": 0.0, "end": 86_400.0, "days": 1.0, "surrogate": True}
    assert expected.items() <= told.items()
    assert [Path(path).name for path in told["plots"]] == [
        "contacts-per-hour.png",
        "inter-contact-times.png",
        "degrees.png",
    ]
    assert all(Path(path).stat().st_size > 5_000 for path in told["plots"])
    text = run("describe", "party-surrogate")
    assert "party-surrogate" in text
    assert "licence: CC0" in text
    assert home.exists()


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [(0, 1, 5.0, 5.0)],
        [(0, 1, 0.0, 100.0), (1, 2, 200.0, 300.0)],
        [(0, 1, 0.0, 100.0), (0, 1, 200.0, 300.0)],
        [(0, 1, 0.0, 100.0), (0, 1, 200.0, 300.0), (0, 1, 400.0, 500.0)],
        [(0, 1, 0.0, 0.0), (0, 1, 1e-300, 1e-300), (0, 2, -1e9, 1e9)],
        [(0, 1, 0.0, 100.0), (1, 2, 1e15, 1e15)],
        [(0, 1, 1.7e9, 1.7e9), (1, 2, 1e18, 1e18)],
    ],
    ids=[
        "no contact",
        "one moment",
        "no pair meets twice",
        "one gap",
        "equal gaps",
        "extreme gaps",
        "ages",
        "Unix ages",
    ],
)
def test_a_trace_with_little_to_show_has_all_plots(home: Path, rows: list[tuple[int, int, float, float]]) -> None:
    store_contacts(home, "small", rows)
    result = RUN.invoke(app, ["trace", "describe", "small", "--json"])
    assert (result.exit_code, result.stderr) == (0, "")
    plots = json.loads(result.stdout)["plots"]
    assert len(plots) == 3
    assert "small" in run("describe", "small")
    assert all(Path(path).stat().st_size > 5_000 for path in plots)


def test_a_plot_that_fails_is_left_out_with_a_word(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_anything: object) -> None:
        raise ValueError("no ink\nat all")

    monkeypatch.setattr("hunet.report.traces.draw_gaps", fail)
    result = RUN.invoke(app, ["trace", "describe", "party-surrogate", "--json"])
    assert result.exit_code == 0
    assert result.stderr == "hunet: the plot inter-contact-times is left out: no ink\n"
    assert [Path(path).stem for path in json.loads(result.stdout)["plots"]] == ["contacts-per-hour", "degrees"]
    monkeypatch.undo()
    monkeypatch.setenv("HUNET_HOME", str(home))
    assert len(json.loads(run("describe", "party-surrogate", "--json"))["plots"]) == 3


def test_plots_that_cannot_be_written_do_not_stop_the_command(home: Path) -> None:
    (TraceStore(home).open("party-surrogate").path / "plots").write_text("in the way")
    result = RUN.invoke(app, ["trace", "describe", "party-surrogate", "--json"])
    assert (result.exit_code, json.loads(result.stdout)["plots"]) == (0, [])
    assert result.stderr.count("is left out") == 3


def test_list_names_every_trace_or_says_how_to_make_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = json.loads(run("list", "--json"))
    assert (row["name"], row["contacts"], row["surrogate"]) == ("party-surrogate", 4, True)
    monkeypatch.setenv("HUNET_HOME", str(home / "empty"))
    assert "no traces" in run("list")
    assert json.loads(run("list", "--json")) == []


@pytest.mark.parametrize(("name", "first"), [("t.one", "0 CONN 0 1 up"), ("t.csv", '"a","b","start","end"')])
def test_export_goes_by_the_ending_of_the_file(home: Path, name: str, first: str) -> None:
    run("export", "party-surrogate", str(home / name))
    assert (home / name).read_text().splitlines()[0].replace('"', "") == first.replace('"', "")


def test_remove_asks_first(home: Path) -> None:
    assert RUN.invoke(app, ["trace", "remove", "party-surrogate"], input="n\n").exit_code == 1
    assert len(TraceStore(home).list()) == 1
    run("remove", "party-surrogate", "--yes")
    assert TraceStore(home).list() == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["describe", "absent"], "no trace 'absent'"),
        (["import", "/nowhere/*.dat"], "does not exist"),
        (["export", "party-surrogate", "x", "--as", "gpx"], "gpx"),
        (["fetch", "atlantis"], "atlantis"),
        (["import", "x", "--events", "maybe"], "'maybe'; there are: count, flag"),
    ],
)
def test_what_cannot_be_done_is_a_hunet_error_with_the_value(home: Path, words: list[str], message: str) -> None:
    result = RUN.invoke(app, ["trace", *words])
    assert isinstance(result.exception, HunetError)
    assert message in str(result.exception)
    assert home.exists()


@pytest.mark.parametrize("words", [["import", "x", "--radius", "far"], ["import", "x", "--columns", "a"], ["import"]])
def test_a_wrong_command_line_is_exit_code_2(home: Path, words: list[str]) -> None:
    run(*words, code=2)
    assert home.exists()


def test_generate_lists_the_generators_and_their_settings() -> None:
    assert "mass-mobility" in run("generate", "--help")
    assert "--nodes" in run("generate", "conference", "--help")


def test_the_catalog_is_listed_with_licences() -> None:
    rows = json.loads(run("fetch", "--json"))
    assert {"sfhh", "ht2009"} <= {row["name"] for row in rows}
    assert all(row["licence"] for row in rows)


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        (["describe", "party-surrogate", "--json"], ["pyspark", "py4j", "numba", "pandas"]),
        (["list", "--json"], ["pyspark", "py4j", "numba", "pandas", "pyarrow", "numpy"]),
    ],
)
def test_looking_at_a_trace_loads_nothing_heavy_and_answers_within_3_s(
    home: Path, words: list[str], heavy: list[str]
) -> None:
    run("describe", "party-surrogate")  # an import leaves the plots behind too
    code = "import sys; from hunet.cli.main import app; app(sys.argv[1:], standalone_mode=False)"
    check = f"assert not set({heavy}) & set(sys.modules), set({heavy}) & set(sys.modules)"
    environment = dict(os.environ, HUNET_HOME=str(home), PYTHONPATH=str(Path(hunet.__file__).parents[1]))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{check}", "trace", *words],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    # CPU time, since the machine may be busy with other things; the command waits for nothing.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 3
