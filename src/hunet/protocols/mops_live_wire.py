"""What nodes of MOPS that learn by themselves say: in the hello what they know, in the digest what is news."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, rare
from hunet.model.errors import DecodeError
from hunet.protocols.layout import array, layout, local, number, repeat, weights, when
from hunet.protocols.mops_wire import ABROAD, FELLOWS, MEMBERS, STRANGERS
from hunet.protocols.quantities import Digest, Hello
from hunet.protocols.wire import Reader, Writer, number_bytes
from hunet.social.weights import combine

if TYPE_CHECKING:
    from hunet.protocols.protocol import World

__all__ = ["APART", "DIGEST", "HELLO", "NAME", "work_out_asks", "worth_to"]

NAME, APART = 0, 1
"""Columns of an edge."""
_LONGEST = 2**41
"""Milliseconds: nobody is apart for more than seventy years."""


# ------------------------------------------------------------------ the edges of a card: how many, and of each both


def _shape(params: Any, world: World) -> tuple[int, ...]:
    return (params.people, 2)


@rare
def _edges_bytes(edges: Any, m: Any) -> Any:
    count, total = 0, 0
    while count < edges.shape[0] and edges[count, APART] > 0:
        total += number_bytes(edges[count, NAME]) + number_bytes(edges[count, APART])
        count += 1
    return number_bytes(count) + total


def _write_edges(out: Writer, params: Any, edges: npt.NDArray[np.int64]) -> None:
    told = edges[edges[:, APART] > 0]
    out.number(len(told))
    for name, apart in told.tolist():
        out.number(name)
        out.number(apart)


def _read_edges(reader: Reader, params: Any) -> npt.NDArray[np.int64]:
    edges = np.zeros((params.people, 2), np.int64)
    last = -1
    for i in range(reader.number(params.people)):
        name, apart = reader.number(), reader.number(_LONGEST)
        if name <= last or apart == 0:
            raise DecodeError(f"an edge to {name} after {last}, {apart} long")
        edges[i] = name, apart
        last = name
    return edges


# ------------------------------------------------------------------ what follows from lists: what an event is worth


@leaf
def worth_to(params: Any, broker: Any, level: Any, outside: Any) -> Any:
    """What a member's list says of a tag: a S + b E of a broker (Eq. 5), and at least the default weight for E, which
    no list names (AMB-52); S of others."""
    if broker:
        return np.float32(combine(params.a, np.float64(level), max(np.float64(outside), params.default_weight)))
    return np.float32(level)


@rare
def work_out_asks(params: Any, digest: Digest) -> None:
    """What the teller asks for: its interests, by its own list (Eq. 5), or by what its community wants (Eq. 6)."""
    kind = digest.kind[0]
    for tag in range(params.tags):
        if kind == ABROAD:
            digest.asks[0, tag] = worth_to(params, True, digest.internal[0, tag], digest.collects[0, tag])
        elif kind != STRANGERS:
            digest.asks[0, tag] = worth_to(params, digest.broker[0], digest.level[0, tag], digest.outside[0, tag])


# ------------------------------------------------------------------ hello and digest


def _derive_hello(params: Any, hello: Hello) -> None:
    known = hello.known[: hello.people[0]]
    if (np.diff(known) <= 0).any():
        raise DecodeError("a hello must name people by rising number")


def _derive(params: Any, digest: Digest) -> None:
    counted = (("whose", "cards"), ("towards", "relays"), ("owner", "lists"))
    for names in (getattr(digest, name)[: getattr(digest, count)[0]] for name, count in counted):
        if np.unique(names).size < names.size:
            raise DecodeError("cards and lists must be of different people and communities")
    if digest.kind[0] in (MEMBERS, FELLOWS) and digest.lists[0] == 0:
        raise DecodeError("lists of members must begin with the sender's own")
    work_out_asks(params, digest)


_weights = partial(weights, named=True)

HELLO = layout(
    number("name"),
    number("label"),
    number("broker", most=1),
    # Whose cards and interest lists I have, and of which generation.
    repeat("people", number("known"), number("told"), number("listed"), most="people"),
    derive=_derive_hello,
)

DIGEST = layout(
    number("kind", most=ABROAD),
    # Cards that the peer lacks, or has in an older generation.
    repeat(
        "cards",
        number("whose"),
        number("card"),
        number("label"),
        number("trades", most=1),  # whether it is a broker
        array("edges", _shape, np.int64, _edges_bytes, _write_edges, _read_edges),
        most="people",
    ),
    when("kind", [STRANGERS], _weights("asks")),  # what an event is worth to me; else it follows from lists
    when("kind", [ABROAD], _weights("internal"), _weights("collects")),  # what my community wants, I; and others, ER
    when(
        "kind",
        [MEMBERS, FELLOWS],
        number("broker", most=1),
        repeat("lists", number("owner"), number("version"), _weights("level"), _weights("outside"), most="people"),
    ),
    when("kind", [FELLOWS], repeat("relays", number("towards"), _weights("relay"), most="people")),
    local("through", np.float32, "tags"),  # what an event of mine is worth to members whom I reach over the peer
    derive=_derive,
    measured_by="tag_bytes",
)
