"""`hunet trace follow`: the logs of live nodes as a trace that grows with them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hunet.cli.context import Master, store
from hunet.cli.output import Json, working
from hunet.model.printable import printable

if TYPE_CHECKING:
    from hunet.pipeline.following import Taken

_SHOWN = 3
"""Files and nodes that are named one by one."""


def follow(
    logs: Annotated[
        list[str],
        typer.Argument(help="Logs of nodes, folders of them, or patterns in quotes; they may grow.", metavar="LOGS..."),
    ],
    name: Annotated[str, typer.Option(help="Name of the trace.")],
    every: Annotated[float, typer.Option(min=1.0, max=86_400.0, help="Seconds from one look to the next.")] = 60.0,
    once: Annotated[bool, typer.Option("--once", help="Take what is there, then end.")] = False,
    licence: Annotated[str, typer.Option(help="Terms under which the data may be used; kept with the trace.")] = "",
    master: Master = None,
    json: Json = False,
) -> None:
    """Follow the logs of live nodes: a trace that grows with them, by Spark's Structured Streaming.

    Every look publishes what is new as a version of the trace, which all other commands read. Ctrl-C stops; the same
    command goes on. The trace is the one that `hunet trace import` makes of the same logs.
    """
    from hunet.pipeline.following import following, require_followable
    from hunet.pipeline.session import SparkSettings
    from hunet.traces.storing import Label

    there = store()
    require_followable(there, logs, name)
    label = Label(name, "logs of live nodes", licence)
    try:
        with ExitStack() as open_now:
            with working("starting Spark"):
                followed = open_now.enter_context(following(SparkSettings(master), there, logs, label))
            ctrl_c = open_now.enter_context(_CtrlC())
            for number in count():
                with ctrl_c.held():
                    taken = followed.look()
                _say(taken, name, json, first=number == 0)
                if once:
                    return
                time.sleep(every)
    except KeyboardInterrupt:
        typer.echo(f"stopped: what was read is kept; the same command goes on with {name}", err=True)
        raise typer.Exit(130) from None


class _CtrlC:
    """Ctrl-C lets a look come to its end, which takes seconds; once more, and all ends at once, which loses nothing."""

    def __enter__(self) -> _CtrlC:
        self._held = self._pressed = False
        self._before = signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *_error: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def held(self) -> Iterator[None]:
        """A block that Ctrl-C ends after its end."""
        self._held = True
        yield
        self._held = False
        if self._pressed:
            raise KeyboardInterrupt

    def _press(self, _signal: int, _frame: FrameType | None) -> None:
        if not self._held:
            raise KeyboardInterrupt
        if self._pressed:
            os._exit(130)
        self._pressed = True


def _say(taken: Taken, name: str, json: bool, first: bool = False) -> None:
    """Say what a look found; of one that found nothing only if it is the first, or if scripts listen."""
    from json import dumps

    if json:
        typer.echo(dumps(_told(taken)))
        return
    if not (first or taken.lines or taken.changed or taken.begun_anew):
        return
    found = taken.manifest
    if found is None:
        typer.echo(f"{_now()}  {taken.lines:,} new lines; no contact has ended yet")
    else:
        contacts = f"{found.counts['contacts']:,} contacts"
        typer.echo(f"{_now()}  {name}, version {found.version}: {contacts}; {taken.lines:,} new lines")
    for sentence in _words(taken):
        typer.echo(printable(f"          {sentence}"))


def _words(taken: Taken) -> Iterator[str]:
    if taken.open_contacts:
        yield f"contacts that have not ended: {taken.open_contacts:,}"
    if taken.late:
        yield f"late: {taken.late:,} lines were of times that had been published, and were put in their places"
    if taken.told_again:
        yield f"told again: {taken.told_again:,} lines that were read before, and count once"
    if taken.begun_anew:
        yield f"rotated or replaced, so read from the beginning: {_some(taken.begun_anew)}"
    if taken.unfinished:
        yield f"ends within a line, whose rest is awaited: {_some(taken.unfinished)}"
    for node, contacts in list(taken.clocks_set.items())[:_SHOWN]:
        yield f"the clock of node {node} was set while it ran: {contacts:,} contacts lie where its peers saw them"
    if len(taken.clocks_set) > _SHOWN:
        yield f"so were the clocks of {len(taken.clocks_set) - _SHOWN:,} nodes more"
    if taken.bad_lines:
        bad = taken.bad_examples[0]
        where = f"{Path(bad.file).name}, byte {bad.line}"
        yield f"bad lines, which were skipped: {taken.bad_lines:,}, such as {where}: {bad.reason}"
    for reason in list(taken.refused.values())[:_SHOWN]:
        yield f"not read: {reason}"
    yield from (f"odd: {sentence}" for sentence in taken.odd)


def _some(files: tuple[str, ...]) -> str:
    named = ", ".join(Path(file).name for file in files[:_SHOWN])
    return named if len(files) <= _SHOWN else f"{named} and {len(files) - _SHOWN:,} more"


def _told(taken: Taken) -> dict[str, Any]:
    from dataclasses import asdict

    found = taken.manifest
    told = {key: value for key, value in asdict(taken).items() if key != "manifest"}
    if found is None:
        return {"version": None, "contacts": 0, **told}
    about = {"version": found.version, "contacts": found.counts["contacts"], "content_hash": found.content_hash}
    return {**about, **told}


def _now() -> str:
    return f"{datetime.now():%H:%M:%S}"
