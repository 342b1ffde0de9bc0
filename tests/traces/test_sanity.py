"""What is said of a trace that was just read, and what proves that it was misread."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import pytest

import hunet as hn
from hunet.model.errors import TraceError
from hunet.traces.sanity import YEAR, Figures, judge, refuse_misread

SOUND = Figures(
    names=["1", "2", "3.0", "ann"],
    rows=2_000,
    bad_lines=3,
    backwards=5,
    with_self=1,
    contacts=1_500,
    together=90_000.0,
    longest=3_600.0,
    start=0.0,
    end=86_400.0,
)


def test_a_sound_trace_is_not_commented_on() -> None:
    assert judge(SOUND) == ((), ())


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"names": ["37.75153", "-122.39447", "7"]}, "ids such as 37.75153 are fractions"),
        ({"names": ["ann"]}, "one node only"),
        ({"longest": 2 * YEAR}, "a contact lasts 2.0 years"),
        ({"dates": True}, "dates before 1990"),
        ({"names": [str(name) for name in range(2_001)]}, "2,000 rows have 2,001 different ids"),
        ({"together": 0.6 * 1_500 * 86_400.0}, "more than half of the trace"),
    ],
)
def test_proof_of_a_misreading_is_refused_unless_the_user_says_yes(change: dict[str, object], word: str) -> None:
    figures = replace(SOUND, **change)  # type: ignore[arg-type]
    with pytest.raises(TraceError, match=f"seem to be misread: .*{word}.*--yes"):
        refuse_misread(figures, yes=False)
    (said,) = refuse_misread(figures, yes=True)
    assert word in said


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"bad_lines": 2_001}, "more lines were bad"),
        ({"backwards": 201}, "is the end a length"),
        ({"with_self": 1_001}, "with oneself"),
        ({"together": 0.0}, "no contact has any length"),
        ({"start": 1.3e12, "end": 1.4e12}, "is it another unit"),
        ({"end": 59.0, "together": 90.0}, "all of it lasts 59 s"),
    ],
)
def test_what_is_odd_is_said_and_not_refused(change: dict[str, object], word: str) -> None:
    (said,) = refuse_misread(replace(SOUND, **change), yes=False)  # type: ignore[arg-type]
    assert word in said


def test_ratios_do_not_count_in_small_traces() -> None:
    small = replace(SOUND, names=[str(name) for name in range(2_000)], rows=999, contacts=999, together=1e8)
    assert judge(small).proof == ()


def test_old_times_that_are_no_dates_are_not_odd() -> None:
    assert judge(replace(SOUND, start=-5.0)) == ((), ())


def test_reading_in_memory_refuses_and_warns_alike(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("a,b,start,end\n37.75,-122.39,0,0\n37.76,-122.39,1,1\n")
    with pytest.raises(TraceError, match="fractions"):
        hn.read(file)
    with pytest.warns(UserWarning, match="odd: ") as told:
        assert hn.read(file, yes=True).nodes.num_rows == 3
    said = [str(one.message) for one in told]
    assert (said[0][:17], said[1][:30]) == ("odd: ids such as ", "odd: no contact has any length")
    file.write_text("a,b,start,end\nann,bob,1970-01-01T00:00,1970-01-01T01:00\n")
    with pytest.raises(TraceError, match="dates before 1990"):
        hn.read(file)
    file.write_text("a,b,start,end\nann,bob,0,3600\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hn.read(file)


def test_positions_of_one_node_are_refused_with_advice(tmp_path: Path) -> None:
    file = tmp_path / "cab.txt"
    file.write_text("37.75134 -122.39488 0 1213084687\n37.75136 -122.39527 0 1213084659\n")
    with pytest.raises(TraceError, match="all positions are of one node"):
        hn.read(file)
