"""The ledger: every checkable claim of the five papers, and what became of it.

`claims.csv` says what is claimed and how it is checked. `verdicts.json` has what the last reproductions found; it ships
with hunet, so that the ledger can be read without running anything, and `record` writes it anew. No verdict is written
by hand, but for those claims that need data which cannot be had.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import hunet
from hunet.atomic import whole_file
from hunet.model.errors import StudyError
from hunet.studies.claims.claim import Claim, all_claims
from hunet.studies.claims.verdict import Verdict, Word

__all__ = ["Entry", "Source", "counts", "entries", "record", "source_of", "sources"]

VERDICTS = Path(str(resources.files("hunet.studies.claims"))) / "verdicts.json"

_OLD_WORDS = {"fails": Word.DOES_NOT_HOLD, "not judged": Word.NEEDS_DATA}
"""In files that were stored before all spoke with one vocabulary."""
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
    """What the paper says."""
    tolerance: str
    """How it is checked, and what is asked for."""
    data: str
    """What the ledger asks for."""
    on: str
    """The traces that it was judged on; none where it needs none."""
    verdict: Word
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
    found = {name: _verdict(name, one) for paper in _read(stored).values() for name, one in paper["claims"].items()}
    return [_entry(claim, found.get(claim.id)) for claim in all_claims().values()]


def _entry(claim: Claim, found: Verdict | None) -> Entry:
    if claim.id in _CANNOT_BE_HAD:
        found = Verdict(claim.id, Word.NEEDS_DATA, _CANNOT_BE_HAD[claim.id])
    found = found or Verdict(claim.id, Word.NOT_COMPUTED, "")
    return Entry(*claim, found.on, found.word, found.measured, found.reading)


def _verdict(claim: str, stored: Mapping[str, str]) -> Verdict:
    word = _OLD_WORDS.get(stored["verdict"]) or Word(stored["verdict"])
    return Verdict(claim, word, stored["measured"], stored["reading"], stored.get("on", ""))


def sources(stored: Path = VERDICTS) -> list[Source]:
    """Where the verdicts come from, by paper."""
    return [
        Source(paper, *(one[name] for name in ("version", "quick", "seeds", "traces")))
        for paper, one in _read(stored).items()
    ]


def counts(found: Sequence[Entry]) -> dict[str, Counter[Word]]:
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
        "claims": {
            one.claim: {"on": one.on, "verdict": one.word, "measured": one.measured, "reading": one.reading}
            for one in found
        },
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
