"""Who a node is: a key that signs what its person publishes, and another that its links are known by.

They are apart on purpose. Peers learn the link key, readers the author's key; that both belong to one device is not
written anywhere. Each is an Ed25519 key of 32 bytes in a file of its own, which only its owner may read. Who made a
network has a third one, which signs the settings that its nodes take over.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hunet.atomic import whole_file
from hunet.model.errors import NodeError
from hunet.node.message import Author

__all__ = ["Identity", "holder_at", "make_private_folder", "new_holder", "public_of", "read_private", "write_private"]

AUTHOR, LINK, SETTINGS = "author.key", "link.key", "settings.key"
_SEED_BYTES = 32


@dataclass(frozen=True)
class Identity:
    """The two keys of a node."""

    author: Author
    link: Ed25519PrivateKey

    @classmethod
    def at(cls, home: Path) -> Identity:
        """The identity that is kept in a node's home; a new one on the first call."""
        make_private_folder(home)
        author, link = (_key(home / name) for name in (AUTHOR, LINK))
        return cls(Author(author), link)


def new_holder(home: Path) -> Author:
    """Whoever makes a network keeps the key that signs its settings."""
    make_private_folder(home)
    return Author(_key(home / SETTINGS))


def holder_at(home: Path) -> Author | None:
    """The settings key that is kept in a home, if there is one."""
    return Author(_key(home / SETTINGS)) if (home / SETTINGS).exists() else None


def public_of(key: Ed25519PrivateKey) -> bytes:
    """The public half: 32 bytes."""
    return key.public_key().public_bytes_raw()


def _key(file: Path) -> Ed25519PrivateKey:
    if not file.exists():
        write_private(file, os.urandom(_SEED_BYTES))
    seed = read_private(file, most=_SEED_BYTES)
    if len(seed) != _SEED_BYTES:
        raise NodeError(
            f"'{file}' has {len(seed)} bytes, a key has {_SEED_BYTES}: restore it, or remove it for a new one"
        )
    return Ed25519PrivateKey.from_private_bytes(seed)


def make_private_folder(home: Path) -> None:
    """A folder that only its owner may enter; one that is there already must be like that."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    _refuse_others(home, 0o077, "chmod 700")


def write_private(file: Path, data: bytes) -> None:
    """A file that is there whole and on disk, or not at all, and that only its owner may read."""
    with whole_file(file) as draft:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read_private(file: Path, most: int) -> bytes:
    """At most so many bytes, and one more for what is too long, of a file that only its owner may read."""
    _refuse_others(file, 0o077, "chmod 600")
    with file.open("rb") as source:
        return source.read(most + 1)


def _refuse_others(path: Path, bits: int, remedy: str) -> None:
    found = path.stat()
    if found.st_uid != os.geteuid() or found.st_mode & bits:
        raise NodeError(f"'{path}' holds secrets, and others own it or may read it: {remedy} '{path}'")
