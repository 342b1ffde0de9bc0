"""A study file as it was written: its values, the lines they stand on, and every mistake found in it so far."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hunet.input_files import parse_toml, read_text
from hunet.model.errors import StudyError

__all__ = ["Page", "Place", "read_page"]

_HEADING = re.compile(r"\s*(\[{1,2})\s*([\w.-]+)\s*\]")
_KEY = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*=")


class Place(NamedTuple):
    """A key of a section; of several sections of one name, the n-th from 0. An empty key is the section itself."""

    section: str = ""
    number: int = 0
    key: str = ""


class Page:
    """The content of a file, and what is wrong with it."""

    def __init__(self, file: Path, text: str, content: Mapping[str, Any]) -> None:
        self.file, self.content = file, content
        self._lines = _lines(text)
        self._mistakes: dict[tuple[int, str], None] = {}

    def note(self, place: Place, what: str) -> None:
        """Something is wrong here."""
        line = self._lines.get(place) or self._lines.get(place._replace(key="")) or 0
        self._mistakes.setdefault((line, what))

    @property
    def is_right(self) -> bool:
        return not self._mistakes

    def refuse_mistakes(self) -> None:
        """Raise one error with all mistakes in the order of their lines, if there are any."""
        found = [f"line {line}: {what}" if line else what for line, what in sorted(self._mistakes)]
        if len(found) == 1:
            raise StudyError(
                f"'{self.file}', {found[0]}" if found[0].startswith("line") else f"'{self.file}': {found[0]}"
            )
        if found:
            listed = "\n".join(f"  {one}" for one in found)
            raise StudyError(f"'{self.file}' has {len(found)} mistakes:\n{listed}")


def read_page(file: Path) -> Page:
    """Read a file; one that is not TOML has one mistake, and no other can be looked for."""
    text = read_text(file, StudyError, "study file")
    return Page(file, text, parse_toml(text, file, StudyError))


def _lines(text: str) -> dict[Place, int]:
    found: dict[Place, int] = {}
    counts: dict[str, int] = {}
    inside = Place()
    for number, line in enumerate(text.splitlines(), start=1):
        if heading := _HEADING.match(line):
            name = heading[2]
            counts[name] = counts.get(name, -1) + 1
            inside = Place(name, counts[name])
            found.setdefault(inside, number)
        elif key := _KEY.match(line):
            found.setdefault(inside._replace(key=key[1]), number)
            if not inside.section:  # trace = [...] at the top stands for sections of that name
                found.setdefault(Place(key[1]), number)
    return found
