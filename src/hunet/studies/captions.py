"""What the figures and tables of the papers show, by the ids under which a reproduction writes them."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["CAPTIONS"]

_SCHEMES = "PUSH, PULL and B-SUB"

CAPTIONS: Mapping[str, str] = {
    "BSUB10-F2": "A Bloom filter and a counting Bloom filter after the same insertions.",
    "BSUB10-F3": "A-merge adds counters, M-merge takes the larger one.",
    "BSUB10-F4": "Counters that decay: which keys are still known, and until when.",
    "BSUB10-F6": "What A-merge does to two nodes that meet again and again: bogus counters, which M-merge avoids.",
    "BSUB10-F7": f"{_SCHEMES} against the lifetime of messages, on the conference.",
    "BSUB10-F8": f"{_SCHEMES} against the lifetime of messages, on Reality.",
    "BSUB10-F9": "B-SUB against its decay factor.",
    "BSUB10-T1": "The traces, beside what the paper prints of them.",
    "BSUB10-T2": "The 38 keys and how often each is drawn.",
    "BSUB13-F3": "A-merge adds counters, M-merge takes the larger one.",
    "BSUB13-F5": "Counters that decay: which tags are still known, and until when.",
    "BSUB13-F7": "How far people agree on tags, by title.",
    "BSUB13-F8": "Bogus counters between two nodes that meet again and again.",
    "BSUB13-F9": "Four schemes against the decay cycle of B-SUB.",
    "BSUB13-F9a": "Delivery ratio against the decay cycle.",
    "BSUB13-F9b": "Copies of delivered messages against the decay cycle.",
    "BSUB13-F9c": "Mean delay against the decay cycle.",
    "BSUB13-F9d": "Share of forwards that are false, against the decay cycle.",
    "BSUB13-F9e": "Messages dropped per node, against the decay cycle.",
    "BSUB13-F9g": "Tags in a relay filter at the end, against the decay cycle.",
    "BSUB13-F9h": "Bytes of control messages per contact, against the decay cycle.",
    "BSUB13-T1": "The traces, beside what the paper prints of them.",
    "MOPS-F2": "From a history of contacts to the closeness of each pair.",
    "MOPS-F3": "How many communities there are, and how large, against the threshold T.",
    "MOPS-F3a": "The worked example: communities at T = 0.5.",
    "MOPS-F3b": "The worked example: communities at T = 0.7.",
    "MOPS-F5": "The worked example: weights of interests inside, outside, and recommended.",
    "MOPS-F8": "Utility (share of the interested that get an event) against its lifetime.",
    "MOPS-F9": "Efficiency (share of those that get an event who wanted it) against its lifetime.",
    "MOPS-F10": "Latency and forwards of MOPS against the threshold T, with and without a default weight.",
    "MOPS-F11": "Utility and efficiency against the rate at which events are published.",
    "MOPS-changing": "What happens when a third of the nodes change their interests half-way.",
    "MOPS-quarters": "Utility by the centrality of nodes: who is left out.",
    "ZZ-F2": "A grid in Z-order, and the cells that cover a subscription.",
    "ZZ-F3a": "Time to transform and insert a subscription, against its dimensions.",
    "ZZ-F3b": "Time to insert a transformed subscription into a Bloom filter and into an interval tree.",
    "ZZ-F3c": "Time to match an event with 100 subscriptions.",
    "ZZ-F4": "Intervals of a subscription against the cells per dimension.",
    "ZZ-F5": "Events that match a cover but not the subscription, against the cells per dimension.",
    "ZZ-F6": "What the Bloom filter adds to that.",
    "ZZ-R1": "Our evaluation of the routing, of which the paper has none (ERR-29).",
    "ZZ-T1": "Points per interval.",
}
"""A caption holds for all ids that begin with its own and have none themselves."""
