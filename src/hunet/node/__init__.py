"""The live node: one row of a studied protocol, on a person's device, over real links, durably and safely.

Files meet at two seams. A *link* (`link.py`) is one contact's channel, authenticated already, whatever carries it: TCP
with sealed frames, or memory in a test. A *host* (`host.py`) is the node without any I/O but its store: every method is
one atomic step. Between them is `session.py`, a contact as frames. Whoever has both writes

    store = Store(path)
    host = Host(store, me, Row.of(protocol, settings), clock=clock)
    await session(host, link)                       # until the peer leaves, the link breaks, or `host.leave()`

and nothing is shared between contacts but the host. `session` returns an `Outcome`, closes the link, and raises
nothing but `LinkError`; what it achieved before is committed.

This room knows no trace, no simulator and no study, and imports neither numba, pyarrow nor pandas: a node fits a small
board. It never sees a peer's row; what comes over a link is a stranger's word, checked before anything is made of it.
"""
