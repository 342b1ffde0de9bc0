"""The claims of [bsub13] that simulations decide, about filters: false matches, tags relayed, bytes, what they tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hunet.studies.claims.judging import Found, Judge, Parts, each, everywhere, falls, rises
from hunet.studies.papers.bsub13.lookup import BOTH, at, curve_of, is_inside
from hunet.studies.papers.bsub13.runs import BEST
from hunet.studies.papers.evidence import NO_CROWD, Evidence
from hunet.studies.statistics import interval

__all__ = ["FILTER_CLAIMS"]


def _guesses(evidence: Evidence) -> Found:
    precision, expected = (evidence.fact("BSUB13-guesses", name) for name in ("precision", "posterior"))
    if precision is None:
        return NO_CROWD
    on = evidence.fact("BSUB13-guesses", "trace")
    figure = f"{precision:.3f} and {expected:.3f} on {on} (32 positions, 2 hash functions, 5 of 200 tags)"
    right = abs(precision / expected - 1) < 0.05
    return Found.all({"the precision of guesses is that of Bayes' rule, within 5 %": (right, figure)})


def _mixture(evidence: Evidence) -> Found:
    def precision(variant: str, attacker: str) -> float:
        where = {"variant": variant, "attacker": attacker, "universe": "all tags"}
        return float(evidence.fact("BSUB13-attack", "precision", **where))

    if not evidence.tables["BSUB13-attack"]:
        return NO_CROWD
    base = 2 / 38
    member, ranked = (precision("bsubp", attacker) for attacker in ("membership", "ranking"))
    plain = precision("bsub13", "membership")
    told = f"{member:.1%} are right, base rate {base:.1%}, with B-SUB {plain:.0%}"
    return Found.all(
        {
            "guesses by membership are at most 1.2 of the base rate": (member < 1.2 * base, told),
            "guesses by the largest counters too": (ranked < 1.2 * base, f"{ranked:.0%} are right"),
        }
    )


def _pull_errs_alike(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        forwarding, delivered = (evidence.at(on, "pull", name, "small") for name in ("forwarding_fpr", "delivered_fpr"))
        figure = f"{forwarding:.1%} and {delivered:.1%} with 16 positions and 1 hash function"
        return {"the two rates are equal, and not 0": (0 < forwarding == delivered, figure)}

    return everywhere(evidence.crowds, parts)


def _pull_errs_little(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        rate = at(evidence, on, "pull", "forwarding_fpr")
        figure = f"{rate:.1e}; 4.6 % is the rate of 38 keys in one filter (ERR-15)"
        return {"a rate of 3 to 5 %": (abs(rate - 0.04) < 0.01, figure)}

    return everywhere(evidence.crowds, parts)


def _false_forwards_fall(evidence: Evidence) -> Found:
    """Like PULL's: the 95 % interval of the difference from it, seed by seed, contains 0."""

    def parts(on: str) -> Parts:
        pull = evidence.each_seed(on, "pull", "forwarding_fpr", "cycle", 0.0)
        found = {}
        for protocol, name in BOTH.items():
            curve = curve_of(evidence, on, protocol, "forwarding_fpr")
            first = evidence.each_seed(on, protocol, "forwarding_fpr", "cycle", evidence.xs(protocol, "cycle")[0])
            seeds = min(first.size, pull.size)  # a reading that changes one of the two may have the first few only
            _, _mean, low, high = interval(first[:seeds] - pull[:seeds])
            found[f"{name} at the smallest cycle is like PULL, within a 95 % interval"] = (
                low <= 0 <= high,
                f"{curve[0]:.1e}, PULL {np.nanmean(pull):.1e}",
            )
            found[f"{name} falls with the cycle"] = (falls(curve), each(curve, ".1e"))
        return found

    return everywhere(evidence.crowds, parts)


def _push_for_nothing(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        share = at(evidence, on, "push", "not_by_bsub")
        return {"more than 90 % of PUSH's forwards": (share > 0.9, f"{share:.0%}")}

    return everywhere(evidence.crowds, parts)


def _relayed_tags(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        tags = curve_of(evidence, on, "bsub13", "relayed_tags_exact")
        best = at(evidence, on, "bsub13", "relayed_tags_exact")
        return {
            "25 to 35 tags at 2^8 s": (25 <= best <= 35, f"{best:.1f}"),
            "they grow with the cycle": (rises(tags), each(tags, ".1f")),
        }

    return everywhere(evidence.crowds, parts)


def _control_size(evidence: Evidence) -> Found:
    """By the bytes that are sent, in the smallest encoding."""

    def parts(on: str) -> Parts:
        found = {}
        for protocol, name in BOTH.items():
            sent, raw = (
                at(evidence, on, protocol, measure) for measure in ("control_bytes_per_contact", "control_bytes_raw")
            )
            saved = 1 - sent / raw
            found[f"{name} saves 0.55 to 0.75 of raw strings at 2^8 s"] = (
                0.55 <= saved <= 0.75,
                f"{saved:.3f}: {sent:.0f} of {raw:.0f} bytes",
            )
        return found

    return everywhere(evidence.crowds, parts)


def _fewer_values_are_smaller(evidence: Evidence) -> Found:
    """By the bytes that are sent: from a maximum inside to the last cycle they fall, 95 % sure over seeds."""

    def parts(on: str) -> Parts:
        cycles = evidence.xs("bsub13", "cycle")
        sent, without = (
            curve_of(evidence, on, "bsub13", measure) for measure in ("control_bytes_per_contact", "control_bytes_E4")
        )
        most = int(np.argmax(sent))
        top, last = (
            evidence.each_seed(on, "bsub13", "control_bytes_per_contact", "cycle", x)
            for x in (cycles[most], cycles[-1])
        )
        _, mean, low, _high = interval(top - last)
        full = curve_of(evidence, on, "bsub13", "saturated_counters")
        return {
            "bytes per contact have a maximum inside": (is_inside(most, sent), f"{each(sent, '.0f')}"),
            "and fall from there, 95 % sure": (low > 0, f"by {mean:.0f}"),
            "slightly: by less than a third": (mean < sent[most] / 3, f"{mean / sent[most]:.0%}"),
            "while more counters overflow": (full[-1] > full[most], f"{full[most]:.0f} to {full[-1]:.0f} are full"),
            "and not where counters are sent one by one (E4)": (
                without[-1] >= 0.99 * max(without),
                each(without, ".0f"),
            ),
        }

    return everywhere(evidence.crowds, parts)


def _alike(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        cycles = [cycle for cycle in evidence.xs("bsub13", "alike") if cycle >= BEST]
        shares = evidence.curve(on, "bsub13", "alike", "alike", cycles)
        right = rises(shares) and shares[-1] > shares[0]
        return {"queries that answer 0 are the more, the longer the cycle from 2^8 s on": (right, each(shares, ".2f"))}

    return everywhere(evidence.crowds, parts)


FILTER_CLAIMS: Sequence[Judge[Evidence]] = (
    Judge("BSUB13-08", _guesses),
    Judge(
        "BSUB13-09",
        _mixture,
        "Own interests never fall below the initial value in the mixture, relayed ones do",
    ),
    Judge("BSUB13-25", _pull_errs_alike),
    Judge("BSUB13-26", _pull_errs_little, "A genuine filter holds 2 keys, not 38"),
    Judge("BSUB13-27", _false_forwards_fall),
    Judge("BSUB13-28", _push_for_nothing),
    Judge("BSUB13-29", _relayed_tags, why="In a dense crowd nearly all 38 tags spread to everybody"),
    Judge("BSUB13-30", _control_size, why="Codes that group equal counters save more than the paper's"),
    Judge("BSUB13-31", _fewer_values_are_smaller),
    Judge("BSUB13-36", _alike),
)
