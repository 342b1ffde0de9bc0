"""The ledger: every checkable claim of the five papers, and what became of it.

`claims.csv` says what is claimed and how it is checked. `verdicts.json` has what the last reproductions found; it ships
with hunet, so that the ledger can be read without running anything, and `record` writes it anew. No verdict is written
by hand, but for those claims that need data which cannot be had.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import hunet
from hunet.atomic import whole_file
from hunet.model.errors import StudyError
from hunet.studies.claims.verdict import Verdict

__all__ = ["NOT_COMPUTED", "WORDS", "Entry", "Source", "counts", "entries", "record", "sources"]

_FOLDER = Path(str(resources.files("hunet.studies.claims")))
CLAIMS, VERDICTS = _FOLDER / "claims.csv", _FOLDER / "verdicts.json"

NOT_COMPUTED = "not computed yet"
_NEEDS_DATA = "needs data"
WORDS = ("holds", "partly", "does not hold", "erratum", _NEEDS_DATA, NOT_COMPUTED)
_WORD_OF = {"fails": "does not hold", "not judged": _NEEDS_DATA}
"""Reproductions say of a claim that it fails, and that they cannot judge one without its trace."""

_STORED = ("on", "verdict", "measured", "reading")
"""What is kept of a verdict."""
_CANNOT_BE_HAD = {
    "BSUB13-13": "the contact rows of Infocom06 are not public, and a surrogate made from counts has none to remove",
}


class Entry(NamedTuple):
    """A claim, and what became of it."""

    id: str
    paper: str
    where: str
    kind: str
    claim: str
    tolerance: str
    """How it is checked, and what is asked for."""
    data: str
    """What the ledger asks for."""
    on: str
    """The traces that it was judged on; none where it needs none."""
    verdict: str
    measured: str
    """The figures, and why where they do not do."""
    reading: str
    """Where a reading that is not ours makes the claim hold better: which."""


class Source(NamedTuple):
    """What the verdicts on a paper's claims were computed from."""

    paper: str
    version: str
    quick: bool
    seeds: int | None
    traces: Mapping[str, Sequence[int]]
    """Nodes and contacts of each trace."""


def entries(stored: Path = VERDICTS) -> list[Entry]:
    """All claims, in the order of the ledger."""
    found = {claim: one for paper in _read(stored).values() for claim, one in paper["claims"].items()}
    with CLAIMS.open(encoding="utf-8", newline="") as lines:
        return [_entry(row, found.get(row["id"])) for row in csv.DictReader(lines)]


def _entry(row: Mapping[str, str], found: Mapping[str, str] | None) -> Entry:
    if row["id"] in _CANNOT_BE_HAD:
        return Entry(**row, on="", verdict=_NEEDS_DATA, measured=_CANNOT_BE_HAD[row["id"]], reading="")
    if found is None:
        return Entry(**row, on="", verdict=NOT_COMPUTED, measured="", reading="")
    word = _WORD_OF.get(found["verdict"], found["verdict"])
    return Entry(**row, **{"on": "", **found, "verdict": word})


def sources(stored: Path = VERDICTS) -> list[Source]:
    """Where the verdicts come from, by paper."""
    return [
        Source(paper, *(one[name] for name in ("version", "quick", "seeds", "traces")))
        for paper, one in _read(stored).items()
    ]


def counts(found: Sequence[Entry]) -> dict[str, Counter[str]]:
    """Verdicts by paper."""
    papers = dict.fromkeys(entry.paper for entry in found)
    return {paper: Counter(entry.verdict for entry in found if entry.paper == paper) for paper in papers}


def record(source: Source, found: Sequence[Verdict], stored: Path = VERDICTS) -> None:
    """Put the verdicts on a paper's claims in the place of those that are stored."""
    papers = _read(stored)
    papers[source.paper] = {
        "version": source.version,
        "quick": source.quick,
        "seeds": source.seeds,
        "traces": {name: list(size) for name, size in source.traces.items()},
        "claims": {one.claim: {name: getattr(one, name) for name in _STORED} for one in found},
    }
    try:
        with whole_file(stored) as draft:
            draft.write_text(json.dumps(dict(sorted(papers.items())), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise StudyError(f"the ledger cannot be written anew: {error} (run from a checkout of your own)") from None


def source_of(paper: str, quick: bool, seeds: int | None, traces: Mapping[str, Sequence[int]]) -> Source:
    """With the version that computes."""
    return Source(paper, hunet.__version__, quick, seeds, traces)


def _read(stored: Path) -> dict[str, Any]:
    return dict(json.loads(stored.read_text(encoding="utf-8"))) if stored.exists() else {}
