"""Writes our own vectors to tests/vectors/: `python -m tests.node.record_vectors`. Other nodes rely on them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from hunet.node import beacon
from hunet.node.choice import Choice
from hunet.node.frames import records_of
from hunet.node.handshake import Self, prologue
from hunet.node.link import BYE, PING
from hunet.node.network import Key, Network, invitation_of
from hunet.node.noise import Handshake
from hunet.protocols import PROTOCOLS
from tests.node.session_vectors import HOLDER, of_messages, of_sessions, of_settings

VECTORS = Path(__file__).parents[1] / "vectors"
KEY, SALT = bytes(range(32)), bytes(range(16))
SCHEMA = '[attributes.price]\ntype = "number"\nmin = 0\nmax = 1000\n'


def of_the_handshake() -> dict[str, Any]:
    """Both ends with keys that are no secret, the three records, and a frame each way."""
    seeds = {name: bytes([i] * 32) for i, name in enumerate(("link", "static", "ephemeral"), 1)}
    other = {name: bytes([16 + i] * 32) for i, name in enumerate(("link", "static", "ephemeral"), 1)}
    ends = []
    for dialled, own in ((True, seeds), (False, other)):
        static = X25519PrivateKey.from_private_bytes(own["static"])
        me = Self(Ed25519PrivateKey.from_private_bytes(own["link"]), static)
        ephemeral = X25519PrivateKey.from_private_bytes(own["ephemeral"])
        ends.append((me, Handshake(dialled, static, KEY, prologue(1), ephemeral)))
    (me, one), (you, two) = ends
    first = one.write()
    two.read(first)
    second = two.write(you.card())
    one.read(second)
    third = one.write(me.card())
    two.read(third)
    return {
        "prologue": prologue(1).decode(),
        "network_key": KEY.hex(),
        "dialler": {name: seed.hex() for name, seed in seeds.items()},
        "answerer": {name: seed.hex() for name, seed in other.items()},
        "messages": [message.hex() for message in (first, second, third)],
        "contact": one.transcript.hex(),
        "ping_of_dialler": b"".join(records_of(one.split()[0], PING, b"")).hex(),
        "bye_of_answerer": b"".join(records_of(two.split()[0], BYE, b"")).hex(),
    }


def of_beacons() -> list[dict[str, Any]]:
    return [
        {
            "kind": kind.decode(),
            "name": bytes(range(8)).hex(),
            "port": port,
            "network_key": KEY.hex(),
            "beacon": beacon.encode(kind, bytes(range(8)), port, KEY).hex(),
        }
        for kind, port in ((b"h", 4747), (b"H", 65535))
    ]


def of_invitations() -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "salt": SALT.hex(),
            "network_key": KEY.hex(),
            "schema": schema,
            "settings_key": holder and holder.hex(),
            "invitation": invitation_of(Network(name, SALT, (Key(KEY),), schema, holder)),
        }
        for name, schema, holder in (
            ("village", None, None),
            ("village", None, HOLDER.public),
            ("Käsemarkt 2", SCHEMA, None),
        )
    ]


def of_rules() -> list[dict[str, Any]]:
    """What nodes with a protocol's defaults compare, and the defaults that this stands for."""
    return [
        {
            "protocol": one.name,
            "rules": one.rules,
            "defaults": one.settings()._asdict(),
            "runs": Choice(one, one.settings()).name,
        }
        for one in PROTOCOLS
        if one.deployable
    ]


FILES: dict[str, Callable[[], Any]] = {
    "handshake.json": of_the_handshake,
    "beacon.json": of_beacons,
    "invitation.json": of_invitations,
    "message.json": of_messages,
    "session.json": of_sessions,
    "settings.json": of_settings,
    "rules.json": of_rules,
}

if __name__ == "__main__":
    for file, what in FILES.items():
        (VECTORS / file).write_text(json.dumps(what(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
