"""`hunet trace generate`: one command per generator, its options made from the generator's settings."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from hunet.cli.commands import Commands
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


app = Commands(help="Generate a trace: the same settings and seed give the same trace.", cls=GeneratorGroup)


@app.callback(no_args_is_help=True)
def generate() -> None:
    """Generate a trace: the same settings and seed give the same trace."""


def _command(generator: Any) -> TyperCommand:
    """A command whose options are the fields of the generator's settings."""

    def run(**values: Any) -> None:
        own = {key: values.pop(key) for key in ("seed", "name", "json")}
        _generate(generator.name, values, **own)

    hints = get_type_hints(generator.settings)
    parameters = [
        _option(field.name, hints[field.name], field.default, field.metadata) for field in fields(generator.settings)
    ]
    parameters += [
        _option("seed", int, 1, {"help": "Seed of all chance."}),
        _option("name", str, generator.name, {"help": "Name of the trace."}),
        inspect.Parameter("json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Json),
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    alone = Commands(add_completion=False)
    alone.command(name=generator.name, help=f"Generate {generator.title}.")(run)
    command = get_command(alone)
    command.name = generator.name
    return command  # type: ignore[return-value]


def _option(name: str, kind: Any, default: Any, metadata: Any) -> inspect.Parameter:
    option = typer.Option(f"--{name.replace('_', '-')}", help=str(metadata.get("help", "")))
    given = inspect.Parameter.empty if default is MISSING else default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=given, annotation=Annotated[kind, option])


def _generate(generator: str, settings: dict[str, Any], seed: int, name: str, json: bool) -> None:
    if not name:
        raise typer.BadParameter("the name is empty", param_hint="--name")
    import hunet as hn
    from hunet.cli.trace_output import draw_plots, main_figures

    trace = hn.generate(generator, seed=seed, name=name, **settings).save()
    draw_plots(trace)
    about = {"name": trace.name, "version": trace.about.version, "surrogate": trace.about.surrogate}
    if json:
        print_json({**about, "content_hash": trace.about.content_hash, "seed": seed, **main_figures(trace)})
        return
    print_table(f"{trace.name}, version {trace.about.version}", [main_figures(trace)])
