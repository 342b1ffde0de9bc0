"""The claims of [bsub10] V and VI that simulations decide, about brokers and what their filters hold."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from hunet.studies.claims.judging import Found, Judge, Part, everywhere, shown, weigh
from hunet.studies.claims.verdict import Word
from hunet.studies.papers.bsub10.runs import PRINTED_FACTOR
from hunet.studies.papers.evidence import NO_CROWD, Evidence

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
    return Found(weigh([bool(most <= 3), bool(later == 0)]), found)


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
    told = f"relay filters with fewer than 32 set bits: {shown(share, '.0%')}, ERR-04"
    return Found(Word.HOLDS if usual else Word.ERRATUM, told, evidence.crowds)


def _trace_sizes(evidence: Evidence) -> Found:
    rows = {row["trace"]: row for row in evidence.tables["BSUB10-T1"] if row["printed_nodes"] is not None}

    def part(on: str) -> Part:
        row = rows[on]
        nodes, contacts, days = (row[name] for name in ("nodes", "contacts", "days"))
        close = abs(contacts / row["printed_contacts"] - 1) <= 0.01
        right = [nodes == row["printed_nodes"], close, round(days) == row["printed_days"]]
        return right, f"{nodes} nodes, {contacts:,} contacts, {days:.1f} days"

    return everywhere(list(rows), part)


BROKER_CLAIMS: Sequence[Judge[Evidence]] = (
    Judge("BSUB10-15", _control_bytes, "Averages are dozens of bytes; a relay filter with all its counters is larger"),
    Judge("BSUB10-16", _broker_share, why="On Reality people meet few brokers within five hours, and appoint more"),
    Judge("BSUB10-17", _popular_brokers),
    Judge("BSUB10-19", _counters_follow_meetings, "M-merges between brokers blur who met whom"),
    Judge("BSUB10-21", _three_copies),
    Judge("BSUB10-30", _tuned, asked="0.9 to 1 % by how full filters are at the end, after at most 10 steps"),
    Judge("BSUB10-32", _short_lists, asked="more than half of them"),
    Judge(
        "BSUB10-40",
        _trace_sizes,
        why="Infocom06 is a surrogate made from its public table, and the public file of Reality is another one",
    ),
)
