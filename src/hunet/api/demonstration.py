"""A page to look at before one has anything of one's own: B-SUB of 2010 beside PUSH at a generated conference."""

from __future__ import annotations

from hunet.api.generating import generate
from hunet.api.simulating import simulate
from hunet.watch.page import Page

__all__ = ["demonstration"]


def demonstration() -> Page:
    """The page; both runs are of the workload of [bsub10], with messages that live six hours."""
    trace = generate("conference", nodes=36, days=1, contacts_per_day=110, acquaintances=24, community_size=12, seed=7)
    bsub, push = (simulate(trace, protocol, "bsub10", ttl="6h", log=True) for protocol in ("bsub10", "push"))
    return bsub.watch(beside=push)
