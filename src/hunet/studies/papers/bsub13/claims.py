"""The claims of [bsub13] that simulations and traces decide, part by part, on every trace of the kind.

The paper's own trace decides the word; the other crowds stand beside it. "At the optimum" is at a cycle of 2^8 s,
where the paper has it. `filter_claims` has those about filters, `relations` the claims that need no simulation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hunet.studies.claims.judging import Found, Judge, Parts, everywhere, shown
from hunet.studies.claims.verdict import Verdict
from hunet.studies.papers.bsub13.filter_claims import FILTER_CLAIMS
from hunet.studies.papers.bsub13.lookup import BOTH, at, curve_of, is_inside
from hunet.studies.papers.bsub13.runs import BEST, INSTEAD, READINGS
from hunet.studies.papers.evidence import Evidence, judge_all
from hunet.studies.papers.measured import Measured
from hunet.studies.statistics import interval
from hunet.studies.tables import Table

__all__ = ["CLAIMS", "verdicts"]


def verdicts(tables: Mapping[str, Table], measured: Measured) -> list[Verdict]:
    """The claims that simulations and traces decide."""
    return judge_all(CLAIMS, Evidence(measured.on, tables, measured.runs, READINGS, INSTEAD), list(READINGS))


def _messages(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        count = evidence.fact("BSUB13-T1", "messages_per_node", trace=on)
        printed = 100 if on in evidence.sparse else 180
        return {f"{printed} messages of a node, within a tenth": (abs(count / printed - 1) <= 0.1, f"{count:.0f}")}

    return everywhere([trace.title for trace in evidence.standing_for("Infocom06, Reality")], parts)


def _approaches_push(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        push = at(evidence, on, "push", "delivery_ratio")
        found = {}
        for protocol, name in BOTH.items():
            curve = curve_of(evidence, on, protocol, "delivery_ratio")
            best = int(np.argmax(curve))
            figures = f"{curve[0]:.3f}, best {curve[best]:.3f}, {curve[-1]:.3f}"
            found[f"{name} is best at a cycle inside"] = (is_inside(best, curve), figures)
            found[f"{name} reaches 0.9 of PUSH"] = (curve[best] >= 0.9 * push, f"{curve[best]:.3f}, PUSH {push:.3f}")
        return found

    return everywhere(evidence.crowds, parts)


def _overflow(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        found = {}
        for protocol, name in BOTH.items():
            cycles = evidence.xs(protocol, "unlimited")
            capped = evidence.curve(on, protocol, "delivery_ratio", "cycle", cycles)
            free = evidence.curve(on, protocol, "delivery_ratio", "unlimited", cycles)
            fall, without = (max(curve) - curve[-1] for curve in (capped, free))
            found[f"{name} loses delivery at long cycles, without a limit at most half of that"] = (
                fall > 0 and without <= fall / 2,
                f"{fall:.3f}, without {without:.3f}",
            )
        return found

    return everywhere(evidence.crowds, parts)


def _beat_pull(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        pull = at(evidence, on, "pull", "delivery_ratio")
        least = {name: min(curve_of(evidence, on, protocol, "delivery_ratio")) for protocol, name in BOTH.items()}
        return {
            f"{name} delivers as much as PULL at every cycle": (value >= pull, f"at least {value:.3f}, PULL {pull:.3f}")
            for name, value in least.items()
        }

    return everywhere(evidence.crowds, parts)


def _paired(evidence: Evidence, on: str, measure: str) -> tuple[float, float, float]:
    """What B-SUB-P has more of than B-SUB at the optimum, on the same seeds."""
    hidden, plain = (evidence.each_seed(on, protocol, measure, "cycle", BEST) for protocol in ("bsubp", "bsub13"))
    seeds = min(hidden.size, plain.size)  # a reading that changes one of the two may have the first few only
    _, mean, low, high = interval(hidden[:seeds] - plain[:seeds])
    return mean, low, high


def _hiding_costs(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        mean, low, high = _paired(evidence, on, "delivery_ratio")
        return {
            "B-SUB-P delivers less, 95 % sure over seeds": (high < 0, f"{mean:+.3f} ({low:+.3f} to {high:+.3f})"),
        }

    return everywhere(evidence.crowds, parts)


def _delay_has_a_minimum(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        delays = curve_of(evidence, on, "bsub13", "delay_mean")
        least = int(np.argmin(delays))
        figures = f"{delays[0]:,.0f}, least {delays[least]:,.0f}, {delays[-1]:,.0f} s"
        return {"B-SUB is fastest at a cycle inside": (is_inside(least, delays), figures)}

    return everywhere(evidence.crowds, parts)


def _same_optimum(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        cycles = evidence.xs("bsub13", "cycle")
        most = cycles[int(np.argmax(curve_of(evidence, on, "bsub13", "delivery_ratio")))]
        soonest = cycles[int(np.argmin(curve_of(evidence, on, "bsub13", "delay_mean")))]
        figures = f"delivery at {most:g} s, delay at {soonest:g} s"
        return {
            "the two are best within one octave": (0.5 <= most / soonest <= 2, figures),
            "delivery is best at 64 to 512 s": (64 <= most <= 512, f"{most:g} s"),
            "delay is best at 64 to 512 s": (64 <= soonest <= 512, f"{soonest:g} s"),
        }

    return everywhere(evidence.crowds, parts)


def _sparse_varies_less(evidence: Evidence) -> Found:
    """Of two traces: judged on the crowd, beside the sparse one."""
    if not evidence.sparse:
        return Found.needs_data("no sparse trace is there")

    def spread(on: str) -> float:
        curve = curve_of(evidence, on, "bsub13", "delivery_ratio")
        return max(curve) - min(curve)

    there = spread(evidence.sparse[0])

    def parts(on: str) -> Parts:
        figures = f"{spread(on):.3f}, {evidence.sparse[0]} {there:.3f}"
        return {
            "delivery varies with the cycle by more than twice of Reality's range": (there < spread(on) / 2, figures)
        }

    return everywhere(evidence.crowds, parts)


def _copies(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        net = {
            protocol: at(evidence, on, protocol, "copies_net_mean") for protocol in ("push", "bsub13", "bsubp", "pull")
        }
        push, bsub = net["push"], net["bsub13"]
        every = shown(net, ".1f")
        return {
            "PUSH has most copies": (push == max(net.values()), every),
            "B-SUB about 15.5 at 2^8 s, within a tenth": (abs(bsub / 15.5 - 1) <= 0.1, f"{bsub:.1f}"),
            "0.8 +- 0.1 of PUSH's": (abs(bsub / push - 0.8) <= 0.1, f"{bsub / push:.2f}"),
        }

    return everywhere(evidence.crowds, parts)


def _hiding_copies(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        mean, low, high = _paired(evidence, on, "copies_net_mean")
        return {"B-SUB-P has more copies than B-SUB": (mean > 0, f"{mean:+.2f} ({low:+.2f} to {high:+.2f})")}

    return everywhere(evidence.crowds, parts)


def _drops(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        push = at(evidence, on, "push", "drops_per_node")
        dropped = {name: at(evidence, on, protocol, "drops_per_node") for protocol, name in BOTH.items()}
        return {
            f"PUSH drops 30 to 300 times as much as {name}": (
                value > 0 and 30 <= push / value <= 300,
                f"{push:.1f} and {value:.1f} per node",
            )
            for name, value in dropped.items()
        }

    return everywhere(evidence.crowds, parts)


def _pull_drops_nothing(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        dropped = at(evidence, on, "pull", "drops")
        return {"0 messages dropped": (dropped == 0, f"{dropped:g}")}

    return everywhere(evidence.traces, parts)


def _push_is_silent(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        sent = at(evidence, on, "push", "control_bytes")
        return {"0 bytes": (sent == 0, f"{sent:g}")}

    return everywhere(evidence.traces, parts)


def _as_good_for_less(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        found = {}
        for protocol, name in BOTH.items():
            reached, slower, dropped = (
                at(evidence, on, protocol, measure) / max(at(evidence, on, "push", measure), 1e-9)
                for measure in ("delivery_ratio", "delay_mean", "drops_per_node")
            )
            found[f"{name} delivers 0.9 of PUSH"] = (reached >= 0.9, f"{reached:.2f}")
            found[f"{name} takes at most 1.3 times its delay"] = (slower <= 1.3, f"{slower:.2f}")
            found[f"{name} drops less than a tenth"] = (dropped < 0.1, f"{dropped:.2f}")
        return found

    return everywhere(evidence.crowds, parts)


def _devices(evidence: Evidence) -> Found:
    """About the data themselves: what stands for them cannot say."""
    told, right = {}, []
    for trace in evidence.standing_for("Infocom06, Reality"):
        nodes = evidence.fact("BSUB13-T1", "nodes", trace=trace.title)
        printed = 97 if trace.sparse else 100
        right.append(nodes == printed)
        told[f"{trace.title}: {printed} devices"] = (nodes == printed, f"{nodes} that met somebody")
    if right and all(right):
        return Found.all(told)
    why = "of 100 iMotes 98 delivered data, of which a table is public; the public file of Reality is another one"
    return Found.needs_data(why, told)


CLAIMS: Sequence[Judge[Evidence]] = (
    *FILTER_CLAIMS,
    Judge(
        "BSUB13-10",
        _messages,
        "100 messages, 25 h apart on average, are 104 days; the paper's trace has 246",
    ),
    Judge("BSUB13-14", _approaches_push),
    Judge("BSUB13-15", _overflow),
    Judge("BSUB13-16", _beat_pull, "At long cycles the counters of B-SUB-P's mixtures overflow first"),
    Judge("BSUB13-17", _hiding_costs),
    Judge("BSUB13-18", _delay_has_a_minimum),
    Judge("BSUB13-19", _same_optimum),
    Judge(
        "BSUB13-20",
        _sparse_varies_less,
        why="In a crowd delivery depends little on the cycle too, once there are copies enough",
    ),
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
    ),
    Judge("BSUB13-35", _devices),
)
