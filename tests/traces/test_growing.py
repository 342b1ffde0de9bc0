"""Logs that grow: every line is taken once, wherever files were cut when somebody looked, and none is missed."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hunet.traces.growing import Look, Mark, look


def taken(files: list[Path], marks: dict[str, Mark]) -> tuple[list[str], Look]:
    """The texts of new lines, and the look; `marks` move on."""
    found = look([str(file) for file in files], marks)
    texts = [text for piece in found.lines for text in piece["text"].to_pylist()]
    marks.clear()
    marks.update(found.marks)
    return texts, found


LINES = [f'{{"line": {number}, "of": "é{"x" * (number % 90)}"}}' for number in range(60)]
WHOLE = "".join(line + "\n" for line in LINES).encode()


@given(cuts=st.lists(st.integers(0, len(WHOLE)), max_size=8))
def test_lines_come_once_and_in_order_wherever_the_file_is_cut(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int]
) -> None:
    file = tmp_path_factory.mktemp("logs") / "node.jsonl"
    marks: dict[str, Mark] = {}
    got: list[str] = []
    for end in [*sorted(cuts), len(WHOLE)]:
        file.write_bytes(WHOLE[:end])
        texts, found = taken([file], marks)
        got += texts
        assert bool(found.unfinished) == (end > 0 and WHOLE[end - 1 : end] != b"\n")
        assert not found.begun_anew
    assert got == LINES
    assert taken([file], marks)[0] == []


def test_a_log_that_is_rotated_while_nobody_looks_loses_nothing(tmp_path: Path) -> None:
    file, old = tmp_path / "node.jsonl", tmp_path / "node.jsonl.1"
    marks: dict[str, Mark] = {}
    file.write_text("".join(f"{line}\n" for line in LINES[:10]))
    got, _ = taken([file], marks)
    with file.open("a") as stream:
        stream.write("".join(f"{line}\n" for line in LINES[10:15]))
    file.rename(old)
    file.write_text("".join(f"{line}\n" for line in LINES[15:]))  # longer than the old one was: its size says nothing
    texts, found = taken([file, old], marks)
    assert found.begun_anew == [str(file)]
    assert set(got) | set(texts) == set(LINES)
    assert taken([file, old], marks)[0] == []


def test_a_log_that_is_cut_off_and_begun_anew_is_read_from_its_beginning(tmp_path: Path) -> None:
    file = tmp_path / "node.jsonl"
    marks: dict[str, Mark] = {}
    file.write_text("a\nb\n")
    taken([file], marks)
    file.write_text("c\n")
    assert taken([file], marks)[0] == ["c"]
    file.write_text("")
    assert taken([file], marks)[0] == []
    file.write_text("d\n")
    assert taken([file], marks)[0] == ["d"]


def test_a_packed_log_is_taken_when_it_has_come_whole(tmp_path: Path) -> None:
    file = tmp_path / "node.jsonl.2.gz"
    marks: dict[str, Mark] = {}
    content = gzip.compress(WHOLE)
    for end in (5, len(content) // 2, len(content) - 1):
        file.write_bytes(content[:end])
        texts, found = taken([file], marks)
        assert (texts, len(found.unfinished)) == ([], 1)
    file.write_bytes(content)
    assert taken([file], marks)[0] == LINES
    assert taken([file], marks)[0] == []


def test_what_cannot_be_read_is_named_and_keeps_nobody_else_from_being_read(tmp_path: Path) -> None:
    good, gone, endless = tmp_path / "good.jsonl", tmp_path / "gone.jsonl", tmp_path / "endless.jsonl"
    good.write_text("a\n")
    endless.write_bytes(b"a\n" + bytes(3 << 20))
    marks: dict[str, Mark] = {}
    texts, found = taken([endless, gone, good], marks)
    assert texts == ["a"]
    assert set(found.refused) == {str(gone), str(endless)}
    assert all(str(Path(file)) in why for file, why in found.refused.items())
    with endless.open("ab") as stream:
        stream.write(b"\n")
    assert taken([endless], marks)[0] == []
    assert list(marks) == [str(good)]


def test_a_terabyte_of_nothing_is_refused_at_once(tmp_path: Path) -> None:
    file = tmp_path / "sparse.jsonl"
    with file.open("wb") as stream:
        stream.truncate(1 << 40)
    assert "bytes, so it is none" in taken([file], {})[1].refused[str(file)]


def test_many_files_that_grow_in_any_order(tmp_path: Path) -> None:
    chance = random.Random(1)
    files = [tmp_path / f"{name}.jsonl" for name in "abcde"]
    ends = dict.fromkeys(files, 0)
    marks: dict[str, Mark] = {}
    got: list[str] = []
    while any(end < len(WHOLE) for end in ends.values()):
        for file in chance.sample(files, 2):
            ends[file] = min(len(WHOLE), ends[file] + chance.randrange(700))
            file.write_bytes(WHOLE[: ends[file]])
        got += taken(chance.sample(files, 5), marks)[0] if all(file.exists() for file in files) else []
    assert sorted(got) == sorted(LINES * 5)
