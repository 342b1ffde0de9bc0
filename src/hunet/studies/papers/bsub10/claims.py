"""The claims of [bsub10] that simulations decide, part by part, on every trace of the kind.

The paper's own traces decide the word; the other crowds stand beside it. Tolerances are the ledger's. `broker_claims`
has those about brokers; `filter_claims` and `equation_claims` have those that need no simulation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from hunet.studies.claims.judging import Found, Judge, Parts, each, everywhere, falls, rises, shown
from hunet.studies.claims.verdict import Verdict
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
    def parts(on: str) -> Parts:
        fill, false, delivery = (
            _by_factor(evidence, on, measure) for measure in ("fill_ratio", "conditional_fpr", "delivery_ratio")
        )
        return {
            "the more decay, the fewer keys are stored": (falls(fill), f"fill ratio {each(fill)}"),
            "the lower the FPR": (falls(false), f"false matches {each(false, '.2%')}"),
            "the smaller the scope": (falls(delivery), f"delivery ratio {each(delivery)}"),
        }

    return everywhere(evidence.crowds, parts)


def _order_of_delivery(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        curves = _by_lifetime(evidence, on, "delivery_ratio")
        push, bsub, pull = (np.array(curves[scheme]) for scheme in SCHEMES)
        gap = float((push - bsub).max())
        at = shown(_at_limit(evidence, on, "delivery_ratio"))
        return {
            "PUSH delivers most at every lifetime": (
                bool((push >= bsub).all() and (push >= pull).all()),
                f"10 h: {at}",
            ),
            "B-SUB at most 10 points less": (gap < 0.10, f"largest gap {gap:.2f}"),
            "PULL least": (bool((pull <= bsub).all()), f"B-SUB from {bsub[0]:.2f} on, PULL from {pull[0]:.2f} on"),
        }

    return everywhere(evidence.traces, parts)


def _pull_not_far(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        push, _, pull = (evidence.curve(on, scheme, "delivery_ratio", "lifetime")[-1] for scheme in SCHEMES)
        return {"PULL at least 0.6 of PUSH at the longest lifetime": (pull >= 0.6 * push, f"{pull / push:.2f}")}

    return everywhere(evidence.crowds, parts)


def _sparser_is_less(evidence: Evidence) -> Found:
    """Of two traces: judged on the crowd, beside the sparse one."""
    if not (evidence.sparse and evidence.crowds):
        return Found.needs_data("needs a crowd and a sparse trace")
    sparse = _by_lifetime(evidence, evidence.sparse[0], "delivery_ratio")

    def parts(on: str) -> Parts:
        crowd = _by_lifetime(evidence, on, "delivery_ratio")
        return {
            f"{scheme} delivers less on {evidence.sparse[0]} at every lifetime": (
                bool((np.array(sparse[scheme]) < crowd[scheme]).all()),
                f"{sparse[scheme][-1]:.2f} and {crowd[scheme][-1]:.2f} at the longest",
            )
            for scheme in SCHEMES
        }

    return everywhere(evidence.crowds, parts)


def _longer_delivers_more(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        curves = _by_lifetime(evidence, on, "delivery_ratio")
        return {
            f"{scheme} rises with the lifetime": (rises(curve), f"{curve[0]:.2f} to {curve[-1]:.2f}")
            for scheme, curve in curves.items()
        }

    return everywhere(evidence.traces, parts)


def _decay_costs_delivery(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        delivery = _by_factor(evidence, on, "delivery_ratio")
        spearman = _spearman(delivery)
        return {
            "delivery falls with DF, Spearman below -0.9": (spearman < -0.9, f"{spearman:.2f}"),
            "it is largest at DF = 0": (delivery[0] == max(delivery), each(delivery)),
        }

    return everywhere(evidence.traces, parts)


def _figures_agree(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        one = evidence.at(on, _BSUB, "delivery_ratio", "decay", PRINTED_FACTOR)
        other = evidence.at(on, _BSUB, "delivery_ratio", "lifetime", _PAPERS_LIMIT)
        return {"less than 5 points apart": (abs(one - other) < 0.05, f"{one:.3f} and {other:.3f}")}

    return everywhere(evidence.crowds, parts)


def _messages_outlive_interests(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        off, gone, lost = (
            evidence.at(on, _BSUB, name, "brokers") for name in ("expiry_off", "expiries", "lost_to_buffers")
        )
        return {
            "every message ends at its lifetime, to a microsecond": (
                off < 1e-6,
                f"{gone:,.0f} expiries, off by {off:g} s",
            ),
            "and not before": (lost == 0, f"{lost:g} lost otherwise"),
        }

    return everywhere(evidence.traces, parts)


def _order_of_delay(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        curves = _by_lifetime(evidence, on, "delay_mean")
        push, bsub, pull = (np.array(curves[scheme]) for scheme in SCHEMES)
        worst, least = float((bsub / push).max()), float((pull / push).min())
        return {
            "PUSH is fastest at every lifetime": (
                bool((push <= bsub).all() and (push <= pull).all()),
                f"at the longest {push[-1] / 3600:.2f}, B-SUB {bsub[-1] / 3600:.2f}, PULL {pull[-1] / 3600:.2f} h",
            ),
            "B-SUB takes at most 1.3 times as long": (worst <= 1.3, f"at most {worst:.2f} times"),
            "PULL at least 1.3 times": (least >= 1.3, f"at least {least:.2f} times"),
        }

    return everywhere(evidence.traces, parts)


def _delay_grows_slowly(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        minutes = np.array(evidence.xs(_BSUB, "lifetime"))
        slow, early, hours = [], [], []
        for scheme in SCHEMES:
            mean, median = (
                np.array(evidence.curve(on, scheme, name, "lifetime")) for name in ("delay_mean", "delay_median")
            )
            slow.append(falls((mean / minutes).tolist()))
            early.append(bool(median[-1] < mean[-1] / 2))
            hours.append((mean[0] / 3600, mean[-1] / 3600, median[-1] / 3600))
        ends = ", ".join(f"{scheme} {a:.2f} to {b:.1f} h" for scheme, (a, b, _) in zip(SCHEMES, hours, strict=True))
        medians = ", ".join(f"{scheme} {c:.1f} of {b:.1f} h" for scheme, (_, b, c) in zip(SCHEMES, hours, strict=True))
        return {
            "delay over lifetime falls with the lifetime, for all": (all(slow), ends),
            "most arrive early: median below half of the mean, for all": (all(early), medians),
        }

    return everywhere(evidence.traces, parts)


def _delay_falls_with_decay(evidence: Evidence) -> Found:
    """A sign test: in how many seeds delay and DF are ranked against each other; and where delays are shorter."""
    factors = _factors(evidence)
    delays = {on: _by_factor(evidence, on, "delay_mean") for on in evidence.traces}

    def parts(on: str) -> Parts:
        each_factor = [evidence.each_seed(on, _BSUB, "delay_mean", "decay", factor) for factor in factors]
        of_seeds = np.array(each_factor).T
        falling = sum(_spearman(delay) < 0 for delay in of_seeds)
        chance = sum(math.comb(len(of_seeds), n) for n in range(falling, len(of_seeds) + 1)) / 2 ** len(of_seeds)
        change = delays[on][-1] / delays[on][0] - 1
        told = (
            f"in {falling} of {len(of_seeds)} seeds (p = {chance:.2f}), {change:+.1%} from no decay to {factors[-1]:g}"
        )
        found = {"delay falls with DF, sign test over seeds, p < 0.05": (chance < 0.05, told)}
        if on in evidence.crowds and evidence.sparse:
            ratios = np.array(delays[on]) / np.array(delays[evidence.sparse[0]])
            found[f"a little shorter than on {evidence.sparse[0]}: 0.5 to 1 of it at every DF"] = (
                bool(((ratios >= 0.5) & (ratios < 1)).all()),
                f"{ratios.min():.2f} to {ratios.max():.2f} of it",
            )
        return found

    return everywhere(evidence.traces, parts)


def _spearman(values: Sequence[float]) -> float:
    """Of the values with their order."""
    ranks = np.argsort(np.argsort(values))
    return float(np.corrcoef(np.arange(len(ranks)), ranks)[0, 1])


def _order_of_forwards(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        curves = _by_lifetime(evidence, on, "forwards_per_delivery")
        push, bsub, pull = (np.array(curves[scheme]) for scheme in SCHEMES)
        varies = {scheme: float(np.std(curves[scheme]) / np.mean(curves[scheme])) for scheme in ("push", _BSUB)}
        at = shown(_at_limit(evidence, on, "forwards_per_delivery"), ".1f")
        return {
            "PUSH forwards most at every lifetime": (bool((push > bsub).all() and (push > pull).all()), f"10 h: {at}"),
            "PULL least": (
                bool((pull < bsub).all()),
                f"PULL {pull.max():.2f} at most, B-SUB {bsub.min():.2f} at least",
            ),
            "B-SUB is stabler than PUSH, by the deviation over the mean": (
                varies[_BSUB] < varies["push"],
                shown(varies),
            ),
        }

    return everywhere(evidence.traces, parts)


def _forwards_tend_to_one(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        curve = evidence.curve(on, _BSUB, "forwards_per_delivery", "decay")
        last = evidence.xs(_BSUB, "decay")[-1]
        return {
            "forwards of a delivery fall with DF": (falls(curve), each(curve, ".1f")),
            f"to 1 to 1.3 at {last:g} per minute": (1 <= curve[-1] <= 1.3, f"{curve[-1]:.2f}"),
        }

    return everywhere(evidence.traces, parts)


def _false_matches_fall(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        delivered, conditional = (_by_factor(evidence, on, name) for name in ("delivered_fpr", "conditional_fpr"))
        low = sum(rate < _MOST_FALSE for rate in conditional) > len(conditional) / 2
        return {
            "false deliveries fall with DF": (falls(delivered), each(delivered, ".1e")),
            "false matches of absent keys fall with DF": (falls(conditional), each(conditional, ".4f")),
            "most of these are below 0.04": (low, f"at most {max(conditional):.4f}"),
        }

    return everywhere(evidence.traces, parts)


def _more_than_theory(evidence: Evidence) -> Found:
    """As defined, of deliveries; beside it the rate that the 0.04 is about, of queries for absent keys."""

    def parts(on: str) -> Parts:
        delivered, conditional = (
            evidence.at(on, _BSUB, name, "decay", 0.0) for name in ("delivered_fpr", "conditional_fpr")
        )
        figure = f"{delivered:.1e}; of queries for absent keys {conditional:.2%} are answered falsely (ERR-11)"
        return {"at DF = 0 more than 0.04 of deliveries are false": (delivered > _MOST_FALSE, figure)}

    return everywhere(evidence.traces, parts)


def _as_good_for_less(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        delivery, forwards, delay = (
            _at_limit(evidence, on, name) for name in ("delivery_ratio", "forwards", "delay_mean")
        )
        reached, cost, slower = (one[_BSUB] / one["push"] for one in (delivery, forwards, delay))
        return {
            "at least 0.9 of PUSH's deliveries at 10 h": (reached >= 0.9, f"{reached:.2f}"),
            "at most 1.3 times its delay": (slower <= 1.3, f"{slower:.2f} times"),
            "with at most half of its forwards": (cost <= 0.5, f"{cost:.2f}"),
        }

    return everywhere(evidence.traces, parts)


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
    Judge("BSUB10-53", _delay_grows_slowly, "Deliveries are spread over the whole lifetime"),
    Judge("BSUB10-54", _delay_falls_with_decay, "Decay changes delays by a few percent, and not in one direction"),
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
    ),
    Judge("BSUB10-58", _more_than_theory, "Consumers hold one key, whose filter hardly ever errs"),
    Judge(
        "BSUB10-59", _as_good_for_less, why="Three copies make a small part of PUSH's forwards, and reach fewer people"
    ),
)
