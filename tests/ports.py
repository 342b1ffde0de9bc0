"""Ports for servers that a test starts, and starts again at the same place."""

from __future__ import annotations

import os
import random
import socket

_LOWEST, _HIGHEST = 10_000, 30_000
"""Below those that connections are given (Linux: from 32,768): none of them can take a port between two starts."""

_chance = random.Random(os.getpid())  # test processes run side by side
_given: set[int] = set()


def free_port() -> int:
    """A port of TCP and UDP at which nobody listens, never given twice to one process."""
    while True:
        port = _chance.randrange(_LOWEST, _HIGHEST)
        if port not in _given and all(map(_free, (socket.SOCK_STREAM, socket.SOCK_DGRAM), (port, port))):
            _given.add(port)
            return port


def _free(kind: socket.SocketKind, port: int) -> bool:
    with socket.socket(socket.AF_INET, kind) as probe:
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True
