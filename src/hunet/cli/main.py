"""The root command, its exit codes and the one place where errors become lines of text.

Exit codes: 0 done; 1 the job could not be done (one line on stderr says why, after a traceback with --debug); 2 the
command line is wrong; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
import traceback
from dataclasses import dataclass
from typing import Annotated

import typer

import hunet
from hunet.cli import filters, study, traces
from hunet.cli.claims import claims
from hunet.cli.comparing import compare
from hunet.cli.match import match
from hunet.cli.report import report
from hunet.cli.reproduce import reproduce
from hunet.cli.share import share
from hunet.cli.simulate import simulate
from hunet.cli.tune import tune
from hunet.model.errors import HunetError

app = typer.Typer(
    name="hunet",
    help="Interest-driven publish/subscribe for human networks: study it on contact traces, run it on devices.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(filters.app, name="filter")
app.add_typer(traces.app, name="trace")
app.add_typer(study.app, name="study")
app.command()(simulate)
app.command()(compare)
app.command()(tune)
app.command()(match)
app.command()(share)
app.command()(reproduce)
app.command()(claims)
app.command()(report)


@dataclass
class Asked:
    """What was asked for before any command, for `main` to know."""

    debug: bool = False


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hunet {hunet.__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop."),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="If the job cannot be done, print how it came to that before the line why.")
    ] = False,
) -> None:
    """Options that stand before any command."""
    if isinstance(context.obj, Asked):
        context.obj.debug = debug


def main() -> None:
    """Run the command line; turn a `HunetError` into one line and exit code 1."""
    asked = Asked()
    try:
        app(obj=asked)
    except HunetError as error:
        if asked.debug:
            traceback.print_exception(error)
        print(f"hunet: {error}", file=sys.stderr)
        sys.exit(1)
