"""What can be asked of a running node, by whatever door: one table of functions, each with named arguments.

A function checks what it is given, does it in one step, and hands back what JSON can say. Doors (the Unix socket, later
HTTP and MQTT) only carry requests in and answers out.
"""

from __future__ import annotations

import base64
import binascii
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import hunet
from hunet.model.errors import NodeError
from hunet.node.log import pseudonym
from hunet.node.message import Envelope
from hunet.node.secret import PREFIX, Topic

if TYPE_CHECKING:
    from hunet.node.daemon import Node
    from hunet.node.store import Delivery

__all__ = ["REQUESTS", "call", "follow", "inbox", "peers", "publish", "reload", "status", "subscribe", "unsubscribe"]

DAY = 86_400.0
MOST_AT_ONCE = 500
"""Messages of one answer."""


def publish(node: Node, tags: list[str], data: str, lifetime: float = DAY, phrase: str | None = None) -> dict[str, Any]:
    """Publish bytes (in base64) under some tags, for so many seconds. Answers when they are on the disk.

    With a phrase the tag is a secret topic: only those who know both can find and read it.
    """
    try:
        payload = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise NodeError("the message is not in base64") from None
    if phrase is not None:
        if len(tags) != 1:
            raise NodeError(f"{len(tags)} tags: a secret message has one")
        topic = Topic.of(tags[0], phrase, node.network.salt)
        tags = [topic.tag(int(time.time() // DAY))]
        payload = topic.seal(tags[0], payload)
    else:
        _refuse_secret(tags)
    if not 0 < lifetime < math.inf:
        raise NodeError(f"a lifetime of {lifetime:g} s: give one above 0")
    mid = node.host.publish(payload, tags, lifetime=max(1, round(lifetime * 1000)))
    if (held := node.host.shelf.held.get(mid)) is not None:
        node.log.message(node.host.now, Envelope.decode(node.host.shelf.envelope(held)))
    return {"id": mid.hex()}


def subscribe(
    node: Node, tag: str, level: float = 1.0, hops: int = 0, lifetime: float | None = None, phrase: str | None = None
) -> dict[str, Any]:
    """Want a tag: so strongly (up to 1), from at most so many hops away (0: any), for so many seconds.

    With a phrase it is a secret topic, which is followed until it is left.
    """
    if phrase is not None:
        node.topics.follow(Topic.of(tag, phrase, node.network.salt))
        return {"tag": tag}
    _refuse_secret([tag])
    if lifetime is not None and not 0 < lifetime < math.inf:
        raise NodeError(f"an interest of {lifetime:g} s: give a time above 0")
    until = None if lifetime is None else node.host.clock() + round(lifetime * 1000)
    node.host.subscribe(tag, level=level, hops=hops, until=until)
    return {"tag": tag}


def unsubscribe(node: Node, tag: str) -> dict[str, Any]:
    """Want a tag no more, or a secret topic of that name."""
    left = node.topics.leave(tag)
    if not node.host.unsubscribe(tag) and not left:
        raise NodeError(f"{tag!r} was not subscribed: hunet node status lists what is")
    return {"tag": tag}


def inbox(node: Node, since: int = 0, most: int = MOST_AT_ONCE) -> dict[str, Any]:
    """What was delivered after a cursor, the oldest first, and the cursor to go on from."""
    found = node.store.deliveries(max(0, since), max(1, min(most, MOST_AT_ONCE)))
    return {"messages": [_delivery(node, one) for one in found], "cursor": found[-1].seq if found else since}


async def follow(node: Node, since: int = 0) -> AsyncIterator[dict[str, Any]]:
    """What is delivered after a cursor, message by message, without end."""
    while True:
        waiting = node.delivered
        for one in inbox(node, since)["messages"]:
            since = one["cursor"]
            yield one
        if waiting is node.delivered:
            await waiting.wait()


def _refuse_secret(tags: list[str]) -> None:
    if any(tag.startswith(PREFIX) for tag in tags):
        raise NodeError(f"tags that begin with {PREFIX} are those of secret topics: give a phrase (--secret)")


def _delivery(node: Node, one: Delivery) -> dict[str, Any]:
    envelope = Envelope.decode(one.envelope)
    tags, payload = list(envelope.tags), envelope.payload
    secret = node.topics.open(tags, payload)
    if secret is not None:
        tags, payload = [secret[0]], secret[1]
    try:
        text = payload.decode()
    except UnicodeDecodeError:
        text = None
    return {
        "cursor": one.seq,
        "id": one.id.hex(),
        "tags": tags,
        "secret": secret is not None,
        "text": text,
        "data": base64.b64encode(payload).decode(),
        "author": envelope.author.hex(),
        "written": envelope.written / 1000,
        "received": one.at / 1000,
        "hops": one.hops,
        "from": one.peer.hex(),
    }


def peers(node: Node) -> dict[str, Any]:
    """Who is near now."""
    now = time.monotonic()
    return {
        "peers": [
            {
                "peer": standing.link.peer.hex(),
                "log_name": pseudonym(standing.link.peer, node.network.salt),
                "address": standing.address[0],
                "dialled": standing.dialled,
                "seconds": round(now - standing.since, 1),
                "silent": round(now - standing.link.heard_at, 1),
                "sent": standing.link.sent,
                "received": standing.link.received,
            }
            for standing in node.contacts
        ]
    }


def status(node: Node) -> dict[str, Any]:
    """Everything about the node that fits on a page."""
    host = node.host
    held = list(host.shelf.held.values())
    own = sum(one.own for one in held)
    keys = node.network.keys
    return {
        "hunet": hunet.__version__,
        "network": node.network.name,
        "keys": len(node.keys()),
        "old_key_until": max((key.until for key in keys if key.until is not None), default=None),
        "me": node.me.hex(),
        "log_name": pseudonym(node.me, node.network.salt),
        "author": node.author.public.hex(),
        "protocol": node.options.protocol.name,
        "settings": node.options.settings._asdict(),
        "home": str(node.options.home),
        "port": node.port,
        "seconds": round(time.monotonic() - node.started, 1),
        "interests": [
            {"tag": one.text, "level": one.level, "hops": one.hops, "until": one.until and one.until / 1000}
            for one in host.interests.all.values()
            if not one.text.startswith(PREFIX)
        ],
        "secret_topics": sorted(node.topics.all),
        "peers": len(node.contacts),
        "carried": {"own": own, "others": len(held) - own, "bytes": sum(one.bytes for one in held)},
        "dropped": host.drops,
        "forwarded": host.forwards,
        "delivered": node.store.rows("SELECT count(*) FROM delivery")[0][0],
        "beacons": None if node.beacon is None else {"heard": node.beacon.heard, "foreign": node.beacon.foreign},
        "refused": dict(node.reception.refused),
        "unreached": dict(node.unreached),
        "ended": dict(node.ended),
        "version_trouble": str(node.last_version_error or node.reception.last_version_error or "") or None,
    }


def reload(node: Node) -> dict[str, Any]:
    """Read the network's keys once more: they were rotated."""
    node.reload()
    return {"keys": len(node.keys())}


REQUESTS: Mapping[str, Callable[..., Any]] = {
    "pub": publish,
    "sub": subscribe,
    "unsub": unsubscribe,
    "inbox": inbox,
    "follow": follow,
    "peers": peers,
    "status": status,
    "reload": reload,
}
"""All that can be asked, by name. `follow` answers with many things, the others with one."""


def call(node: Node, do: str, arguments: Mapping[str, Any]) -> Any:
    """Do what is asked for; `NodeError` for what there is not, and for arguments that do not fit."""
    function = REQUESTS.get(do)
    if function is None:
        raise NodeError(f"there is no request {do!r}: there are {', '.join(REQUESTS)}")
    types = get_type_hints(function, {**globals(), "Node": Any})
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
    if type(None) in get_args(hint):
        return value is None or _fits(value, get_args(hint)[0])
    if hint == list[str]:
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    return isinstance(value, hint)
