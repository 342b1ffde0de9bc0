"""The claims of [bsub13] that simulations and traces decide, each judged on every trace it is about.

Claims about Infocom06 are judged on every crowd that is there. "At the optimum" is at a cycle of 2^8 s, where the paper
has it. `filter_claims` has those about filters, `relations` the claims that need no simulation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hunet.studies.claims.judging import Found, Judge, Part, everywhere, weigh
from hunet.studies.claims.verdict import Verdict, Word
from hunet.studies.papers.bsub13.filter_claims import FILTER_CLAIMS
from hunet.studies.papers.bsub13.lookup import BOTH, at, curve_of, is_inside
from hunet.studies.papers.bsub13.runs import BEST, INSTEAD, READINGS
from hunet.studies.papers.evidence import Evidence, judge_all
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.traces import INFOCOM06, REALITY
from hunet.studies.statistics import interval
from hunet.studies.tables import Table

__all__ = ["CLAIMS", "verdicts"]


def verdicts(tables: Mapping[str, Table], measured: Measured) -> list[Verdict]:
    """The claims that simulations and traces decide."""
    return judge_all(CLAIMS, Evidence(measured.on, tables, measured.runs, READINGS, INSTEAD), list(READINGS))


def _messages(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        count = evidence.fact("BSUB13-T1", "messages_per_node", trace=on)
        printed = 100 if on in evidence.sparse else 180
        return abs(count / printed - 1) <= 0.1, f"{count:.0f} per node"

    return everywhere(evidence.own(INFOCOM06, REALITY), part)


def _approaches_push(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        push = at(evidence, on, "push", "delivery_ratio")
        parts, told = [], []
        for protocol, name in BOTH.items():
            curve = curve_of(evidence, on, protocol, "delivery_ratio")
            best = int(np.argmax(curve))
            parts += [is_inside(best, curve), curve[best] >= 0.9 * push]
            told.append(f"{name} {curve[0]:.3f}, best {curve[best]:.3f}, {curve[-1]:.3f}")
        return parts, f"PUSH {push:.3f}; {'; '.join(told)}"

    return everywhere(evidence.crowds, part)


def _overflow(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        parts, told = [], []
        for protocol, name in BOTH.items():
            cycles = evidence.xs(protocol, "unlimited")
            capped = evidence.curve(on, protocol, "delivery_ratio", "cycle", cycles)
            free = evidence.curve(on, protocol, "delivery_ratio", "unlimited", cycles)
            fall, without = (max(curve) - curve[-1] for curve in (capped, free))
            parts.append(fall > 0 and without <= fall / 2)
            told.append(f"{name} falls by {fall:.3f}, without limit by {without:.3f}")
        return parts, "; ".join(told)

    return everywhere(evidence.crowds, part)


def _beat_pull(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        pull = at(evidence, on, "pull", "delivery_ratio")
        least = {name: min(curve_of(evidence, on, protocol, "delivery_ratio")) for protocol, name in BOTH.items()}
        told = ", ".join(f"{name} at least {value:.3f}" for name, value in least.items())
        return [value >= pull for value in least.values()], f"PULL {pull:.3f}, {told}"

    return everywhere(evidence.crowds, part)


def _paired(evidence: Evidence, on: str, measure: str) -> tuple[float, float, float]:
    """What B-SUB-P has more of than B-SUB at the optimum, on the same seeds."""
    hidden, plain = (evidence.each_seed(on, protocol, measure, "cycle", BEST) for protocol in ("bsubp", "bsub13"))
    _, mean, low, high = interval(hidden - plain)
    return mean, low, high


def _hiding_costs(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        mean, low, high = _paired(evidence, on, "delivery_ratio")
        return high < 0, f"{mean:+.3f} ({low:+.3f} to {high:+.3f})"

    return everywhere(evidence.crowds, part)


def _delay_has_a_minimum(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        delays = curve_of(evidence, on, "bsub13", "delay_mean")
        least = int(np.argmin(delays))
        return is_inside(least, delays), f"{delays[0]:,.0f}, least {delays[least]:,.0f}, {delays[-1]:,.0f} s"

    return everywhere(evidence.crowds, part)


def _same_optimum(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        cycles = evidence.xs("bsub13", "cycle")
        most = cycles[int(np.argmax(curve_of(evidence, on, "bsub13", "delivery_ratio")))]
        soonest = cycles[int(np.argmin(curve_of(evidence, on, "bsub13", "delay_mean")))]
        near = 0.5 <= most / soonest <= 2
        inside = all(64 <= cycle <= 512 for cycle in (most, soonest))
        return [near, inside], f"delivery best at {most:g} s, delay at {soonest:g} s"

    return everywhere(evidence.crowds, part)


def _sparse_varies_less(evidence: Evidence) -> Found:
    if not evidence.sparse:
        return Found(Word.NEEDS_DATA, "no sparse trace is there")

    def spread(on: str) -> float:
        curve = curve_of(evidence, on, "bsub13", "delivery_ratio")
        return max(curve) - min(curve)

    there = spread(evidence.sparse[0])

    def part(on: str) -> Part:
        return there < spread(on) / 2, f"{spread(on):.3f}, {evidence.sparse[0]} {there:.3f}"

    return everywhere(evidence.crowds, part)._replace(on=evidence.traces)


def _copies(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        push, bsub = (at(evidence, on, protocol, "copies_net_mean") for protocol in ("push", "bsub13"))
        return abs(bsub / push - 0.8) <= 0.1, f"{bsub:.1f}, {bsub / push:.2f} of PUSH's {push:.1f}"

    return everywhere(evidence.crowds, part)


def _hiding_copies(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        mean, low, high = _paired(evidence, on, "copies_net_mean")
        return mean > 0, f"{mean:+.2f} copies ({low:+.2f} to {high:+.2f})"

    return everywhere(evidence.crowds, part)


def _drops(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        push = at(evidence, on, "push", "drops_per_node")
        dropped = {name: at(evidence, on, protocol, "drops_per_node") for protocol, name in BOTH.items()}
        told = ", ".join(f"{name} {value:.1f}" for name, value in dropped.items())
        return [value > 0 and 30 <= push / value <= 300 for value in dropped.values()], f"PUSH {push:.1f}, {told}"

    return everywhere(evidence.crowds, part)


def _pull_drops_nothing(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        dropped = at(evidence, on, "pull", "drops")
        return dropped == 0, f"{dropped:g}"

    return everywhere(evidence.traces, part)


def _push_is_silent(evidence: Evidence) -> Found:
    most = max(at(evidence, on, "push", "control_bytes") for on in evidence.traces)
    return Found(weigh(most == 0), f"{most:g} bytes")


def _as_good_for_less(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        parts, told = [], []
        for protocol, name in BOTH.items():
            reached, slower, dropped = (
                at(evidence, on, protocol, measure) / max(at(evidence, on, "push", measure), 1e-9)
                for measure in ("delivery_ratio", "delay_mean", "drops_per_node")
            )
            parts += [reached >= 0.9, slower <= 1.3, dropped < 0.1]
            told.append(
                f"{name} {reached:.2f} of the deliveries, {slower:.2f} of the delay, {dropped:.2f} of the drops"
            )
        return parts, "; ".join(told)

    return everywhere(evidence.crowds, part)


def _devices(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        nodes = evidence.fact("BSUB13-T1", "nodes", trace=on)
        return nodes == (97 if on in evidence.sparse else 100), f"{nodes} that met somebody"

    return everywhere(evidence.own(INFOCOM06, REALITY), part)


CLAIMS: Sequence[Judge[Evidence]] = (
    *FILTER_CLAIMS,
    Judge(
        "BSUB13-10",
        _messages,
        "100 messages, 25 h apart on average, are 104 days; the paper's trace has 246",
        asked="within a tenth",
    ),
    Judge("BSUB13-14", _approaches_push),
    Judge("BSUB13-15", _overflow),
    Judge("BSUB13-16", _beat_pull, "At long cycles the counters of B-SUB-P's mixtures overflow first"),
    Judge("BSUB13-17", _hiding_costs),
    Judge("BSUB13-18", _delay_has_a_minimum),
    Judge("BSUB13-19", _same_optimum),
    Judge("BSUB13-20", _sparse_varies_less, why="In the other crowds delivery hardly depends on the cycle either"),
    Judge("BSUB13-21", _copies, "With 180 messages of each node, buffers of 100 lose nearly every copy in the end"),
    Judge(
        "BSUB13-22",
        _hiding_copies,
        why="With 180 messages of each node, buffers of 100 lose nearly every copy in the end",
    ),
    Judge("BSUB13-23", _drops, "With 180 messages of each node, buffers of 100 overflow under every protocol"),
    Judge("BSUB13-24", _pull_drops_nothing),
    Judge("BSUB13-32", _push_is_silent),
    Judge(
        "BSUB13-34",
        _as_good_for_less,
        "With 180 messages of each node, buffers of 100 overflow and PUSH is no upper bound",
        asked="drops below a tenth of PUSH's",
    ),
    Judge(
        "BSUB13-35",
        _devices,
        "The surrogate has the participants alone; with those at fixed places the table of Infocom06 has 98 devices",
    ),
)
