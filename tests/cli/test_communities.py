"""`hunet trace communities` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from hunet.cli.main import app
from hunet.model.errors import HunetError
from hunet.model.tables import CONTACTS, NODES
from hunet.traces.store import TraceStore

RUN = CliRunner()
HOUR = 3_600.0


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two couples who meet every hour and each other once; fay comes late, after the training part."""
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    rows = [(a, b, hour * HOUR, hour * HOUR + 600) for hour in range(20) for a, b in ((0, 1), (2, 3))]
    rows += [(1, 2, 3 * HOUR, 3 * HOUR + 60), (3, 4, 18 * HOUR, 18 * HOUR + 60)]
    _store(tmp_path, "couples", rows, ["ann", "bob", "cat", "dan", "fay"])
    _store(tmp_path, "apart", [row for row in rows if row[:2] in ((0, 1), (2, 3))], ["ann", "bob", "cat", "dan"])
    _store(tmp_path, "nobody", [], ["ann"])
    return tmp_path


def _store(home: Path, name: str, rows: list[tuple[int, int, float, float]], names: list[str]) -> None:
    with TraceStore(home).write_version(name) as draft:
        draft.write(
            "contacts", pa.Table.from_pylist([dict(zip(CONTACTS.names, row, strict=True)) for row in rows], CONTACTS)
        )
        count = len(names)
        draft.write("nodes", pa.table([range(count), names, ["internal"] * count, [None] * count], schema=NODES))


def run(*words: str) -> str:
    result = RUN.invoke(app, ["trace", "communities", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def error(*words: str) -> str:
    result = RUN.invoke(app, ["trace", "communities", *words])
    assert isinstance(result.exception, HunetError), result.output
    return str(result.exception)


def test_couples_are_communities_with_their_brokers(home: Path) -> None:
    told = json.loads(run("couples", "--json"))
    assert [row["community"] for row in told["communities"]] == [1, 1, 2, 2, 4]
    assert [row["role"] for row in told["communities"]] == ["member", "broker", "broker", "member", "member"]
    assert [(row["community"], row["towards"], row["brokers"]) for row in told["bridges"]] == [(1, 2, [1]), (2, 1, [2])]
    assert (told["trace"], told["threshold"], told["training"], told["distributed"]) == ("couples", 0.5, 0.4, False)
    text = run("couples")
    assert "5 nodes in 3 communities; brokers: 2, other gateways: 0, without an edge to another community: 3" in text
    assert home.exists()


def test_every_stage_and_the_picture_are_written_on_request(home: Path) -> None:
    out, plot = home / "stages", home / "pictures" / "couples.png"
    text = run("couples", "--out", str(out), "--plot", str(plot))
    assert sorted(path.stem for path in out.iterdir()) == [
        "bridges",
        "communities",
        "connections",
        "formation",
        "gateways",
    ]
    assert pq.read_table(out / "communities.parquet")["community"].to_pylist() == [1, 1, 2, 2, 4]
    assert plot.stat().st_size > 5_000
    assert str(plot) in text


def test_nodes_on_their_own_say_what_they_heard(home: Path) -> None:
    told = json.loads(run("couples", "--distributed", "--json"))
    assert told["equal_labels"] == 1.0
    assert 0.5 < told["heard_share"] < 1.0  # nobody has heard of fay
    assert "are in the community that full knowledge gives them" in run("couples", "--distributed")
    assert home.exists()


def test_without_gateways_only_communities_are_printed(home: Path) -> None:
    text = run("apart", "--plot", str(home / "apart.png"))
    assert "from community to community" not in text
    assert "4 nodes in 2 communities; brokers: 0" in text


@pytest.mark.parametrize("words", [("--plot", "picture.xyz"), ("--plot", "."), ("--out", __file__)])
def test_a_place_that_cannot_be_written_is_refused_before_anything_is_done(home: Path, words: tuple[str, str]) -> None:
    result = RUN.invoke(app, ["trace", "communities", "couples", *words])
    assert result.exit_code == 2
    assert words[0] in result.output
    assert home.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("couples", "--threshold", "1.5"), "threshold 1.5"),
        (("couples", "--threshold", "-0.1"), "within 0 and 1"),
        (("couples", "--training", "0"), "training share 0.0: must be above 0"),
        (("couples", "--training", "2"), "training share 2.0"),
        (("couples", "--hops", "0"), "hops 0"),
        (("couples", "--broker-share", "3"), "broker share 3.0"),
        (("nobody",), "no contact to learn from"),
        (("nowhere",), "there is no trace 'nowhere'"),
    ],
)
def test_bad_input_is_one_clear_error(home: Path, words: tuple[str, ...], said: str) -> None:
    assert said in error(*words)
    assert home.exists()
