"""What the commands of a node have in common: where it lives, addresses and times on the command line, invitations."""

from __future__ import annotations

import math
import os
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hunet.cli.output import print_json

if TYPE_CHECKING:
    from hunet.node.network import Network

Home = Annotated[
    Path | None,
    typer.Option(
        "--home", envvar="HUNET_NODE_HOME", help="The node's folder. Default: node in the user's data folder."
    ),
]
Grace = Annotated[str, typer.Option(help="For how long the old key is accepted, such as 7d; 0 ends it at once.")]


_HOST = re.compile(r"\[[0-9A-Fa-f:.]+(%\w+)?\]|[\w.-]+")
"""An IPv6 address in brackets, an IPv4 address or a name."""


def without_numba() -> None:
    """A device has no numba, and needs none: where it is installed, it is not loaded."""
    if "numba" not in sys.modules:
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")


def folder_of(home: Path | None) -> Path:
    """The folder of the node that is meant."""
    if home is not None:
        try:
            return home.expanduser().absolute()
        except RuntimeError:  # ~somebody, whom this machine does not know
            raise typer.BadParameter(f"'{home}': there is no such user here", param_hint="--home") from None
    from hunet.home import home as users

    return users() / "node"


def command(what: str, home: Path | None) -> str:
    """A command as it is to be typed next, for the same node."""
    return f"hunet node {what}" + ("" if home is None else f" --home {shlex.quote(str(home))}")


def seconds(text: str, option: str, least: float = 0.0) -> float:
    """A length of time, which ends."""
    from hunet.model.errors import InvalidValueError
    from hunet.sim.workload.units import parse_least, parse_seconds

    try:
        found = parse_least(text, "time") if least == 0 else parse_seconds(text, "time")
    except InvalidValueError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None
    if not math.isfinite(found):
        raise typer.BadParameter(f"{text!r}: it must end", param_hint=option)
    return found


def address(text: str, option: str, port: int | None = None) -> tuple[str, int]:
    """HOST:PORT, or [HOST]:PORT for IPv6; the port may be left out where there is a usual one."""
    host, colon, number = text.rpartition(":")
    if text.startswith("[") and text.endswith("]"):
        host, colon, number = text, "", ""
    elif not colon:
        host, number = text, ""
    if not number and port is not None:
        number = str(port)
    is_number = number.isascii() and number.isdigit() and int(number[:6]) <= 65535
    is_host = _HOST.fullmatch(host) is not None or (not host and option == "--listen")
    if not is_number or not is_host:
        example = "192.168.1.7:47470" if option == "--peer" else "0.0.0.0:47470"
        raise typer.BadParameter(f"{text!r} is no address: write one such as {example}", param_hint=option)
    return host.strip("[]") or "0.0.0.0", int(number)


def show_invitation(network: Network, home: Path, json: bool, said: str, grace: str | None = None) -> None:
    """The invitation as text and as a picture for a camera; with `grace` it is for those who are to stay."""
    from hunet.node.network import invitation_of

    invitation = invitation_of(network)
    if json:
        print_json(
            {"network": network.name, "home": str(home), "invitation": invitation, "ranges": bool(network.schema)}
        )
        return
    typer.echo(f"{said}\n\nWhoever gets this invitation is a member, and can read what members can:\n\n{invitation}\n")
    picture = _picture(invitation)
    if picture:
        typer.echo(picture)
    if grace is None:
        typer.echo(f"On another device: hunet node join {invitation[:14]}...")
    else:
        typer.echo(f"On all devices that stay: hunet node join {invitation[:14]}... --grace {shlex.quote(grace)}")


def _picture(text: str) -> str:
    """A QR code in half blocks; nothing if it is too much for one that a camera reads off a terminal."""
    import io

    import segno

    if len(text) > 900:
        return ""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, compact=True)
    return out.getvalue()


def asked(home: Path | None, do: str, **arguments: Any) -> Any:
    """What the running node answers."""
    from hunet.node.door import ask
    from hunet.node.network import Network

    folder = folder_of(home)
    Network.at(folder)  # who is in no network yet is told that first
    return ask(folder, do, **arguments)
