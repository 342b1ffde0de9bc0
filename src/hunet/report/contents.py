"""What lies in a folder of results: `contents.json`, which every command that makes one writes for `hunet report`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from hunet.atomic import whole_file
from hunet.input_files import parse_json, read_text
from hunet.model.errors import ReportError

__all__ = ["FILE", "Contents", "Rows", "Shown", "pictures_in", "read_contents", "write_contents"]

FILE = "contents.json"

Rows: TypeAlias = Sequence[Mapping[str, Any]]
"""Rows of a table, with the same keys."""


@dataclass(frozen=True)
class Shown:
    """A figure, or a table without one. Files are named relative to the folder."""

    title: str
    caption: str = ""
    picture: str | None = None
    """A PNG; the same as SVG lies beside it."""
    data: str | None = None
    """Its numbers, as CSV."""


@dataclass(frozen=True)
class Contents:
    """A folder of results, described for people."""

    title: str
    headline: str
    """What came of it, in a sentence or two."""
    command: str
    """What makes it again."""
    made: Mapping[str, str]
    """When, and with which versions."""
    shown: Sequence[Shown]
    verdicts: str | None = None
    """A CSV with the columns claim, about, verdict, measured."""
    settings: Rows = ()
    """of, setting, value"""
    traces: Rows = ()
    errata: Rows = ()
    """id, where, printed, used"""
    notes: Sequence[str] = field(default_factory=list)
    """What a reader should know beforehand, such as traces that are missing."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """Other pages in the folder, by what they show: their files."""


def write_contents(folder: Path, contents: Contents) -> None:
    """Describe a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(asdict(contents), indent=1, ensure_ascii=False, default=str)
    with whole_file(folder / FILE) as draft:
        draft.write_text(text + "\n", encoding="utf-8")


def read_contents(folder: Path) -> Contents:
    """The description of a folder."""
    file = folder / FILE
    if not file.exists():
        raise ReportError(
            f"'{folder}' has no {FILE} and no logs of nodes: give a folder with logs, or one that hunet reproduce, "
            "compare, tune or study run has written"
        )
    found = parse_json(read_text(file, ReportError, "description"), f"'{file}'", ReportError, own=True)
    try:
        if not isinstance(found["shown"], list):
            raise TypeError("shown is not a list")
        contents = Contents(**{**found, "shown": [Shown(**one) for one in found["shown"]]})
        _check_types(contents)
    except (TypeError, KeyError) as error:
        raise ReportError(f"'{file}' is damaged ({error}): run the command that made it again") from error
    return contents


def _check_types(contents: Contents) -> None:
    """A stranger may have written it: everything that the page shows must be of the kind it shows."""
    texts = {name: getattr(contents, name) for name in ("title", "headline", "command")}
    maybe = {"verdicts": contents.verdicts}
    for number, one in enumerate(contents.shown):
        texts |= {f"shown {number} title": one.title, f"shown {number} caption": one.caption}
        maybe |= {f"shown {number} picture": one.picture, f"shown {number} data": one.data}
    for name, value in {**texts, **{key: found for key, found in maybe.items() if found is not None}}.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is no text")
    if not isinstance(contents.made, dict) or not all(isinstance(value, str) for value in contents.made.values()):
        raise TypeError("made is not a table of texts")
    if not isinstance(contents.pages, dict) or not all(isinstance(file, str) for file in contents.pages.values()):
        raise TypeError("pages is not a table of texts")
    if not isinstance(contents.notes, list) or not all(isinstance(note, str) for note in contents.notes):
        raise TypeError("notes is not a list of texts")
    for name in ("settings", "traces", "errata"):
        rows = getattr(contents, name)
        if not isinstance(rows, list | tuple) or not all(isinstance(row, dict) for row in rows):
            raise TypeError(f"{name} is not a list of rows")


def pictures_in(folder: Path, captions: Mapping[str, str]) -> list[Shown]:
    """Every PNG of a folder with the CSV of the same name; the longest id that a name begins with has its caption.

    A picture that has no CSV of its own shows the one of that id.
    """
    found = []
    for picture in sorted(folder.glob("*.png"), key=lambda path: _in_order(path.stem)):
        key = max((key for key in captions if picture.stem.startswith(key)), key=len, default="")
        data = next((name for name in (f"{picture.stem}.csv", f"{key}.csv") if (folder / name).is_file()), None)
        found.append(Shown(picture.stem.replace("_", " "), captions.get(key, ""), picture.name, data))
    return found


def _in_order(name: str) -> list[tuple[int, str]]:
    """F9 before F10."""
    words = "".join(f" {letter} " if not letter.isdigit() else letter for letter in name).split()
    return [(int(word), "") if word.isdigit() else (-1, word) for word in words]
