"""Every line of a file is a row or a named bad line, whatever stands around it."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hunet.model.errors import TraceError
from hunet.traces import fields
from hunet.traces.format import LINES, Format, Options
from hunet.traces.formats import FORMATS, recognise
from tests.traces.invented import lines_of, parsed, picked

CONTACT = '{"hunet": 1, "kind": "contact", "time": 5, "node": "ann", "peer": "bob", "up": true}'

GOOD: dict[str, tuple[list[str], str]] = {
    "nodelog": ([], CONTACT),
    "one": ([], "1 CONN ann bob up"),
    "dtnsim2": ([], "@1 ann <-> bob up"),
    "one-movement": ([], "1 ann 2.5 3"),
    "csv": (["a,b,start,end"], "ann,bob,1,2"),
    "sightings": (["a;b;time"], "ann;bob;1"),
    "positions": (["id\tt\tx\ty"], "ann\t1\t2.5\t3"),
    "sociopatterns": ([], "20 ann bob"),
    "crawdad": ([], "1 2 10 20 1 0"),
    "lengths": ([], "1,16,1334127549000,96000"),
    "time-first": ([], "5 ann bob"),
    "cabspotting": ([], "37.75134 -122.39488 0 1213084687"),
}
"""By format: the head that settles its options, and a line that is a row."""

PIECES = [
    "\r",
    "\n",
    '"',
    '""',
    ",",
    ";",
    "\t",
    " ",
    "\\",
    "\0",
    "\x85",
    "\u2028",
    "\ufeff",
    "'",
    "x",
    "7",
    "{",
    "}",
    "[",
    "]",
    "{}",
]


def odd_lines(good: str) -> st.SearchStrategy[str]:
    """Good lines, parts of them, several in one, and ones with odd signs anywhere."""
    cut = st.tuples(st.integers(0, len(good)), st.integers(0, len(good))).map(lambda at: good[at[0] : at[1]])
    odd = st.lists(st.sampled_from([*PIECES, good]) | cut, max_size=6).map("".join)
    return st.just(good) | odd


def outcome(form: Format, lines: pa.Table, options: Options) -> dict[int, object]:
    """What became of each line, by its number; a line must not come out twice."""
    rows, bad = form.parse(lines, options)
    told = [*rows.to_pylist(), *bad.to_pylist()]
    by_line: dict[int, object] = {row["line"]: row for row in told}
    assert len(by_line) == len(told)
    return by_line


def apart(form: Format, texts: Sequence[str], options: Options) -> dict[int, object]:
    """The same with every line parsed alone."""
    found: dict[int, object] = {}
    for number, text in enumerate(texts, start=1):
        found |= outcome(form, pa.table([["invented.txt"], [number], [text]], schema=LINES), options)
    return found


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
@given(data=st.data())
def test_a_line_is_judged_among_others_as_it_is_alone(form: Format, data: st.DataObject) -> None:
    head, good = GOOD[form.name]
    texts = data.draw(st.lists(odd_lines(good), max_size=8))
    options = form.settle("invented.txt", [*head, good], {})
    together = outcome(form, lines_of(*texts), options)
    assert together == apart(form, texts, options)
    silent = [text for number, text in enumerate(texts, start=1) if number not in together]
    assert all(_may_be_silent(form, text, head) for text in silent)


def _may_be_silent(form: Format, text: str, head: Sequence[str]) -> bool:
    """Blank lines, comments, headers; entries of a node log that are no contacts are not drawn here."""
    said = text.strip()
    counts_nodes = form.name == "dtnsim2" and said.isdecimal()
    return not said or said.startswith("#") or said in head or counts_nodes


@given(texts=st.lists(st.text(st.sampled_from(list('",x\r\\\0')), max_size=12), max_size=8))
@example(texts=['x"y,"z,1,2', "m,n,8,9"])
@example(texts=["x\r,y,3,4", "q,r,5,6,7", "m,n,8,9"])
@example(texts=['"x""y,z,1,2', "m,n,8,9", '"'])
def test_no_quotation_mark_or_line_break_reaches_the_next_line_of_a_table(texts: list[str]) -> None:
    form = next(form for form in FORMATS if form.name == "csv")
    options = form.settle("invented.csv", ["a,b,start,end"], {})
    assert outcome(form, lines_of(*texts), options) == apart(form, texts, options)


def test_a_lone_carriage_return_is_named_and_blames_no_other_line() -> None:
    form = next(form for form in FORMATS if form.name == "csv")
    rows, bad = parsed(form, "a,b,start,end", "x,y,1,2", "x\r,y,3,4", "q,r,5,6,7", "m,n,8,9", 'say "hi",n,9,10')
    assert picked(rows, "line", "a", "start") == [(2, "x", 1.0), (5, "m", 8.0), (6, 'say "hi"', 9.0)]
    assert bad == {
        3: r"a carriage return stands inside the line (lines must end in \n or \r\n)",
        4: "expected 4 fields, found 5",
    }


def test_objects_over_two_lines_and_two_in_one_do_not_make_up_for_each_other() -> None:
    form = next(form for form in FORMATS if form.name == "nodelog")
    half = CONTACT.index('"time"')
    rows, bad = parsed(form, CONTACT + CONTACT, CONTACT[:half], CONTACT[half:], CONTACT)
    assert picked(rows, "line") == [(4,)]
    assert list(bad) == [1, 2, 3]


def test_six_numbers_are_a_header_of_the_one_and_six_words_are_a_bad_line() -> None:
    form = next(form for form in FORMATS if form.name == "one-movement")
    rows, bad = parsed(form, "0 100 0 50 0 50", "1 ann 2.5 3", "1 ann 2.5 3 and more")
    assert (len(rows), bad) == (1, {3: "expected `time id x y`, found 6 fields"})


def test_rows_that_do_not_add_up_stop_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "_closed", lambda _separator: "")
    with pytest.raises(TraceError, match=r"invented\.txt': 3 lines were read as 1 rows"):
        parsed(next(form for form in FORMATS if form.name == "csv"), "a,b,start,end", 'x,"y,1,2', "m,n,8,9", 'm,n",8,9')


def test_a_file_whose_lines_end_in_carriage_returns_is_told_so() -> None:
    with pytest.raises(TraceError, match="carriage returns alone: turn these into line feeds"):
        recognise("old.csv", ["a,b,start,end\rx,y,1,2\rm,n,8,9"])
