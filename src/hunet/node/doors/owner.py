"""Whose program is at the other end of a connection within this machine.

A person's own programs may use a door without further ado; those of others who share the machine need the token. Linux
lists every connection with its owner. Where there is no such list, nobody is known.
"""

from __future__ import annotations

import ipaddress
import os
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Owner", "owner_of"]

_LISTS = {4: Path("/proc/net/tcp"), 6: Path("/proc/net/tcp6")}


@dataclass(frozen=True)
class Owner:
    """A user of this machine; None if nobody knows."""

    number: int | None

    @property
    def is_trusted(self) -> bool:
        """My own user, or the machine's administrator, from whom nothing is hidden anyway."""
        return self.number in (os.geteuid(), 0)


def owner_of(theirs: tuple[str, int], mine: tuple[str, int]) -> Owner:
    """Who opened the connection between their address and mine."""
    version = ipaddress.ip_address(theirs[0]).version
    wanted = [_as_listed(*theirs[:2]), _as_listed(*mine[:2])]
    try:
        with _LISTS[version].open(encoding="ascii") as lines:
            next(lines)
            for line in lines:
                parts = line.split()
                if parts[1:3] == wanted:
                    return Owner(int(parts[7]))
    except (OSError, ValueError, IndexError, StopIteration):
        pass
    return Owner(None)


def _as_listed(host: str, port: int) -> str:
    """As in the list: words of four bytes in this machine's own order.

    >>> _as_listed("127.0.0.1", 80) if sys.byteorder == "little" else "0100007F:0050"
    '0100007F:0050'
    """
    packed = ipaddress.ip_address(host).packed
    words = [int.from_bytes(packed[i : i + 4], sys.byteorder) for i in range(0, len(packed), 4)]
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"
