"""The claims of [mops] about traces: how many hops best paths take, communities by T, sizes, how often people meet.

Two of the tables they are judged by stand beside the paper's figures: MOPS-hops and MOPS-thresholds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import pandas as pd

from hunet.studies.claims.judging import Found, Judge, rises, shown, weigh
from hunet.studies.claims.verdict import Word
from hunet.studies.papers.evidence import OURS
from hunet.studies.papers.mops.evidence import MopsEvidence
from hunet.studies.papers.mops.paths import COUNTED, PRINTED_HOPS
from hunet.studies.papers.traces import CAMPUS, INFOCOM05, REALITY
from hunet.traces.pairs import TRAINING

__all__ = ["TRACE_CLAIMS"]

_POINTS = 0.05
"""How far a printed share may be off."""


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


def _as_printed(key: str, evidence: MopsEvidence) -> Found:
    """Whether direct paths and those of two hops are as frequent as the paper says."""
    found = [_paths(evidence, evidence.title(key), name) for name in ("direct", "two_hop")]
    near = all(abs(one - other) <= _POINTS for one, other in zip(found, PRINTED_HOPS[key], strict=True))
    return Found.of(near, f"{found[0]:.1%} and {found[1]:.1%}")


def _few_hops(evidence: MopsEvidence) -> Found:
    beyond = {trace: _paths(evidence, trace, "beyond_three") for trace in evidence.own(*PRINTED_HOPS)}
    if not beyond:
        return Found(Word.NEEDS_DATA, "neither trace is there")
    word = weigh(share < _POINTS for share in beyond.values())
    return Found(word, f"best paths of more than 3 hops: {shown(beyond, '.1%')}", list(beyond))


def _thresholds(evidence: MopsEvidence) -> Found:
    right, told = [], []
    for name, part in pd.DataFrame(evidence.tables["MOPS-thresholds"]).groupby("dataset", sort=False):
        right += [rises(part["communities"].tolist()), rises(part["inside"].tolist())]
        five, seven = (part[part["T"] == threshold].iloc[0] for threshold in (0.5, 0.7))
        told.append(
            f"{name} {five['communities']} to {seven['communities']}, closeness {five['inside']:.3f} to "
            f"{seven['inside']:.3f}"
        )
    return Found(weigh(right), f"from T = 0.5 to 0.7: {'; '.join(told)}")


def _infocom05_size(evidence: MopsEvidence) -> Found:
    nodes, rows, contacts, days = (
        evidence.fact("MOPS-T1", column, dataset=evidence.title(INFOCOM05))
        for column in ("nodes", "rows", "contacts", "days")
    )
    found = f"{nodes} nodes, {rows:,} rows ({contacts:,} contacts when both directions are united), {days:.2f} days"
    return Found.of((nodes, rows) == (41, 22_459) and round(days) == 3, found)


def _reality_size(evidence: MopsEvidence) -> Found:
    reality = evidence.title(REALITY)
    nodes, rows, days = (evidence.fact("MOPS-T1", column, dataset=reality) for column in ("nodes", "rows", "days"))
    right = (nodes, rows, round(days)) == (97, 54_667, 246)
    return Found.of(right, f"{nodes} nodes, {rows:,} rows, {days:.1f} days: the public file is another one")


def _frequency(evidence: MopsEvidence) -> Found:
    column = "contacts_per_node_and_day"
    rate = {
        trace: evidence.fact("MOPS-T1", column, dataset=trace) for trace in evidence.own(INFOCOM05, CAMPUS, REALITY)
    }
    return Found.of(
        all(one > other for one, other in pairwise(rate.values())), f"contacts of a node per day: {shown(rate, '.1f')}"
    )


def _scope(evidence: MopsEvidence) -> Found:
    rows = pd.DataFrame(evidence.tables["MOPS-community-hops"])
    inside = rows[rows["scope"]].groupby(["dataset", "seed"])["share"].sum().groupby("dataset").mean()
    own = rows[rows["hops"] == 0].groupby("dataset")["share"].mean()
    share = {trace: float(inside.get(trace, 0.0)) for trace in evidence.own(INFOCOM05, REALITY)}
    found = ", ".join(f"{trace} {value:.1%} (own community {own[trace]:.0%})" for trace, value in share.items())
    return Found.of(min(share.values()) > 0.8, f"interested pairs within two community hops: {found}")


_OTHER_PATHS = [reading for reading in _PATHS if reading != OURS]
_OTHER_FILE = "The public file is another one (MOPS-25)"
_STEEP = "Closeness falls so steeply with separation that several short hops beat a long one"

TRACE_CLAIMS: Sequence[Judge[MopsEvidence]] = (
    Judge(
        "MOPS-06", partial(_as_printed, INFOCOM05), asked="within 5 points", traces=(INFOCOM05,), readings=_OTHER_PATHS
    ),
    Judge("MOPS-07", partial(_as_printed, REALITY), _OTHER_FILE, "within 5 points", (REALITY,), _OTHER_PATHS),
    Judge("MOPS-08", _few_hops, _STEEP, "less than 5 % of pairs", readings=_OTHER_PATHS),
    Judge("MOPS-09", _thresholds),
    Judge("MOPS-24", _infocom05_size, traces=(INFOCOM05,)),
    Judge("MOPS-25", _reality_size, traces=(REALITY,)),
    Judge("MOPS-39", _frequency, traces=(INFOCOM05, REALITY, CAMPUS)),
    Judge("MOPS-41", _scope, traces=(INFOCOM05, REALITY)),
)
