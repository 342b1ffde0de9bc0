"""`hunet node settings`: what this node runs, what it will run, and back. `hunet tune --send` sends through here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from hunet.cli.commands import Commands
from hunet.cli.node_context import Home, asked, seconds
from hunet.cli.output import Json, print_json
from hunet.model.printable import printable
from hunet.report.numbers import lasting

app = Commands(help="What this node runs, and what the network sent it to run next.")

Wait = Annotated[
    str,
    typer.Option(
        "--in", help="When all nodes change: so long from now, at most 7d; until then contacts spread the news."
    ),
]


@app.callback(invoke_without_command=True)
def settings(context: typer.Context, home: Home = None, json: Json = False) -> None:
    """What this node runs, what is to run next and when, and what ran before."""
    if context.invoked_subcommand is not None:
        return
    answer = asked(home, "settings")
    if json:
        print_json(answer)
        return
    coming = answer["next"]
    lines = {
        "now": _shown(answer["now"]),
        "since": _since(answer),
        "next": "nothing" if coming is None else f"{_shown(coming)}, in {lasting(coming['in'])}",
        "before": "nothing" if answer["previous"] is None else _shown(answer["previous"]),
        "sent by": _sender(answer),
    }
    for name, value in lines.items():
        typer.echo(f"{name:>8}  {printable(value)}")
    if answer["refused"]:
        typer.echo(f"the newest that were sent are not taken over: {printable(answer['refused'])}")


@app.command()
def back(home: Home = None, wait: Wait = "1d", json: Json = False) -> None:
    """Withdraw what is next; or, if nothing is, return to what ran before.

    With the settings key all nodes do, after --in; without it only this one, at once, and it meets nobody who runs
    something else.
    """
    answer = asked(home, "back", wait=_seconds(wait))
    if json:
        print_json(answer)
    elif answer["everywhere"]:
        typer.echo(said(answer))
    else:
        typer.echo(f"this node runs {_shown(answer)}, until the network sends something newer")


def sender(home: Path | None, protocol: str, wait: str) -> Callable[[Mapping[str, Any]], Any]:
    """What sends settings of a protocol through the node at home; everything that can be wrong is said before."""
    from hunet.node.sending import sender as through

    return through(partial(asked, home), protocol, _seconds(wait))


def _seconds(wait: str) -> float:
    from hunet.node.notice import MOST_WAIT

    length = seconds(wait, "--in")
    if 1000 * length > MOST_WAIT:
        raise typer.BadParameter(f"{wait!r}: at most 7d, or many would never hear of it in time", param_hint="--in")
    return length


def said(answer: Mapping[str, Any]) -> str:
    """That settings were sent, in a sentence."""
    return f"sent: all nodes that hear of it run {_shown(answer)} in {lasting(answer['in'])} (hunet node settings)"


def _shown(facts: Mapping[str, Any]) -> str:
    """A protocol, and what differs from its defaults."""
    changed = [f"{name} = {value}" for name, value in facts["changed"].items()]
    return f"{facts['protocol']} ({', '.join(changed) or 'its defaults'})"


def _since(answer: Mapping[str, Any]) -> str:
    """For how long what runs has been running, and who decided on it."""
    now = answer["now"]
    if answer["pinned"]:
        return "it was started so; others are not taken over"
    if now["for"] is None:
        return "it was started; it is what nodes begin with"
    who = "sent with the settings key" if now["chosen_by"] == "holder" else "this node went back to it"
    return f"{lasting(now['for'])} ago: {who}"


def _sender(answer: Mapping[str, Any]) -> str:
    if answer["sent_by"] is None:
        return "nobody: this network has no settings key"
    return "whoever has the settings key, which is this node" if answer["may_send"] else "whoever has the settings key"
