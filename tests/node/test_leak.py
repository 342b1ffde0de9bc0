"""The leak view: the dictionary attack on what a node really tells."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hunet.node.daemon import Node
from hunet.node.leak import attack, dictionary, leak
from hunet.node.row import Row, Side
from hunet.protocols import make_settings, protocol_named
from tests.node.running import until
from tests.node.village import member

MINE = ("jazz", "medicine", "storm")
SALT, OTHER = bytes(range(16)), bytes(16)


def told(protocol: str, interests: tuple[str, ...], salt: bytes = SALT) -> bytes:
    chosen = protocol_named(protocol)
    row = Row(chosen, make_settings(chosen, {}), 0, salt, float("inf"))
    row.want({tag: (float("inf"), 1.0, 0) for tag in interests})
    return row.tell(Side(), 0.0)


def guess(protocol: str, digest: bytes, salt: bytes) -> dict[str, Any]:
    chosen = protocol_named(protocol)
    return attack(chosen, make_settings(chosen, {}), salt, digest, dictionary([]), MINE, 0.0)


def test_a_member_finds_every_interest_and_a_stranger_finds_what_chance_gives() -> None:
    digest = told("bsub13", MINE)
    member_, stranger = guess("bsub13", digest, SALT), guess("bsub13", digest, OTHER)
    assert member_["guessed"] == sorted(MINE)
    assert member_["sure"] > 0.5
    assert len(stranger["guessed"]) < len(MINE)
    assert len(stranger["candidates"]) < 0.01 * len(dictionary([]))


@pytest.mark.parametrize("protocol", ["bsub13", "spray", "envoy"])
def test_what_is_not_followed_is_not_guessed(protocol: str) -> None:
    assert guess(protocol, told(protocol, ()), SALT)["candidates"] == []


def test_envoys_filter_with_one_hash_function_hides_among_more_words_than_b_subs() -> None:
    found, other = (guess(name, told(name, MINE), SALT) for name in ("envoy", "bsub13"))
    assert found["guessed"] == other["guessed"] == sorted(MINE)
    assert found["sure"] < 0.6 < other["sure"]
    assert len(guess("envoy", told("envoy", MINE), OTHER)["guessed"]) < len(MINE)


def test_a_protocol_that_takes_everything_says_nothing() -> None:
    assert guess("push", told("push", MINE), SALT)["guessed"] == []


async def _seen_by_others(home: Path, protocol: str) -> dict[str, Any]:
    async with (
        member(home / "me", protocol) as me,
        member(home / "ann", protocol, peers=(("127.0.0.1", me.port),)) as ann,
    ):
        for tag in MINE:
            me.host.subscribe(tag)
        for tag in ("chess", "opera", "garden"):
            ann.host.subscribe(tag)
        ann.host.tell_anew()
        await until(lambda: _knows(me), 30)
        state = [part.copy() for part in me.host.rows[0].state]
        found = await leak(me)
        assert all(map(np.array_equal, state, me.host.rows[0].state)), "looking at it changes nothing"
        return found


def _knows(me: Node) -> bool:
    """Whether it has heard of what Ann wants."""
    state = me.host.rows[0].state
    return bool((state.relay if hasattr(state, "relay") else state.wants).any())


@pytest.mark.parametrize("protocol", ["bsub13", "envoy"])
def test_b_sub_p_hides_me_among_those_i_met_and_a_secret_topic_hides_altogether(tmp_path: Path, protocol: str) -> None:
    found = asyncio.run(_seen_by_others(tmp_path, protocol))
    assert found["protocol"] == protocol
    assert found["member"]["guessed"] == sorted(MINE)
    assert {"chess", "opera", "garden"} <= set(found["member"]["others"])
    assert len(found["member"]["others"]) < 30
    assert found["bsubp"]["guessed"] == sorted(MINE)
    assert {"chess", "opera", "garden"} <= set(found["bsubp"]["candidates"]), "what Ann wants is in the mixture, too"
    assert found["secret"]["guessed"] == []
    assert found["stranger"]["guessed"] != sorted(MINE)
    assert found["words"] > 500


def test_the_dictionary_has_what_the_node_came_across_and_every_word_once() -> None:
    words = dictionary(["zyzzyva", "jazz"])
    assert words[:2] == ["zyzzyva", "jazz"]
    assert len(set(words)) == len(words)
