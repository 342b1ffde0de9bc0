"""What the face hands back: it shows itself, escaped, and takes what a person writes."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import hunet as hn
from hunet.model.errors import InvalidValueError, TraceError
from hunet.model.tables import CONTACTS, MEASURES, NODES
from hunet.protocols import PROTOCOLS
from hunet.report.table import Table
from hunet.sweeps.compaction import Sweep
from hunet.sweeps.experiment import Run
from hunet.sweeps.identity import run_id
from hunet.traces.manifest import Manifest

EVIL = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def trace() -> hn.Trace:
    return hn.generate("conference", nodes=8, days=1, contacts_per_day=20)


class Pretending(hn.Runner):
    """A runner that simulates nothing: every run with seed 2 fails, the others delivered as many as they have seeds."""

    def __init__(self) -> None:
        self.asked: list[Run] = []

    def sweep(self, runs: Sequence[Run], out: Path, **_rest: Any) -> Sweep:
        self.asked = list(runs)
        names = [run_id(run) for run in runs]
        failed = [run.seed == 2 for run in runs]
        good = [name for name, bad in zip(names, failed, strict=True) if not bad]
        measures = pa.table([good, ["delivered"] * len(good), [1.0] * len(good)], schema=MEASURES)
        table = pa.table(
            {"run": names, "error": pa.array(["it broke" if bad else None for bad in failed], pa.string())}
        )
        return Sweep(out, table, measures)


def test_what_is_shown_in_a_notebook_is_escaped() -> None:
    table = Table(EVIL, [{EVIL: EVIL}], note=EVIL)
    contacts = pa.table([[0], [1], [0.0], [1.0]], schema=CONTACTS)
    nodes = pa.table([[0, 1], [EVIL, "b"], ["internal"] * 2, [None] * 2], schema=NODES)
    named = hn.Trace(Manifest(EVIL, origin=EVIL, licence=EVIL), {"contacts": contacts, "nodes": nodes})
    for one in (table, named, named.describe(), hn.communities(named, training=1.0)):
        shown = one._repr_html_()
        assert "&lt;script&gt;" in shown
        assert "<script" not in shown
        assert EVIL in str(one), "a terminal shows it as it is"


def test_a_long_table_in_a_notebook_says_how_much_is_left_off() -> None:
    shown = Table("long", [{"n": n} for n in range(1000)])._repr_html_()
    assert shown.count("<tr>") == 201
    assert "... and 800 more rows" in shown


@pytest.mark.parametrize("columns", [60, 80, 100, 200])
def test_words_and_figures_of_a_table_that_is_to_stay_whole_are_not_broken(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    measures = ("share delivered", "within 4 h", "transfers per delivery", "bytes per contact", "mean delay, min")
    rows = [{"protocol": name, **dict.fromkeys(measures, "0.966 ± 0.001")} for name in ("push", "clairvoyant")]
    shown = str(Table("means", rows, whole=True)).partition("no room here for")[0]
    words = {word for name in (*rows[0], *rows[1].values()) for word in name.split()}
    assert set(shown.split()) - {"means", "push"} <= words | {"─" * len(line) for line in shown.splitlines()}
    assert max(map(len, shown.splitlines())) <= columns


def test_a_terminal_shows_the_first_rows_of_what_is_long() -> None:
    table = Table("long", [{"n": n} for n in range(30)], note="numbers")
    assert table.first(30, "rows") is table
    shown = str(table.first(20, "rows: elsewhere"))
    assert "19\n... and 10 more rows: elsewhere\nnumbers" in shown


def test_a_table_is_its_rows(trace: hn.Trace) -> None:
    table = trace.describe()
    assert len(table) == len(list(table)) == len(table.to_pandas())
    assert table[0]["name"] == "nodes"
    assert {"name", "value"} <= set(table.to_pandas().columns)


def test_saving_twice_changes_nothing_and_other_content_is_a_new_version(
    trace: hn.Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    first, again = trace.save("mine"), trace.save("mine")
    assert (first.about.version, again.about.version) == (1, 1)
    assert hn.load("mine").contacts.equals(trace.contacts)
    assert hn.load("mine").pairs().equals(trace.pairs())
    assert hn.generate("conference", nodes=9, days=1).save("mine").about.version == 2
    assert hn.load("mine", version=1).nodes.num_rows == 8
    assert [row["name"] for row in hn.stored()] == ["mine"]
    with pytest.raises(TraceError, match="did you mean 'mine'"):
        hn.load("mien")


def test_a_surrogate_is_called_one_wherever_it_is_shown_and_kept(
    trace: hn.Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    tables = {"contacts": trace.contacts, "nodes": trace.nodes}
    stand_in = hn.Trace(Manifest("infocom", surrogate=True), tables)
    assert "infocom (surrogate)" in repr(stand_in)
    assert stand_in.save().name == "infocom-surrogate"
    with pytest.raises(InvalidValueError, match="no name yet"):
        hn.Trace(Manifest(""), tables).save()


def test_no_setting_of_a_protocol_has_the_name_of_a_parameter() -> None:
    """Settings are keywords beside these: one of the same name could never be given."""
    taken = {name for call in (hn.simulate, hn.sweep) for name in inspect.signature(call).parameters}
    for protocol in PROTOCOLS:
        assert not taken & set(protocol.settings()._fields), protocol.name


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda t: hn.simulate(t, "psh"), "did you mean 'push'"),
        (lambda t: hn.simulate(t, "push", "bsub12"), "did you mean 'bsub13'"),
        (lambda t: hn.simulate(t, "push", contacts="always"), "contact model 'always'"),
        (lambda t: hn.simulate(t, "push", messages="m.csv"), "go together"),
        (lambda t: hn.simulate(t, "push", ttl="5hours"), "did you mean 'h'"),
        (lambda t: hn.compare(t, ["psh"]), "did you mean 'push'"),
        (lambda t: hn.compare(t, ["spray:copy=3"]), "did you mean 'copies'"),
        (lambda t: hn.compare(t, ["spray:copies"]), "write NAME or NAME:setting=value"),
        (lambda t: hn.compare(t, ["push"], contacts="always"), "contact model 'always'"),
        (lambda t: hn.bound(t, contacts="always"), "contact model 'always'"),
        (lambda t: hn.compare([t, t], ["push"]), "the same name"),
        (lambda t: hn.compare(t, ["push"], seeds=0), "0 seeds"),
        (lambda t: hn.sweep(t, "push", seeds=[]), r"seeds \[\]"),
        (lambda t: hn.sweep(t, "bsub13", decay_cycel=[1, 2]), "did you mean 'decay_cycle'"),
        (lambda t: hn.sweep(t, "bsub13", decay_cycle=[]), "the list is empty"),
        (lambda _: hn.generate("conference", node=5), "did you mean 'nodes'"),
        (lambda _: hn.names("protocols"), "did you mean 'protocol'"),
        (lambda t: t.plot("hour"), "did you mean 'hours'"),
        (lambda _: hn.claims(paper="mobs"), "did you mean 'mops'"),
    ],
)
def test_a_mistake_is_one_line_with_the_nearest_name(trace: hn.Trace, call: Any, complaint: str) -> None:
    with pytest.raises(hn.HunetError, match=complaint) as error:
        call(trace)
    assert "\n" not in str(error.value)


def test_a_sweep_runs_every_combination_and_a_failure_is_a_row(trace: hn.Trace) -> None:
    runner = Pretending()
    frame = hn.sweep(
        trace, "bsub13", decay_cycle=(64, 256), ttl=["1h", 60], buffer="unlimited", seeds=[1, 2], runner=runner
    )
    assert [(run.inputs["decay_cycle"], run.inputs["ttl"], run.inputs["buffer"]) for run in runner.asked[:2]] == [
        (64.0, 3600.0, float("inf")),
        (256.0, 3600.0, float("inf")),
    ]
    assert list(frame.columns) == ["protocol", "decay_cycle", "ttl", "buffer", "seed", "delivered", "error"]
    assert frame["seed"].tolist() == [1, 2] * 4
    assert frame["decay_cycle"].tolist() == [64.0, 64.0, 256.0, 256.0] * 2
    assert frame[frame["seed"] == 2]["error"].eq("it broke").all()
    assert frame[frame["seed"] == 1]["delivered"].eq(1.0).all()
    assert frame[frame["seed"] == 2]["delivered"].isna().all()


def test_a_comparison_of_several_traces_tells_them_apart(trace: hn.Trace) -> None:
    other = hn.generate("conference", nodes=8, days=1, seed=2, name="other")
    found = hn.compare([trace, other], ["push"], seeds=1, runner=hn.Runner.local(1))
    assert [(row["trace"], row["protocol"]) for row in found.rows] == [
        (trace, name) for name in ("push", "clairvoyant") for trace in ("conference", "other")
    ]
    assert [one.title.partition(";")[0] for one in found.tables] == ["conference", "other"]
    assert "2 traces" in str(found)
    assert len(found.plot().axes) == 4
    assert len(found.to_pandas()) == 4


def test_names_are_those_that_are_understood() -> None:
    rows = list(hn.names())
    assert {row["kind"] for row in rows} == {"protocol", "workload", "generator"}
    assert [row["name"] for row in rows if row["kind"] == "protocol"] == [one.name for one in PROTOCOLS]
    assert all(row["what"] for row in rows)
