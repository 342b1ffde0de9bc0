"""The errata of the papers, as the pages in `docs/papers` explain them; `errata.csv` is made from these pages.

python -m hunet.studies.claims.errata docs/papers
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from hunet.atomic import whole_file

__all__ = ["errata_from_pages", "errata_of"]

_COLUMNS = ("paper", "id", "where", "printed", "used")
_PAPER = {"bsubp": "bsub13", "neighbors": "mops"}
"""Protocols that are not named as their paper is."""


def errata_of(names: Iterable[str]) -> list[dict[str, str]]:
    """Those of papers or protocols of these names: id, where, printed, used."""
    papers = {_PAPER.get(name, name) for name in names}
    text = files("hunet.studies.claims").joinpath("errata.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return [{name: row[name] for name in _COLUMNS[1:]} for row in rows if row["paper"] in papers]


def errata_from_pages(folder: Path) -> list[dict[str, str]]:
    """What the table on each paper's page says, without its marks for code."""
    found = []
    for page in sorted(folder.glob("*.md")):
        for line in page.read_text(encoding="utf-8").splitlines():
            if re.match(r"\| ERR-\d\d \|", line):
                cells = [cell.strip().replace("`", "").replace("*", "") for cell in line.strip("| ").split(" | ")]
                found.append(dict(zip(_COLUMNS, (page.stem, *cells), strict=False)))
    return found


def _write(pages: Path) -> None:
    target = Path(__file__).with_name("errata.csv")
    with whole_file(target) as draft, draft.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(errata_from_pages(pages))


if __name__ == "__main__":
    _write(Path(sys.argv[1]))
