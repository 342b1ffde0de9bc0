"""`hunet node network`: make a network, invite to it, rotate its key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.commands import Commands
from hunet.cli.node_context import Grace, Home, command, folder_of, seconds, show_invitation, tell_running
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
    from hunet.model.errors import NodeError
    from hunet.node.identity import new_holder
    from hunet.node.network import FILE, Network

    folder = folder_of(home)
    if (folder / FILE).exists():
        raise NodeError(
            f"the node in '{folder}' is in the network {Network.at(folder).name!r} already: give another --home DIR, "
            "or leave it with: hunet node wipe"
        )
    network = Network.new(
        name, None if schema is None else _schema(schema)
    )  # refuses a wrong name, before any key is made
    network = replace(network, holder=new_holder(folder).public)
    network.save(folder)
    said = f"the network {name!r} is made, and this node is in it; next: {command('run', home)}"
    show_invitation(network, folder, json, said)


def _schema(file: Path) -> str:
    """A schema that is right, as it was written."""
    from hunet.input_files import read_text
    from hunet.model.errors import ContentError
    from hunet.node.ranges import Ranges

    text = read_text(file, ContentError, "schema")
    try:
        Ranges(text)
    except ContentError as error:
        raise ContentError(f"'{file}': {error}") from None
    return text


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
    from hunet.node.network import Network, now

    folder = folder_of(home)
    length = seconds(grace, "--grace")
    network = Network.at(folder).rotated(now(), length)
    network.save(folder)
    tell_running(folder)
    until = f"is accepted here for {grace}" if length else "counts here no more"
    said = f"the network {network.name!r} has a new key; the old one {until}. Who is not given this is left behind"
    show_invitation(network, folder, json, said, grace)
