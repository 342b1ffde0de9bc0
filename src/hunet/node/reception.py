"""Callers who have not proved anything yet: sixteen at a time, and whoever waits longest without a word goes first.

An honest member says all it has to say within milliseconds. A flood of silent connections therefore pushes out itself,
and not those who have shown that they know the network's key: these have a place until their handshake is over.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence

from hunet.model.errors import LinkError
from hunet.node.frames import Records, StreamLink
from hunet.node.handshake import HANDSHAKE_PATIENCE, Self, StrangerError, VersionError, answer

__all__ = ["MOST_HALF_OPEN", "Reception"]

MOST_HALF_OPEN = 16


class Reception:
    """Answers calls; `refused` counts those that became no link, by reason."""

    def __init__(self, me: Self, keys: Callable[[], Sequence[bytes]], patience: float = HANDSHAKE_PATIENCE) -> None:
        self._me, self._keys, self._patience = me, keys, patience
        self._unproved: dict[Records, None] = {}  # the one that waits longest is the first
        self._proved: set[Records] = set()
        self.refused: Counter[str] = Counter()
        self.last_version_error: VersionError | None = None

    @property
    def half_open(self) -> int:
        """Handshakes that are going on."""
        return len(self._unproved) + len(self._proved)

    async def receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> StreamLink | None:
        """The link with a caller, or None for one that is not a member, or too many."""
        records = Records(reader, writer)
        if not self._make_room():
            self.refused["busy"] += 1
            records.abort()
            return None
        self._unproved[records] = None

        def known() -> None:
            del self._unproved[records]
            self._proved.add(records)

        try:
            return await answer(records, self._me, self._keys(), known, self._patience)
        except StrangerError:
            self.refused["stranger"] += 1
        except VersionError as error:
            self.refused["version"] += 1
            self.last_version_error = error
            await records.close()  # after the polite word
            return None
        except LinkError:
            self.refused["pushed out" if records not in self._waiting() else "broken"] += 1
        except asyncio.CancelledError:  # the node stops
            records.abort()
            raise
        finally:
            self._unproved.pop(records, None)
            self._proved.discard(records)
        records.abort()
        return None

    def _waiting(self) -> set[Records]:
        return {*self._unproved, *self._proved}

    def _make_room(self) -> bool:
        if self.half_open < MOST_HALF_OPEN:
            return True
        if not self._unproved:
            return False
        longest = next(iter(self._unproved))
        del self._unproved[longest]
        longest.abort()
        return True
