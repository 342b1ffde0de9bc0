"""`hunet simulate` as it is typed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

from hunet.cli.main import app
from hunet.model.errors import HunetError
from hunet.traces.store import TraceStore
from tests.sim.small_traces import TRIANGLE


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with the trace `three`, and one without contacts."""
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    contacts, nodes = TRIANGLE
    for name, rows in (("three", contacts), ("nobody", contacts.slice(0, 0))):
        with TraceStore(tmp_path).write_version(name) as draft:
            draft.write("contacts", rows)
            draft.write("nodes", nodes)
    return tmp_path


def hunet(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["simulate", *map(str, words)])


def files(folder: Path) -> tuple[str | Path, ...]:
    (folder / "m.csv").write_text("time,source,tag,size,ttl\n5,ann,x,100,\n12,ann,y,100,20s\n", encoding="utf-8")
    (folder / "i.csv").write_text("node,tag\ncid,x\nbob,y\n", encoding="utf-8")
    return "--messages", folder / "m.csv", "--interests", folder / "i.csv"


@pytest.mark.compiles
def test_messages_and_interests_from_files_are_simulated_without_limits(home: Path) -> None:
    found = json.loads(hunet("three", "--protocol", "push", *files(home), "--json").stdout)
    assert found["measures"]["delivered"] == 1  # y lives 20 s and is gone when bob comes again
    assert found["measures"]["delay_mean"] == 25.0
    assert found["conditions"] == {
        "contacts": "start",
        "buffer": None,
        "bytes_per_second": None,
        "shared": False,
        "charge_digests": False,
        "eviction": "oldest",
        "clocks": None,
        "own_outside": None,
        "id_bits": None,
    }
    for name in ("delivery_ratio", "forwards", "copies_ever", "drops", "control_bytes", "cpu_seconds"):
        assert isinstance(found["measures"][name], int | float)


@pytest.mark.compiles
def test_limits_are_taken_from_the_command_line(home: Path) -> None:
    options = ("--buffer", "3", "--bandwidth", "1kbps", "--ttl", "15s", "--json")
    found = json.loads(hunet("three", "--protocol", "push", *files(home), *options).stdout)
    assert found["conditions"]["buffer"] == 3
    assert found["conditions"]["bytes_per_second"] == 125.0
    assert found["measures"]["delivered"] == 0  # x has no lifetime of its own and ends at 20


@pytest.mark.compiles
def test_the_table_names_every_measure_and_the_log_holds_every_event(home: Path) -> None:
    shown = hunet("three", "--protocol", "push", "--log", home / "out" / "events.parquet", *files(home))
    assert "push on three" in shown.stdout
    assert "delivery_ratio" in shown.stdout
    kinds = pq.read_table(home / "out" / "events.parquet").column("kind").to_pylist()
    assert kinds.count("creation") == 2
    assert [path.name for path in (home / "out").iterdir()] == ["events.parquet"]


TABLE = "a,b,start,end\nann,bob,10,20\nbob,cid,30,35\nann,bob,40,50\n"
"""The contacts of `three`."""


@pytest.mark.compiles
def test_a_file_is_simulated_as_the_stored_trace_is_and_nothing_is_stored(home: Path) -> None:
    (home / "party.csv").write_text(TABLE, encoding="utf-8")
    options = ("--protocol", "push", *files(home), "--json")
    stored, read = (json.loads(hunet(trace, *options).stdout) for trace in ("three", home / "party.csv"))
    assert stored["trace"] == {"name": "three", "version": 1, "surrogate": False}
    assert read["trace"] == {"name": "party", "version": None, "surrogate": False}
    del stored["measures"]["cpu_seconds"], read["measures"]["cpu_seconds"]
    assert {**read, "trace": None} == {**stored, "trace": None}
    assert {trace.name for trace in TraceStore(home).list()} == {"three", "nobody"}


@pytest.mark.compiles
def test_of_a_file_it_is_said_what_was_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "party.csv").write_text(TABLE + "ann,eve,soon,later\n", encoding="utf-8")
    monkeypatch.chdir(home)
    said = hunet("party.csv", "--protocol", "push", *files(home)).stderr
    assert "read, not stored: Trace 'party': 3 nodes, 3 contacts, 0.0 days; bad lines skipped: 1\n" in said


@pytest.mark.compiles
def test_in_parts_a_simulation_comes_out_the_same(home: Path) -> None:
    options = ("three", "--protocol", "push", *files(home), "--json")
    whole, parts = (json.loads(hunet(*options, *more).stdout) for more in ((), ("--parts", "2")))
    del whole["measures"]["cpu_seconds"], parts["measures"]["cpu_seconds"]
    assert parts == whole
    assert {path.name for path in home.iterdir()} == {"traces", "m.csv", "i.csv"}


def test_a_stored_trace_comes_before_a_file_of_the_same_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "nobody").write_text(TABLE, encoding="utf-8")
    monkeypatch.chdir(home)
    assert "has no contacts" in str(hunet("nobody", "--protocol", "push").exception)


def test_a_warm_start_loads_neither_pandas_nor_what_only_compiling_needs(home: Path) -> None:
    """What each would cost: a quarter of a second."""
    words = ("simulate", "three", "--protocol", "push", *map(str, files(home)))
    code = "import sys; from hunet.cli.main import app; app(sys.argv[2:], standalone_mode=False)"
    check = "print([one for one in sys.argv[1].split(',') if one in sys.modules])"
    heavy = "pandas,pyarrow.dataset,numba.np.linalg,numba.typed.dictimpl,pyspark,matplotlib"
    for _ in range(2):  # the first may have to compile
        done = subprocess.run(
            [sys.executable, "-c", f"{code}\n{check}", heavy, *words], capture_output=True, text=True, check=True
        )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("out/party.csv", "--protocol", "push"), "trace file 'out/party.csv' does not exist"),
        (("three", "--protocol", "push", "--parts", "2"), "buffers of 100 messages cannot be simulated in 2 parts"),
        (("three", "--protocol", "psh"), "'psh'; did you mean 'push'"),
        (("three", "--protocol", "bsub13", "--set", "decaycycle=5"), "did you mean 'decay_cycle'"),
        (("three", "--protocol", "bsub13", "--set", "decay_cycle=soon"), "decay_cycle"),
        (
            ("three", "--protocol", "push", "--ttl", "5hours"),
            "ttl '5hours': there is no unit 'hours'; did you mean 'h'",
        ),
        (("three", "--protocol", "push", "--bandwidth", "250kbs"), "did you mean 'kbps'"),
        (("three", "--protocol", "push", "--buffer", "many"), "buffer 'many'"),
        (("three", "--protocol", "push", "--workload", "bsub12"), "did you mean 'bsub13'"),
        (("three", "--protocol", "push", "--contacts", "contineous"), "did you mean 'continuous'"),
        (("nobody", "--protocol", "push"), "trace 'nobody' has no contacts"),
        (("thre", "--protocol", "push"), "there is no trace 'thre'"),
        (("three", "--protocol", "push", "--workload", "none.toml"), "workload file 'none.toml' does not exist"),
        (("three", "--protocol", "push", "--measures", "fil_ratio"), "did you mean 'fill_ratio'"),
    ],
)
def test_a_mistake_gives_one_line_with_the_nearest_name(words: tuple[str, ...], complaint: str) -> None:
    result = hunet(*words)
    assert isinstance(result.exception, HunetError)
    assert complaint in str(result.exception)
    assert "\n" not in str(result.exception)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--set", "decay_cycle"), "write name=value"),
        (("--messages", "m.csv"), "--messages and --interests go together"),
        (("--messages", "m.csv", "--interests", "i.csv", "--workload", "bsub13"), "give either a workload"),
    ],
)
def test_options_that_do_not_go_together_are_refused(words: tuple[str, ...], complaint: str) -> None:
    result = hunet("three", "--protocol", "push", *words)
    assert result.exit_code == 2
    assert complaint in " ".join(result.stderr.replace("│", " ").split())
