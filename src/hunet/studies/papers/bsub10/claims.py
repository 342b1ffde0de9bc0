"""The claims of [bsub10] that simulations decide, each judged on every trace it is about.

Claims about Infocom06 are judged on every crowd that is there, those about Reality on what is sparse. A claim holds if
it does on all of them, and partly if on some. Tolerances are the ledger's. `broker_claims` has those about
brokers; `filter_claims` and `equation_claims` have those that need no simulation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from hunet.studies.claims.judging import Found, Judge, Part, each, everywhere, falls, rises, shown
from hunet.studies.claims.verdict import Verdict, Word
from hunet.studies.papers.bsub10.broker_claims import BROKER_CLAIMS
from hunet.studies.papers.bsub10.runs import PRINTED_FACTOR, READINGS, SCHEMES
from hunet.studies.papers.evidence import Evidence, judge_all
from hunet.studies.papers.measured import Measured
from hunet.studies.tables import Table

__all__ = ["CLAIMS", "verdicts"]

_BSUB = "bsub10"
_PAPERS_LIMIT = 600.0
"""Minutes: the delay limit that 0.138 per minute belongs to."""
_AXIS = 2.0
"""Per minute: where the paper's axis of decay factors ends."""
_MOST_FALSE = 0.04


def verdicts(tables: Mapping[str, Table], measured: Measured) -> list[Verdict]:
    """The claims that simulations decide."""
    return judge_all(CLAIMS, Evidence(measured.on, tables, measured.runs), READINGS)


def _factors(evidence: Evidence) -> list[float]:
    return [factor for factor in evidence.xs(_BSUB, "decay") if factor <= _AXIS]


def _by_factor(evidence: Evidence, on: str, measure: str) -> list[float]:
    return evidence.curve(on, _BSUB, measure, "decay", _factors(evidence))


def _by_lifetime(evidence: Evidence, on: str, measure: str) -> dict[str, list[float]]:
    return {scheme: evidence.curve(on, scheme, measure, "lifetime") for scheme in SCHEMES}


def _at_limit(evidence: Evidence, on: str, measure: str) -> dict[str, float]:
    return {scheme: evidence.at(on, scheme, measure, "lifetime", _PAPERS_LIMIT) for scheme in SCHEMES}


def _decay_narrows(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        fill, false, delivery = (
            _by_factor(evidence, on, measure) for measure in ("fill_ratio", "conditional_fpr", "delivery_ratio")
        )
        figures = (
            f"fill {fill[0]:.3f} to {fill[-1]:.3f}, false matches {false[0]:.2%} to {false[-1]:.2%}, "
            f"delivery {each(delivery)}"
        )
        return [falls(fill), falls(false), falls(delivery)], figures

    return everywhere(evidence.crowds, part)


def _order_of_delivery(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        curves = _by_lifetime(evidence, on, "delivery_ratio")
        push, bsub, pull = (np.array(curves[scheme]) for scheme in SCHEMES)
        gap = float((push - bsub).max())
        ordered = bool((push >= bsub).all() and (bsub >= pull).all())
        close = [gap < 0.10] if on in evidence.crowds else []
        return [ordered, *close], f"{shown(_at_limit(evidence, on, 'delivery_ratio'))} at 10 h; largest gap {gap:.2f}"

    return everywhere(evidence.traces, part)


def _pull_not_far(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        push, _, pull = (evidence.curve(on, scheme, "delivery_ratio", "lifetime")[-1] for scheme in SCHEMES)
        return pull >= 0.6 * push, f"{pull / push:.2f} of PUSH"

    return everywhere(evidence.crowds, part)


def _sparser_is_less(evidence: Evidence) -> Found:
    if not (evidence.sparse and evidence.crowds):
        return Found(Word.NEEDS_DATA, "needs a crowd and a sparse trace")
    sparse = _by_lifetime(evidence, evidence.sparse[0], "delivery_ratio")

    def part(on: str) -> Part:
        crowd = _by_lifetime(evidence, on, "delivery_ratio")
        less = {scheme: bool((np.array(sparse[scheme]) < crowd[scheme]).all()) for scheme in SCHEMES}
        figures = ", ".join(f"{scheme} {sparse[scheme][-1]:.2f} and {crowd[scheme][-1]:.2f}" for scheme in SCHEMES)
        return list(less.values()), f"at the longest lifetime, {evidence.sparse[0]} and it: {figures}"

    return everywhere(evidence.crowds, part)._replace(on=evidence.traces)


def _longer_delivers_more(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        curves = _by_lifetime(evidence, on, "delivery_ratio")
        ends = ", ".join(f"{scheme} {curve[0]:.2f} to {curve[-1]:.2f}" for scheme, curve in curves.items())
        return [rises(curve) for curve in curves.values()], ends

    return everywhere(evidence.traces, part)


def _decay_costs_delivery(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        delivery = _by_factor(evidence, on, "delivery_ratio")
        spearman = _spearman(delivery)
        return [spearman < -0.9, delivery[0] == max(delivery)], f"{each(delivery)}; Spearman {spearman:.2f}"

    return everywhere(evidence.traces, part)


def _figures_agree(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        one = evidence.at(on, _BSUB, "delivery_ratio", "decay", PRINTED_FACTOR)
        other = evidence.at(on, _BSUB, "delivery_ratio", "lifetime", _PAPERS_LIMIT)
        return abs(one - other) < 0.05, f"{one:.3f} and {other:.3f}"

    return everywhere(evidence.crowds, part)


def _messages_outlive_interests(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        off, gone, lost = (
            evidence.at(on, _BSUB, name, "brokers") for name in ("expiry_off", "expiries", "lost_to_buffers")
        )
        return off < 1e-6 and lost == 0, f"{gone:,.0f} expiries, all at the end of the lifetime"

    return everywhere(evidence.traces, part)


def _order_of_delay(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        curves = _by_lifetime(evidence, on, "delay_mean")
        push, bsub, pull = (np.array(curves[scheme]) for scheme in SCHEMES)
        parts = [
            bool((push <= bsub).all() and (bsub <= pull).all()),
            bool((bsub <= 1.3 * push).all()),
            bool((pull >= 1.3 * push).all()),
        ]
        ratio = {scheme: value / push[-1] for scheme, value in (("B-SUB", bsub[-1]), ("PULL", pull[-1]))}
        worst = float((bsub / push).max())
        return parts, f"of PUSH's at the longest lifetime {shown(ratio)}; B-SUB at most {worst:.2f} times"

    return everywhere(evidence.traces, part)


def _delay_grows_slowly(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        minutes = np.array(evidence.xs(_BSUB, "lifetime"))
        slow, early = [], []
        for scheme in SCHEMES:
            mean, median = (
                np.array(evidence.curve(on, scheme, name, "lifetime")) for name in ("delay_mean", "delay_median")
            )
            slow.append(falls((mean / minutes).tolist()))
            early.append(bool(median[-1] < mean[-1] / 2))
        figures = ", ".join(
            f"{scheme} {evidence.at(on, scheme, 'delay_median', 'lifetime', minutes[-1]) / 3600:.1f} of "
            f"{evidence.at(on, scheme, 'delay_mean', 'lifetime', minutes[-1]) / 3600:.1f} h"
            for scheme in SCHEMES
        )
        return [*slow, *early], f"median of mean at the longest lifetime: {figures}"

    return everywhere(evidence.traces, part)


def _delay_falls_with_decay(evidence: Evidence) -> Found:
    """A sign test: in how many seeds delay and DF are ranked against each other; and where delays are shorter."""
    factors = _factors(evidence)
    delays = {on: _by_factor(evidence, on, "delay_mean") for on in evidence.traces}

    def part(on: str) -> Part:
        each_factor = [evidence.each_seed(on, _BSUB, "delay_mean", "decay", factor) for factor in factors]
        of_seeds = np.array(each_factor).T
        falling = sum(_spearman(delay) < 0 for delay in of_seeds)
        chance = sum(math.comb(len(of_seeds), n) for n in range(falling, len(of_seeds) + 1)) / 2 ** len(of_seeds)
        change = delays[on][-1] / delays[on][0] - 1
        figures = f"falls in {falling} of {len(of_seeds)} seeds (p = {chance:.2f}), {change:+.1%} from no decay to 2"
        if on not in evidence.crowds or not evidence.sparse:
            return chance < 0.05, figures
        shorter = bool((np.array(delays[on]) < delays[evidence.sparse[0]]).all())
        ratio = float(np.mean(delays[on]) / np.mean(delays[evidence.sparse[0]]))
        return [chance < 0.05, shorter], f"{figures}; {ratio:.2f} of {evidence.sparse[0]}'s"

    return everywhere(evidence.traces, part)


def _spearman(values: Sequence[float]) -> float:
    """Of the values with their order."""
    ranks = np.argsort(np.argsort(values))
    return float(np.corrcoef(np.arange(len(ranks)), ranks)[0, 1])


def _order_of_forwards(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        curves = _by_lifetime(evidence, on, "forwards_per_delivery")
        push, bsub, pull = (np.array(curves[scheme]) for scheme in SCHEMES)
        ordered = bool((push > bsub).all() and (bsub > pull).all())
        varies = {scheme: float(np.std(curves[scheme]) / np.mean(curves[scheme])) for scheme in ("push", _BSUB)}
        at = _at_limit(evidence, on, "forwards_per_delivery")
        figures = f"{shown(at, '.1f')} at 10 h; varies by {shown(varies)} of its mean"
        return [ordered, varies[_BSUB] < varies["push"]], figures

    return everywhere(evidence.traces, part)


def _forwards_tend_to_one(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        curve = evidence.curve(on, _BSUB, "forwards_per_delivery", "decay")
        figures = f"{each(curve, '.1f')} (the last at {evidence.xs(_BSUB, 'decay')[-1]:g} per minute)"
        return [falls(curve), 1 <= curve[-1] <= 1.3], figures

    return everywhere(evidence.traces, part)


def _false_matches_fall(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        injected, conditional = (_by_factor(evidence, on, name) for name in ("injected_fpr", "conditional_fpr"))
        low = sum(rate < _MOST_FALSE for rate in conditional) > len(conditional) / 2
        ends = f"injected {each(injected, '.4f')}, conditional {each(conditional, '.4f')}"
        return [falls(injected), falls(conditional), low], ends

    return everywhere(evidence.traces, part)


def _more_than_theory(evidence: Evidence) -> Found:
    delivered = {on: evidence.at(on, _BSUB, "delivered_fpr", "decay", 0.0) for on in evidence.traces}
    conditional = {on: evidence.at(on, _BSUB, "conditional_fpr", "decay", 0.0) for on in evidence.traces}
    right = max(delivered.values()) > _MOST_FALSE
    figures = (
        f"falsely delivered at DF = 0: {shown(delivered, '.1e')}; even of queries for absent keys only this part is "
        f"answered falsely: {shown(conditional, '.2%')}, ERR-11"
    )
    return Found(Word.HOLDS if right else Word.ERRATUM, figures)


def _as_good_for_less(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        delivery, forwards = (_at_limit(evidence, on, name) for name in ("delivery_ratio", "forwards"))
        reached, cost = (one[_BSUB] / one["push"] for one in (delivery, forwards))
        return [reached >= 0.9, cost <= 0.5], f"{reached:.2f} of PUSH's deliveries with {cost:.2f} of its forwards"

    return everywhere(evidence.traces, part)


CLAIMS: Sequence[Judge[Evidence]] = (
    *BROKER_CLAIMS,
    Judge(
        "BSUB10-25",
        _decay_narrows,
        "Without decay counters stop at their ceiling and look alike, so that messages stay where they are",
    ),
    Judge(
        "BSUB10-44", _order_of_delivery, why="Three copies make a small part of PUSH's forwards, and reach fewer people"
    ),
    Judge(
        "BSUB10-45",
        _pull_not_far,
        why="PULL waits for the producer itself, who is the rarer to meet the more people there are",
    ),
    Judge("BSUB10-46", _sparser_is_less, why="Among the 403 people of SFHH three copies, or one producer, are few"),
    Judge("BSUB10-47", _longer_delivers_more),
    Judge(
        "BSUB10-49",
        _decay_costs_delivery,
        "Without decay counters stop at their ceiling and look alike, so that messages stay where they are",
    ),
    Judge("BSUB10-50", _figures_agree, "Messages live 20 h in the one figure and 10 h in the other, and that decides"),
    Judge("BSUB10-51", _messages_outlive_interests),
    Judge(
        "BSUB10-52",
        _order_of_delay,
        why="PUSH is much faster where it floods, in the dense surrogate; elsewhere all wait for the same contacts",
    ),
    Judge(
        "BSUB10-53",
        _delay_grows_slowly,
        asked="a median below half of the mean at the longest lifetime",
        why="Deliveries are spread over the whole lifetime",
    ),
    Judge(
        "BSUB10-54",
        _delay_falls_with_decay,
        asked="a sign test over seeds of the rank correlation, p < 0.05",
        why="Decay changes delays by a few percent, and not in one direction",
    ),
    Judge(
        "BSUB10-55",
        _order_of_forwards,
        "PUSH's cost is the same at every lifetime, since it is what everybody gets over what some want",
    ),
    Judge("BSUB10-56", _forwards_tend_to_one, "Without decay counters look alike and little is forwarded"),
    Judge(
        "BSUB10-57",
        _false_matches_fall,
        "Fewer tags are held when decay is fast, so that more queries can err",
        asked="most of the conditional rates below 0.04",
    ),
    Judge("BSUB10-58", _more_than_theory),
    Judge(
        "BSUB10-59", _as_good_for_less, why="Three copies make a small part of PUSH's forwards, and reach fewer people"
    ),
)
