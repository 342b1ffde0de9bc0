"""Whom I met in the last so many seconds: how many different nodes, how many of them brokers, and of what degree.

Per node a list of its peers by the time they were last met, oldest first, linked by numbers, with the counts kept up to
date: a meeting costs the same however many peers there are. `me` is a record with the fields of `COUNTS`; `peers` an
array of records of `ACQUAINTANCE`, mine from `start` on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.kernels import leaf
from hunet.protocols.quantities import Now, Peer

__all__ = ["ACQUAINTANCE", "COUNTS", "NEVER", "NOBODY", "forget", "forget_before", "is_known", "remember"]

NEVER = -np.inf
NOBODY = -1

COUNTS: list[tuple[str, Any]] = [
    ("oldest", np.int32),  # whom I have not met for longest
    ("newest", np.int32),
    ("met", np.int64),  # different nodes in the window
    ("brokers", np.int64),  # of these, brokers
    ("degrees", np.int64),  # sum of the brokers' degrees
]
ACQUAINTANCE: list[tuple[str, Any]] = [
    ("at", np.float64),  # when last met; NEVER outside the window
    ("older", np.int32),  # who comes before in the list
    ("newer", np.int32),
    ("degree", np.int32),
    ("broker", np.bool_),
]


@leaf
def is_known(peers: Any, start: Any, peer: Peer) -> Any:
    """Did I meet this peer in the window?"""
    return peers[start + peer].at != NEVER


@leaf
def forget(me: Any, peers: Any, start: Any, peer: Peer) -> None:
    """This peer, whom I met in the window, leaves it."""
    older, newer = peers[start + peer].older, peers[start + peer].newer
    if older == NOBODY:
        me.oldest = newer
    else:
        peers[start + older].newer = newer
    if newer == NOBODY:
        me.newest = older
    else:
        peers[start + newer].older = older
    peers[start + peer].at = NEVER
    me.met -= 1
    if peers[start + peer].broker:
        me.brokers -= 1
        me.degrees -= peers[start + peer].degree


@leaf
def forget_before(me: Any, peers: Any, start: Any, time: Now) -> None:
    """Forget those whom I last met before this time."""
    while me.met > 0 and peers[start + me.oldest].at < time:
        forget(me, peers, start, np.int64(me.oldest))


@leaf
def remember(me: Any, peers: Any, start: Any, peer: Peer, now: Now, broker: bool, degree: Any) -> None:
    """I meet this peer now, and it is, or is not, a broker of this degree."""
    if is_known(peers, start, peer):
        forget(me, peers, start, peer)
    last = me.newest
    if me.met == 0:
        last = NOBODY
        me.oldest = peer
    else:
        peers[start + last].newer = peer
    me.newest = peer
    me.met += 1
    if broker:
        me.brokers += 1
        me.degrees += degree
    mine = peers[start + peer]
    mine.at = now
    mine.older = last
    mine.newer = NOBODY
    mine.broker = broker
    mine.degree = degree
