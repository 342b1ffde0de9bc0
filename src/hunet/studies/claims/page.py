"""The page of the documentation that is made from the ledger: `python -m hunet.studies.claims.page docs/claims.md`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from hunet.studies.claims.ledger import Entry, Source, counts, entries, sources
from hunet.studies.claims.verdict import Word

__all__ = ["page"]

_TITLES = {
    "bsub10": "[B-SUB, 2010](papers/bsub10.md)",
    "bsub13": "[B-SUB and B-SUB-P, 2013](papers/bsub13.md)",
    "mops": "[MOPS, 2009](papers/mops.md)",
    "sptbf": "[SpTBF, 2012](papers/sptbf.md)",
    "zigzag": "[ZigZag, 2011](papers/zigzag.md)",
}

_HEAD = """# The claims of the papers, and what became of them

Made by `make claims` from what `hunet claims --recompute` found; do not edit. `hunet claims` prints the same.

Every verdict is computed from the tables of `hunet reproduce` at the tolerance of the ledger (column "asked for").
A claim about a trace is judged on every trace of that kind: it *holds* if it does on all, *partly* if on some of them,
in some of its parts, or only with a reading of the paper that is not ours (named then). *erratum*: the paper
contradicts itself or its own set-up. *needs data*: what it is about cannot be had; no other verdict is written by hand.

What does not hold is judged under other readings too, where they were run: for B-SUB 2010 AMB-03, AMB-08, AMB-11 and
AMB-37, for B-SUB 2013 AMB-06, AMB-24, AMB-29, AMB-31, AMB-33 and AMB-35, for MOPS AMB-39, AMB-40, AMB-50, AMB-55,
AMB-57, AMB-60, AMB-61 and AMB-63, for SpTBF AMB-67. Where one of them helps, it is named with its figures. Where the
ledger leaves open how much is enough, what we ask for stands beside the figures.
"""


def page(found: Sequence[Entry], made_from: Sequence[Source]) -> str:
    """The page, as Markdown."""
    parts = [_HEAD, _table_of_counts(found), _table_of_sources(made_from)]
    for paper, title in _TITLES.items():
        rows = [_row(entry) for entry in found if entry.paper == paper]
        heading = "| claim | where | what the paper says | asked for | on | verdict | what we find |"
        parts.append("\n".join((f"## {title}\n", heading, "|---" * 7 + "|", *rows)) + "\n")
    return "\n".join(parts)


def _table_of_counts(found: Sequence[Entry]) -> str:
    by_paper = counts(found)
    words = [word for word in Word if any(one[word] for one in by_paper.values())]
    rows = [f"| paper | {' | '.join(words)} | all |", "|---" * (len(words) + 2) + "|"]
    for paper, one in by_paper.items():
        rows.append(f"| {_TITLES[paper]} | {' | '.join(str(one[word]) for word in words)} | {one.total()} |")
    every = [sum(one[word] for one in by_paper.values()) for word in words]
    rows.append(f"| all | {' | '.join(map(str, every))} | {sum(every)} |")
    return "\n".join(rows) + "\n"


def _table_of_sources(made_from: Sequence[Source]) -> str:
    rows = ["| paper | computed by | seeds | on |", "|---|---|---|---|"]
    for one in made_from:
        traces = "; ".join(
            f"{name}: {nodes} nodes, {contacts:,} contacts" for name, (nodes, contacts) in one.traces.items()
        )
        how = f"hunet {one.version}{', quick' if one.quick else ''}"
        rows.append(f"| {_TITLES[one.paper]} | {how} | {one.seeds or ''} | {_cell(traces)} |")
    return "\n".join(rows) + "\n"


def _row(entry: Entry) -> str:
    cells = (entry.id, entry.where, entry.claim, entry.tolerance, entry.on, entry.verdict, entry.measured)
    return f"| {' | '.join(_cell(text) for text in cells)} |"


def _cell(text: str) -> str:
    """Nothing in a text may end the cell or be taken for markup."""
    for letter in ("\\", "|", "*", "<", "[", "_"):
        text = text.replace(letter, f"\\{letter}")
    return text


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(entries(), sources()), encoding="utf-8")
