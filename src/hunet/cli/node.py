"""`hunet node`: run a node on this device, and talk to it."""

from __future__ import annotations

import base64
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hunet.cli import node_network, node_settings
from hunet.cli.commands import Commands
from hunet.cli.context import MOST_SEED, folder_to_write
from hunet.cli.node_context import Grace, Home, address, asked, command, folder_of, seconds, without_numba
from hunet.cli.output import Json, print_json, print_table
from hunet.model.errors import MismatchError
from hunet.model.numbers import plain_number
from hunet.model.printable import printable

if TYPE_CHECKING:
    from hunet.node.daemon import Node

app = Commands(
    help="A node on this device: it meets others, carries messages, and delivers what you subscribed to.",
    no_args_is_help=True,
)
app.add_typer(node_network.app, name="network")
app.add_typer(node_settings.app, name="settings")


@app.callback()
def prepare(context: typer.Context) -> None:
    """Only a replay simulates."""
    if context.invoked_subcommand != "replay":
        without_numba()


Tag = Annotated[str, typer.Argument(help="A word that messages are found by.")]
_SLOWEST = 0.01
"""Seconds of a trace that a replay lives through in one, at least."""


@app.command()
def join(
    invitation: Annotated[str, typer.Argument(help="What a member gave you: HUNET:...")],
    home: Home = None,
    grace: Grace = "7d",
    json: Json = False,
) -> None:
    """Join a network by an invitation; or, if its key was rotated, stay in it."""
    from hunet.node import membership
    from hunet.node.network import now

    folder = folder_of(home)
    length = seconds(grace, "--grace")
    known, network = membership.join(folder, invitation, length)
    if json:
        print_json({"network": network.name, "home": str(folder), "keys": len(network.accepted(now()))})
    elif known is None:
        typer.echo(f"this node is in the network {network.name!r} now; next: {command('run', home)}")
    elif network == known:
        typer.echo(f"this node was in the network {network.name!r} already")
    else:
        until = f"is accepted for {grace}" if length else "counts no more"
        typer.echo(f"this node has the new key of the network {network.name!r}; the old one {until}")


@app.command()
def run(
    home: Home = None,
    protocol: Annotated[
        str | None, typer.Option(help="What decides who gets what. Default: what the network sent, else envoy.")
    ] = None,
    settings: Annotated[
        Path | None, typer.Option(help="A settings file, such as hunet tune writes, whatever the network sends.")
    ] = None,
    listen: Annotated[str | None, typer.Option(help="Where to listen, such as 0.0.0.0:47470.")] = None,
    peer: Annotated[list[str] | None, typer.Option(help="HOST:PORT to dial, beside those that are found.")] = None,
    http: Annotated[
        str | None, typer.Option(help="Open a page for people and programs, at 127.0.0.1:PORT; port 0 for any.")
    ] = None,
    mqtt: Annotated[str | None, typer.Option(help="Open a door for MQTT clients, at 127.0.0.1:PORT.")] = None,
    json: Json = False,
) -> None:
    """Run the node until Ctrl-C or a signal ends it."""
    from hunet.node.address import loopback
    from hunet.node.choice import chosen
    from hunet.node.daemon import DEFAULT_PORT, Options
    from hunet.node.daemon import run as live

    try:
        runs = chosen(protocol, settings)
    except MismatchError as error:
        raise typer.BadParameter(str(error), param_hint="--protocol") from None
    where = None if listen is None else address(listen, "--listen", DEFAULT_PORT)
    peers = tuple(address(one, "--peer", DEFAULT_PORT) for one in peer or ())

    def ready(node: Node) -> None:
        page = None if node.http is None else node.http.url
        broker = None if node.mqtt is None else node.mqtt.address
        if json:
            facts = {
                "network": node.network.name,
                "me": node.me.hex(),
                "port": node.port,
                "home": str(node.options.home),
            }
            print_json({**facts, "protocol": node.host.runs.protocol.name, "page": page, "mqtt": broker})
        else:
            typer.echo(
                f"node {node.me.hex()[:8]} of the network {node.network.name!r} listens at port {node.port} "
                f"({node.host.runs.protocol.name}); Ctrl-C ends it"
            )
            if page is not None:
                typer.echo(f"its page, for you alone: {page}")
            if broker is not None:
                typer.echo(f"MQTT clients of this machine are welcome at {broker}")
        sys.stdout.flush()

    page_door, broker_door = (None if door is None else loopback(door) for door in (http, mqtt))
    pinned = protocol is not None or settings is not None
    plain = Options(folder_of(home), runs.protocol, runs.settings, where, peers, pinned=pinned)
    live(replace(plain, http=page_door, mqtt=broker_door), ready)
    if not json:
        typer.echo("stopped; everything is on the disk")


@app.command()
def pub(
    tags: Annotated[str, typer.Argument(help="A tag, or several: jazz,paris. With --event: what to say.")],
    text: Annotated[str | None, typer.Argument(help="What to say; - reads it from standard input.")] = None,
    event: Annotated[
        str | None,
        typer.Option(help='Instead of tags, an event of the schema: {"price": 450, "brand": "Nikon"}'),
    ] = None,
    lifetime: Annotated[str, typer.Option(help="How long it is carried and delivered, at most 7d.")] = "1d",
    home: Home = None,
    json: Json = False,
) -> None:
    """Publish a message. Returns when it is on the disk."""
    said = tags if event is not None else text
    if said is None or (event is not None and text is not None):
        raise typer.BadParameter("give tags and a text, or --event and a text", param_hint="TEXT")
    data = sys.stdin.buffer.read(2**16 + 1) if said == "-" else said.encode()
    length = seconds(lifetime, "--lifetime", least=1.0)
    if event is not None:
        answer = asked(home, "event", event=_event(event), text=data.decode(errors="replace"), lifetime=length)
    else:
        coded = base64.b64encode(data).decode()
        named = (
            [tags] if tags.startswith("secret:") else [tag.strip() for tag in tags.split(",")]
        )  # phrases have commas
        answer = asked(home, "pub", tags=named, data=coded, lifetime=length)
    if json:
        print_json(answer)
    else:
        typer.echo(f"published {answer['id']}")


def _event(text: str) -> Any:
    from hunet.input_files import parse_json
    from hunet.model.errors import ContentError

    event = parse_json(text, "--event", ContentError)
    if not isinstance(event, dict):
        raise typer.BadParameter('write an object such as {"price": 450, "brand": "Nikon"}', param_hint="--event")
    return event


@app.command()
def sub(
    tag: Annotated[str, typer.Argument(help="A word; or, in a network with a schema, a range: price <= 500")],
    level: Annotated[float, typer.Option(help="How much it matters, above 0 to 1; for mops-live.")] = 1.0,
    hops: Annotated[int, typer.Option(help="From how far away, in hops; 0 for any distance; for sptbf.", min=0)] = 0,
    lasts: Annotated[str | None, typer.Option("--for", help="For how long, such as 10h. Default: until unsub.")] = None,
    home: Home = None,
    json: Json = False,
) -> None:
    """Subscribe to a tag, or to a range of events."""
    from hunet.node.network import Network

    length = None if lasts is None else seconds(lasts, "--for", least=1.0)
    like_a_range = any(sign in tag for sign in "<>=")
    ranges = like_a_range and Network.at(folder_of(home)).schema is not None
    if not ranges and "," in tag:
        raise typer.BadParameter(f"{tag!r}: subscribe to one tag at a time", param_hint="TAG")
    what = {"where": tag} if ranges else {"tag": tag.strip()}
    answer = asked(home, "range" if ranges else "sub", **what, level=level, hops=hops, lifetime=length)
    if json:
        print_json(answer)
    else:
        as_text = like_a_range and not ranges
        typer.echo(f"subscribed to {printable(tag)}{', as a tag: this network has no schema' if as_text else ''}")


@app.command()
def unsub(tag: Tag, home: Home = None, json: Json = False) -> None:
    """End a subscription."""
    answer = asked(home, "unsub", tag=tag)
    if json:
        print_json(answer)
    else:
        typer.echo(f"no longer subscribed to {printable(tag)}")


@app.command()
def inbox(
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on as messages come.")] = False,
    since: Annotated[int, typer.Option(help="Only what came after this cursor.", min=0)] = 0,
    home: Home = None,
    json: Json = False,
) -> None:
    """What was delivered to you, the oldest first. With --json each message is one line, and has its cursor."""
    from hunet.node.door import listen_to

    while messages := asked(home, "inbox", since=since)["messages"]:
        for one in messages:
            _show(one, json)
        since = messages[-1]["cursor"]
    if follow:
        for one in listen_to(folder_of(home), "follow", since=since):
            _show(one, json)
            sys.stdout.flush()


def _show(one: dict[str, Any], json: bool) -> None:
    if json:
        import json as format_

        typer.echo(format_.dumps(one))
        return
    import datetime

    at = datetime.datetime.fromtimestamp(one["received"]).strftime("%Y-%m-%d %H:%M:%S")
    said = one["text"] if one["text"] is not None else f"({len(base64.b64decode(one['data'])):,} bytes)"
    about = one["tags"] if one["event"] is None else [f"{name} = {value}" for name, value in one["event"].items()]
    hops = f"{one['hops']} hop{'' if one['hops'] == 1 else 's'}"
    lines = printable(said.rstrip("\n")).split("\n")  # what somebody writes must not look like another message
    about_it = f"{one['cursor']:>6}  {at}  {_line(', '.join(about))}  {one['author_name']}, {hops}: "
    typer.echo(about_it + "\n        ".join(lines))


def _line(text: str) -> str:
    return printable(text).replace("\n", "\\n")


@app.command()
def peers(home: Home = None, json: Json = False) -> None:
    """Who is near now."""
    answer = asked(home, "peers")
    if json:
        print_json(answer)
    elif not answer["peers"]:
        typer.echo("nobody is near; hunet node doctor says what may hinder contacts")
    else:
        rows = [{**one, "peer": one["peer"][:8], "dialled": "me" if one["dialled"] else "them"}
                for one in answer["peers"]]  # fmt: skip
        names = {"name": "name", "peer": "key", "address": "address", "dialled": "dialled by", "seconds": "for s"}
        print_table("near now", rows, {**names, "sent": "sent B", "received": "got B"})


@app.command()
def status(home: Home = None, json: Json = False) -> None:
    """What the running node is, carries and wants."""
    answer = asked(home, "status")
    if json:
        print_json(answer)
        return
    carried, wants = answer["carried"], ", ".join(one["tag"] for one in answer["interests"]) or "nothing"
    lines = {
        "network": f"{answer['network']}, {answer['keys']} key{'s' if answer['keys'] > 1 else ''} accepted",
        "node": f"{answer['name']}, key {answer['me'][:8]}, in logs {answer['log_name']}",
        "publishes as": f"{answer['author_name']}, key {answer['author'][:8]}",
        "protocol": answer["protocol"],
        "port": answer["port"],
        "wants": wants,
        "near": f"{answer['peers']} (hunet node peers)",
        "carries": f"{carried['own']} own and {carried['others']} of others, {carried['bytes']:,} bytes",
        "delivered": f"{answer['delivered']}; passed on {answer['forwarded']}, dropped {answer['dropped']}",
    }
    for name, value in lines.items():
        typer.echo(f"{name:>16}  {printable(str(value))}")
    for why, number in answer["ended"].items():
        typer.echo(f"{'ended':>16}  {number} x {printable(why)}")
    if answer["version_trouble"]:
        typer.echo(answer["version_trouble"])


@app.command()
def doctor(home: Home = None, json: Json = False) -> None:
    """What hinders contacts here: the network, the port, multicast, the firewall, the clock."""
    from hunet.node.doctor import examine

    findings = examine(folder_of(home))
    if json:
        print_json({"findings": [one._asdict() for one in findings]})
    else:
        for one in findings:
            typer.echo(f"{'ok ' if one.ok else 'NO '} {one.what}: {printable(one.found)}")
            if one.advice:
                typer.echo(f"      {printable(one.advice)}")
    if not all(one.ok for one in findings):
        raise typer.Exit(1)


@app.command()
def wipe(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    home: Home = None,
    json: Json = False,
) -> None:
    """Remove the node from this device: its keys, its network, all messages, its log. There is no way back."""
    from hunet.node.home import wipe as remove

    folder = folder_of(home)
    if not yes:
        typer.confirm(f"Remove the node in '{folder}', with its keys and messages?", abort=True, err=True)
    gone = remove(folder)
    if json:
        print_json({"home": str(folder), "removed": gone})
    else:
        typer.echo(f"removed {len(gone)} files from '{folder}'" if gone else f"there is no node in '{folder}'")


@app.command()
def replay(
    trace: Annotated[str, typer.Argument(help="Name of a stored trace, or a file of contacts.")],
    protocol: Annotated[str, typer.Option(help="Whose protocol the nodes run.")] = "bsub13",
    processes: Annotated[int, typer.Option(help="Among how many processes the nodes are shared out.", min=1)] = 2,
    speed: Annotated[str, typer.Option(help="Seconds of the trace in one, or max.")] = "max",
    hours: Annotated[float | None, typer.Option(help="Only the first so many hours.", min=0.01)] = None,
    workload: Annotated[str, typer.Option(help="A profile such as bsub13, or my.toml.")] = "bsub13",
    seed: Annotated[int, typer.Option(help="Seed of all chance.", min=0, max=MOST_SEED)] = 1,
    logs: Annotated[
        Path | None,
        typer.Option(callback=folder_to_write, help="Leave the nodes' logs here, to be imported or followed."),
    ] = None,
    json: Json = False,
) -> None:
    """Let real nodes on real sockets live through a trace, and compare with the simulation."""
    from hunet.cli.node_replay import live_through

    fast = math.inf if speed == "max" else plain_number(speed)
    if fast is None:
        raise typer.BadParameter(f"{speed!r}: write a number, or max", param_hint="--speed")
    if not fast >= _SLOWEST:
        raise typer.BadParameter(f"{speed!r}: at least {_SLOWEST:g}, or max", param_hint="--speed")
    live_through(trace, protocol, workload, processes, fast, hours, seed, logs, json)
