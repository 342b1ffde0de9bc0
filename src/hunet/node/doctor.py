"""What hinders contacts here, found out by trying: nothing is guessed that can be asked of the system."""

from __future__ import annotations

import errno
import os
import socket
import struct
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from hunet.model.errors import NodeError
from hunet.node.beacon import BEACON_PORT, GROUP
from hunet.node.daemon import DEFAULT_PORT
from hunet.node.door import ask
from hunet.node.network import Network

__all__ = ["Finding", "examine"]

_BEFORE_THIS_WAS_WRITTEN = 1_767_225_600  # 2026-01-01
_HEARD_WITHIN = 0.5
_LATELY = 15.0
"""Seconds: ten beacons."""


class Finding(NamedTuple):
    """One thing that was looked at."""

    what: str
    ok: bool
    found: str
    advice: str = ""


def examine(home: Path) -> list[Finding]:
    """Everything that can be looked at, the most basic first."""
    running: dict[str, Any] | None = None
    with suppress(NodeError, OSError):
        running = ask(home, "status")
    return [_network(home), _clock(), _node(home, running), _port(running), *_cards(), _heard(running)]


def _network(home: Path) -> Finding:
    try:
        network = Network.at(home)
    except NodeError as error:
        return Finding("network", False, "none", str(error))
    keys = len(network.accepted(time.time()))
    return Finding("network", True, f"{network.name!r}, {keys} key{'s' if keys > 1 else ''} accepted")


def _clock() -> Finding:
    now = time.time()
    shown = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    if now < _BEFORE_THIS_WAS_WRITTEN:
        advice = "messages are carried all the same; but keys that were rotated end by the clock: set it"
        return Finding("clock", False, f"{shown}, which is in the past", advice)
    return Finding("clock", True, shown)


def _node(home: Path, running: dict[str, Any] | None) -> Finding:
    if running is None:
        return Finding("node", False, "none is running", f"hunet node run --home '{home}'")
    return Finding("node", True, f"running for {running['seconds']:.0f} s, {running['peers']} near")


def _trouble_reaching(address: str, port: int) -> str | None:
    try:
        socket.create_connection((address, port), timeout=2.0).close()
    except OSError as error:
        return error.strerror or str(error)
    return None


def _port(running: dict[str, Any] | None) -> Finding:
    """Whether a node listens, and is reached by this machine's own address as by others'."""
    if running is None:
        with socket.socket() as probe:
            try:
                probe.bind(("", DEFAULT_PORT))
            except OSError as error:
                taken = error.errno == errno.EADDRINUSE
                advice = "another node or program has it; a node then takes any free one" if taken else str(error)
                return Finding("port", taken, f"{DEFAULT_PORT} is not free", advice)
        return Finding("port", True, f"{DEFAULT_PORT} is free")
    port, own = running["port"], _own_address()
    trouble = _trouble_reaching(own, port)
    if trouble is not None and _trouble_reaching("127.0.0.1", port) is None:
        return Finding(
            "port", False, f"{port} is open to this machine alone", "run the node without --listen 127.0.0.1"
        )
    if trouble is not None:
        advice = f"allow TCP {port} and UDP {BEACON_PORT} from the local network in the firewall"
        return Finding("port", False, f"{own}:{port} is not reached ({trouble})", advice)
    return Finding("port", True, f"{own}:{port} is reached from this machine; a firewall may still refuse others")


def _own_address() -> str:
    """Under which address others see this machine: by where its packets would leave. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((GROUP, BEACON_PORT))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _cards() -> list[Finding]:
    """Whether what is sent to the group through a network card comes back from it."""
    found = []
    for number, name in socket.if_nameindex():
        if name.startswith("lo"):
            continue
        try:
            trouble = _multicast(number)
        except ConnectionError:  # a card that is not in use
            continue
        advice = (
            f"allow UDP {BEACON_PORT} and multicast to {GROUP} in the firewall, "
            "or give an address: hunet node run --peer HOST:PORT"
        )
        said = "reaches this machine itself" if trouble is None else trouble
        found.append(Finding(f"multicast on {name}", trouble is None, said, "" if trouble is None else advice))
    if not found:
        found.append(Finding("multicast", False, "this machine is in no network", "connect it to one"))
    return found


def _multicast(card: int) -> str | None:
    """What is wrong, if anything; `ConnectionError` where the card has no address."""
    through = socket.inet_aton(GROUP) + socket.inet_aton("0.0.0.0") + struct.pack("@i", card)
    said = b"hunet doctor" + os.urandom(8)
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as hearing,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as speaking,
    ):
        try:
            hearing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            hearing.bind(("", BEACON_PORT))
            hearing.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, through)
            speaking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, through)
            speaking.sendto(said, (GROUP, BEACON_PORT))
            until = time.monotonic() + _HEARD_WITHIN
            while (left := until - time.monotonic()) > 0:
                hearing.settimeout(left)
                if hearing.recv(64) == said:
                    return None
        except TimeoutError:
            pass
        except OSError as error:
            if error.errno in (errno.ENETUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL, errno.ENODEV):
                raise ConnectionError from None
            return f"it cannot be used ({error.strerror})"
    return "what was sent did not come back"


def _heard(running: dict[str, Any] | None) -> Finding:
    if running is None:
        return Finding("others", True, "only a running node can tell")
    beacons, refused = running["beacons"], running["refused"]
    if running["version_trouble"]:
        return Finding("others", False, running["version_trouble"], "the newer one cannot talk to the older one")
    if beacons is None:
        return Finding(
            "others", False, "beacons cannot be sent", f"free UDP port {BEACON_PORT}, and start the node again"
        )
    silent = beacons["silent"] is None or beacons["silent"] > _LATELY
    if silent and not running["peers"] and beacons["foreign"]:
        found = (
            f"{beacons['foreign']} beacons of other networks, or of this one with another key; none with mine lately"
        )
        advice = "was the key rotated? Ask a member for the invitation, and type: hunet node join INVITATION"
        return Finding("others", False, found, advice)
    if silent and not running["peers"]:
        advice = (
            "are others near, in the same network? Where access points drop multicast, "
            "give an address: hunet node run --peer HOST:PORT"
        )
        return Finding("others", False, "no beacon of this network was heard lately", advice)
    strangers = f", {refused['stranger']} callers did not know the key" if refused.get("stranger") else ""
    return Finding("others", True, f"{beacons['heard']} beacons heard{strangers}")
