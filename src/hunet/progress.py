"""How far something is, on stderr, where a person can see it. This module knows nothing else of hunet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TypeAlias

__all__ = ["Told", "progress_bar", "told_of_runs"]

Told: TypeAlias = Callable[[str, float, float], None]
"""Called with what is being done, how much of it is done, and of how much."""


@contextmanager
def progress_bar(title: str) -> Iterator[Told]:
    """A bar in a terminal or notebook that is gone when the block ends; what it hands out moves it."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True, markup=False)
    # in a notebook a bar needs widgets, which not every notebook has
    seen = console.is_terminal or (console.is_jupyter and find_spec("ipywidgets") is not None)
    with Progress(*columns, console=console, transient=True, disable=not seen) as bar:
        task = bar.add_task(title, total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)


def told_of_runs(told: Told) -> Callable[[int, int, int], None]:
    """Moves a bar by how many runs are done, how many of these failed, and how many there are."""
    return lambda done, failed, total: told(f"runs, {failed:,} failed" if failed else "runs", done, total)
