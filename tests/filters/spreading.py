"""The sharing of [sptbf] 3 on a line of nodes that exchange every five seconds: the scene of Fig. 3."""

from __future__ import annotations

from collections.abc import Sequence

from hunet.filters import Hashing, SpTBF

LABEL = "ctx"
FAMILY = Hashing(m=100, k=3)


def knowledge_on_a_line(hops: int, lifetime: float, until: int, clocks: Sequence[float]) -> dict[int, list[bool]]:
    """Which node of the line knows of node 0's interest, after every exchange; node i's clock is ahead by clocks[i].

    Node 0 wants the label from time 0 for `lifetime` seconds and says so, with what is left, in all it sends.
    """
    nodes = [SpTBF(FAMILY, now=clock) for clock in clocks]
    known = {}
    for now in range(5, until + 1, 5):
        sent = []
        for i, node in enumerate(nodes):
            outgoing = node.copy()
            outgoing.adjust_time(now + clocks[i])
            outgoing.decrement_hops()
            if i == 0 and now < lifetime:
                outgoing.insert(LABEL, hops, lifetime - now, now + clocks[i])
            sent.append(outgoing)
        for i, node in enumerate(nodes):
            for neighbour in (i - 1, i + 1):
                if 0 <= neighbour < len(nodes):
                    received = sent[neighbour].copy()
                    received.rebase(now + clocks[i])
                    node.merge(received, now + clocks[i])
        known[now] = [node.query(LABEL, now + clocks[i]) for i, node in enumerate(nodes)]
    return known
