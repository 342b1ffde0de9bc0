"""What commands have in common: where the user's traces are, where Spark is, and runs that can be stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hunet.progress import progress_bar

if TYPE_CHECKING:
    from hunet.traces.store import TraceStore

Master = Annotated[str | None, typer.Option(help="Spark master, such as spark://host:7077. Default: this machine.")]
Remote = Annotated[str | None, typer.Option(help="Spark Connect server, such as sc://host:15002.")]


def store() -> TraceStore:
    """The user's trace store."""
    from hunet.api.storing import store as found

    return found()


@contextmanager
def sweeping(folder: Path) -> Iterator[Callable[[int, int, int], None]]:
    """A bar over runs that are kept in this folder; Ctrl-C ends the command and says how many are."""
    kept = "no run was done yet"

    def progress(done: int, failed: int, total: int) -> None:
        nonlocal kept
        if done:
            kept = f"{done:,} of {total:,} runs are done and kept in {folder}; the same command goes on from there"
        told(f"runs, {failed:,} failed" if failed else "runs", done, total)

    try:
        with progress_bar("starting") as told:
            yield progress
    except KeyboardInterrupt:
        typer.echo(f"stopped: {kept}", err=True)
        raise typer.Exit(130) from None
