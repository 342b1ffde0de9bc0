"""`hunet trace`: make traces of contacts, look at them, hand them on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hunet.cli import generating
from hunet.cli.communities import communities
from hunet.cli.context import Master, Remote, store
from hunet.cli.output import Json, print_json, print_table
from hunet.cli.trace_output import columns_taken, draw_plots, print_import, print_summary
from hunet.home import home
from hunet.progress import progress_bar

if TYPE_CHECKING:
    from hunet.pipeline.importing import ImportReport, Label
    from hunet.pipeline.read import Source
    from hunet.pipeline.work import ImportSettings

app = typer.Typer(help="Contact traces: import, generate, fetch, describe, export.", no_args_is_help=True)
app.add_typer(generating.app, name="generate")
app.command()(communities)

Name = Annotated[str, typer.Argument(help="Name of the trace.")]


@app.command("import")
def import_(
    files: Annotated[
        list[str], typer.Argument(help="Files, folders or patterns in quotes; plain, .gz, .zip, .parquet.")
    ],
    name: Annotated[str | None, typer.Option(help="Name of the trace. Default: made from the first file's.")] = None,
    format_name: Annotated[
        str | None, typer.Option("--format", help="Force a format instead of recognising it.")
    ] = None,
    internal: Annotated[
        str | None, typer.Option(help="The experiment's own devices, such as 1-41 or 1-20,25,base.")
    ] = None,
    keep_external: Annotated[bool, typer.Option("--keep-external", help="Keep contacts with other devices.")] = False,
    columns: Annotated[str | None, typer.Option(help="Which column is what: a=2,b=3,start=from,end=until.")] = None,
    separator: Annotated[str | None, typer.Option(help="Column separator of a table.")] = None,
    unit: Annotated[str | None, typer.Option(help="Unit of times: s or ms.")] = None,
    period: Annotated[float | None, typer.Option(help="Length of a record, seconds (SocioPatterns: 20).")] = None,
    gap: Annotated[float | None, typer.Option(help="Pauses up to this many seconds do not end a contact.")] = None,
    events: Annotated[str | None, typer.Option(help="Force how ups and downs are paired: count or flag.")] = None,
    radius: Annotated[float, typer.Option(help="Positions: contact up to this distance, metres.")] = 10.0,
    step: Annotated[float, typer.Option(help="Positions: seconds between two looks.")] = 10.0,
    hold: Annotated[float, typer.Option(help="Positions: a node silent for longer, in seconds, is nowhere.")] = 600.0,
    lat_lon_origin: Annotated[str | None, typer.Option(help="Positions in degrees: origin as lat,lon.")] = None,
    lengthen_to: Annotated[float, typer.Option(help="Make shorter rows this many seconds long.")] = 0.0,
    min_length: Annotated[float, typer.Option(help="Drop contacts shorter than this many seconds.")] = 0.0,
    origin: Annotated[str, typer.Option(help="Time 0: keep, first (contact), or seconds to subtract.")] = "keep",
    metadata: Annotated[Path | None, typer.Option(help="File with more about the nodes: id class [more].")] = None,
    training: Annotated[
        list[float] | None, typer.Option(help="Closeness also for this first share, such as 0.4.")
    ] = None,
    sigma: Annotated[float | None, typer.Option(help="Sigma of closeness, seconds. Default: from the data.")] = None,
    licence: Annotated[str, typer.Option(help="Terms under which the data may be used; kept with the trace.")] = "",
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first bad line.")] = False,
    master: Master = None,
    remote: Remote = None,
    json: Json = False,
) -> None:
    """Import raw files as a trace: recognise the format, clean, merge, and derive pairs and closeness, on Spark."""
    from hunet.pipeline.importing import Label
    from hunet.pipeline.read import find_source
    from hunet.pipeline.work import ClosenessSettings, ImportSettings
    from hunet.traces.clean import CleanSettings
    from hunet.traces.proximity import Proximity

    asked: dict[str, object] = {
        "separator": separator,
        "unit": unit,
        "period": period,
        "gap": gap,
        "origin": lat_lon_origin,
    }
    options = {key: value for key, value in asked.items() if value is not None} | _column_options(columns)
    clean = CleanSettings(
        internal=internal,
        keep_external=keep_external,
        lengthen_to=lengthen_to,
        drop_shorter=min_length,
        gap=gap or 0.0,
        origin=_number_or_word(origin),
    )
    settings = ImportSettings(
        clean=clean,
        mode=_event_mode(events),
        proximity=Proximity(radius=radius, step=step, gap=gap or 0.0, hold=hold),
        metadata=metadata,
        strict=strict,
        closeness=ClosenessSettings(tuple(training or ()), sigma),
    )
    source = find_source(files, format_name, options)
    label = Label(name or _name_from(source.files[0]), ", ".join(Path(file).name for file in source.files[:5]), licence)
    report = _import(source, label, settings, master, remote)
    print_import(report, store().open(report.manifest.name), json)


@app.command()
def describe(
    name: Name,
    plots: Annotated[bool, typer.Option(help="Draw the plots.")] = True,
    json: Json = False,
) -> None:
    """The table a paper prints, and plots: contacts per hour, inter-contact times, degree."""
    from dataclasses import asdict

    from hunet.traces.describe import describe as figures_of

    trace = store().open(name)
    summary, curves = figures_of(trace)
    pictures = draw_plots(trace, summary, curves) if plots else []
    manifest = trace.manifest
    about = {
        "name": manifest.name,
        "version": manifest.version,
        "surrogate": manifest.surrogate,
        "origin": manifest.origin,
        "licence": manifest.licence,
        "content_hash": manifest.content_hash,
    }
    if json:
        print_json({**about, **asdict(summary), "counts": manifest.counts, "plots": [str(path) for path in pictures]})
        return
    print_summary(trace, summary)
    for key in ("origin", "licence"):
        if about[key]:
            typer.echo(f"{key}: {about[key]}")
    for path in pictures:
        typer.echo(f"picture: {path}")


@app.command("list")
def list_(json: Json = False) -> None:
    """The traces there are."""
    manifests = store().list()
    rows = [
        {
            "name": manifest.name,
            "version": manifest.version,
            "contacts": manifest.counts.get("contacts", 0),
            "surrogate": manifest.surrogate,
            "origin": manifest.origin,
            "licence": manifest.licence,
        }
        for manifest in manifests
    ]
    if json:
        print_json(rows)
    elif rows:
        print_table(f"traces in {home()}", [{**row, "surrogate": "yes" if row["surrogate"] else ""} for row in rows])
    else:
        typer.echo(f"no traces in {home()} yet: hunet trace import, generate or fetch makes one")


@app.command()
def remove(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove a trace with all its versions."""
    there = store()
    there.open(name)
    if not yes:
        typer.confirm(f"remove trace {name!r} with all its versions?", abort=True)
    there.remove(name)
    typer.echo(f"removed {name}")


@app.command()
def export(
    name: Name,
    file: Annotated[Path, typer.Argument(help="File to write.")],
    kind: Annotated[
        str | None, typer.Option("--as", help="one, csv or parquet. Default: by the file's ending.")
    ] = None,
) -> None:
    """Write a trace for other programs: The ONE, CSV or Parquet."""
    from hunet.traces.export import export as write

    chosen = kind or {".csv": "csv", ".parquet": "parquet"}.get(file.suffix, "one")
    write(store().open(name), chosen, file)
    typer.echo(f"wrote {name} to {file} ({chosen})")


@app.command()
def fetch(
    data_set: Annotated[
        str | None, typer.Argument(help="Name in the catalog; without one the catalog is listed.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the trace. Default: the catalog's.")] = None,
    master: Master = None,
    remote: Remote = None,
    json: Json = False,
) -> None:
    """Fetch a public data set by checksum and import it; its licence is shown and kept."""
    from hunet.traces.catalog import CATALOG, find_data_set
    from hunet.traces.catalog import fetch as download

    if data_set is None:
        rows = [{"name": one.name, "title": one.title, "licence": one.licence} for one in CATALOG]
        print_json(rows) if json else print_table("public data sets", rows)
        return
    chosen = find_data_set(data_set)
    typer.echo(f"{chosen.title}\nlicence: {chosen.licence}\ncite: {chosen.cite}\npage: {chosen.page}", err=True)
    files = download(chosen, home() / "downloads")
    from hunet.pipeline.importing import Label
    from hunet.pipeline.read import find_source
    from hunet.pipeline.work import ImportSettings

    contacts = [str(path) for file, path in files.items() if file.part == "contacts"]
    told = next((path for file, path in files.items() if file.part == "metadata"), None)
    source = find_source(contacts, chosen.format, {})
    label = Label(name or chosen.name, f"{chosen.title} ({chosen.page}); cite {chosen.cite}", chosen.licence)
    report = _import(source, label, ImportSettings(metadata=told), master, remote)
    print_import(report, store().open(report.manifest.name), json)


def _import(
    source: Source, label: Label, settings: ImportSettings, master: str | None, remote: str | None
) -> ImportReport:
    from hunet.pipeline.importing import import_trace
    from hunet.pipeline.session import SparkSettings

    typer.echo(f"format: {source.format.title}", err=True)
    for line in columns_taken(source.options):
        typer.echo(line, err=True)
    with progress_bar("starting Spark") as progress:
        spark = SparkSettings(master, remote, source.bytes)
        return import_trace(spark, store(), source, label, settings, progress)


def _column_options(columns: str | None) -> dict[str, object]:
    if columns is None:
        return {}
    found: dict[str, object] = {}
    for item in columns.split(","):
        part, equals, place = item.partition("=")
        if not equals:
            raise typer.BadParameter(
                f"{item!r}: write part=column, such as a=2,b=3,start=5,end=6", param_hint="--columns"
            )
        found[part.strip()] = int(place) if place.strip().isdigit() else place.strip()
    return {"columns": found}


def _number_or_word(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _event_mode(text: str | None) -> Any:
    from hunet.traces.events import MODES

    if text is not None and text not in MODES:
        raise typer.BadParameter(f"{text!r}: use {' or '.join(MODES)}", param_hint="--events")
    return text


def _name_from(file: str) -> str:
    import re

    stem = Path(file).name.partition(".")[0] or "trace"
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-._") or "trace"
