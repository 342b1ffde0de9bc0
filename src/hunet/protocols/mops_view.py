"""What a node of MOPS makes of the cards it has: who is how close, its community, its best paths, its role.

The Appendix of [mops] with a node's own view in the place of the graph. From time to time a node looks at its view: it
works out everybody's closeness (Eq. 1), and goes through the rounds of initiators and cliques (`social.cliques`) until
it is in a community itself. Nobody waits for an announcement: who has the same cards comes to the same communities.
Members are those who say the same label: the name of the member after whom most of them are called already. Initiators
would change with every hour's degrees, and not everybody looks at once.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, rare
from hunet.model.closeness import log_closeness
from hunet.protocols.mops_people import NOBODY, LiveState, forget, introduce, mean_separation
from hunet.protocols.quantities import Millis, Row
from hunet.social.cliques import Draft, new_draft, stand, try_cliques
from hunet.social.graph import Graph, add_up_degrees
from hunet.social.neighbourhoods import Ground, renew
from hunet.social.paths import new_search, search_from

__all__ = ["View", "look", "new_view"]

_log_closeness = leaf(log_closeness)
_NONE, _ALL, _ONE, _LOW = np.uint64(0), ~np.uint64(0), np.uint64(1), np.uint64(63)


class View(NamedTuple):
    """Room for one look; people are numbered by rising name here, so that the lower id decides where it must."""

    people: int
    hops: int
    share: float
    """B: gateways drop out once those above them have this share of the betweenness."""
    gateway_size: int
    lead: bool
    tail: bool
    """Which separations count (AMB-40)."""
    ground: Ground
    draft: Draft
    everyone: npt.NDArray[np.bool_]
    degree: npt.NDArray[np.float64]
    rank: npt.NDArray[np.int64]
    best: npt.NDArray[np.int64]
    initiator: npt.NDArray[np.bool_]
    leaving: npt.NDArray[np.bool_]
    left: npt.NDArray[np.uint64]
    close: npt.NDArray[np.float64]
    """[one, other]: Eq. 1; 0 where there is no edge."""
    label: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]
    """Of everybody's community."""
    tie: npt.NDArray[np.float64]
    """How close one is to all of its community (Eq. 7)."""


def new_view(people: int, hops: int, threshold: float, share: float, gateway_size: int, lead: bool, tail: bool) -> View:
    """Room for looks at so many people."""
    by_peer, by_strength = (
        Graph(np.zeros(people + 1, np.int64), np.zeros(people * people, np.int32), np.zeros(people * people))
        for _ in range(2)
    )
    words = (people + 63) // 64
    ground = Ground(
        graph=by_peer,
        strong=by_strength,  # all edges: a search ends at the first that is too weak
        hops=hops,
        threshold=threshold,
        free=np.zeros(people, np.bool_),
        near=np.zeros((people, words), np.uint64),
        inner=np.zeros((people, words), np.uint64),
        search=new_search(people, 2 * hops + 1),
    )
    return View(
        people,
        hops,
        share,
        gateway_size,
        lead,
        tail,
        ground,
        new_draft(people),
        np.ones(people, np.bool_),
        np.zeros(people),
        np.zeros(people, np.int64),
        np.zeros(people, np.int64),
        np.zeros(people, np.bool_),
        np.zeros(people, np.bool_),
        np.zeros(words, np.uint64),
        np.zeros((people, people)),
        np.zeros(people, np.int64),
        np.zeros(people, np.int64),
        np.zeros(people),
    )


@rare
def look(view: View, state: LiveState, me: Row, first: Any, last: Any, now: Millis) -> None:
    """Work out everything anew; my acquaintances are numbers first..last - 1 of my history."""
    _write_own_card(view, state, me, first, last, now)
    _draw(view, state, me)
    if _forget_some(view, state, me):
        _draw(view, state, me)
    mine = _place_of_me(state, me)
    _form(view, state.node[me].people, mine)
    state.person[me, 0].label = _label(view, state, me)
    _find_paths(view, state, me, mine)
    state.person[me, 0].broker = _is_broker(view, state, me, mine)
    state.person[me, 0].told += 1


@leaf
def _place_of_me(state: LiveState, me: Row) -> Any:
    """My own number by rising name."""
    place = 0
    while state.order[me, place] != 0:
        place += 1
    return place


@rare
def _write_own_card(view: View, state: LiveState, me: Row, first: Any, last: Any, now: Millis) -> None:
    for place in range(state.node[me].people):
        state.apart[me, 0, place] = 0
    for at in range(first, last):
        if state.history[at].met:
            told = mean_separation(state.history[at], state.node[me].begun, now, view.lead, view.tail)
            peer = introduce(state, me, state.history[at].name) if told > 0 else np.int64(NOBODY)
            if peer > 0:
                state.apart[me, 0, peer] = told


# ------------------------------------------------------------------ the graph


@rare
def _draw(view: View, state: LiveState, me: Row) -> None:
    """Eq. 1 of every two that met, sigma being the mean separation of all of them; and the graph of it.

    Of what two say of their separation the larger counts: a card that is not the newest says too little.
    """
    known, order, close = state.node[me].people, state.order, view.close
    total, edges = np.int64(0), 0
    for i in range(known):
        for j in range(i + 1, known):
            one, other = order[me, i], order[me, j]
            told = max(state.apart[me, one, other], state.apart[me, other, one])
            close[i, j] = close[j, i] = np.float64(told)
            if told > 0:
                total += told - 1
                edges += 1
        close[i, i] = 0.0
    sigma = np.float64(total) / max(edges, 1)
    for i in range(known):
        for j in range(i + 1, known):
            if close[i, j] > 0.0:
                apart = close[i, j] - 1.0
                close[i, j] = close[j, i] = math.exp(_log_closeness(apart, sigma)) if apart > 0.0 else 1.0
    graph, strong = view.ground.graph, view.ground.strong
    at = 0
    for i in range(view.people):
        graph.bounds[i] = strong.bounds[i] = at
        begin = at
        for j in range(known if i < known else 0):
            if close[i, j] > 0.0:
                graph.peer[at], graph.closeness[at] = j, close[i, j]
                to = at
                while to > begin and strong.closeness[to - 1] < close[i, j]:
                    strong.peer[to], strong.closeness[to] = strong.peer[to - 1], strong.closeness[to - 1]
                    to -= 1
                strong.peer[to], strong.closeness[to] = j, close[i, j]
                at += 1
    graph.bounds[view.people] = strong.bounds[view.people] = at


@rare
def _forget_some(view: View, state: LiveState, me: Row) -> bool:
    """Who is not within 2k hops is forgotten; and who is least close while less than a quarter of the room is left."""
    search = view.ground.search
    search_from(view.ground.strong, _place_of_me(state, me), 2 * view.hops, 0.0, view.everyone, search)
    known = state.node[me].people
    for i in range(known):
        view.tie[state.order[me, i]] = search.best[i]
    forgotten = False
    while True:
        last = 0
        for place in range(1, state.node[me].people):
            if last == 0 or view.tie[place] < view.tie[last]:
                last = place
        crowded = 4 * state.node[me].people > 3 * view.people
        if last == 0 or (view.tie[last] > 0.0 and not crowded):
            return forgotten
        forget(state, me, np.int64(last))
        view.tie[last] = view.tie[state.node[me].people]
        forgotten = True


# ------------------------------------------------------------------ Appendix: the community


@rare
def _form(view: View, known: Any, mine: Any) -> None:
    """Rounds of initiators, each with its clique, until one has me: then it is in `draft.chosen`."""
    ground = view.ground
    for i in range(view.people):
        ground.free[i] = i < known
    for w in range(view.left.size):
        view.left[w] = _ALL
    while True:
        renew(ground, view.left)
        add_up_degrees(ground.graph, ground.free, view.degree)
        _rank(view, known)
        stand(ground, view.rank, view.best, view.initiator)
        for i in range(known):
            view.leaving[i] = False
        for i in range(known):
            if view.initiator[i]:
                try_cliques(ground, i, view.draft)
                if view.draft.chosen[mine]:
                    return
                for j in range(known):
                    view.leaving[j] |= view.draft.chosen[j]
        for w in range(view.left.size):
            view.left[w] = _NONE
        for i in range(known):
            if view.leaving[i]:
                ground.free[i] = False
                view.left[i >> 6] |= _ONE << (np.uint64(i) & _LOW)


@leaf
def _label(view: View, state: LiveState, me: Row) -> Any:
    """The member of my community after whom most of it is called; of equals the lowest."""
    known, order, chosen = state.node[me].people, state.order, view.draft.chosen
    label, most = state.person[me, 0].name, -1
    for i in range(known):
        if chosen[i]:
            name, said = state.person[me, order[me, i]].name, 0
            for j in range(known):
                said += chosen[j] and state.person[me, order[me, j]].label == name
            if said > most:
                label, most = name, said
    return label


@leaf
def _rank(view: View, known: Any) -> None:
    """Highest degree first, then lowest id (AMB-44)."""
    for i in range(view.people):
        view.rank[i] = i
    for i in range(known):
        rank = 0
        for j in range(known):
            rank += view.degree[j] > view.degree[i] or (view.degree[j] == view.degree[i] and j < i)
        view.rank[i] = rank


# ------------------------------------------------------------------ paths and brokers


@rare
def _find_paths(view: View, state: LiveState, me: Row, mine: Any) -> None:
    """How close everybody is to me, and who is first on the way; everybody's label and the size of its community."""
    search, known = view.ground.search, state.node[me].people
    search_from(view.ground.strong, mine, view.hops, 0.0, view.everyone, search)
    for i in range(known):
        person = state.person[me, state.order[me, i]]
        person.close, person.direct, person.via = search.best[i], view.close[mine, i], NOBODY
        if search.hops[i] > 1:
            step = i
            for hop in range(search.hops[i], 1, -1):
                step = search.before[hop, step]
            person.via = state.person[me, state.order[me, step]].name
        view.label[i] = person.label
    for i in range(known):
        view.size[i] = 0
        for j in range(known):
            view.size[i] += view.label[j] == view.label[i]


@rare
def _is_broker(view: View, state: LiveState, me: Row, mine: Any) -> bool:
    """Whether I stay a gateway towards some community: I am at the top of the betweenness (Eq. 7), or those above me
    have less than B together (AMB-48)."""
    search, known, label = view.ground.search, state.node[me].people, view.label
    for i in range(known):
        search_from(view.ground.strong, i, view.hops, 0.0, view.everyone, search)
        view.tie[i] = 0.0
        for j in range(known):
            if label[j] == label[i]:
                view.tie[i] += search.best[j]
    for i in range(known):
        towards = label[i]
        leads = view.close[mine, i] > 0.0 and towards != label[mine] and towards != NOBODY
        if leads and min(view.size[mine], view.size[i]) >= view.gateway_size:
            own = _betweenness(view, known, mine, towards)
            total, above = 0.0, 0.0
            for j in range(known):
                if label[j] == label[mine]:
                    value = _betweenness(view, known, j, towards)
                    total += value
                    above += value if value > own else 0.0
            if above == 0.0 or above / total < view.share:
                return True
    return False


@leaf
def _betweenness(view: View, known: Any, gateway: Any, towards: Any) -> Any:
    """Eq. 7, [mops], but for the common denominator."""
    total = 0.0
    for i in range(known):
        if view.label[i] == towards:
            total += view.close[gateway, i] * view.tie[i]
    return view.tie[gateway] * total
