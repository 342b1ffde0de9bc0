"""What my digest says of me: the dictionary attack, done on the very bytes that this node tells whomever it meets.

Whoever has the digest and knows how tags are hashed asks it about every word of a dictionary, and takes for my
interests what it answers yes to. A member knows how: the salt of the filters is in every invitation. A stranger does
not, and is told no digest either; what he could guess if somebody handed him one is computed with a salt of his own.

The attacker is a strong one: in his dictionary are the words of `words.txt`, all tags that this node has come across,
and my very interests. *How surely* he knows is the share of his guesses that are right. Some protocols tell also what
those want whom I met: *others* are the words that he takes for that.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hunet.node.row import Row, Side
from hunet.node.secret import SHOWN
from hunet.protocols.bsubp import BSUBP
from hunet.protocols.envoy_places import WORDS
from hunet.protocols.protocol import DIRECT, NO, Protocol

if TYPE_CHECKING:
    from hunet.node.daemon import Node

__all__ = ["attack", "dictionary", "leak"]

_WORDS = Path(__file__).with_name("words.txt")
MOST_WORDS = 2_000
"""Of a dictionary: each costs the node a fraction of a millisecond."""


async def leak(node: Node) -> dict[str, Any]:
    """What a stranger and a member can find out about my interests, and what would change that."""
    row = node.host.rows[0]
    mine = sorted(one.text for one in node.host.interests.all.values() if one.kind == 0)
    now, salt = node.host.now / 1000, node.network.salt
    digest = row.peek(now)
    words = dictionary([*mine, *(tag for tag in row.tables.names if not tag.startswith(SHOWN))])
    relay = getattr(row.state, "relay", None)
    relay = None if relay is None else relay.copy()
    protocol, settings = row.protocol, row.settings

    def compute() -> dict[str, Any]:
        """In a thread of its own, for contacts go on."""
        other_salt = blake2b(salt, digest_size=16, person=b"hunet stranger").digest()
        member = attack(protocol, settings, salt, digest, words, mine, now)
        others = [word for word in member["others"] if word not in mine]

        def if_otherwise(other: Protocol, chosen: Any, interests: Sequence[str]) -> dict[str, Any]:
            told = _otherwise(other, chosen, salt, interests, relay, others, now)
            return attack(other, chosen, salt, told, words, mine, now)

        views = {
            "member": member,
            "stranger": attack(protocol, settings, other_salt, digest, words, mine, now),
            "secret": if_otherwise(protocol, settings, _secret(mine)),
        }
        if protocol.name != BSUBP.name:
            views["bsubp"] = if_otherwise(BSUBP, BSUBP.settings(), mine)
        return {
            "protocol": protocol.name,
            "interests": mine,
            "words": len(words),
            "bytes": len(digest),
            **views,
        }

    return await asyncio.to_thread(compute)


def dictionary(known: Iterable[str]) -> list[str]:
    """The attacker's words: what is known, and common ones; each once."""
    common = _WORDS.read_text(encoding="utf-8").split()
    return list(dict.fromkeys([*known, *common]))[:MOST_WORDS]


def attack(
    protocol: Protocol, settings: Any, salt: bytes, digest: bytes, words: Sequence[str], mine: Sequence[str], now: float
) -> dict[str, Any]:
    """What somebody with this salt takes for the teller's interests, and how often that is right.

    Where a protocol tells what a node wants for itself, those tags count; otherwise all that it would take.
    """
    row, side = Row(protocol, settings, 0, salt, math.inf), Side()
    places = row.know(words)
    row.tell(side, now)
    row.listen(side, digest)
    worth = {word: row.wanted(side, place) for word, place in places.items()}
    least = DIRECT if any(one >= DIRECT for one in worth.values()) else NO
    candidates = _telling([word for word, one in worth.items() if one > NO and one >= least], words)
    guessed = sorted(set(candidates) & set(mine))
    sure = len(guessed) / len(candidates) if candidates else 0.0
    others = _telling(_of_others(row, side, places, worth), words)
    return {"candidates": candidates, "guessed": guessed, "sure": sure, "others": others}


def _telling(found: Sequence[str], words: Sequence[str]) -> list[str]:
    """What was found, in order; a digest that answers yes to most words has said nothing."""
    return sorted(found) if 2 * len(found) <= len(words) else []


def _of_others(row: Row, side: Side, places: dict[str, int], worth: dict[str, Any]) -> list[str]:
    """What the teller says that people want whom it met: by Envoy, tags at whose positions it reaches somebody; by
    others, what it would take without wanting it itself."""
    reach = getattr(side.heard, "reach", None)
    if reach is None:
        return [word for word, one in worth.items() if NO < one < DIRECT]
    reached = reach.reshape(-1, WORDS).any(axis=1)
    return [word for word, place in places.items() if reached[row.params.table[0, place]]]


def _otherwise(
    protocol: Protocol, settings: Any, salt: bytes, interests: Sequence[str], relay: Any, others: Sequence[str],
    now: float,
) -> bytes:  # fmt: skip
    """What this node would tell by another protocol, or with other interests; with what it has heard from others."""
    row = Row(protocol, settings, 0, salt, math.inf)
    row.want(dict.fromkeys(interests, (math.inf, 1.0, 0)))
    own = getattr(row.state, "relay", None)
    if relay is not None and own is not None and own.shape == relay.shape:
        own[...] = relay
    elif others:
        somebody, side = Row(protocol, settings, 1, salt, math.inf), Side()
        somebody.want(dict.fromkeys(others, (math.inf, 1.0, 0)))
        row.judge(side, bytes(32), somebody.greet(now), now)
        row.tell(side, now)
        row.listen(side, somebody.tell(Side(), now))
        row.hear(side, now)
    return row.tell(Side(), now)


def _secret(tags: Sequence[str]) -> list[str]:
    """As tags of secret topics look to those who do not know the phrase: like noise, another every day."""
    return [SHOWN + blake2b(tag.encode(), digest_size=16, person=b"hunet noise").hexdigest() for tag in tags]
