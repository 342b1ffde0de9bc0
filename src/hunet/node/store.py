"""What a node must not forget, in one SQLite file.

Changes are collected by the steps of the host and written by `commit`, all or none. `commit` returns when they are on
the disk where somebody relies on it (before an acknowledgement, before a publication returns), and otherwise when a
killed process would not lose them. Deliveries have numbers that only rise: whoever reads them goes on after the last
one it saw.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hunet.model.errors import NodeError

__all__ = ["VERSION", "Delivery", "Store"]

_APPLICATION = 0x68756E65
"""SQLite keeps this number in the file's header: it is a hunet node's."""

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE message (            -- what I carry; times are milliseconds on my clock
      id BLOB PRIMARY KEY, envelope BLOB NOT NULL, born INTEGER NOT NULL, hops INTEGER NOT NULL,
      own INTEGER NOT NULL, entry INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE seen (id BLOB PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX seen_until ON seen (until);
    CREATE TABLE delivery (           -- what I wanted and got
      seq INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB UNIQUE NOT NULL, at INTEGER NOT NULL, hops INTEGER NOT NULL,
      peer BLOB NOT NULL, envelope BLOB NOT NULL);
    CREATE TABLE interest (
      kind INTEGER NOT NULL, text TEXT NOT NULL, level REAL NOT NULL, hops INTEGER NOT NULL, until INTEGER,
      PRIMARY KEY (kind, text)) WITHOUT ROWID;
    """,
    """
    ALTER TABLE delivery ADD COLUMN born INTEGER NOT NULL DEFAULT 0;  -- when it was published; at 0 hops it is my own
    ALTER TABLE delivery ADD COLUMN words TEXT NOT NULL DEFAULT '';   -- what a person finds it by
    UPDATE delivery SET born = at;
    CREATE TABLE delivery_tag (tag TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (tag, seq)) WITHOUT ROWID;
    CREATE TABLE read_up_to (tag TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE taken (              -- who took a message of mine
      id BLOB NOT NULL, peer BLOB NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (id, peer)) WITHOUT ROWID;
    CREATE TABLE contact (peer BLOB NOT NULL, began INTEGER NOT NULL, ended INTEGER NOT NULL);
    CREATE INDEX contact_ended ON contact (ended);
    CREATE TABLE mqtt_session (       -- what a client of the MQTT door asked for, and has
      client TEXT PRIMARY KEY, cursor INTEGER NOT NULL, filters TEXT NOT NULL) WITHOUT ROWID;
    """,
    """
    ALTER TABLE message ADD COLUMN peer BLOB NOT NULL DEFAULT x'';    -- who brought it
    """,
)
"""Step i makes version i + 1 of version i."""

VERSION = len(MIGRATIONS)


class Delivery(NamedTuple):
    """A message that this node wanted and got; or, at 0 hops, published."""

    seq: int
    id: bytes
    at: int
    """Milliseconds on this node's clock."""
    hops: int
    peer: bytes
    """From whom it came: the key of his link."""
    envelope: bytes


class Store:
    """One file; `":memory:"` for a node that forgets."""

    def __init__(self, path: Path | str) -> None:
        self.path = str(path)
        try:
            self._keep_private()
            self._db = sqlite3.connect(self.path, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._migrate()
        except (sqlite3.Error, OSError) as error:
            raise NodeError(f"{self.path!r} cannot be used as a node's store: {error}") from None
        self._pending: list[tuple[str, Sequence[Any]]] = []
        self._sync = ""

    def _keep_private(self) -> None:
        """The file is its owner's alone, whatever folder it lies in; what SQLite puts beside it is as the file is."""
        if self.path != ":memory:":
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            os.fchmod(file, 0o600)
            os.close(file)

    def _migrate(self) -> None:
        (version,), (owner,) = (
            self._db.execute(f"PRAGMA {name}").fetchone() for name in ("user_version", "application_id")
        )
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and owner != _APPLICATION:
            raise NodeError(f"{self.path!r} is a database of something else: give the node a folder of its own")
        if version > VERSION:
            raise NodeError(
                f"{self.path!r} was written by a newer hunet (store version {version}, this one knows {VERSION}): "
                "install that one, or start afresh in another folder"
            )
        for step in range(version, VERSION):
            self._db.executescript(
                f"BEGIN IMMEDIATE; {MIGRATIONS[step]} PRAGMA user_version = {step + 1}; "
                f"PRAGMA application_id = {_APPLICATION}; COMMIT;"
            )

    # ------------------------------------------------------------------ writing

    def write(self, sql: str, *values: Any) -> None:
        """A change that the next commit makes."""
        self._pending.append((sql, values))

    def put(self, name: str, value: bytes | str) -> None:
        """A value of the node's own, by name."""
        self.write("INSERT OR REPLACE INTO meta VALUES (?, ?)", name, value)

    def commit(self, *, on_disk: bool = True) -> None:
        """All changes at once; with `on_disk` they survive a power cut, without only a killed process."""
        if not self._pending:
            return
        sync = "FULL" if on_disk else "NORMAL"
        if sync != self._sync:
            self._db.execute(f"PRAGMA synchronous={sync}")
            self._sync = sync
        pending, self._pending = self._pending, []
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for sql, values in pending:
                self._db.execute(sql, values)
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # ------------------------------------------------------------------ reading

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a query finds."""
        return self._db.execute(sql, values).fetchall()

    def get(self, name: str) -> Any:
        """What `put` wrote; None if nothing."""
        found = self.rows("SELECT value FROM meta WHERE name = ?", name)
        return found[0][0] if found else None

    def deliveries(self, after: int = 0, most: int = 1000) -> list[Delivery]:
        """What came, with a number above `after`, in order."""
        columns = ", ".join(Delivery._fields)
        rows = self.rows(f"SELECT {columns} FROM delivery WHERE seq > ? AND hops > 0 ORDER BY seq LIMIT ?", after, most)
        return [Delivery(*row) for row in rows]

    def check(self) -> list[str]:
        """What is wrong with the file; nothing if all is well."""
        return [line for (line,) in self.rows("PRAGMA integrity_check") if line != "ok"]

    def close(self) -> None:
        """What was not committed is lost."""
        self._db.close()
