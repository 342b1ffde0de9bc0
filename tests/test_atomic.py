"""A file is there whole or not at all, whoever fails or writes beside."""

from __future__ import annotations

from pathlib import Path

import pytest

from hunet.atomic import PARTS, whole_file


def test_what_fails_half_way_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "it.txt"
    file.write_text("before")

    def half() -> None:
        with whole_file(file) as draft:
            draft.write_text("half")
            assert list(tmp_path.glob(PARTS)) == [draft]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half()
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_two_who_write_at_once_do_not_mix(tmp_path: Path) -> None:
    file = tmp_path / "it.txt"
    with whole_file(file) as one, whole_file(file) as other:
        one.write_text("one")
        other.write_text("other")
        assert not file.exists()
    assert file.read_text() == "one"  # the last to end
    assert list(tmp_path.iterdir()) == [file]
