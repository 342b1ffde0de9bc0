"""`hunet study`: many simulations, described by one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hunet.cli.commands import Commands
from hunet.cli.context import Master, Remote, file_to_write, folder_to_write, store, sweeping
from hunet.cli.output import Json, asked, print_json, show, working

if TYPE_CHECKING:
    from hunet.studies.study_file.study import Study

app = Commands(help="Studies: protocols with lists of parameters on traces, over seeds.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(help="A study file, such as study.toml.")]


@app.command()
def new(
    file: Annotated[Path, typer.Argument(callback=file_to_write, help="Where to write it.")] = Path("study.toml"),
) -> None:
    """Write a study file with comments, to start from."""
    from hunet.studies.study_file.new_study import write_new_study

    write_new_study(file)
    typer.echo(f"wrote {file}; next: hunet study run {file}")


@app.command()
def check(file: File) -> None:
    """List all mistakes of a study file; nothing is simulated."""
    study = _read(file)
    seeds = f"{len(study.seeds)} seed{'s' if len(study.seeds) > 1 else ''}"
    names = ", ".join(dict.fromkeys(choice.protocol.name for choice in study.protocols))
    traces = ", ".join(trace.label for trace in study.traces)
    typer.echo(f"'{file}' is right: {study.size:,} runs of {names} on {traces}, {seeds}")


@app.command()
def run(
    file: File,
    out: Annotated[
        Path | None,
        typer.Option(
            callback=folder_to_write, help="Folder for the results, which all workers can write. Default: out/NAME."
        ),
    ] = None,
    master: Master = None,
    remote: Remote = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Do runs that failed again.")] = False,
    json: Json = False,
) -> None:
    """Do the runs of a study that are not done yet, and show what came of all of them."""
    study = _read(file)
    folder = out or Path("out") / study.name
    with working("loading"):
        import hunet as hn
        from hunet.api.studying import run_study
    with sweeping(folder) as progress:
        runner = hn.Runner.spark(master, remote)
        found = run_study(study, folder, runner, retry_failed=retry_failed, progress=progress, asked=asked())
    if json:
        print_json(found.facts)
        return
    if found.picture is not None:
        show(found.table)
        typer.echo(f"picture: {found.picture}")
    if found.failed:
        show(found.failed)
        typer.echo("do them again: the same command with --retry-failed")
    typer.echo(f"tables:  {folder / 'runs.parquet'}, measures.parquet, summary.csv")
    if found.memory is not None:
        limit = study.limits.memory / 1e6
        typer.echo(f"memory:  at most {found.memory / 1e6:,.0f} MB in a process (its limit is {limit:,.0f} MB)")
    typer.echo(f"a page to send: hunet report {folder}")


def _read(file: Path) -> Study:
    with working("reading the study"):
        from hunet.studies.study_file.study import read_study

        return read_study(file, store())
