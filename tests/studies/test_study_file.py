"""Study files: what they say, and every mistake in them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from hunet.model.errors import StudyError
from hunet.studies.study_file.runs import study_runs
from hunet.studies.study_file.study import Study, read_study
from hunet.traces.store import TraceStore
from tests.sim.small_traces import TRIANGLE

GOOD = """\
name = "small"
seeds = 3
measures = ["delivery_ratio"]

[[trace]]
name = "three"

[workload]
profile = "bsub13"
ttl = ["1h", "unlimited"]

[[protocol]]
name = "push"

[[protocol]]
name = "bsub13"
decay_cycle = { from = 64, to = 256, factor = 2 }
"""


@pytest.fixture
def store(tmp_path: Path) -> TraceStore:
    """With the traces `three`, `stand-in` (a surrogate) and `nobody` (without contacts)."""
    contacts, nodes = TRIANGLE
    found = TraceStore(tmp_path)
    for name, rows in (("three", contacts), ("stand-in", contacts), ("nobody", contacts.slice(0, 0))):
        with found.write_version(name) as draft:
            draft.write("contacts", rows)
            draft.write("nodes", nodes)
            draft.describe(surrogate=name == "stand-in")
    return found


def read(text: str, store: TraceStore, tmp_path: Path) -> Study:
    file = tmp_path / "study.toml"
    file.write_text(text, encoding="utf-8")
    return read_study(file, store)


def test_where_own_messages_lie_is_a_condition_that_can_be_varied(store: TraceStore, tmp_path: Path) -> None:
    text = GOOD.replace('profile = "bsub13"', 'profile = "bsub13"\nown_outside = [true, false]')
    assert {run.inputs["own_outside"] for run in study_runs(read(text, store, tmp_path))} == {True, False}


def test_every_combination_is_run_and_a_baseline_only_as_often_as_it_differs(store: TraceStore, tmp_path: Path) -> None:
    study = read(GOOD, store, tmp_path)
    runs = study_runs(study)
    assert study.size == len(runs) == 3 * 2 * (1 + 3)
    assert study.swept == {"ttl": [3600.0, math.inf], "decay_cycle": [64.0, 128.0, 256.0]}
    assert study.against == "decay_cycle"
    cycles = [run.inputs["decay_cycle"] for run in runs if run.inputs["protocol"] == "bsub13"]
    assert sorted(set(cycles)) == [64.0, 128.0, 256.0]  # type: ignore[type-var]
    assert {run.inputs["m"] for run in runs if run.inputs["protocol"] == "bsub13"} == {256}  # defaults are told
    assert {run.seed for run in runs} == {1, 2, 3}
    assert {run.labels["trace"] for run in runs} == {"three"}


def test_lists_in_a_generator_are_several_traces_and_surrogates_are_called_so(
    store: TraceStore, tmp_path: Path
) -> None:
    text = GOOD.replace('name = "three"', 'generator = "conference"\nnodes = [4, 5]\ndays = 1\nacquaintances = 2')
    study = read(text + '\n[[trace]]\nname = "stand-in"\n', store, tmp_path)
    assert [trace.label for trace in study.traces] == [
        "conference, nodes 4",
        "conference, nodes 5",
        "stand-in (surrogate)",
    ]
    assert study.title == "small on conference, nodes 4, conference, nodes 5, stand-in (surrogate)"
    assert study.traces[1].load()[1].num_rows == 5
    assert study.traces[2].load()[0].num_rows == TRIANGLE[0].num_rows


def test_short_contacts_may_be_lengthened_or_not(store: TraceStore, tmp_path: Path) -> None:
    text = GOOD.replace('profile = "bsub13"', 'profile = "mops"\nmin_contact = ["0", "120s"]')
    runs = study_runs(read(text, store, tmp_path))
    assert {(run.inputs["workload"], run.inputs["min_contact"]) for run in runs} == {("mops", 0.0), ("mops", 120.0)}


def test_a_workload_of_a_file_is_made_for_each_trace_and_seed(store: TraceStore, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[tags]\ncount = 3\n[messages]\nevery = "10s"\n', encoding="utf-8")
    study = read(GOOD.replace('profile = "bsub13"', 'file = "mine.toml"'), store, tmp_path)
    runs = study_runs(study)
    assert len({run.inputs["workload"].hash for run in runs}) == 3  # type: ignore[union-attr]
    assert {run.labels["workload"] for run in runs} == {"mine"}


def test_extra_measures_are_taken_of_protocols_that_can_tell_them(store: TraceStore, tmp_path: Path) -> None:
    runs = study_runs(read(GOOD.replace('["delivery_ratio"]', '["hops", "fill_ratio"]'), store, tmp_path))
    extras = {run.inputs["protocol"]: run.inputs["extras"] for run in runs}
    assert extras == {"push": "hops", "bsub13": "hops fill_ratio"}


BROKEN: dict[str, tuple[Any, ...]] = {
    "a typing error": (
        "line 2: this is not TOML: Invalid value",
        ("seeds = 3", "seeds = = 3"),
    ),
    "a key twice": (
        "line 3: this is not TOML: Cannot overwrite a value",
        ("seeds = 3", "seeds = 3\nseeds = 4"),
    ),
    "an unknown key": (
        "line 2: there is no key 'seed'; did you mean 'seeds'?",
        ("seeds = 3", "seed = 3"),
    ),
    "no seeds": (
        "line 2: seeds = 0: write a number from 1 to 1,000,000",
        ("seeds = 3", "seeds = 0"),
    ),
    "seeds in words": (
        "line 2: seeds = 'ten': write how many, such as 10, or a list",
        ("seeds = 3", 'seeds = "ten"'),
    ),
    "a seed twice": (
        "line 2: seeds = [1, 1] has a seed twice",
        ("seeds = 3", "seeds = [1, 1]"),
    ),
    "a bad name": (
        "line 1: name = 'a/b': use letters, digits, dots",
        ('"small"', '"a/b"'),
    ),
    "an unknown measure": (
        "line 3: there is no measure 'delivery_ration'; did you mean 'delivery_ratio'?",
        ('["delivery_ratio"]', '["delivery_ration"]'),
    ),
    "a measure nobody can tell": (
        "line 3: none of these protocols can tell 'fill_ratio'",
        ('name = "bsub13"\ndecay_cycle = { from = 64, to = 256, factor = 2 }', 'name = "pull"\nk = [3, 4]'),
        ('["delivery_ratio"]', '["fill_ratio"]'),
    ),
    "no trace": (
        "there is no [[trace]]: a study needs at least one",
        ('[[trace]]\nname = "three"\n', ""),
    ),
    "single brackets": (
        "line 5: write [[trace]], with double brackets",
        ("[[trace]]", "[trace]"),
    ),
    "an unknown trace": (
        "line 6: there is no trace 'tree'; did you mean 'three'?",
        ('"three"', '"tree"'),
    ),
    "a trace without contacts": (
        "line 6: trace 'nobody' has no contacts",
        ('"three"', '"nobody"'),
    ),
    "settings for a stored trace": (
        "line 7: a stored trace has no settings: remove 'nodes'",
        ('name = "three"', 'name = "three"\nnodes = 5'),
    ),
    "trace and generator": (
        "line 5: a [[trace]] has either the name of a stored trace or a generator",
        ('name = "three"', 'name = "three"\ngenerator = "campus"'),
    ),
    "an unknown generator": (
        "line 6: there is no generator 'congress'; did you mean 'conference'?",
        ('name = "three"', 'generator = "congress"'),
    ),
    "an unknown setting of a generator": (
        "line 7: there is no setting of conference 'node'; did you mean 'nodes'?",
        ('name = "three"', 'generator = "conference"\nnode = 5'),
    ),
    "a setting of a wrong type": (
        "line 7: nodes = 5.5: write a whole number",
        ('name = "three"', 'generator = "conference"\nnodes = 5.5'),
    ),
    "a setting outside its limits": (
        "line 7: conference: nodes 1 is below its limit 2",
        ('name = "three"', 'generator = "conference"\nnodes = 1'),
    ),
    "a generator without its input": (
        "line 5: surrogate cannot do without table and event_times",
        ('name = "three"', 'generator = "surrogate"'),
    ),
    "an unknown workload": (
        "line 9: there is no workload 'bsub12'; did you mean 'bsub13'?",
        ('"bsub13"\nttl', '"bsub12"\nttl'),
    ),
    "a workload of two sources": (
        "line 10: a workload has either a profile or a file",
        ('profile = "bsub13"', 'profile = "bsub13"\nfile = "x.toml"'),
    ),
    "a workload file that is not there": (
        "x.toml' does not exist",
        ('profile = "bsub13"', 'file = "x.toml"'),
    ),
    "a workload file that is wrong": (
        "line 9: on trace three: ",
        ('profile = "bsub13"', 'file = "wrong.toml"'),
    ),
    "a bad unit": (
        "line 10: ttl '1hour': there is no unit 'hour'; did you mean 'h'?",
        ('"1h"', '"1hour"'),
    ),
    "a bad contact model": (
        "line 9: there is no contact model 'contineous'; did you mean 'continuous'?",
        ("[workload]", '[workload]\ncontacts = "contineous"'),
    ),
    "an unknown protocol": (
        "line 13: there is no protocol 'psh'; did you mean 'push'?",
        ('name = "push"', 'name = "psh"'),
    ),
    "a protocol without a name": (
        "line 12: this [[protocol]] has no name; write one of push,",
        ('name = "push"\n', "\n"),
    ),
    "an unknown parameter": (
        "line 17: there is no setting of bsub13 'decaycycle'; did you mean 'decay_cycle'?",
        ("decay_cycle =", "decaycycle ="),
    ),
    "a parameter of a wrong type": (
        "line 17: bsub13.decay_cycle is a number, got 'soon'",
        ("{ from = 64, to = 256, factor = 2 }", '[64, "soon"]'),
    ),
    "an impossible parameter": (
        "line 17: bsub13: decay_cycle must be larger than 0 seconds, got 0",
        ("{ from = 64, to = 256, factor = 2 }", "[64, 0]"),
    ),
    "parameters that do not go together": (
        "line 17: bsub13: initial",
        ("decay_cycle = {", "initial = [5, 50]\nceiling = [20, 60]\ndecay_cycle = {"),
    ),
    "an empty list": (
        "line 17: decay_cycle = []: the list is empty",
        ("{ from = 64, to = 256, factor = 2 }", "[]"),
    ),
    "a range backwards": (
        "line 17: decay_cycle: the range goes from 640 to 256",
        ("from = 64", "from = 640"),
    ),
    "a range without an end": (
        "line 17: decay_cycle: a range has from, to, and either step or factor",
        ("to = 256, ", ""),
    ),
    "a range that stands still": (
        "line 17: decay_cycle: a range by a factor starts above 0",
        ("factor = 2", "factor = 1"),
    ),
    "an unknown key of a range": (
        "line 17: decay_cycle: there is no key of a range 'times'",
        ("factor = 2", "times = 2"),
    ),
    "a picture against nothing": (
        "line 3: there is no parameter with several values 'decay'; did you mean 'decay_cycle'?",
        ("seeds = 3", 'seeds = 3\nagainst = "decay"'),
    ),
    "a limit that is none": (
        "line 9: memory '2': write a number and a unit, such as 2GB or 800MB",
        ("[workload]", '[limits]\nmemory = "2"\n[workload]'),
    ),
    "too many runs": (
        "8,000,000 runs are more than the 1,000,000",
        ("seeds = 3", "seeds = 1000000"),
    ),
}
"""By mistake: what is said about it, and what is changed in the good file."""


@pytest.mark.parametrize("mistake", BROKEN)
def test_a_broken_file_is_refused_with_line_and_reason(mistake: str, store: TraceStore, tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text("[tags]\ncuont = 3\n", encoding="utf-8")
    words, *changes = BROKEN[mistake]
    text = GOOD
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(StudyError) as refusal:
        read(text, store, tmp_path)
    assert words in str(refusal.value)
    assert "mistakes" not in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_all_mistakes_come_at_once_in_the_order_of_their_lines(store: TraceStore, tmp_path: Path) -> None:
    text = (
        GOOD.replace("seeds", "sedes")
        .replace('"three"', '"tree"')
        .replace('"push"', '"psh"')
        .replace("decay_", "decoy_")
    )
    with pytest.raises(StudyError) as refusal:
        read(text, store, tmp_path)
    first, *rest = str(refusal.value).splitlines()
    assert first.endswith("study.toml' has 4 mistakes:")
    assert [line.split(":")[0].strip() for line in rest] == ["line 2", "line 6", "line 13", "line 17"]


def test_a_file_that_is_not_there_is_named(store: TraceStore, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"study file '.*none.toml' does not exist"):
        read_study(tmp_path / "none.toml", store)
