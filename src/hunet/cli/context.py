"""What commands have in common: where the user's traces are, where Spark is, and runs that can be stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hunet.home import home
from hunet.progress import progress_bar, told_of_runs

if TYPE_CHECKING:
    from hunet.traces.store import TraceStore

Master = Annotated[str | None, typer.Option(help="Spark master, such as spark://host:7077. Default: this machine.")]
Remote = Annotated[str | None, typer.Option(help="Spark Connect server, such as sc://host:15002.")]

OwnOutside = Annotated[
    bool | None,
    typer.Option(
        "--own-outside/--own-inside",
        help="Whether a node's own messages lie outside its buffer. Default: as the protocol's paper has it.",
    ),
]

MOST_SEED = (1 << 63) - 1
"""Seeds are kept in tables, where whole numbers have 64 bits."""


def folder_to_write(path: Path | None) -> Path | None:
    """Checks an option that names a folder for results, before any work is done for it."""
    return _place_to_write(path, is_folder=True)


def file_to_write(path: Path | None) -> Path | None:
    """Checks an option that names a file to write, before any work is done for it."""
    return _place_to_write(path, is_folder=False)


def _place_to_write(path: Path | None, is_folder: bool) -> Path | None:
    if path is None:
        return None
    try:
        traces = (home() / "traces").resolve()
        if path.resolve().is_relative_to(traces):
            raise typer.BadParameter(f"'{path}' lies in the store of traces: give another place")
        there = next(place for place in (path, *path.absolute().parents) if os.path.lexists(place))
        if there == path and not is_folder and path.exists():
            if not path.is_file():
                raise typer.BadParameter(f"'{path}' is there and is no file: give another name")
        elif not there.is_dir():
            raise typer.BadParameter(f"'{there}' is there and is no folder: give another place")
        if not os.access(there, os.W_OK):
            raise typer.BadParameter(f"'{there}' may not be written: give another place")
        longest = os.pathconf(there if there.is_dir() else there.parent, "PC_NAME_MAX")
        if any(len(os.fsencode(part)) > longest for part in path.parts):
            raise typer.BadParameter(f"a name in '{path}' has more than {longest} letters: give a shorter one")
    except (
        OSError,
        RuntimeError,
        ValueError,
    ) as error:  # a name too long to be looked for, or one that no file can have
        raise typer.BadParameter(f"'{path}' cannot be written ({getattr(error, 'strerror', None) or error})") from None
    return path


def store() -> TraceStore:
    """The user's trace store."""
    from hunet.api.storing import store as found

    return found()


def kept_runs(folder: Path, done: int, total: int) -> str:
    """What a command says that is stopped while it simulates."""
    return f"{done:,} of {total:,} runs are done and kept in {folder}; the same command goes on from there"


@contextmanager
def sweeping(folder: Path) -> Iterator[Callable[[int, int, int], None]]:
    """A bar over runs that are kept in this folder; Ctrl-C ends the command and says how many are."""
    kept = f"what is done is kept in {folder}; the same command goes on from there"

    def progress(done: int, failed: int, total: int) -> None:
        nonlocal kept
        if done:
            kept = kept_runs(folder, done, total)
        told_of_runs(told)(done, failed, total)

    try:
        with progress_bar("starting") as told:
            yield progress
    except KeyboardInterrupt:
        typer.echo(f"stopped: {kept}", err=True)
        raise typer.Exit(130) from None
