"""A private folder is the user's alone, or it is not used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hunet.private_folder import is_as_safe_as, is_private, private_folder

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes mean nothing there")


def modes(*paths: Path) -> list[int]:
    return [path.stat().st_mode & 0o777 for path in paths]


def test_it_is_made_for_the_user_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        folder = private_folder(tmp_path / "home" / "cache", "a", "b")
    finally:
        os.umask(before)
    assert folder == tmp_path / "home" / "cache" / "a" / "b"
    assert modes(folder, folder.parent, folder.parent.parent) == [0o700] * 3
    assert private_folder(tmp_path / "home" / "cache", "a", "b") == folder


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
@pytest.mark.parametrize("level", ["", "a", "a/b"])
def test_one_that_others_may_write_to_is_not_used_and_that_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: int, level: str
) -> None:
    (tmp_path / "cache" / "a" / "b").mkdir(parents=True)
    (tmp_path / "cache" / level).chmod(mode)
    for _ in range(3):
        assert private_folder(tmp_path / "cache", "a", "b") is None
    (record,) = caplog.records
    assert f"'{tmp_path / 'cache' / level}' is not used" in record.getMessage()


def test_others_may_read_it(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o755)
    assert private_folder(tmp_path / "cache") == tmp_path / "cache"


def test_one_of_another_user_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_private(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    assert not is_private(tmp_path)
    assert private_folder(tmp_path) is None


def test_where_none_can_be_made_there_is_none_and_nothing_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    assert private_folder(tmp_path / "file", "a") is None
    assert private_folder(tmp_path / "file" / "a") is None
    assert not is_private(tmp_path / "absent")
    assert caplog.records == []


@pytest.mark.parametrize(("code", "mode", "safe"), [
    (0o755, 0o644, True),
    (0o755, 0o664, False),
    (0o755, 0o646, False),
    (0o775, 0o664, True),
    (0o775, 0o666, False),
])  # fmt: skip
def test_what_came_with_code_is_as_safe_as_that(tmp_path: Path, code: int, mode: int, safe: bool) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "came").touch()
    (tmp_path / "code").chmod(code)
    (tmp_path / "came").chmod(mode)
    assert is_as_safe_as(tmp_path / "code", tmp_path / "came") == safe
    assert not is_as_safe_as(tmp_path / "code", tmp_path / "nothing")


@pytest.mark.parametrize(("owner", "group", "safe"), [(0, 0, True), (1, 0, False), (0, 1, False)])
def test_what_came_with_code_belongs_to_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: int, group: int, safe: bool
) -> None:
    (tmp_path / "code").mkdir()
    came = tmp_path / "came"
    came.touch()
    for path in (tmp_path / "code", came):
        path.chmod(0o775)
    found = list(came.stat())
    found[4:6] = found[4] + owner, found[5] + group
    stat = Path.stat
    monkeypatch.setattr(Path, "stat", lambda path: os.stat_result(found) if path == came else stat(path))
    assert is_as_safe_as(tmp_path / "code", came) == safe
