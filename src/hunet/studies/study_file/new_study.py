"""A study file to start from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from hunet.atomic import whole_file
from hunet.model.errors import StudyError

__all__ = ["write_new_study"]


def write_new_study(file: Path) -> None:
    """Write one with comments, where there is none yet."""
    if file.exists():
        raise StudyError(f"'{file}' exists already: give another name")
    text = files("hunet.studies.study_file").joinpath("new_study.toml").read_text(encoding="utf-8")
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(file) as draft:
        draft.write_text(text, encoding="utf-8")
