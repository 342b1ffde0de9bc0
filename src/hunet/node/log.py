"""The node's log: contacts, publications and deliveries as lines of JSON, a trace again when all logs lie together.

A log is personal: it says who met whom and when. Names in it are pseudonyms of this network, made with its key: who
lacks the key cannot tell which device is meant, who has it can.
"""

from __future__ import annotations

import json
import os
from hashlib import blake2b
from pathlib import Path
from typing import TextIO

from hunet.model.node_log import contact_line, delivery_line, message_line, settings_line
from hunet.node.choice import Choice
from hunet.node.link import Link
from hunet.node.message import Envelope
from hunet.node.store import Store

__all__ = ["NodeLog", "open_log", "pseudonym"]

_NEWS = "SELECT seq, at, hops, peer, envelope FROM delivery WHERE seq > ? ORDER BY seq LIMIT 500"


def pseudonym(name: bytes, key: bytes) -> str:
    """What a node, by its public key for links, is called in the logs of a network with this key."""
    return blake2b(name, digest_size=8, key=key, person=b"hunet log").hexdigest()


def open_log(path: Path) -> TextIO:
    """A log to go on with, its owner's alone. A line that was cut off when the node died ends
    here, and is all that is lost."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    size = os.fstat(handle).st_size
    if size and os.pread(handle, 1, size - 1) != b"\n":
        os.write(handle, b"\n")
    return os.fdopen(handle, "a", encoding="utf-8")


class NodeLog:
    """Writes lines, each at once. Times are milliseconds on the node's clock."""

    def __init__(self, file: TextIO, me: bytes, key: bytes) -> None:
        self._file, self._key, self._me = file, key, pseudonym(me, key)

    def contact(self, now: int, link: Link, *, up: bool, peer_time: int | None = None) -> None:
        """A contact begins or ends; when it begins, with the peer's clock."""
        seen = None if peer_time is None else peer_time / 1000
        peer = pseudonym(link.peer, self._key)
        self._write(contact_line(now / 1000, self._me, peer, up, link.contact.hex(), seen))

    def message(self, now: int, envelope: Envelope) -> None:
        """I published it."""
        lifetime = envelope.lifetime / 1000 if envelope.lifetime else None
        about = list(envelope.tags), len(envelope.payload), lifetime
        self._write(message_line(now / 1000, self._me, envelope.id.hex(), *about))

    def delivery(self, now: int, mid: bytes, peer: bytes, hops: int) -> None:
        """I wanted it, and it came."""
        self._write(delivery_line(now / 1000, self._me, mid.hex(), pseudonym(peer, self._key), hops))

    def news(self, store: Store, since: int) -> int:
        """What was delivered and published after the entry of this number; the number of the last."""
        while rows := store.rows(_NEWS, since):
            since = rows[-1][0]
            for _seq, at, hops, peer, envelope in rows:
                message = Envelope.decode(envelope)
                if hops:
                    self.delivery(at, message.id, peer, hops)
                else:
                    self.message(at, message)
        return since

    def settings(self, now: int, choice: Choice) -> None:
        """I run something else from now on."""
        self._write(settings_line(now / 1000, self._me, choice.protocol.name, json.dumps(choice.settings._asdict())))

    def _write(self, line: dict[str, object]) -> None:
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()
