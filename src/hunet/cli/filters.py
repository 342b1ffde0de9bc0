"""`hunet filter`: try the filters and the papers' sizing equations."""

from __future__ import annotations

import typer

app = typer.Typer(help="The probabilistic filters: a tour, and what size you need.", no_args_is_help=True)
