"""What came and what was published, as a person looks at it: by tag, with what is unread, and searchable.

All of it has numbers that only rise. A cursor is such a number: whoever has read up to it goes on after it, through
any door.
"""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator, Iterable
from typing import TYPE_CHECKING, Any

from hunet.model.errors import NodeError
from hunet.node.events import decode_event
from hunet.node.message import EVENT, Envelope
from hunet.node.names import name_of
from hunet.node.topics import plain

if TYPE_CHECKING:
    from hunet.node.daemon import Node

__all__ = ["MOST_AT_ONCE", "follow", "interests", "last_cursor", "letter", "messages", "read"]

MOST_AT_ONCE = 500
"""Messages of one answer."""
_COLUMNS = "seq, id, at, hops, peer, envelope, born"


def messages(
    node: Node,
    since: int | None = None,
    before: int | None = None,
    tag: str | None = None,
    search: str | None = None,
    most: int = 100,
    own: bool = True,
) -> dict[str, Any]:
    """What came and what was published, the oldest first: all after a cursor, or the last ones before one.

    `cursor` is where to go on from with `since`; `first`, with `before`.
    """
    if since is not None and before is not None:
        raise NodeError("give a cursor to go on after, or one to go back from, not both")
    where = ["seq > ?" if before is None else "seq < ?"]
    values: list[Any] = [(since or 0) if before is None else before]
    if tag is not None:
        where.append("seq IN (SELECT seq FROM delivery_tag WHERE tag = ?)")
        values.append(tag)
    if search is not None:
        where.append("instr(words, ?) > 0")
        values.append(search.casefold())
    if not own:
        where.append("hops > 0")
    order = "ASC" if since is not None else "DESC"
    found = node.store.rows(
        f"SELECT {_COLUMNS} FROM delivery WHERE {' AND '.join(where)} ORDER BY seq {order} LIMIT ?",
        *values, max(1, min(most, MOST_AT_ONCE)),
    )  # fmt: skip
    if since is None:
        found.reverse()
    return {
        "messages": letters(node, found),
        "cursor": found[-1][0] if found else since or (0 if before else last_cursor(node)),
        "first": found[0][0] if found else 0,
    }


async def follow(
    node: Node, since: int = 0, tag: str | None = None, own: bool = False
) -> AsyncGenerator[dict[str, Any], None]:
    """What comes after a cursor, and with `own` what is published here too: message by message, without end."""
    while True:
        waiting = node.delivered
        found = messages(node, since=since, tag=tag, own=own)["messages"]
        for one in found:
            since = one["cursor"]
            yield one
        if not found and waiting is node.delivered:
            await waiting.wait()


def last_cursor(node: Node) -> int:
    """That of the newest message."""
    return int(node.store.rows("SELECT coalesce(max(seq), 0) FROM delivery")[0][0])


def letters(node: Node, rows: Iterable[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Rows of history as doors show them."""
    return [letter(node, row) for row in rows]


def letter(node: Node, row: tuple[Any, ...]) -> dict[str, Any]:
    """One message. Times are seconds that have passed: nobody need agree on what time it is."""
    seq, mid, at, hops, peer, data, born = row
    envelope = node.host.opened(Envelope.decode(data))
    told = decode_event(envelope.payload) if envelope.kind == EVENT else None
    own, salt, now = hops == 0, node.network.salt, node.host.clock()
    try:
        text = envelope.payload.decode()
    except UnicodeDecodeError:
        text = None
    ends = None if envelope.lifetime == 0 else round((born + envelope.lifetime - now) / 1000, 3)
    return {
        "cursor": seq,
        "id": mid.hex(),
        "tags": plain(envelope.tags) if told is None else [],
        "event": None if told is None else told[0],
        "text": text if told is None else told[1],
        "data": base64.b64encode(envelope.payload).decode(),
        "author": envelope.author.hex(),
        "author_name": name_of(envelope.author, salt),
        "own": own,
        "written": envelope.written / 1000,
        "received": at / 1000,
        "age": round(max(0, now - born) / 1000, 3),
        "came": round(max(0, now - at) / 1000, 3),
        "ends": ends,
        "hops": hops,
        "from": peer.hex() if peer and not own else None,
        "from_name": name_of(peer, salt) if peer and not own else None,
        "taken_by": _taken_by(node, mid) if own else None,
    }


def _taken_by(node: Node, mid: bytes) -> int:
    """How many devices took a message from this one. Who took it from those, nobody can know here."""
    return int(node.store.rows("SELECT count(*) FROM taken WHERE id = ?", mid)[0][0])


def read(node: Node, tag: str, cursor: int) -> dict[str, Any]:
    """Everything of a tag up to a cursor has been read."""
    cursor = min(cursor, last_cursor(node))
    node.store.write(
        "INSERT INTO read_up_to VALUES (?, ?) ON CONFLICT (tag) DO UPDATE SET seq = max(seq, excluded.seq)", tag, cursor
    )
    node.host.commit(on_disk=False)
    return {"tag": tag, "unread": _unread(node, tag)}


def interests(node: Node) -> dict[str, Any]:
    """What this node's person wants, and what of it is unread."""
    now = node.host.clock()
    wanted = sorted(node.host.interests.all.values(), key=lambda one: one.text)
    return {
        "interests": [
            {
                "tag": one.text,
                "level": one.level,
                "hops": one.hops,
                "ends": None if one.until is None else round((one.until - now) / 1000, 3),
                "messages": node.store.rows("SELECT count(*) FROM delivery_tag WHERE tag = ?", one.text)[0][0],
                "unread": _unread(node, one.text),
                "read": _read_up_to(node, one.text),
            }
            for one in wanted
        ]
    }


def _read_up_to(node: Node, tag: str) -> int:
    found = node.store.rows("SELECT seq FROM read_up_to WHERE tag = ?", tag)
    return int(found[0][0]) if found else 0


def _unread(node: Node, tag: str) -> int:
    found = node.store.rows(
        "SELECT count(*) FROM delivery_tag JOIN delivery USING (seq) WHERE tag = ? AND hops > 0 AND seq > ?",
        tag, _read_up_to(node, tag),
    )  # fmt: skip
    return int(found[0][0])
