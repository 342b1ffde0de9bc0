"""The live node: one row of a studied protocol, on a person's device, over real links, durably and safely.

Files meet at two seams. A *link* (`link.py`) is one contact's channel, authenticated already, whatever carries it: TCP
with sealed frames, or memory in a test. A *host* (`host.py`) is the node without any I/O but its store: every method is
one atomic step. Between them is `session.py`, a contact as frames. Whoever has both writes

    store = Store(home / "store.db")
    clock = BootClock(store.get("clock"), int(store.get("now") or 0))      # and store.put("clock", clock.keep())
    host = Host(store, link_public_key, Author(author_key), protocol, settings, clock=clock, key=filter_key)
    await session(host, link, log=log)              # until the peer leaves, the link breaks, or `host.leave()`

    host.publish(payload, tags, lifetime=milliseconds)        returns an id when the message is on the disk
    host.subscribe(tag, level=, hops=, until=), host.unsubscribe(tag), host.interests.all
    host.store.deliveries(after=cursor)                       what was delivered, from there on

and nothing is shared between contacts but the host. `session` returns an `Outcome`, closes the link, and raises
nothing but `LinkError`; what it achieved before is committed.

This room knows no trace, no simulator and no study, and imports neither numba, pyarrow nor pandas: a node fits a small
board. It never sees a peer's row; what comes over a link is a stranger's word, checked before anything is made of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hunet.node.client import Client, Message

__all__ = ["Client", "Message"]


def __getattr__(name: str) -> Any:
    """What programs use, loaded when it is: a node itself needs none of it."""
    if name in __all__:
        from hunet.node import client

        return getattr(client, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
