"""Making a network, joining one and rotating its key, in a node's home; a node that runs there learns of it at once."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from hunet.input_files import read_text
from hunet.model.errors import ContentError, NodeError
from hunet.node.door import ask
from hunet.node.identity import new_holder
from hunet.node.network import FILE, GRACE, Network, now, read_invitation
from hunet.node.ranges import Ranges

__all__ = ["join", "make", "rotate"]


def make(home: Path, name: str, schema: Path | None = None) -> Network:
    """A network of which this node is the first member and keeps the settings key; `schema` is a file, for ranges."""
    if (home / FILE).exists():
        raise NodeError(
            f"the node in '{home}' is in the network {Network.at(home).name!r} already: give another --home DIR, "
            "or leave it with: hunet node wipe"
        )
    network = Network.new(name, None if schema is None else _schema(schema))  # or refused, before any key is made
    network = replace(network, holder=new_holder(home).public)
    network.save(home)
    return network


def join(home: Path, invitation: str, grace: float = GRACE) -> tuple[Network | None, Network]:
    """What this node knew of its network, and what it knows now; an older key is accepted for `grace` seconds."""
    invited = read_invitation(invitation)
    known = Network.at(home) if (home / FILE).exists() else None
    network = invited if known is None else known.joined(invited, now(), grace)
    _keep(home, network)
    return known, network


def rotate(home: Path, grace: float = GRACE) -> Network:
    """This node's network with a new key; the old one is accepted for `grace` seconds."""
    network = Network.at(home).rotated(now(), grace)
    _keep(home, network)
    return network


def _keep(home: Path, network: Network) -> None:
    network.save(home)
    with suppress(NodeError):  # no node runs there
        ask(home, "reload")


def _schema(file: Path) -> str:
    """A schema that is right, as it was written."""
    text = read_text(file, ContentError, "schema")
    try:
        Ranges(text)
    except ContentError as error:
        raise ContentError(f"'{file}': {error}") from None
    return text
