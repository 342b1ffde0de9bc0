"""The ledger: every checkable claim of the five papers, and what became of it.

`claims.csv` says what is claimed, how it is checked and what it needs. `verdicts.json` has what the last reproductions
found; it ships with hunet, so that the ledger can be read without running anything, and `record` writes it anew. No
verdict is written by hand: where `claims.csv` says that what a claim is about was never published, it needs data.
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

__all__ = ["Entry", "Source", "counts", "entries", "record", "source_of", "sources", "verdicts"]

VERDICTS = Path(str(resources.files("hunet.studies.claims"))) / "verdicts.json"

_NOT_PUBLISHED = "not published: "
"""How the data of a claim begin that nobody outside can judge."""


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
    """The traces that decided; none where it needs none."""
    verdict: Word
    measured: str
    """Part by part: what was asked for, the answer, the figure; and why where it does not do."""
    elsewhere: str
    """What other traces show."""
    readings: str
    """What other readings of the paper show, each that was tried."""


class Source(NamedTuple):
    """What the verdicts on a paper's claims were computed from."""

    paper: str
    version: str
    quick: bool
    all_readings: bool
    """Whether what does not hold was tried under every other reading."""
    seeds: int | None
    traces: Mapping[str, Sequence[int]]
    """Nodes and contacts of each trace."""


def entries(stored: Path = VERDICTS) -> list[Entry]:
    """All claims, in the order of the ledger."""
    return [_entry(claim, found) for claim, found in _judged(stored)]


def verdicts(stored: Path = VERDICTS) -> dict[str, Verdict]:
    """By claim: the records, as far as they are computed or need data."""
    return {claim.id: found for claim, found in _judged(stored)}


def _judged(stored: Path) -> list[tuple[Claim, Verdict]]:
    records = [one for paper in _read(stored).values() for one in paper["claims"].values()]
    found = {one["claim"]: Verdict.read(one) for one in records}
    return [(claim, found.get(claim.id) or _unjudged(claim)) for claim in all_claims().values()]


def _unjudged(claim: Claim) -> Verdict:
    if claim.data.startswith(_NOT_PUBLISHED):
        return Verdict(claim.id, Word.NEEDS_DATA, note=claim.data)
    return Verdict(claim.id, Word.NOT_COMPUTED)


def _entry(claim: Claim, found: Verdict) -> Entry:
    row = found.row()
    shown = (row[name] for name in ("measured", "elsewhere", "readings"))
    return Entry(*claim, row["on"], found.word, *shown)


def sources(stored: Path = VERDICTS) -> list[Source]:
    """Where the verdicts come from, by paper."""
    return [
        Source(paper, *(one[name] for name in ("version", "quick", "all_readings", "seeds", "traces")))
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
        "all_readings": source.all_readings,
        "seeds": source.seeds,
        "traces": {name: list(size) for name, size in source.traces.items()},
        "claims": {one.claim: one.stored() for one in found},
    }
    try:
        with whole_file(stored) as draft:
            draft.write_text(json.dumps(dict(sorted(papers.items())), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise StudyError(f"the ledger cannot be written anew: {error} (run from a checkout of your own)") from None


def source_of(
    paper: str, quick: bool, all_readings: bool, seeds: int | None, traces: Mapping[str, Sequence[int]]
) -> Source:
    """With the version that computes."""
    return Source(paper, hunet.__version__, quick, all_readings, seeds, traces)


def _read(stored: Path) -> dict[str, Any]:
    return dict(json.loads(stored.read_text(encoding="utf-8"))) if stored.exists() else {}
