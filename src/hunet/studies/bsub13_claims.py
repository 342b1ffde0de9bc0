"""The claims of [bsub13] that simulations and traces decide, each judged on every trace it is about.

Claims about Infocom06 are judged on every crowd that is there. "At the optimum" is at a cycle of 2^8 s, where the paper
has it. `bsub13_relations` has the claims that need no simulation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from hunet.studies.bsub13_relations import relations
from hunet.studies.bsub13_runs import BEST, INSTEAD, READINGS
from hunet.studies.bsub_evidence import Claim, Evidence, Found, Part, each, everywhere, falls, judge_all, rises
from hunet.studies.bsub_traces import INFOCOM06, REALITY, is_sparse
from hunet.studies.reproduction import Table
from hunet.studies.statistics import interval
from hunet.studies.verdicts import Verdict

__all__ = ["CLAIMS", "verdicts"]

_BOTH = {"bsub13": "B-SUB", "bsubp": "B-SUB-P"}
_FLAT = ("push", "pull")
_NO_CROWD: Found = ("not judged", "no crowd is there")


def verdicts(tables: Mapping[str, Table], runs: pd.DataFrame) -> list[Verdict]:
    """Every claim of the ledger, in its order."""
    return sorted([*relations(), *judge_all(CLAIMS, Evidence(tables, runs, READINGS, INSTEAD), list(READINGS))])


def _at(evidence: Evidence, on: str, protocol: str, measure: str) -> float:
    """At the optimum."""
    return evidence.at(on, protocol, measure, "cycle", 0.0 if protocol in _FLAT else BEST)


def _curve(evidence: Evidence, on: str, protocol: str, measure: str) -> list[float]:
    return evidence.curve(on, protocol, measure, "cycle")


def _inside(place: int, values: Sequence[float]) -> bool:
    return 0 < place < len(values) - 1


def _guesses(evidence: Evidence) -> Found:
    precision, expected = (evidence.fact("BSUB13-guesses", name) for name in ("precision", "posterior"))
    if precision is None:
        return _NO_CROWD
    found = (
        f"{evidence.fact('BSUB13-guesses', 'trace')}: precision {precision:.3f}, {expected:.3f} by Bayes' rule "
        "(32 positions, 2 hash functions, 5 of 200 tags)"
    )
    return "holds" if abs(precision / expected - 1) < 0.05 else "fails", found


def _mixture(evidence: Evidence) -> Found:
    def precision(variant: str, attacker: str) -> float:
        rows = [
            row["precision"]
            for row in evidence.tables["BSUB13-attack"]
            if (row["variant"], row["attacker"], row["universe"]) == (variant, attacker, "all tags")
        ]
        return float(np.mean(rows))

    if not evidence.tables["BSUB13-attack"]:
        return _NO_CROWD
    base = 2 / 38
    member, ranked = (precision("bsubp", attacker) for attacker in ("membership", "ranking"))
    plain = precision("bsub13", "membership")
    hidden, also_ranked = member < 1.2 * base, ranked < 1.2 * base
    word = "holds" if hidden and also_ranked else "partly" if hidden or also_ranked else "fails"
    found = (
        f"guesses by membership are right in {plain:.0%} with B-SUB and in {member:.1%} with B-SUB-P (base rate "
        f"{base:.1%}), by the largest counters still in {ranked:.0%}"
    )
    return word, found


def _messages(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        count = evidence.fact("BSUB13-T1", "messages_per_node", trace=on)
        printed = 100 if is_sparse(on) else 180
        return abs(count / printed - 1) <= 0.1, f"{count:.0f} per node"

    return everywhere([on for on in evidence.traces if on.startswith(("Infocom06", REALITY))], part)


def _approaches_push(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        push = _at(evidence, on, "push", "delivery_ratio")
        parts, told = [], []
        for protocol, name in _BOTH.items():
            curve = _curve(evidence, on, protocol, "delivery_ratio")
            best = int(np.argmax(curve))
            parts += [_inside(best, curve), curve[best] >= 0.9 * push]
            told.append(f"{name} {curve[0]:.3f}, best {curve[best]:.3f}, {curve[-1]:.3f}")
        return parts, f"PUSH {push:.3f}; {'; '.join(told)}"

    return everywhere(evidence.crowds, part)


def _overflow(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        parts, told = [], []
        for protocol, name in _BOTH.items():
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
        pull = _at(evidence, on, "pull", "delivery_ratio")
        least = {name: min(_curve(evidence, on, protocol, "delivery_ratio")) for protocol, name in _BOTH.items()}
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
        delays = _curve(evidence, on, "bsub13", "delay_mean")
        least = int(np.argmin(delays))
        return _inside(least, delays), f"{delays[0]:,.0f}, least {delays[least]:,.0f}, {delays[-1]:,.0f} s"

    return everywhere(evidence.crowds, part)


def _same_optimum(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        cycles = evidence.xs("bsub13", "cycle")
        most = cycles[int(np.argmax(_curve(evidence, on, "bsub13", "delivery_ratio")))]
        soonest = cycles[int(np.argmin(_curve(evidence, on, "bsub13", "delay_mean")))]
        near = 0.5 <= most / soonest <= 2
        inside = all(64 <= cycle <= 512 for cycle in (most, soonest))
        return [near, inside], f"delivery best at {most:g} s, delay at {soonest:g} s"

    return everywhere(evidence.crowds, part)


def _sparse_varies_less(evidence: Evidence) -> Found:
    if not evidence.sparse:
        return "not judged", "no sparse trace is there"

    def spread(on: str) -> float:
        curve = _curve(evidence, on, "bsub13", "delivery_ratio")
        return max(curve) - min(curve)

    there = spread(evidence.sparse[0])

    def part(on: str) -> Part:
        return there < spread(on) / 2, f"{spread(on):.3f}, {evidence.sparse[0]} {there:.3f}"

    return everywhere(evidence.crowds, part)


def _copies(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        push, bsub = (_at(evidence, on, protocol, "copies_net_mean") for protocol in ("push", "bsub13"))
        return abs(bsub / push - 0.8) <= 0.1, f"{bsub:.1f}, {bsub / push:.2f} of PUSH's {push:.1f}"

    return everywhere(evidence.crowds, part)


def _hiding_copies(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        mean, low, high = _paired(evidence, on, "copies_net_mean")
        return mean > 0, f"{mean:+.2f} copies ({low:+.2f} to {high:+.2f})"

    return everywhere(evidence.crowds, part)


def _drops(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        push = _at(evidence, on, "push", "drops_per_node")
        dropped = {name: _at(evidence, on, protocol, "drops_per_node") for protocol, name in _BOTH.items()}
        told = ", ".join(f"{name} {value:.1f}" for name, value in dropped.items())
        return [value > 0 and 30 <= push / value <= 300 for value in dropped.values()], f"PUSH {push:.1f}, {told}"

    return everywhere(evidence.crowds, part)


def _pull_drops_nothing(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        dropped = _at(evidence, on, "pull", "drops")
        return dropped == 0, f"{dropped:g}"

    return everywhere(evidence.traces, part)


def _pull_errs_alike(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        forwarding, delivered = (evidence.at(on, "pull", name, "small") for name in ("forwarding_fpr", "delivered_fpr"))
        return (
            0 < forwarding == delivered,
            f"{forwarding:.1%} and {delivered:.1%} with 16 positions and 1 hash function",
        )

    return everywhere(evidence.crowds, part)


def _pull_errs_little(evidence: Evidence) -> Found:
    rates = {on: _at(evidence, on, "pull", "forwarding_fpr") for on in evidence.crowds}
    if not rates:
        return _NO_CROWD
    told = ", ".join(f"{on} {value:.1e}" for on, value in rates.items())
    right = all(abs(value - 0.04) < 0.01 for value in rates.values())
    return "holds" if right else "erratum", f"{told}; 4.6 % is the rate of 38 keys in one filter, ERR-15"


def _false_forwards_fall(evidence: Evidence) -> Found:
    """Like PULL's: the 95 % interval of the difference from it, seed by seed, contains 0."""

    def part(on: str) -> Part:
        pull = evidence.each_seed(on, "pull", "forwarding_fpr", "cycle", 0.0)
        parts, told = [], []
        for protocol, name in _BOTH.items():
            curve = _curve(evidence, on, protocol, "forwarding_fpr")
            first = evidence.each_seed(on, protocol, "forwarding_fpr", "cycle", evidence.xs(protocol, "cycle")[0])
            _, _mean, low, high = interval(first - pull)
            parts += [low <= 0 <= high, falls(curve)]
            told.append(f"{name} {each(curve, '.1e')}")
        return parts, f"PULL {np.nanmean(pull):.1e}; {'; '.join(told)}"

    return everywhere(evidence.crowds, part)


def _push_for_nothing(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        share = _at(evidence, on, "push", "not_by_bsub")
        return share > 0.9, f"{share:.0%}"

    return everywhere(evidence.crowds, part)


def _relayed_tags(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        tags = _curve(evidence, on, "bsub13", "relayed_tags_exact")
        best = _at(evidence, on, "bsub13", "relayed_tags_exact")
        return [25 <= best <= 35, rises(tags)], f"{best:.1f} at 2^8 s; {each(tags, '.1f')}"

    return everywhere(evidence.crowds, part)


def _control_size(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        saved = {
            name: 1
            - _at(evidence, on, protocol, "control_bytes_per_contact")
            / _at(evidence, on, protocol, "control_bytes_raw")
            for protocol, name in _BOTH.items()
        }
        told = ", ".join(f"{name} {value:.2f}" for name, value in saved.items())
        return [0.55 <= value <= 0.75 for value in saved.values()], f"saved {told}"

    return everywhere(evidence.crowds, part)


def _fewer_values_are_smaller(evidence: Evidence) -> Found:
    """A maximum inside: from there to the last cycle bytes fall, with 95 % of certainty over seeds."""

    def part(on: str) -> Part:
        parts, told = [], []
        for code, has_one in ((5, True), (6, True), (3, False), (4, False)):
            measure = f"control_bytes_E{code}"
            curve = _curve(evidence, on, "bsub13", measure)
            cycles = evidence.xs("bsub13", "cycle")
            most = int(np.argmax(curve))
            top, last = (evidence.each_seed(on, "bsub13", measure, "cycle", x) for x in (cycles[most], cycles[-1]))
            _, _mean, low, _high = interval(top - last)
            parts.append((_inside(most, curve) and low > 0) == has_one)
            told.append(f"E{code} {each(curve, '.0f')}")
        return parts, f"{'; '.join(told)} bytes"

    return everywhere(evidence.crowds, part)


def _push_is_silent(evidence: Evidence) -> Found:
    most = max(_at(evidence, on, "push", "control_bytes") for on in evidence.traces)
    return "holds" if most == 0 else "fails", f"{most:g} bytes"


def _as_good_for_less(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        parts, told = [], []
        for protocol, name in _BOTH.items():
            reached, slower, dropped = (
                _at(evidence, on, protocol, measure) / max(_at(evidence, on, "push", measure), 1e-9)
                for measure in ("delivery_ratio", "delay_mean", "drops_per_node")
            )
            parts += [reached >= 0.9, slower <= 1.3, dropped < 0.1]
            told.append(
                f"{name} {reached:.2f} of the deliveries, {slower:.2f} of the delay, {dropped:.2f} of the drops"
            )
        return parts, "; ".join(told)

    return everywhere(evidence.crowds, part)


def _devices(evidence: Evidence) -> Found:
    printed = {INFOCOM06: 100, REALITY: 97}

    def part(on: str) -> Part:
        nodes = evidence.fact("BSUB13-T1", "nodes", trace=on)
        return nodes == printed[on], f"{nodes} that met somebody"

    return everywhere([row["trace"] for row in evidence.tables["BSUB13-T1"] if row["trace"] in printed], part)


def _alike(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        cycles = [cycle for cycle in evidence.xs("bsub13", "alike") if cycle >= BEST]
        shares = evidence.curve(on, "bsub13", "alike", "alike", cycles)
        return rises(shares) and shares[-1] > shares[0], f"{each(shares, '.2f')} from 2^8 s on"

    return everywhere(evidence.crowds, part)


CLAIMS: Sequence[Claim] = (
    Claim("BSUB13-08", "guesses from a genuine filter are as good as can be computed", _guesses),
    Claim(
        "BSUB13-09",
        "B-SUB-P: own and relayed interests cannot be told apart",
        _mixture,
        "Own interests never fall below the initial value in the mixture, relayed ones do",
        asked="at most 1.2 of the base rate",
    ),
    Claim(
        "BSUB13-10",
        "about 180 messages per node, 100 on Reality",
        _messages,
        "100 messages, 25 h apart on average, are 104 days; the paper's trace has 246",
        asked="within a tenth",
    ),
    Claim("BSUB13-14", "delivery approaches PUSH as the cycle grows, then degrades", _approaches_push),
    Claim("BSUB13-15", "the degradation is caused by counter overflow", _overflow),
    Claim(
        "BSUB13-16",
        "both B-SUBs beat PULL at every cycle",
        _beat_pull,
        "At long cycles the counters of B-SUB-P's mixtures overflow first",
    ),
    Claim("BSUB13-17", "B-SUB-P delivers less than B-SUB", _hiding_costs),
    Claim("BSUB13-18", "delay falls with the cycle, then rises", _delay_has_a_minimum),
    Claim("BSUB13-19", "best delivery and best delay at a similar cycle, 2^7 to 2^8 s", _same_optimum),
    Claim(
        "BSUB13-20",
        "Reality varies much less over the cycles",
        _sparse_varies_less,
        why="In the other crowds delivery hardly depends on the cycle either",
    ),
    Claim(
        "BSUB13-21",
        "copies: 15.5, 20 % below PUSH",
        _copies,
        "With 180 messages of each node, buffers of 100 lose nearly every copy in the end",
    ),
    Claim(
        "BSUB13-22",
        "B-SUB-P makes slightly more copies",
        _hiding_copies,
        why="With 180 messages of each node, buffers of 100 lose nearly every copy in the end",
    ),
    Claim(
        "BSUB13-23",
        "PUSH drops nearly 100 times as much",
        _drops,
        "With 180 messages of each node, buffers of 100 overflow under every protocol",
    ),
    Claim("BSUB13-24", "PULL drops nothing", _pull_drops_nothing),
    Claim("BSUB13-25", "PULL: forwarding rate equals delivery rate", _pull_errs_alike),
    Claim("BSUB13-26", "PULL's rate is close to 4 %", _pull_errs_little, asked="3 to 5 %"),
    Claim(
        "BSUB13-27",
        "false forwards: like PULL's at small cycles, falling",
        _false_forwards_fall,
        asked="at the smallest cycle a 95 % interval of the difference from PULL that contains 0",
    ),
    Claim("BSUB13-28", "more than 90 % of PUSH's forwards B-SUB would not make", _push_for_nothing),
    Claim(
        "BSUB13-29",
        "about 30 relayed tags at the optimum, growing with the cycle",
        _relayed_tags,
        why="In a dense crowd nearly all 38 tags spread to everybody",
    ),
    Claim(
        "BSUB13-30",
        "TCBFs cut control bytes by nearly 2/3",
        _control_size,
        why="Codes that group equal counters save a little more",
    ),
    Claim(
        "BSUB13-31",
        "control bytes decline beyond a cycle: fewer different values",
        _fewer_values_are_smaller,
        asked="a fall from a maximum inside, 95 % certain over seeds, with E5 and E6 and not with E3 and E4",
    ),
    Claim("BSUB13-32", "PUSH has no control bytes", _push_is_silent),
    Claim(
        "BSUB13-34",
        "as good as PUSH with much less resources",
        _as_good_for_less,
        "With 180 messages of each node, buffers of 100 overflow and PUSH is no upper bound",
        asked="drops below a tenth of PUSH's",
    ),
    Claim(
        "BSUB13-35",
        "100 iMotes, 97 phones",
        _devices,
        "The surrogate has the participants alone; with those at fixed places the table of Infocom06 has 98 devices",
    ),
    Claim("BSUB13-36", "overflow makes preferences alike", _alike),
)
