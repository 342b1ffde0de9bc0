"""Where a door is: on this machine, and nowhere else."""

from __future__ import annotations

import ipaddress
import socket

from hunet.model.errors import NodeError

__all__ = ["listening_socket", "loopback"]


def loopback(text: str) -> tuple[str, int]:
    """An address of this machine, as `127.0.0.1:PORT`, `[::1]:PORT`, `localhost:PORT` or the port alone; 0 for any.

    >>> loopback("127.0.0.1:8080"), loopback("8080"), loopback("[::1]:0")
    (('127.0.0.1', 8080), ('127.0.0.1', 8080), ('::1', 0))
    """
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isascii() or not port.isdigit() or int(port[:6]) > 65535:
        raise NodeError(f"{text!r} is no address of a door: give one such as 127.0.0.1:8080")
    host = "127.0.0.1" if host == "localhost" else host
    try:
        inside = ipaddress.ip_address(host).is_loopback
    except ValueError:
        inside = False
    if not inside:
        raise NodeError(
            f"{text!r} could be reached from other machines, and a door is for this one alone: "
            "give 127.0.0.1:PORT, and reach it from elsewhere through a tunnel, such as ssh -L"
        )
    return host, int(port)


def listening_socket(address: tuple[str, int], which: str) -> socket.socket:
    """A socket that listens there."""
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    try:
        return socket.create_server(address, family=family)
    except OSError as error:
        host, port = address
        raise NodeError(
            f"the {which} door cannot be opened at {host}:{port} ({error.strerror}): give another port, or 0 for any"
        ) from None
