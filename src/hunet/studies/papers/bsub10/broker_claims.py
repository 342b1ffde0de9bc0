"""The claims of [bsub10] V and VI that simulations decide, about brokers and what their filters hold."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from hunet.filters.sizing import decay_factor
from hunet.studies.claims.judging import Found, Judge, Parts, everywhere
from hunet.studies.papers.bsub10.runs import PRINTED_FACTOR
from hunet.studies.papers.evidence import Evidence

__all__ = ["BROKER_CLAIMS"]

_BSUB = "bsub10"


def _control_bytes(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        mean = evidence.at(on, _BSUB, "control_bytes_per_contact", "decay", PRINTED_FACTOR)
        most = 2 * evidence.at(on, _BSUB, "largest_filter_bytes", "brokers")
        return {
            "12 to 200 bytes per contact on average": (12 <= mean <= 200, f"{mean:.0f}"),
            "two of the largest filter at most 200": (most <= 200, f"{most:.0f}"),
        }

    return everywhere(evidence.crowds, parts)


def _broker_share(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        share = evidence.at(on, _BSUB, "broker_share", "brokers")
        return {"a share of 0.30 +- 0.08 after the first window": (abs(share - 0.30) <= 0.08, f"{share:.2f}")}

    return everywhere(evidence.traces, parts)


def _popular_brokers(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        brokers, users, lot, others = (
            evidence.at(on, _BSUB, f"degree_of_{who}", "brokers")
            for who in ("brokers", "users", "brokers_by_lot", "users_by_lot")
        )
        return {
            "brokers meet more people than users": (brokers > users, f"{brokers:.1f} and {users:.1f}"),
            "by more than with demotion by lot": (brokers / users > lot / others, f"{lot:.1f} and {others:.1f} then"),
        }

    return everywhere(evidence.crowds, parts)


def _counters_follow_meetings(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        found = evidence.at(on, _BSUB, "rank_correlation", "brokers")
        return {"rank correlation of meetings and counters above 0.5": (found > 0.5, f"{found:.2f}")}

    return everywhere(evidence.crowds, parts)


def _three_copies(evidence: Evidence) -> Found:
    runs = evidence.runs

    def each_run(measure: str) -> pd.Series:
        return runs[runs["measure"] == measure]["value"]

    most, used_up, later = each_run("producer_copies").max(), each_run("used_up").sum(), each_run("sent_later").sum()
    return Found.all(
        {
            "at most 3 copies besides direct deliveries, in the logs of all runs": (bool(most <= 3), f"{most:.0f}"),
            "none is sent by the producer after the last": (
                bool(later == 0),
                f"{later:.0f} of {used_up:,.0f} messages with all copies given",
            ),
        }
    )


def _tuned(evidence: Evidence) -> Found:
    """By the rate that is observed: of queries for keys that are not there, the part that is answered falsely."""

    def parts(on: str) -> Parts:
        steps, rate, minute = (evidence.at(on, _BSUB, name, "tuning") for name in ("steps", "rate", "tuned_factor"))
        figures = f"{rate:.2%} at {minute:.3g} per minute, after {steps:.0f} steps, with 64 positions"
        return {"a conditional rate of 0.8 to 1 % within 10 steps": (steps <= 10 and 0.008 < rate <= 0.01, figures)}

    return everywhere(evidence.crowds, parts)


def _short_lists(evidence: Evidence) -> Found:
    def parts(on: str) -> Parts:
        share = evidence.at(on, _BSUB, "short_lists", "brokers")
        return {"more than half of the relay filters have fewer than 32 set bits": (share > 0.5, f"{share:.0%}")}

    return everywhere(evidence.crowds, parts)


def _keys_collected(evidence: Evidence) -> Found:
    """N of Eq. 5 measured: different nodes that somebody meets in 10 h, as the text says it was obtained."""
    cycle = 1 / PRINTED_FACTOR

    def parts(on: str) -> Parts:
        met = evidence.at(on, _BSUB, "nodes_met", "brokers")
        factor = decay_factor(50, 600, round(met), 256, 4)
        return {
            "0.138 per minute is 1 every 7.2 minutes": (abs(cycle - 7.2) < 0.1, f"{cycle:.2f}"),
            "Eq. 5 gives 0.138 with the nodes met in 10 h, within a tenth": (
                abs(factor / PRINTED_FACTOR - 1) <= 0.1,
                f"N = {met:.1f} gives {factor:.4f}",
            ),
        }

    return everywhere(evidence.crowds, parts)


def _trace_sizes(evidence: Evidence) -> Found:
    """About the data themselves: what stands for them cannot say."""
    rows = {row["trace"]: row for row in evidence.tables["BSUB10-T1"] if row["printed_nodes"] is not None}
    right, told = [], {}
    for on, row in rows.items():
        nodes, contacts, days = (row[name] for name in ("nodes", "contacts", "days"))
        same = (
            nodes == row["printed_nodes"] and contacts == row["printed_contacts"] and round(days) == row["printed_days"]
        )
        right.append(same)
        told[f"{on}, as printed"] = (same, f"{nodes} nodes, {contacts:,} contacts, {days:.1f} days")
    if right and all(right):
        return Found.all(told)
    return Found.needs_data("the contacts of Infocom06 are not public, the public file of Reality is another one", told)


BROKER_CLAIMS: Sequence[Judge[Evidence]] = (
    Judge("BSUB10-15", _control_bytes, "Averages are dozens of bytes; a relay filter with all its counters is larger"),
    Judge("BSUB10-16", _broker_share, why="On Reality people meet few brokers within five hours, and appoint more"),
    Judge("BSUB10-17", _popular_brokers),
    Judge("BSUB10-19", _counters_follow_meetings, "M-merges between brokers blur who met whom"),
    Judge("BSUB10-21", _three_copies),
    Judge("BSUB10-30", _tuned),
    Judge("BSUB10-32", _short_lists, "Relay filters of brokers hold more keys than the eight up to which it is so"),
    Judge("BSUB10-40", _trace_sizes),
    Judge("BSUB10-48", _keys_collected, "It takes N = 124, more than there are nodes (AMB-08)"),
)
