"""The page of the documentation that is made from the ledger: `python -m hunet.studies.claims.page docs/claims.md`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from hunet.atomic import whole_file
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

Made by `make claims` from what `hunet claims --recompute --all-readings` found; do not edit. `hunet claims` prints the
same.

Every word is computed, from the tables of `hunet reproduce`, part by part of the paper's sentence: what is asked for,
yes or no, and the figure. *Holds*: in all its parts; *partly*: in those that say yes. **The paper's own trace decides
the word.** Where it cannot be had, because the contacts of Infocom06 are not public and the public file of Reality is
not the one of the time, what stands for it decides, and the word says so: *on the surrogate*. What other crowds show,
and what other readings of a sentence that leaves something open, stands beside the word and never in it; what does not
hold is tried under all of them (*all readings*; of B-SUB with the first 3 seeds, so that its figures differ a little
for that alone), and each that changes a figure is named, whether it helps or not.
*Erratum*: the paper contradicts itself or its own set-up, whatever is measured. *Needs data*: it is about data that
nobody outside has.
"""


def page(found: Sequence[Entry], made_from: Sequence[Source]) -> str:
    """The page, as Markdown."""
    parts = [_HEAD, _table_of_counts(found), _table_of_sources(made_from)]
    for paper, title in _TITLES.items():
        rows = [_row(entry) for entry in found if entry.paper == paper]
        heading = "| claim | where | what the paper says | asked for | verdict | on | what we find | beside it |"
        parts.append("\n".join((f"## {title}\n", heading, "|---" * 8 + "|", *rows)) + "\n")
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
        how = f"hunet {one.version}{', quick' if one.quick else ''}{', all readings' if one.all_readings else ''}"
        rows.append(f"| {_TITLES[one.paper]} | {how} | {one.seeds or ''} | {_cell(traces)} |")
    return "\n".join(rows) + "\n"


def _row(entry: Entry) -> str:
    beside = ". ".join(
        f"{title}: {told}" for title, told in (("Elsewhere", entry.elsewhere), ("Readings", entry.readings)) if told
    )
    cells = (entry.id, entry.where, entry.claim, entry.tolerance, entry.verdict, entry.on, entry.measured, beside)
    return f"| {' | '.join(_cell(text) for text in cells)} |"


def _cell(text: str) -> str:
    """Nothing in a text may end the cell or be taken for markup."""
    for letter in ("\\", "|", "*", "<", "[", "_"):
        text = text.replace(letter, f"\\{letter}")
    return text


if __name__ == "__main__":
    with whole_file(Path(sys.argv[1])) as draft:
        draft.write_text(page(entries(), sources()), encoding="utf-8")
