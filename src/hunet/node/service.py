"""What can be asked of a running node, by whatever door: one table of functions, each with named arguments.

A function checks what it is given, does it in one step, and hands back what JSON can say; where the disk or a long
computation is waited for, an awaitable of it. Doors (the Unix socket, HTTP, MQTT) only carry requests in and answers
out.
"""

from __future__ import annotations

import base64
import binascii
import math
import time
from collections.abc import Callable, Mapping, Sequence
from types import UnionType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

import hunet
from hunet.model.errors import NodeError
from hunet.node.choice import Choice, permitted
from hunet.node.events import encode_event
from hunet.node.history import MOST_AT_ONCE, follow, interests, messages, read
from hunet.node.leak import leak
from hunet.node.log import pseudonym
from hunet.node.message import EVENT, TEXT
from hunet.node.names import name_of
from hunet.node.surroundings import carried, peers
from hunet.node.topics import BELOW, with_prefixes
from hunet.protocols import PROTOCOLS, Protocol

if TYPE_CHECKING:
    from hunet.node.daemon import Node

__all__ = [
    "REQUESTS", "call", "carried", "follow", "inbox", "interests", "leak", "messages", "pause", "peers", "publish",
    "publish_bytes", "publish_event", "read", "reload", "send_settings", "settings", "settings_back", "status",
    "subscribe", "subscribe_range", "unsubscribe", "wipe",
]  # fmt: skip

DAY = 86_400.0


async def publish(node: Node, tags: list[str], data: str, lifetime: float = DAY) -> dict[str, Any]:
    """Publish bytes (in base64) under some tags, for so many seconds. Answers when they are on the disk."""
    try:
        payload = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise NodeError("the message is not in base64") from None
    return {"id": (await publish_bytes(node, tags, payload, lifetime)).hex()}


async def publish_bytes(node: Node, tags: Sequence[str], payload: bytes, lifetime: float = DAY) -> bytes:
    """The same for a door that has bytes; the id."""
    if not 0 < lifetime < math.inf:
        raise NodeError(f"a lifetime of {lifetime:g} s: give one above 0")
    if any(tag.endswith(BELOW) for tag in tags):
        raise NodeError(f"a tag that ends with {BELOW} is for those who subscribe: publish under one below it")
    return await node.publisher.publish(payload, with_prefixes(tags), max(1, round(lifetime * 1000)))


async def publish_event(node: Node, event: dict[str, Any], text: str = "", lifetime: float = DAY) -> dict[str, Any]:
    """Publish an event: a value for every attribute of the network's schema, and what is said about it."""
    if node.ranges is None:
        raise NodeError("this network has no schema, so there are no events in it: publish under a tag")
    if not 0 < lifetime < math.inf:
        raise NodeError(f"a lifetime of {lifetime:g} s: give one above 0")
    cells, payload = node.ranges.cells_of_event(event), encode_event(event, text)
    return {"id": (await node.publisher.publish(payload, cells, max(1, round(lifetime * 1000)), EVENT)).hex()}


def subscribe_range(
    node: Node, where: str, level: float = 1.0, hops: int = 0, lifetime: float | None = None
) -> dict[str, Any]:
    """Want the events of a range, such as `price <= 500 and brand = Nikon`."""
    return _want(node, where, level, hops, lifetime, EVENT)


def subscribe(node: Node, tag: str, level: float = 1.0, hops: int = 0, lifetime: float | None = None) -> dict[str, Any]:
    """Want a tag: so strongly (up to 1), from at most so many hops away (0: any), for so many seconds."""
    return _want(node, tag, level, hops, lifetime, TEXT)


def _want(node: Node, text: str, level: float, hops: int, lifetime: float | None, kind: int) -> dict[str, Any]:
    if lifetime is not None and not 0 < lifetime < math.inf:
        raise NodeError(f"an interest of {lifetime:g} s: give a time above 0")
    _check_heeded(node.host.rows[kind].protocol if kind < len(node.host.rows) else node.host.runs.protocol, level, hops)
    until = None if lifetime is None else node.host.clock() + round(lifetime * 1000)
    node.host.subscribe(text, level=level, hops=hops, until=until, kind=kind)
    node.host.catch_up()
    node.host.tell_anew()
    return {"tag": text}


def _check_heeded(protocol: Protocol, level: float, hops: int) -> None:
    """Refuse what the protocol would not look at: it would seem to work."""
    for name, given in (("level", level != 1), ("hops", hops != 0)):
        if given and name not in protocol.heeds:
            names = " or ".join(one.name for one in PROTOCOLS if one.deployable and name in one.heeds)
            raise NodeError(f"{protocol.name} does not look at an interest's {name}: leave it away, or run {names}")


def unsubscribe(node: Node, tag: str) -> dict[str, Any]:
    """Want a tag, or a range, no more."""
    found = [node.host.unsubscribe(tag, kind=kind) for kind in range(len(node.host.rows))]
    if True not in found:
        raise NodeError(f"{tag!r} was not subscribed: hunet node status lists what is")
    node.host.tell_anew()
    return {"tag": tag}


def inbox(node: Node, since: int = 0, most: int = MOST_AT_ONCE) -> dict[str, Any]:
    """What was delivered after a cursor, the oldest first, and the cursor to go on from."""
    return messages(node, since=since, most=most, own=False)


def status(node: Node) -> dict[str, Any]:
    """Everything about the node that fits on a page."""
    host = node.host
    held = list(host.shelf.held.values())
    own = sum(one.own for one in held)
    keys = node.network.keys
    return {
        "hunet": hunet.__version__,
        "network": node.network.name,
        "name": name_of(node.me, node.network.salt),
        "author_name": name_of(node.author.public, node.network.salt),
        "paused": node.paused,
        "clock": round((node.host.clock() - time.time_ns() // 1_000_000) / 1000, 3),
        "keys": len(node.keys()),
        "old_key_until": max((key.until for key in keys if key.until is not None), default=None),
        "me": node.me.hex(),
        "log_name": pseudonym(node.me, node.network.salt),
        "author": node.author.public.hex(),
        **host.runs.facts,
        "home": str(node.options.home),
        "port": node.port,
        "seconds": round(time.monotonic() - node.started, 1),
        "interests": [
            {"tag": one.text, "level": one.level, "hops": one.hops, "until": one.until and one.until / 1000}
            for one in host.interests.all.values()
        ],
        "peers": len(node.contacts),
        "carried": {"own": own, "others": len(held) - own, "bytes": sum(one.length for one in held)},
        "dropped": host.drops,
        "forwarded": host.forwards,
        "delivered": node.store.rows("SELECT count(*) FROM delivery WHERE hops > 0")[0][0],
        "beacons": None if node.beacon is None else node.beacon.counts(),
        "refused": dict(node.reception.refused),
        "unreached": dict(node.unreached),
        "ended": dict(node.ended),
        "version_trouble": str(node.last_version_error or node.reception.last_version_error or "") or None,
    }


def settings(node: Node) -> dict[str, Any]:
    """What this node runs, for how many seconds (null: since it began) and who decided on it; what is to run next, and
    in how many seconds; and what ran before."""
    host, agreement = node.host, node.host.agreement
    host.wake()
    coming = agreement.next
    ran = None if agreement.since is None else max(0.0, (host.now - agreement.since) / 1000)
    return {
        "now": {**_shown(host.runs), "for": ran, "chosen_by": agreement.chosen_by},
        "next": None if coming is None else {**_shown(coming), "in": max(0.0, (agreement.at - host.now) / 1000)},
        "previous": None if agreement.previous is None else _shown(agreement.previous),
        "pinned": agreement.pinned,
        "serial": agreement.serial,
        "refused": agreement.refusal or None,
        "sent_by": None if agreement.holder is None else agreement.holder.hex(),
        "may_send": _holds(node),
    }


def _shown(choice: Choice) -> dict[str, Any]:
    return {**choice.facts, "changed": choice.changed}


def _holds(node: Node) -> bool:
    return node.holder is not None and node.holder.public == node.network.holder


def send_settings(node: Node, protocol: str, settings: dict[str, Any], wait: float = DAY) -> dict[str, Any]:
    """Sign settings and send them to all nodes of the network, which take them over in so many seconds."""
    return _sent(node, permitted(protocol, settings), wait)


def _sent(node: Node, choice: Choice, wait: float) -> dict[str, Any]:
    if node.network.holder is None:
        raise NodeError("this network has no settings key: it was made before there were any, so make a new one")
    if node.holder is None or not _holds(node):
        raise NodeError("this node cannot send settings: the settings key is where the network was made")
    if not 0 <= wait < math.inf:
        raise NodeError(f"settings in {wait:g} s: give 0 or more")
    serial = node.host.announce(node.holder, choice, round(wait * 1000))
    return {**_shown(choice), "in": wait, "serial": serial}


def settings_back(node: Node, wait: float = DAY) -> dict[str, Any]:
    """Withdraw what is next; or, if nothing is, return to what ran before. Whoever holds the settings key does it for
    all nodes, in so many seconds; others for their own alone, at once."""
    if _holds(node) and not node.host.agreement.pinned:
        return {**_sent(node, node.host.agreement.earlier, wait), "everywhere": True}
    return {**_shown(node.host.go_back()), "in": 0.0, "everywhere": False}


def reload(node: Node) -> dict[str, Any]:
    """Read the network's keys once more: they were rotated."""
    node.reload()
    return {"keys": len(node.keys())}


def pause(node: Node, paused: bool) -> dict[str, Any]:
    """Meet nobody for a while, or go on."""
    node.pause(paused)
    return {"paused": node.paused}


def wipe(node: Node, network: str) -> dict[str, Any]:
    """Stop, and remove everything that this node keeps, its keys too. The network's name is given to be sure."""
    if network != node.network.name:
        raise NodeError(f"this node is in the network {node.network.name!r}: give that name to wipe it")
    node.wiping = True
    node.stopping.set()
    return {"network": network}


REQUESTS: Mapping[str, Callable[..., Any]] = {
    "pub": publish,
    "event": publish_event,
    "sub": subscribe,
    "range": subscribe_range,
    "unsub": unsubscribe,
    "inbox": inbox,
    "follow": follow,
    "messages": messages,
    "read": read,
    "interests": interests,
    "peers": peers,
    "carried": carried,
    "leak": leak,
    "pause": pause,
    "wipe": wipe,
    "status": status,
    "settings": settings,
    "send": send_settings,
    "back": settings_back,
    "reload": reload,
}
"""All that can be asked, by name. `follow` answers with many things, the others with one."""


def call(node: Node, do: str, arguments: Mapping[str, Any]) -> Any:
    """Do what is asked for; `NodeError` for what there is not, and for arguments that do not fit."""
    function = REQUESTS.get(do)
    if function is None:
        raise NodeError(f"there is no request {do!r}: there are {', '.join(REQUESTS)}")
    types = get_type_hints(function, {**function.__globals__, "Node": Any})
    types.pop("return"), types.pop("node")
    for name, value in arguments.items():
        if name not in types:
            raise NodeError(f"{do} knows no {name!r}: it knows {', '.join(types) or 'nothing'}")
        if not _fits(value, types[name]):
            raise NodeError(f"{do}: {name} = {value!r:.60} is not what is expected there")
    try:
        return function(node, **arguments)
    except TypeError as error:
        if "required" in str(error) or "missing" in str(error):
            raise NodeError(f"{do} needs more: it knows {', '.join(types)}") from None
        raise


def _fits(value: Any, hint: Any) -> bool:
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63
    if get_origin(hint) is UnionType:
        return any(_fits(value, one) for one in get_args(hint))
    if get_origin(hint) is dict:
        return isinstance(value, dict)
    if hint == list[str]:
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    return isinstance(value, hint)
