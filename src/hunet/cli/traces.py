"""`hunet trace`: make traces of contacts, look at them, hand them on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hunet.cli import generating
from hunet.cli.arrow_alone import arrow_alone
from hunet.cli.commands import Commands
from hunet.cli.communities import communities
from hunet.cli.context import Master, Remote, file_to_write, store
from hunet.cli.follow import follow
from hunet.cli.look import Columns, Files, FormatName, LatLonOrigin, Separator, Unit, column_mapping, look, print_choice
from hunet.cli.output import Json, print_json, print_table, show
from hunet.cli.trace_output import draw_plots, print_import
from hunet.model.numbers import plain_number
from hunet.progress import progress_bar

if TYPE_CHECKING:
    from hunet.api.importing import Import

app = Commands(help="Contact traces: import, follow, generate, fetch, describe, export.", no_args_is_help=True)
app.add_typer(generating.app, name="generate")
app.command()(look)
app.command()(communities)
app.command()(follow)

Name = Annotated[str, typer.Argument(help="Name of the trace.")]
Timings = Annotated[bool, typer.Option("--timings", help="Say at the end how long each stage took.")]


@app.command("import")
def import_(
    files: Files,
    name: Annotated[str | None, typer.Option(help="Name of the trace. Default: made from the first file's.")] = None,
    format_name: FormatName = None,
    internal: Annotated[
        str | None, typer.Option(help="The experiment's own devices, such as 1-41 or 1-20,25,base.")
    ] = None,
    keep_external: Annotated[bool, typer.Option("--keep-external", help="Keep contacts with other devices.")] = False,
    columns: Columns = None,
    separator: Separator = None,
    unit: Unit = None,
    period: Annotated[float | None, typer.Option(help="Length of a record, seconds (SocioPatterns: 20).")] = None,
    gap: Annotated[float | None, typer.Option(help="Pauses up to this many seconds do not end a contact.")] = None,
    events: Annotated[str | None, typer.Option(help="Force how ups and downs are paired: count or flag.")] = None,
    radius: Annotated[float, typer.Option(help="Positions: contact up to this distance, metres.")] = 10.0,
    step: Annotated[float, typer.Option(help="Positions: seconds between two looks.")] = 10.0,
    hold: Annotated[float, typer.Option(help="Positions: a node silent for longer, in seconds, is nowhere.")] = 600.0,
    lat_lon_origin: LatLonOrigin = None,
    lengthen_to: Annotated[float, typer.Option(help="Make shorter rows this many seconds long.")] = 0.0,
    min_length: Annotated[float, typer.Option(help="Drop contacts shorter than this many seconds.")] = 0.0,
    origin: Annotated[str, typer.Option(help="Time 0: keep, first (contact), or seconds to subtract.")] = "keep",
    metadata: Annotated[Path | None, typer.Option(help="File with more about the nodes: id class [more].")] = None,
    training: Annotated[
        list[float] | None, typer.Option(help="Store pairs also for this first share, such as 0.7.")
    ] = None,
    licence: Annotated[str, typer.Option(help="Terms under which the data may be used; kept with the trace.")] = "",
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first bad line.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Take a trace also where it seems to be misread.")] = False,
    timings: Timings = False,
    master: Master = None,
    remote: Remote = None,
    json: Json = False,
) -> None:
    """Import raw files as a trace: recognise the format, clean, merge, and derive how pairs met, on Spark."""
    from hunet.api.importing import import_of
    from hunet.api.reading import ReadOptions

    options = ReadOptions(
        format=format_name,
        columns=column_mapping(columns),
        separator=separator,
        unit=unit,
        period=period,
        gap=gap,
        events=events,
        internal=internal,
        keep_external=keep_external,
        lengthen_to=lengthen_to,
        min_length=min_length,
        origin=_number_or_word(origin),
        radius=radius,
        step=step,
        hold=hold,
        lat_lon_origin=lat_lon_origin,
        metadata=metadata,
        strict=strict,
        yes=yes,
    )
    _import(import_of(files, options, name, training or (), licence), master, remote, json, timings)


@app.command()
def describe(
    name: Name,
    plots: Annotated[bool, typer.Option(help="Draw the plots.")] = True,
    json: Json = False,
) -> None:
    """The table a paper prints, and plots: contacts per hour, inter-contact times, degree."""
    import hunet as hn

    arrow_alone()
    trace = hn.load(name)
    pictures = draw_plots(trace) if plots else []
    about = {
        "name": trace.name,
        "version": trace.about.version,
        "surrogate": trace.about.surrogate,
        "origin": trace.about.origin,
        "licence": trace.about.licence,
        "content_hash": trace.about.content_hash,
    }
    figures = trace.describe()
    if json:
        found = {row["name"]: row["value"] for row in figures}
        print_json({**about, **found, "counts": trace.about.counts, "plots": [str(path) for path in pictures]})
        return
    show(figures)
    if trace.about.licence:
        typer.echo(f"licence: {trace.about.licence}")
    for path in pictures:
        typer.echo(f"picture: {path}")


@app.command("list")
def list_(json: Json = False) -> None:
    """The traces there are."""
    import hunet as hn

    found = hn.stored()
    print_json(found.rows) if json else show(found)


@app.command()
def remove(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove a trace with all its versions."""
    there = store()
    if not yes:
        typer.confirm(f"remove trace {name!r} with all its versions?", abort=True)
    there.remove(name)
    typer.echo(f"removed {name}")


@app.command()
def export(
    name: Name,
    file: Annotated[Path, typer.Argument(callback=file_to_write, help="File to write.")],
    kind: Annotated[
        str | None, typer.Option("--as", help="one, csv or parquet. Default: by the file's ending.")
    ] = None,
) -> None:
    """Write a trace for other programs: The ONE, CSV or Parquet."""
    arrow_alone()
    from hunet.traces.export import export as write

    written = write(store().open(name), file, kind)
    typer.echo(f"wrote {name} to {file} ({written})")


@app.command()
def fetch(
    data_set: Annotated[
        str | None, typer.Argument(help="Name in the catalog; without one the catalog is listed.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the trace. Default: the catalog's.")] = None,
    timings: Timings = False,
    master: Master = None,
    remote: Remote = None,
    json: Json = False,
) -> None:
    """Fetch a public data set by checksum and import it; its licence is shown and kept."""
    from hunet.traces.catalog import CATALOG, find_data_set

    if data_set is None:
        rows = [{"name": one.name, "title": one.title, "licence": one.licence} for one in CATALOG]
        print_json(rows) if json else print_table("public data sets", rows)
        return
    chosen = find_data_set(data_set)
    typer.echo(f"{chosen.title}\nlicence: {chosen.licence}\ncite: {chosen.cite}\npage: {chosen.page}", err=True)
    from hunet.api.importing import import_of_data_set

    _import(import_of_data_set(chosen, name), master, remote, json, timings)


def _import(asked: Import, master: str | None, remote: str | None, json: bool, timings: bool) -> None:
    from hunet.pipeline.java_archive import make_in_background

    print_choice(asked.source.format.title, asked.source.why, asked.columns, asked.unit, err=True)
    with progress_bar("starting Spark") as progress:
        report, trace = asked.run(master, remote, progress)
    if sys.stderr.isatty():  # somebody waited
        make_in_background()
    print_import(report, trace, json, timings)


def _number_or_word(text: str) -> float | str:
    number = plain_number(text)
    return text if number is None else number
