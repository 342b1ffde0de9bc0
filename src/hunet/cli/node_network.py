"""`hunet node network`: make a network, invite to it, rotate its key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.commands import Commands
from hunet.cli.node_context import Grace, Home, command, folder_of, seconds, show_invitation
from hunet.cli.output import Json

app = Commands(help="A network is a name and a key: who has the key is a member.", no_args_is_help=True)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="What people call it.")],
    schema: Annotated[Path | None, typer.Option(help="A schema file, for subscriptions to ranges.")] = None,
    home: Home = None,
    json: Json = False,
) -> None:
    """Make a network, join it, and print an invitation."""
    from hunet.node.membership import make

    folder = folder_of(home)
    network = make(folder, name, schema)
    said = f"the network {name!r} is made, and this node is in it; next: {command('run', home)}"
    show_invitation(network, folder, json, said)


@app.command()
def show(home: Home = None, json: Json = False) -> None:
    """Print an invitation to the network that this node is in."""
    from hunet.node.network import Network

    folder = folder_of(home)
    network = Network.at(folder)
    show_invitation(network, folder, json, f"the network {network.name!r}")


@app.command()
def rotate(home: Home = None, grace: Grace = "7d", json: Json = False) -> None:
    """Give the network a new key, and print the invitation that carries it to those who are to stay."""
    from hunet.node import membership

    folder = folder_of(home)
    length = seconds(grace, "--grace")
    network = membership.rotate(folder, length)
    until = f"is accepted here for {grace}" if length else "counts here no more"
    said = f"the network {network.name!r} has a new key; the old one {until}. Who is not given this is left behind"
    show_invitation(network, folder, json, said, grace)
