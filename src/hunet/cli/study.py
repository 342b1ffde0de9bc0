"""`hunet study`: many simulations, described by one file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hunet.cli.context import Master, Remote, file_to_write, folder_to_write, store, sweeping
from hunet.cli.output import Json, describe_folder, print_json, print_table, working
from hunet.model.errors import StudyError
from hunet.report.numbers import with_interval

if TYPE_CHECKING:
    import pandas as pd

    from hunet.studies.study_file.study import Study
    from hunet.sweeps.compaction import Sweep

app = typer.Typer(help="Studies: protocols with lists of parameters on traces, over seeds.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(help="A study file, such as study.toml.")]

_SHOWN_FAILURES = 5


@app.command()
def new(
    file: Annotated[Path, typer.Argument(callback=file_to_write, help="Where to write it.")] = Path("study.toml"),
) -> None:
    """Write a study file with comments, to start from."""
    from importlib.resources import files

    if file.exists():
        raise StudyError(f"'{file}' exists already: give another name")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        files("hunet.studies.study_file").joinpath("new_study.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
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
    from hunet.studies.contents import of_study
    from hunet.studies.study_file.results import write_results
    from hunet.studies.study_file.runs import study_runs
    from hunet.sweeps.runner import Runner

    study = _read(file)
    folder = out or Path("out") / study.name
    with working("reading or generating the traces"):
        runs = study_runs(study)
    with sweeping(folder) as progress:
        result = Runner.spark(master, remote).sweep(
            runs, folder, limits=study.limits, retry_failed=retry_failed, progress=progress
        )
    table, picture = write_results(study, result)
    loaded = {trace.label: trace.load() for trace in study.traces}
    describe_folder(folder, lambda asked: of_study(asked, study, result.runs, loaded, picture is not None))
    if json:
        _print_object(study, result, table, picture)
    else:
        _print(study, result, table, picture)
        typer.echo(f"a page to send: hunet report {folder}")


def _read(file: Path) -> Study:
    with working("reading the study"):
        from hunet.studies.study_file.study import read_study

        return read_study(file, store())


def _print(study: Study, result: Sweep, table: pd.DataFrame, picture: Path | None) -> None:
    from hunet.sim.measures import MEASURES

    units = {one.name: one.unit for one in MEASURES}
    if picture is not None:
        measures = list(dict.fromkeys(table["measure"]))
        by = [name for name in table.columns if name not in ("measure", "runs", "mean", "low", "high")]
        headings = {name: name.replace("_", " ") for name in by} | {"runs": "runs"}
        headings |= {name: f"{name.replace('_', ' ')} {units.get(name, '')}".strip() for name in measures}
        rows = [
            {
                **dict(zip(by, key, strict=True)),
                "runs": int(part["runs"].max()),
                **dict.fromkeys(measures, "-"),
                **{row["measure"]: with_interval(row["mean"], row["high"]) for row in part.to_dict("records")},
            }
            for key, part in table.groupby(by, dropna=False, sort=False)
        ]
        print_table(f"{study.title}: mean over the seeds ± 95 % interval", rows, headings)
        typer.echo(f"picture: {picture}")
    _print_failures(study, result)
    typer.echo(f"tables:  {result.path / 'runs.parquet'}, measures.parquet, summary.csv")
    memory = result.runs.to_pandas()["memory"].max()
    limit = study.limits.memory / 1e6
    if not math.isnan(memory):
        typer.echo(f"memory:  at most {memory / 1e6:,.0f} MB in a process (its limit is {limit:,.0f} MB)")


def _print_failures(study: Study, result: Sweep) -> None:
    from hunet.studies.study_file.results import failures

    failed = failures(result)
    if failed.empty:
        return
    columns = ["protocol", *study.swept, "seed", "error"]
    rows = [{name: row[name] for name in columns} for _, row in failed.head(_SHOWN_FAILURES).iterrows()]
    print_table(f"{len(failed):,} of {result.runs.num_rows:,} runs failed, such as", rows)
    typer.echo("do them again: the same command with --retry-failed")


def _print_object(study: Study, result: Sweep, table: pd.DataFrame, picture: Path | None) -> None:
    failed = result.runs.num_rows - result.runs.column("error").null_count
    print_json(
        {
            "study": study.name,
            "runs": result.runs.num_rows,
            "failed": failed,
            "summary": table.to_dict(orient="records"),
            "picture": str(picture) if picture else None,
            "folder": str(result.path),
        }
    )
