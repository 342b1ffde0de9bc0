"""`hunet trace generate`: one command per generator, its options made from the generator's settings."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, asdict, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from hunet.cli.output import Json, print_json, print_table


class GeneratorGroup(TyperGroup):
    """Looks generators up when they are asked for: loading them costs a second that other commands need not pay."""

    def list_commands(self, ctx: Any) -> list[str]:
        from hunet.traces.generators import GENERATORS

        return [generator.name for generator in GENERATORS]

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:
        from hunet.traces.generators import GENERATORS

        for generator in GENERATORS:
            if generator.name == cmd_name:
                return _command(generator)
        return None


app = typer.Typer(help="Generate a trace: the same settings and seed give the same trace.", cls=GeneratorGroup)


@app.callback(no_args_is_help=True)
def generate() -> None:
    """Generate a trace: the same settings and seed give the same trace."""


def _command(generator: Any) -> TyperCommand:
    """A command whose options are the fields of the generator's settings."""

    def run(**values: Any) -> None:
        own = {key: values.pop(key) for key in ("seed", "name", "master", "remote", "json")}
        _generate(generator, generator.settings(**values), **own)

    hints = get_type_hints(generator.settings)
    parameters = [
        _option(field.name, hints[field.name], field.default, field.metadata) for field in fields(generator.settings)
    ]
    parameters += [
        _option("seed", int, 1, {"help": "Seed of all chance."}),
        _option("name", str, generator.name, {"help": "Name of the trace."}),
        _option("master", str | None, None, {"help": "Spark master, such as spark://host:7077."}),
        _option("remote", str | None, None, {"help": "Spark Connect server, such as sc://host:15002."}),
        inspect.Parameter("json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Json),
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    alone = typer.Typer(add_completion=False)
    alone.command(name=generator.name, help=f"Generate {generator.title}.")(run)
    command = get_command(alone)
    command.name = generator.name
    return command  # type: ignore[return-value]


def _option(name: str, kind: Any, default: Any, metadata: Any) -> inspect.Parameter:
    option = typer.Option(f"--{name.replace('_', '-')}", help=str(metadata.get("help", "")))
    given = inspect.Parameter.empty if default is MISSING else default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=given, annotation=Annotated[kind, option])


def _generate(
    generator: Any, settings: Any, seed: int, name: str, master: str | None, remote: str | None, json: bool
) -> None:
    from hunet.cli.context import store
    from hunet.cli.trace_output import draw_plots
    from hunet.pipeline.importing import Label, store_tables
    from hunet.pipeline.session import SparkSettings
    from hunet.progress import progress_bar
    from hunet.traces.describe import describe

    if generator.surrogate and "surrogate" not in name:
        name = f"{name}-surrogate"
    made = generator.generate(settings, seed)
    tables = {"contacts": made.contacts, "nodes": made.nodes}
    if made.positions is not None:
        tables["positions"] = made.positions
    told = {key: str(value) if isinstance(value, Path) else value for key, value in asdict(settings).items()}
    label = Label(name, f"generated: {generator.title}", surrogate=generator.surrogate)
    spark = SparkSettings(master, remote, made.contacts.nbytes)
    with progress_bar("starting Spark") as progress:
        manifest = store_tables(
            spark, store(), label, tables, {"generator": generator.name, "seed": seed, **told}, progress
        )
    trace = store().open(name)
    summary, curves = describe(trace)
    draw_plots(trace, summary, curves)
    figures = {key: getattr(summary, key) for key in ("nodes", "contacts", "pairs", "start", "end", "days")}
    if json:
        about = {"name": name, "version": manifest.version, "surrogate": manifest.surrogate}
        print_json({**about, "content_hash": manifest.content_hash, "seed": seed, **figures})
        return
    print_table(f"{name}, version {manifest.version}", [figures])
