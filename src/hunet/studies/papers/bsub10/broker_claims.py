"""The claims of [bsub10] V and VI that simulations decide, about brokers and what their filters hold."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from hunet.studies.papers.bsub.evidence import NO_CROWD, Claim, Evidence, Found, Part, everywhere, shown, weigh
from hunet.studies.papers.bsub.traces import PRINTED
from hunet.studies.papers.bsub10.runs import PRINTED_FACTOR

__all__ = ["BROKER_CLAIMS"]

_BSUB = "bsub10"


def _control_bytes(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        mean = evidence.at(on, _BSUB, "control_bytes_per_contact", "decay", PRINTED_FACTOR)
        most = 2 * evidence.at(on, _BSUB, "largest_filter_bytes", "brokers")
        return 12 <= mean <= 200 and most <= 200, f"{mean:.0f} bytes on average, two of the largest filter {most:.0f}"

    return everywhere(evidence.crowds, part)


def _broker_share(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        share = evidence.at(on, _BSUB, "broker_share", "brokers")
        return abs(share - 0.30) <= 0.08, f"{share:.2f}"

    return everywhere(evidence.traces, part)


def _popular_brokers(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        brokers, users, lot, others = (
            evidence.at(on, _BSUB, f"degree_of_{who}", "brokers")
            for who in ("brokers", "users", "brokers_by_lot", "users_by_lot")
        )
        right = brokers > users and brokers / users > lot / others
        return right, f"brokers met {brokers:.1f}, users {users:.1f}; with demotion by lot {lot:.1f} and {others:.1f}"

    return everywhere(evidence.crowds, part)


def _counters_follow_meetings(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        found = evidence.at(on, _BSUB, "rank_correlation", "brokers")
        return found > 0.5, f"{found:.2f}"

    return everywhere(evidence.crowds, part)


def _three_copies(evidence: Evidence) -> Found:
    runs = evidence.runs

    def each_run(measure: str) -> pd.Series:
        return runs[runs["measure"] == measure]["value"]

    most, used_up, later = each_run("producer_copies").max(), each_run("used_up").sum(), each_run("sent_later").sum()
    found = (
        f"at most {most:.0f} besides direct deliveries, in the logs of all runs; of {used_up:,.0f} messages with all "
        f"copies given, producers sent {later:.0f} once more"
    )
    return weigh([bool(most <= 3), bool(later == 0)]), found


def _tuned(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        steps, rate, plain = (evidence.at(on, _BSUB, name, "tuning") for name in ("steps", "rate", "rate_256"))
        figures = f"{rate:.2%} after {steps:.0f} steps with 64 positions; 256 without decay have {plain:.2%}"
        return steps <= 10 and 0.009 < rate <= 0.01, figures

    return everywhere(evidence.crowds, part)


def _short_lists(evidence: Evidence) -> Found:
    share = {on: evidence.at(on, _BSUB, "short_lists", "brokers") for on in evidence.crowds}
    if not share:
        return NO_CROWD
    usual = all(one > 0.5 for one in share.values())
    return "holds" if usual else "erratum", f"relay filters with fewer than 32 set bits: {shown(share, '.0%')}, ERR-04"


def _trace_sizes(evidence: Evidence) -> Found:
    def part(on: str) -> Part:
        nodes, contacts, days = (evidence.fact("BSUB10-T1", name, trace=on) for name in ("nodes", "contacts", "days"))
        people, meetings, length = PRINTED[on]
        close = abs(contacts / meetings - 1) <= 0.01
        return [nodes == people, close, round(days) == length], f"{nodes} nodes, {contacts:,} contacts, {days:.1f} days"

    return everywhere([row["trace"] for row in evidence.tables["BSUB10-T1"] if row["trace"] in PRINTED], part)


BROKER_CLAIMS: Sequence[Claim] = (
    Claim(
        "BSUB10-15",
        "at most two TCBFs of dozens of bytes per contact",
        _control_bytes,
        "Averages are dozens of bytes; a relay filter with all its counters is larger",
    ),
    Claim(
        "BSUB10-16",
        "about 30 % of the nodes are brokers",
        _broker_share,
        why="On Reality people meet few brokers within five hours, and appoint more",
    ),
    Claim("BSUB10-17", "demotion by degree leaves popular nodes as brokers", _popular_brokers),
    Claim(
        "BSUB10-19",
        "counters are larger for those met more often",
        _counters_follow_meetings,
        "M-merges between brokers blur who met whom",
    ),
    Claim("BSUB10-21", "at most C = 3 copies from the producer", _three_copies),
    Claim(
        "BSUB10-30",
        "a rate of 1 % is met by adjusting the decay factor",
        _tuned,
        asked="0.9 to 1 % by how full filters are at the end, after at most 10 steps",
    ),
    Claim(
        "BSUB10-32",
        "relay filters usually are so empty that a position list is smaller",
        _short_lists,
        asked="more than half of them",
    ),
    Claim(
        "BSUB10-40",
        "79 nodes, 67,360 contacts, 3 days; 97 nodes, 54,667 contacts, 246 days",
        _trace_sizes,
        why="Infocom06 is a surrogate made from its public table, and the public file of Reality is another one",
    ),
)
