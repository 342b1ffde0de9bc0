"""The errands of MOPS: which destinations a message still has through a peer ([mops] III-B).

Destinations are members of the own community by their places, a bit for each; routes are those that the training part
found. A publisher remembers to whom its message is on the way (the pub list), others for whom they have it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.kernels import leaf, lowest_bit, rare
from hunet.protocols.mops_lists import MopsParams, MopsState, weight_of
from hunet.protocols.protocol import NO, YES, Message
from hunet.protocols.quantities import Entry, Row

__all__ = ["NOBODY", "NONE", "look_for_errands"]

NOBODY = -1
NONE, _ONE = np.uint64(0), np.uint64(1)


@leaf
def _route(params: MopsParams, me: Row, source: Any, next_hop: Any) -> Any:
    """My route for messages of a source over a next hop."""
    around = params.around
    low, high = around.node[me].first_route, around.node[me].last_route
    last = high
    while low < high:
        middle = (low + high) // 2
        at = around.route[middle].source
        if at < source or (at == source and around.route[middle].next < next_hop):
            low = middle + 1
        else:
            high = middle
    found = low < last and around.route[low].source == source and around.route[low].next == next_hop
    return low if found else NOBODY


@rare
def look_for_errands(params: MopsParams, state: MopsState, me: Row, entry: Entry, message: Message) -> Any:
    """Put into the parcel the destinations that a message still has through the peer; the largest of their weights.

    Of my own message these are members whose lists ask for it and who are not in its pub list. Further on the weight is
    not known any more, and counts as that of a full interest.
    """
    parcel, best = params.parcel, NO
    for word in range(parcel.size):
        parcel[word] = NONE
    route = _route(params, me, message.source, message.peer)
    if route == NOBODY:
        return best
    for word in range(parcel.size):
        ways, noted = params.around.route_to[route, word], state.errands[me, entry, word]
        if not message.own:
            parcel[word] = ways & noted
            if parcel[word] != NONE:
                best = YES
            continue
        bits = ways & ~noted
        while bits != NONE:
            bit = lowest_bit(bits)
            bits &= bits - _ONE
            weight = _asked(params, state, me, 64 * word + bit, message)
            if weight > NO:
                parcel[word] |= _ONE << np.uint64(bit)
                best = max(best, weight)
    return best


@leaf
def _asked(params: MopsParams, state: MopsState, me: Row, place: Any, message: Message) -> Any:
    """What a message is worth to a member, by its list as I know it."""
    best = NO
    for i in range(message.first_tag, message.stop_tag):
        tag = message.tags[i]
        level, outside = state.level[me, place, tag], state.outside[me, place, tag]
        best = max(best, weight_of(params, params.around.member[me, place].broker, level, outside))
    return best
