"""The root command, its exit codes and the one place where errors become lines of text.

Exit codes: 0 done; 1 the job could not be done; 2 the command line is wrong; 130 stopped by Ctrl-C. One line on stderr
says why, after a traceback with --debug.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

import typer

import hunet
from hunet.cli import filters, node, study, traces
from hunet.cli.bound import bound
from hunet.cli.claims import claims
from hunet.cli.commands import Commands
from hunet.cli.comparing import compare
from hunet.cli.failures import line_of
from hunet.cli.match import match
from hunet.cli.quick import understood
from hunet.cli.report import report
from hunet.cli.reproduce import reproduce
from hunet.cli.share import share
from hunet.cli.simulate import simulate
from hunet.cli.tune import tune
from hunet.cli.watch import watch
from hunet.model.printable import printable

app = Commands(
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
app.add_typer(node.app, name="node")
app.command()(simulate)
app.command()(compare)
app.command()(bound)
app.command()(tune)
app.command()(match)
app.command()(share)
app.command()(reproduce)
app.command()(claims)
app.command()(report)
app.command()(watch)


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


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; whatever ends it early becomes one line and an exit code."""
    with suppress(AttributeError):  # a name of a file need not be text; standard output may be replaced by a plain one
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    asked = Asked()
    code = 0
    try:
        if (plain := understood(sys.argv[1:] if arguments is None else arguments)) is not None:
            plain()
        else:
            code = app(arguments, standalone_mode=False, obj=asked) or 0
    except (KeyboardInterrupt, typer.Abort):
        code = _end("stopped", 130)
    except typer.exceptions.TyperException as error:
        if not error.format_message():  # no arguments: the help has been printed
            sys.exit(error.exit_code)
        context = getattr(error, "ctx", None)
        help_ = f" ({context.command_path} --help says more)" if context else ""
        code = _end(f"{error.format_message().rstrip('.')}{help_}", error.exit_code)
    except BrokenPipeError:  # whoever read the output has enough of it
        sys.stderr.close()
        code = 1
    except Exception as error:
        if asked.debug:
            traceback.print_exception(error)
        code = _end(line_of(error), 1)
    sys.exit(code)


def _end(why: str, code: int) -> int:
    line = re.sub(r"\n(?!  )", r"\\n", why)  # a name may have a line feed in it; lines that are meant are indented
    print(f"hunet: {printable(line)}", file=sys.stderr)
    return code
