"""The claims of [bsub13] that simulations decide, about filters: false matches, tags relayed, bytes, what they tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hunet.studies.claims.judging import Found, Judge, Part, each, everywhere, falls, rises, weigh
from hunet.studies.claims.verdict import Word
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
    found = (
        f"{on}: precision {precision:.3f}, {expected:.3f} by Bayes' rule "
        "(32 positions, 2 hash functions, 5 of 200 tags)"
    )
    return Found(weigh(abs(precision / expected - 1) < 0.05), found, [on])


def _mixture(evidence: Evidence) -> Found:
    def precision(variant: str, attacker: str) -> float:
        where = {"variant": variant, "attacker": attacker, "universe": "all tags"}
        return float(evidence.fact("BSUB13-attack", "precision", **where))

    if not evidence.tables["BSUB13-attack"]:
        return NO_CROWD
    base = 2 / 38
    member, ranked = (precision("bsubp", attacker) for attacker in ("membership", "ranking"))
    plain = precision("bsub13", "membership")
    hidden, also_ranked = member < 1.2 * base, ranked < 1.2 * base
    found = (
        f"guesses by membership are right in {plain:.0%} with B-SUB and in {member:.1%} with B-SUB-P (base rate "
        f"{base:.1%}), by the largest counters still in {ranked:.0%}"
    )
    return Found(weigh([hidden, also_ranked]), found)


def _pull_errs_alike(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        forwarding, delivered = (evidence.at(on, "pull", name, "small") for name in ("forwarding_fpr", "delivered_fpr"))
        return (
            0 < forwarding == delivered,
            f"{forwarding:.1%} and {delivered:.1%} with 16 positions and 1 hash function",
        )

    return everywhere(evidence.crowds, part)


def _pull_errs_little(evidence: Evidence) -> Found:
    rates = {on: at(evidence, on, "pull", "forwarding_fpr") for on in evidence.crowds}
    if not rates:
        return NO_CROWD
    told = ", ".join(f"{on} {value:.1e}" for on, value in rates.items())
    right = all(abs(value - 0.04) < 0.01 for value in rates.values())
    figures = f"{told}; 4.6 % is the rate of 38 keys in one filter, ERR-15"
    return Found(Word.HOLDS if right else Word.ERRATUM, figures, evidence.crowds)


def _false_forwards_fall(evidence: Evidence) -> Found:
    """Like PULL's: the 95 % interval of the difference from it, seed by seed, contains 0."""

    def part(on: str) -> Part:
        pull = evidence.each_seed(on, "pull", "forwarding_fpr", "cycle", 0.0)
        parts, told = [], []
        for protocol, name in BOTH.items():
            curve = curve_of(evidence, on, protocol, "forwarding_fpr")
            first = evidence.each_seed(on, protocol, "forwarding_fpr", "cycle", evidence.xs(protocol, "cycle")[0])
            _, _mean, low, high = interval(first - pull)
            parts += [low <= 0 <= high, falls(curve)]
            told.append(f"{name} {each(curve, '.1e')}")
        return parts, f"PULL {np.nanmean(pull):.1e}; {'; '.join(told)}"

    return everywhere(evidence.crowds, part)


def _push_for_nothing(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        share = at(evidence, on, "push", "not_by_bsub")
        return share > 0.9, f"{share:.0%}"

    return everywhere(evidence.crowds, part)


def _relayed_tags(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        tags = curve_of(evidence, on, "bsub13", "relayed_tags_exact")
        best = at(evidence, on, "bsub13", "relayed_tags_exact")
        return [25 <= best <= 35, rises(tags)], f"{best:.1f} at 2^8 s; {each(tags, '.1f')}"

    return everywhere(evidence.crowds, part)


def _control_size(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        saved = {
            name: 1
            - at(evidence, on, protocol, "control_bytes_per_contact") / at(evidence, on, protocol, "control_bytes_raw")
            for protocol, name in BOTH.items()
        }
        told = ", ".join(f"{name} {value:.3f}" for name, value in saved.items())
        return [0.55 <= value <= 0.75 for value in saved.values()], f"saved {told}"

    return everywhere(evidence.crowds, part)


def _fewer_values_are_smaller(evidence: Evidence) -> Found:
    """A maximum inside: from there to the last cycle bytes fall, with 95 % of certainty over seeds."""

    def part(on: str) -> Part:
        parts, told = [], []
        for code, has_one in ((5, True), (6, True), (3, False), (4, False)):
            measure = f"control_bytes_E{code}"
            curve = curve_of(evidence, on, "bsub13", measure)
            cycles = evidence.xs("bsub13", "cycle")
            most = int(np.argmax(curve))
            top, last = (evidence.each_seed(on, "bsub13", measure, "cycle", x) for x in (cycles[most], cycles[-1]))
            _, _mean, low, _high = interval(top - last)
            parts.append((is_inside(most, curve) and low > 0) == has_one)
            told.append(f"E{code} {each(curve, '.0f')}")
        return parts, f"{'; '.join(told)} bytes"

    return everywhere(evidence.crowds, part)


def _alike(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        cycles = [cycle for cycle in evidence.xs("bsub13", "alike") if cycle >= BEST]
        shares = evidence.curve(on, "bsub13", "alike", "alike", cycles)
        return rises(shares) and shares[-1] > shares[0], f"{each(shares, '.2f')} from 2^8 s on"

    return everywhere(evidence.crowds, part)


FILTER_CLAIMS: Sequence[Judge[Evidence]] = (
    Judge("BSUB13-08", _guesses),
    Judge(
        "BSUB13-09",
        _mixture,
        "Own interests never fall below the initial value in the mixture, relayed ones do",
        asked="at most 1.2 of the base rate",
    ),
    Judge("BSUB13-25", _pull_errs_alike),
    Judge("BSUB13-26", _pull_errs_little, asked="3 to 5 %"),
    Judge(
        "BSUB13-27",
        _false_forwards_fall,
        asked="at the smallest cycle a 95 % interval of the difference from PULL that contains 0",
    ),
    Judge("BSUB13-28", _push_for_nothing),
    Judge("BSUB13-29", _relayed_tags, why="In a dense crowd nearly all 38 tags spread to everybody"),
    Judge("BSUB13-30", _control_size, why="Codes that group equal counters save a little more"),
    Judge(
        "BSUB13-31",
        _fewer_values_are_smaller,
        asked="a fall from a maximum inside, 95 % certain over seeds, with E5 and E6 and not with E3 and E4",
    ),
    Judge("BSUB13-36", _alike),
)
