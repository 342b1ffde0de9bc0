"""The claims of [mops] about traces: how many hops best paths take, communities by T, sizes, how often people meet.

Two of the tables they are judged by stand beside the paper's figures: MOPS-hops and MOPS-thresholds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pandas as pd

from hunet.studies.claims.judging import Found, Judge, Parts, everywhere, rises
from hunet.studies.papers.evidence import OURS
from hunet.studies.papers.mops.evidence import MopsEvidence
from hunet.studies.papers.mops.paths import COUNTED, PRINTED_HOPS
from hunet.studies.papers.traces import CAMPUS, INFOCOM05, REALITY
from hunet.traces.pairs import TRAINING

__all__ = ["TRACE_CLAIMS"]

_POINTS = 0.05
"""How far a printed share may be off."""
_OTHER_FILE = "the public file of Reality is not the paper's: its nodes, contacts and days differ"


def _reading(boundary: str, lengths: str, part: float) -> str:
    """What is not as we read it: gaps before the first and after the last contact count, and contacts of any length."""
    words = {
        "only gaps between contacts (AMB-40)": boundary == "inner",
        "no contacts of no length (AMB-60)": lengths != "any",
        "the whole trace as history": part != TRAINING,
    }
    return ", ".join(word for word, is_so in words.items() if is_so)


_PATHS = {_reading(*counted): counted for counted in COUNTED}
"""Which gaps, contacts and part of a trace count, by reading."""


def _paths(evidence: MopsEvidence, trace: str, column: str) -> float:
    """A share of pairs in MOPS-hops."""
    boundary, lengths, part = _PATHS[evidence.reading]
    where = {"dataset": trace, "boundary": boundary, "min_len": lengths, "frac": part}
    return float(evidence.fact("MOPS-hops", column, **where))


def _shares(key: str, evidence: MopsEvidence) -> Parts:
    """Direct paths and those of two hops, beside what the paper prints."""
    direct, two = PRINTED_HOPS[key]
    on = evidence.title(key)
    return {
        f"{printed:.1%} {name}, within 5 points": (abs(share - printed) <= _POINTS, f"{share:.1%}{met}")
        for name, column, printed in (("direct", "direct", direct), ("of two hops", "two_hop", two))
        for share in [_paths(evidence, on, column)]
        for met in [f" (of pairs that met {_paths(evidence, on, column + '_of_met'):.1%})"]
    }


def _infocom05_paths(evidence: MopsEvidence) -> Found:
    return Found.all(_shares(INFOCOM05, evidence))


def _reality_paths(evidence: MopsEvidence) -> Found:
    found = _shares(REALITY, evidence)
    return Found.all(found) if _is_papers_reality(evidence) else Found.needs_data(_OTHER_FILE, found)


def _is_papers_reality(evidence: MopsEvidence) -> bool:
    nodes, rows, days = _reality_facts(evidence)
    return (nodes, rows, round(days)) == (97, 54_667, 246)


def _reality_facts(evidence: MopsEvidence) -> tuple[int, int, float]:
    reality = evidence.title(REALITY)
    nodes, rows, days = (evidence.fact("MOPS-T1", column, dataset=reality) for column in ("nodes", "rows", "days"))
    return nodes, rows, days


def _few_hops(evidence: MopsEvidence) -> Found:
    def parts(on: str) -> Parts:
        beyond = _paths(evidence, on, "beyond_three")
        return {"less than 5 % of best paths have more than 3 hops": (beyond < _POINTS, f"{beyond:.1%}")}

    return everywhere(evidence.own(*PRINTED_HOPS), parts)


def _thresholds(evidence: MopsEvidence) -> Found:
    rows = pd.DataFrame(evidence.tables["MOPS-thresholds"])

    def parts(on: str) -> Parts:
        part = rows[rows["dataset"] == on]
        five, seven = (part[part["T"] == threshold].iloc[0] for threshold in (0.5, 0.7))
        return {
            "the number of communities never falls with T": (
                rises(part["communities"].tolist()),
                f"{five['communities']} at T = 0.5, {seven['communities']} at 0.7",
            ),
            "nor does closeness inside them": (
                rises(part["inside"].tolist()),
                f"{five['inside']:.3f} and {seven['inside']:.3f}",
            ),
        }

    return everywhere(list(dict.fromkeys(rows["dataset"])), parts)


def _infocom05_size(evidence: MopsEvidence) -> Found:
    nodes, rows, contacts, days = (
        evidence.fact("MOPS-T1", column, dataset=evidence.title(INFOCOM05))
        for column in ("nodes", "rows", "contacts", "days")
    )
    return Found.all(
        {
            "41 nodes": (nodes == 41, f"{nodes}"),
            "22,459 contacts": (rows == 22_459, f"{rows:,} rows ({contacts:,} when both directions are united)"),
            "3 days": (round(days) == 3, f"{days:.2f}"),
        }
    )


def _reality_size(evidence: MopsEvidence) -> Found:
    nodes, rows, days = _reality_facts(evidence)
    found = {
        "97 nodes": (nodes == 97, f"{nodes}"),
        "54,667 contacts": (rows == 54_667, f"{rows:,} rows"),
        "246 days": (round(days) == 246, f"{days:.1f}"),
    }
    return Found.all(found) if _is_papers_reality(evidence) else Found.needs_data(_OTHER_FILE, found)


def _frequency(evidence: MopsEvidence) -> Found:
    column = "contacts_per_node_and_day"
    rate = {
        trace: evidence.fact("MOPS-T1", column, dataset=trace) for trace in evidence.own(INFOCOM05, CAMPUS, REALITY)
    }
    return Found.all(
        {
            f"{one} above {other}, contacts of a node per day": (
                rate[one] > rate[other],
                f"{rate[one]:.1f} and {rate[other]:.1f}",
            )
            for one, other in pairwise(rate)
        }
    )


def _scope(evidence: MopsEvidence) -> Found:
    rows = pd.DataFrame(evidence.tables["MOPS-community-hops"])
    inside = rows[rows["scope"]].groupby(["dataset", "seed"])["share"].sum().groupby("dataset").mean()
    own = rows[rows["hops"] == 0].groupby("dataset")["share"].mean()

    def parts(on: str) -> Parts:
        share = float(inside.get(on, 0.0))
        figure = f"{share:.1%} (own community {own[on]:.0%})"
        return {"more than 0.8 of interested pairs lie within two community hops": (share > 0.8, figure)}

    return everywhere(evidence.own(INFOCOM05, REALITY), parts)


_OTHER_PATHS = [reading for reading in _PATHS if reading != OURS]
_STEEP = "Closeness falls so steeply with separation that several short hops beat a long one"

TRACE_CLAIMS: Sequence[Judge[MopsEvidence]] = (
    Judge("MOPS-06", _infocom05_paths, traces=(INFOCOM05,), readings=_OTHER_PATHS),
    Judge("MOPS-07", _reality_paths, traces=(REALITY,), readings=_OTHER_PATHS),
    Judge("MOPS-08", _few_hops, _STEEP, readings=_OTHER_PATHS),
    Judge("MOPS-09", _thresholds),
    Judge("MOPS-24", _infocom05_size, traces=(INFOCOM05,)),
    Judge("MOPS-25", _reality_size, traces=(REALITY,)),
    Judge("MOPS-39", _frequency, traces=(INFOCOM05, REALITY, CAMPUS)),
    Judge("MOPS-41", _scope, traces=(INFOCOM05, REALITY)),
)
