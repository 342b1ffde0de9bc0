"""What nodes of MOPS say to each other: the hello, and the digest for each kind of meeting."""

from __future__ import annotations

import numpy as np

from hunet.model.errors import DecodeError
from hunet.protocols.layout import layout, number, repeat, weights, when
from hunet.protocols.mops_lists import MopsParams, weight_of
from hunet.protocols.quantities import Digest

__all__ = ["ABROAD", "DIGEST", "FELLOWS", "HELLO", "MEMBERS", "STRANGERS"]

STRANGERS, MEMBERS, FELLOWS, ABROAD = range(4)
"""Kinds of meetings: of members of one community, of two of its brokers, of brokers of two, and all others (AMB-53)."""


def _members(params: MopsParams) -> int:
    return int(params.around.member.shape[1])


def _near(params: MopsParams) -> int:
    return int(params.around.near.shape[1])


def _derive(params: MopsParams, digest: Digest) -> None:
    """What members ask for follows from the list of the one who tells, which comes first (Eq. 5)."""
    if digest.kind[0] not in (MEMBERS, FELLOWS):
        return
    owners = digest.owner[: digest.lists[0]]
    if owners.size == 0 or np.unique(owners).size < owners.size:
        raise DecodeError("member lists must begin with the sender's own and have each owner once")
    for tag in range(params.tags):
        digest.asks[0, tag] = weight_of(params, digest.broker[0], digest.level[0, tag], digest.outside[0, tag])


HELLO = layout(
    number("name"),
    number("community"),
    number("broker", most=1),
    repeat("members", number("version"), most=_members),  # the generation that I have of each member's list
)

DIGEST = layout(
    number("kind", most=ABROAD),
    when("kind", [STRANGERS, ABROAD], weights("asks")),  # what an event is worth to me in a meeting of this kind
    when("kind", [ABROAD], weights("internal")),  # what my community wants
    when(
        "kind",
        [MEMBERS, FELLOWS],
        number("broker", most=1),
        # Lists of members, my own first; of those that two share, only what is news.
        repeat(
            "lists",
            number("owner", most=lambda params: _members(params) - 1),  # by place
            number("version"),
            weights("level"),
            weights("outside"),
            most=_members,
        ),
    ),
    when("kind", [FELLOWS], repeat("relays", weights("relay"), most=_near)),  # what I collect, by community
    derive=_derive,
)
