"""A node with something to show: it has met others, got, written and carried messages, some of them hostile."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hunet.node.daemon import Node
from hunet.node.service import publish_bytes, subscribe
from tests.node.background import Background
from tests.node.village import ANY

HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
LONG = "where_a_very_long_word_without_any_space_stands_that_no_narrow_screen_could_ever_hold_in_one_line_at_all"


@dataclass
class Scene:
    """Me, whose page is looked at, and two others."""

    me: Node
    ann: Node
    bob: Node


def scene(nodes: Background, folder: Path) -> Scene:
    """Ann and Bob publish; I follow some of it, and meet them."""
    ann, bob = nodes.start(folder / "ann"), nodes.start(folder / "bob")
    me = nodes.start(folder / "me", http=ANY, peers=(("127.0.0.1", ann.port), ("127.0.0.1", bob.port)))
    for tag in ("jazz", "storm", "talks/#", HOSTILE[:60]):
        nodes.call(partial(subscribe, me, tag))
    for node, tags, text in (
        (ann, ["jazz"], "Tonight at nine in the yard behind the bakery: trio, no cover. Bring a chair."),
        (
            ann,
            ["storm", "help"],
            "The bridge at the mill is closed.\n\nWho has a pump? Two cellars are under water.",
        ),
        (bob, ["talks/room1"], "The keynote moved to room 1."),
        (bob, [HOSTILE[:60]], HOSTILE),
        (bob, ["jazz"], LONG),
        (me, ["storm"], "Soup and dry blankets in the school, all night."),
        (me, ["cake/with/cream"], "Recipe for six, from memory."),
    ):
        nodes.do(publish_bytes(node, tags, text.encode()))
    nodes.do(publish_bytes(bob, ["jazz"], bytes(range(256))))
    nodes.do(publish_bytes(ann, ["gardening"], b"For somebody else."))
    wait_until(nodes, lambda: len(me.store.deliveries()) >= 6)
    nodes.call(lambda: _yesterday(me))
    return Scene(me, ann, bob)


def _yesterday(me: Node) -> None:
    """Contacts of the last day, as if it had been lived through."""
    now = me.host.clock()
    for peer, hours, length in ((1, 20.0, 0.5), (1, 9.0, 2.0), (2, 14.5, 0.1), (2, 3.0, 1.5), (3, 7.0, 4.0)):
        began = now - round(hours * 3_600_000)
        me.store.write(
            "INSERT INTO contact VALUES (?, ?, ?)", bytes([peer] * 32), began, began + round(length * 3_600_000)
        )
    me.host.gone.update({"no room": 12, "its time was over": 3, "too many of this author": 40})
    me.reception.refused.update({"stranger": 7})
    me.host.commit()


def wait_until(nodes: Background, holds: Callable[[], Any], patience: float = 60.0) -> None:
    """Until something holds, asked in the nodes' thread."""
    end = time.monotonic() + patience
    while not nodes.call(holds):
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)
