"""The claims of [mops] V, each with the traces it is about and how it is judged.

Traces that are not there leave their claims unjudged; claims about all three are judged by those that are there. Where
nothing else is said, events live a day, and T, the default weight and the rate have their defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from hunet.sim.workload.profiles import MOPS
from hunet.studies.claims.verdict import Found, Verdict, judged
from hunet.studies.papers.mops.evidence import EVENTS_ONLY, Evidence
from hunet.studies.papers.mops.runs import BUSY, BY_LIFETIME, DEFAULTS, READINGS, SCHEMES
from hunet.studies.papers.reproduction import Table
from hunet.studies.papers.traces import CAMPUS, INFOCOM05, REALITY

__all__ = ["CLAIMS", "Claim", "verdicts"]

_LONG = 3 * 86_400.0
_NEAR = 0.1
"""Two figures that are called alike differ by less than a tenth."""


class Claim(NamedTuple):
    """A claim of the ledger."""

    id: str
    about: str
    traces: Sequence[str]
    """Those without which it cannot be judged."""
    judge: Callable[[Evidence], Found]
    why: str = ""
    """Why it does not hold, or not wholly, with full data."""
    readings: Sequence[str] = ()
    """Other readings with which what it asks for was run."""
    asked: str = ""
    """What is asked for, where the ledger leaves that open."""


def verdicts(tables: Mapping[str, Table], found: pd.DataFrame) -> list[Verdict]:
    """All claims, in order."""
    evidence = Evidence(tables, found)
    return [_verdict(claim, evidence) for claim in CLAIMS]


def _verdict(claim: Claim, evidence: Evidence) -> Verdict:
    missing = [trace for trace in claim.traces if trace not in evidence.traces]
    if missing:
        return Verdict(claim.id, claim.about, "not judged", f"{' and '.join(missing)} not there")
    others = ((reading, evidence.under(reading)) for reading in claim.readings)
    found = judged((claim.id, claim.about), claim.judge, evidence, others, claim.asked, claim.why)
    return found._replace(on="; ".join(claim.traces or evidence.traces))


def _word(right: bool, partly: bool = False) -> str:
    return "holds" if right else "partly" if partly else "fails"


def _shown(values: Mapping[str, float], form: str = ".2f") -> str:
    return ", ".join(f"{name} {value:{form}}" for name, value in values.items())


def _everywhere(evidence: Evidence, tell: Callable[[str], str]) -> str:
    return "; ".join(f"{trace}: {tell(trace)}" for trace in evidence.traces)


def _rises(values: Sequence[float]) -> bool:
    return all(one <= other for one, other in pairwise(values))


def _in_order(values: Mapping[str, float]) -> bool:
    """The largest first, no two alike."""
    return all(one > other for one, other in pairwise(values.values()))


def _infocom05_size(evidence: Evidence) -> Found:
    nodes, rows, contacts, days = (
        evidence.fact("MOPS-T1", column, dataset=INFOCOM05) for column in ("nodes", "rows", "contacts", "days")
    )
    found = f"{nodes} nodes, {rows:,} rows ({contacts:,} contacts when both directions are united), {days:.2f} days"
    return _word((nodes, rows) == (41, 22_459) and round(days) == 3), found


def _reality_size(evidence: Evidence) -> Found:
    nodes, rows, days = (evidence.fact("MOPS-T1", column, dataset=REALITY) for column in ("nodes", "rows", "days"))
    right = (nodes, rows, round(days)) == (97, 54_667, 246)
    return _word(right), f"{nodes} nodes, {rows:,} rows, {days:.1f} days: the public file is another one"


def _longer_is_better(evidence: Evidence) -> Found:
    def fallen(measure: str, schemes: Sequence[str]) -> list[str]:
        return [
            f"{scheme} on {trace} ({values[0]:.2f} to {values[-1]:.2f})"
            for trace in evidence.traces
            for scheme in schemes
            if not _rises(values := evidence.by_lifetime(trace, scheme, measure))
        ]

    utility, efficiency = fallen("utility", SCHEMES), fallen("efficiency", ("mops", "neighbors"))
    found = [f"{what} does not rise throughout for {', '.join(some)}" for what, some in (
        ("utility", utility), ("efficiency", efficiency)) if some]  # fmt: skip
    return _word(not found, partly=not utility), "; ".join(found) or "both rise for all"


def _reality_order(evidence: Evidence) -> Found:
    at = {scheme: evidence.at(REALITY, scheme, ttl=_LONG) for scheme in SCHEMES}
    low, ordered = max(at.values()) < 0.4, _in_order(at)
    return _word(low and ordered, low or ordered), f"after 3 days {_shown(at, '.3f')}"


def _close_to_push(evidence: Evidence) -> Found:
    """An erratum if what is called the bound is none, and with the one that is meant the claim holds."""
    at = {scheme: evidence.at(REALITY, scheme, ttl=_LONG) for scheme in SCHEMES}
    close = at["mops"] >= 0.8 * at["push"] and at["mops"] > at["neighbors"]
    word = "fails" if not close else "holds" if at["pull"] >= at["mops"] else "erratum"
    found = f"after 3 days {_shown(at, '.3f')}: MOPS has {at['mops'] / at['push']:.2f} of push"
    return word, f"{found}, {at['mops'] / at['neighbors']:.2f} of Neighbors; the bound is push, not pull (ERR-19)"


def _infocom05_highest(evidence: Evidence) -> Found:
    others = [trace for trace in (REALITY, CAMPUS) if trace in evidence.traces]
    if not others:
        return "not judged", f"{REALITY} and {CAMPUS} not there"
    lower = [
        (scheme, ttl)
        for scheme in SCHEMES
        for ttl in evidence.lifetimes
        if evidence.at(INFOCOM05, scheme, ttl=ttl) <= max(evidence.at(trace, scheme, ttl=ttl) for trace in others)
    ]
    of = len(SCHEMES) * len(evidence.lifetimes)
    found = "; ".join(
        f"{name} {_shown({trace: evidence.at(trace, name, ttl=_LONG) for trace in (INFOCOM05, *others)})}"
        for name in SCHEMES
    )
    return _word(not lower, len(lower) < of / 2), f"not at {len(lower)} of {of} points; after 3 days {found}"


def _overtakes(evidence: Evidence, trace: str) -> tuple[bool, bool, str]:
    """Whether push is ahead of MOPS at first, and MOPS at last."""
    mops, push = (evidence.by_lifetime(trace, scheme) for scheme in ("mops", "push"))
    first, last = (evidence.lifetimes[i] / 3600 for i in (0, -1))
    found = (
        f"push and MOPS {push[0]:.3f} and {mops[0]:.3f} at {first:g} h, {push[-1]:.3f} and {mops[-1]:.3f} at {last:g} h"
    )
    busy = ", ".join(f"{evidence.busy(trace, scheme):.3f}" for scheme in ("push", "mops"))
    return push[0] > mops[0], mops[-1] > push[-1], f"{found} (with {BUSY:g} events an hour, at 24 h, {busy})"


def _infocom05_crossing(evidence: Evidence) -> Found:
    at_first, at_last, found = _overtakes(evidence, INFOCOM05)
    return _word(at_first and at_last, at_first or at_last), found


def _campus_margin(evidence: Evidence) -> Found:
    _, overtakes, found = _overtakes(evidence, CAMPUS)

    def margin(trace: str) -> float:
        mops, neighbors = (evidence.by_lifetime(trace, scheme) for scheme in ("mops", "neighbors"))
        return float(np.max(np.subtract(mops, neighbors)))

    margins = {trace: margin(trace) for trace in evidence.traces}
    above = all(
        evidence.at(CAMPUS, "mops", ttl=ttl) > evidence.at(CAMPUS, scheme, ttl=ttl)
        for scheme in ("neighbors", "pull")
        for ttl in evidence.lifetimes
    )
    largest = margins[CAMPUS] == max(margins.values())
    right = [above, overtakes, largest]
    words = f"{found}; above Neighbors and pull at all lifetimes: {'yes' if above else 'no'}"
    return _word(all(right), any(right)), f"{words}; largest margin over Neighbors {_shown(margins, '.3f')}"


def _efficiency_order(evidence: Evidence) -> Found:
    at = {trace: {scheme: evidence.at(trace, scheme, "efficiency") for scheme in SCHEMES} for trace in evidence.traces}
    above = [one["mops"] > max(one["neighbors"], one["push"]) for one in at.values()]
    poor = all(abs(one["push"] - MOPS.interest) < 0.05 for one in at.values())
    pure = all(one["pull"] == 1.0 for one in at.values())
    found = _everywhere(
        evidence,
        lambda trace: (
            f"{_shown(at[trace], '.3f')}, MOPS without default weight {evidence.without(trace, 'efficiency'):.3f}"
        ),
    )
    return _word(all(above) and poor and pure, any(above) or (poor and pure)), found


def _best_threshold(evidence: Evidence) -> Found:
    forwards, latency = evidence.by_threshold(evidence.forwards), evidence.by_threshold("latency")
    best = int(np.argmin(forwards))
    threshold = evidence.thresholds[best]
    moderate = min(latency) < latency[best] < max(latency)
    found = (
        f"fewest forwards ({forwards[best]:,.0f}) at T = {threshold:g}, where latency is {latency[best] / 3600:.1f} h "
        f"of {min(latency) / 3600:.1f} to {max(latency) / 3600:.1f}; at T = 0.5 {_at(evidence, forwards, 0.5):,.0f}"
    )
    return _word(0.3 <= threshold <= 0.7 and moderate, 0.3 <= threshold <= 0.7), found


def _at(evidence: Evidence, values: Sequence[float], threshold: float) -> float:
    return values[list(evidence.thresholds).index(threshold)]


def _extreme_thresholds(evidence: Evidence) -> Found:
    share = evidence.fact("MOPS-F3", "largest_share", dataset=CAMPUS, T=0.1)
    size = evidence.fact("MOPS-F3", "mean_size", dataset=CAMPUS, T=0.99)
    forwards = evidence.by_threshold(evidence.forwards)
    many = forwards[0] == max(forwards)
    ratio = {
        measure: _at(evidence, evidence.by_threshold(measure), 0.99) / evidence.at(CAMPUS, "neighbors", measure)
        for measure in ("utility", "efficiency")
    }
    alike = all(abs(one - 1) < _NEAR for one in ratio.values())
    right = [share > 0.5, many, size < 1 + _NEAR, alike]
    worst = evidence.thresholds[int(np.argmax(forwards))]
    found = (
        f"largest community at T = 0.1 has {share:.0%}; mean size at T = 0.99 {size:.2f}; most forwards at "
        f"T = {worst:g}; as parts of Neighbors', at T = 0.99: {_shown(ratio)}"
    )
    return _word(all(right), any(right)), found


def _default_weight(evidence: Evidence) -> Found:
    difference = evidence.weight_matters()

    def paired(measure: str) -> pd.DataFrame:
        return difference[difference["measure"] == measure].set_index("threshold")

    latency, forwards, utility = paired("latency"), paired(evidence.forwards), paired("utility")
    slower, fewer = latency["low"] > 0, forwards["high"] < 0
    usual = DEFAULTS["threshold"]
    found = (
        f"at T = 0.5, in pairs: latency {latency['mean'][usual] / 60:+.1f} min "
        f"({latency['low'][usual] / 60:+.1f} to {latency['high'][usual] / 60:+.1f}), forwards "
        f"{forwards['mean'][usual]:+,.0f} ({forwards['low'][usual]:+,.0f} to {forwards['high'][usual]:+,.0f}), utility "
        f"{utility['mean'][usual]:+.3f}; slower at {slower.sum()}, fewer forwards at {fewer.sum()} of {len(slower)} T"
    )
    return _word(bool(slower[usual] and fewer[usual]), bool(slower[usual] or fewer[usual])), found


def _rates(evidence: Evidence) -> Found:
    def loss(scheme: str, measure: str) -> float:
        values = evidence.by_rate(scheme, measure)
        return 1 - values[-1] / values[0]

    measures = ("utility", "efficiency")
    lost = {measure: {scheme: loss(scheme, measure) for scheme in SCHEMES} for measure in measures}
    falls = all(_rises(evidence.by_rate(scheme, measure)[::-1]) for scheme in SCHEMES for measure in measures)
    least = [lost[measure]["mops"] == min(lost[measure].values()) for measure in measures]
    found = "; ".join(f"{measure} lost {_shown(lost[measure], '.1%')}" for measure in measures)
    words = f"from {evidence.rates[0]:g} to {evidence.rates[-1]:g} events per hour: {found}"
    return _word(falls and all(least), falls or any(least)), words


def _hops(evidence: Evidence) -> Found:
    most = {
        trace: {scheme: evidence.most(trace, scheme, "hops_max") for scheme in ("pull", "neighbors", "mops")}
        for trace in evidence.traces
    }
    right = all(one["pull"] == 1 and one["neighbors"] == 2 and one["mops"] > 2 for one in most.values())
    return _word(right), _everywhere(evidence, lambda trace: f"at most {_shown(most[trace], '.0f')}")


def _frequency(evidence: Evidence) -> Found:
    column = "contacts_per_node_and_day"
    rate = {trace: evidence.fact("MOPS-T1", column, dataset=trace) for trace in (INFOCOM05, CAMPUS, REALITY)}
    return _word(_in_order(rate)), f"contacts of a node per day: {_shown(rate, '.1f')}"


def _both_at_once(evidence: Evidence) -> Found:
    def joint(utility: float, efficiency: float) -> float:
        return 2 * utility * efficiency / (utility + efficiency)

    measures = ("utility", "efficiency")
    means = {
        trace: {scheme: joint(*(evidence.at(trace, scheme, measure) for measure in measures)) for scheme in SCHEMES}
        for trace in evidence.traces
    }
    without = {trace: joint(*(evidence.without(trace, measure) for measure in measures)) for trace in evidence.traces}
    best = [max(one, key=lambda scheme: one[scheme]) == "mops" for one in means.values()]
    return _word(all(best), any(best)), "harmonic mean, " + _everywhere(
        evidence, lambda trace: f"{_shown(means[trace], '.3f')}, MOPS without default weight {without[trace]:.3f}"
    )


def _scope(evidence: Evidence) -> Found:
    rows = pd.DataFrame(evidence.tables["MOPS-community-hops"])
    inside = rows[rows["scope"]].groupby(["dataset", "seed"])["share"].sum().groupby("dataset").mean()
    own = rows[rows["hops"] == 0].groupby("dataset")["share"].mean()
    share = {trace: float(inside.get(trace, 0.0)) for trace in (INFOCOM05, REALITY)}
    found = ", ".join(f"{trace} {value:.1%} (own community {own[trace]:.0%})" for trace, value in share.items())
    return _word(min(share.values()) > 0.8), f"interested pairs within two community hops: {found}"


def _quarters(evidence: Evidence) -> Found:
    at = {
        scheme: [evidence.at(CAMPUS, scheme, f"utility_q{quarter}") for quarter in (1, 4)]
        for scheme in ("neighbors", "mops", "push")
    }
    gap = {scheme: most - least for scheme, (least, most) in at.items()}
    found = "; ".join(f"{scheme} {least:.3f} and {most:.3f}" for scheme, (least, most) in at.items())
    return _word(gap["neighbors"] > gap["mops"]), f"least and most central quarter: {found}; gap {_shown(gap, '.3f')}"


_RELAYS = "With more time relays are reached as well as subscribers"
_DENSER = "The public file has 8.7 contacts of a node per day, the paper's 4.6"
_SHORT = "In 3 days everybody on the campus meets, but Infocom05 ends 42 h after its history"
_IDLE = "10 events an hour hardly ever fill a contact, and then nothing is ahead of push"
_BROKERS = "Most nodes are brokers of something, and brokers ask for nearly every event"
_LISTS = "A low T gives one community without brokers, and lists cost most where there are many that are still large"
_NO_TIME = "Pull is always efficient, and MOPS becomes so: brokers have no time left for what few ask for"

_ALL_LIVES, _A_DAY = tuple(BY_LIFETIME), tuple(READINGS)
_TWO, _THREE = (INFOCOM05, REALITY), (INFOCOM05, REALITY, CAMPUS)

CLAIMS: Sequence[Claim] = (
    Claim("MOPS-24", "Haggle: 41 nodes, 22,459 contacts, 3 days", (INFOCOM05,), _infocom05_size),
    Claim("MOPS-25", "Reality: 97 nodes, 54,667 contacts, 246 days", (REALITY,), _reality_size),
    Claim(
        "MOPS-27", "utility and efficiency rise with the lifetime", (), _longer_is_better, _RELAYS, readings=_ALL_LIVES
    ),
    Claim(
        "MOPS-28",
        "Reality: all below 0.4 after 3 days, push > MOPS > Neighbors > pull",
        (REALITY,),
        _reality_order,
        _DENSER,
        readings=_ALL_LIVES,
    ),
    Claim("MOPS-29", "Reality: MOPS close to the bound, 'pure pull', and above Neighbors", (REALITY,), _close_to_push),
    Claim(
        "MOPS-30",
        "Haggle has higher utility than the other two",
        (INFOCOM05,),
        _infocom05_highest,
        _SHORT,
        readings=_ALL_LIVES,
    ),
    Claim(
        "MOPS-31",
        "Haggle: push best for short lifetimes, MOPS for long",
        (INFOCOM05,),
        _infocom05_crossing,
        _IDLE,
        readings=_ALL_LIVES,
    ),
    Claim(
        "MOPS-32",
        "synthetic: MOPS above all but push, above push for long lifetimes, margin over Neighbors largest",
        (CAMPUS,),
        _campus_margin,
        "Neighbors is furthest behind where contacts are rarest, in Reality",
        readings=_ALL_LIVES,
    ),
    Claim(
        "MOPS-33",
        "efficiency: MOPS above Neighbors and push, push poor, pull 1",
        (),
        _efficiency_order,
        _BROKERS,
        readings=_A_DAY,
        asked="push within 0.05 of the share of interested nodes, 0.2",
    ),
    Claim(
        "MOPS-34",
        "T about 0.5: moderate latency, fewest forwards",
        (CAMPUS,),
        _best_threshold,
        _LISTS,
        readings=(EVENTS_ONLY,),
    ),
    Claim(
        "MOPS-35",
        "small T: many forwards; T near 1: like Neighbors",
        (CAMPUS,),
        _extreme_thresholds,
        f"{_LISTS}; at T near 1 all are brokers",
        readings=(EVENTS_ONLY, *_ALL_LIVES),
        asked="a mean size below 1.1, and utility and efficiency within a tenth of Neighbors",
    ),
    Claim(
        "MOPS-36", "default weight 0: more latency, fewer forwards", (CAMPUS,), _default_weight, readings=(EVENTS_ONLY,)
    ),
    Claim("MOPS-37", "both fall as the rate grows, MOPS' least", (CAMPUS,), _rates, _NO_TIME),
    Claim("MOPS-38", "pull one hop, Neighbors two, MOPS more", (), _hops),
    Claim("MOPS-39", "contact frequency: Haggle > synthetic > Reality", _THREE, _frequency),
    Claim("MOPS-40", "MOPS best in utility and efficiency together", (), _both_at_once, _BROKERS, readings=_A_DAY),
    Claim("MOPS-41", "two community hops collect most events", _TWO, _scope),
    Claim(
        "MOPS-42",
        "the least central starve under Neighbors, not under MOPS",
        (CAMPUS,),
        _quarters,
        "Nobody starves here: push leaves the same gap",
        readings=_A_DAY,
    ),
)
"""Those of the ledger that a simulation or a trace decides."""
