"""What commands on traces print and draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hunet.cli.output import print_json, print_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hunet.pipeline.importing import ImportReport
    from hunet.traces.describe import Curves, Summary
    from hunet.traces.store import Trace


def print_import(report: ImportReport, trace: Trace, json: bool) -> None:
    """What an import did, and the trace that came of it, whose plots are drawn on the way."""
    from dataclasses import asdict

    from hunet.traces.describe import describe as figures_of

    summary, curves = figures_of(trace)
    draw_plots(trace, summary, curves)
    figures = {key: getattr(summary, key) for key in ("nodes", "contacts", "pairs", "start", "end", "days")}
    if json:
        print_json(
            {
                "name": report.manifest.name,
                "version": report.manifest.version,
                "changed": report.changed,
                "content_hash": report.manifest.content_hash,
                "format": {"name": report.format_name, "title": report.format_title},
                "read": {
                    "files": report.files,
                    "rows": report.counts["rows"],
                    "bad_lines": report.lines_bad,
                    "bad_examples": [asdict(example) for example in report.bad_examples],
                },
                "events": report.events,
                "cleaning": report.counts,
                **figures,
            }
        )
        return
    steps = [{"what": _STEPS[key], "rows": value} for key, value in report.counts.items()]
    print_table(f"{report.manifest.name}: what cleaning did", steps)
    if report.events:
        print_table("ups and downs", [report.events])
    if report.lines_bad:
        examples = [
            {"file": Path(one.file).name, "line": one.line, "reason": one.reason} for one in report.bad_examples
        ]
        skipped = "1 bad line was skipped" if report.lines_bad == 1 else f"{report.lines_bad:,} bad lines were skipped"
        print_table(f"{skipped}{', such as' if report.lines_bad > len(examples) else ''}", examples)
    print_table(f"{report.manifest.name}, version {report.manifest.version}", [_dated(figures)])
    if not report.changed:
        typer.echo("the store had exactly this trace already: nothing changed")
    typer.echo(f"more and pictures: hunet trace describe {report.manifest.name}")


def print_summary(trace: Trace, summary: Summary) -> None:
    """The table a paper prints."""
    from dataclasses import asdict

    rows = [
        {"figure": _WORDS.get(key, key.replace("_", " ")), "value": value}
        for key, value in _dated(asdict(summary)).items()
    ]
    print_table(title_of(trace), rows)


_WORDS = {
    "zero_length": "contacts of no length",
    "mean_length": "mean contact length (s)",
    "median_length": "median contact length (s)",
    "total_time": "total contact time (s)",
    "mean_gap": "mean inter-contact time (s)",
    "median_gap": "median inter-contact time (s)",
}

_STEPS = {
    "rows": "rows read",
    "self_contacts": "with oneself: dropped",
    "end_before_start": "end before start: dropped",
    "external": "external devices: dropped",
    "duplicates": "repeated: dropped",
    "lengthened": "made longer",
    "merged": "merged into another",
    "too_short": "too short: dropped",
    "contacts": "contacts left",
}

_UNIX_FROM = 5e8
"""Times from here on are shown as dates: 1985 in Unix seconds, 16 years in a trace that begins at 0."""
_UNIX_TO = 2.5e11
"""Beyond the year 9892 there are no dates to show."""


def _dated(figures: dict[str, Any]) -> dict[str, Any]:
    """Start and end as a person reads them: a date if they are Unix times, else with their unit."""
    import datetime

    shown = dict(figures)
    for key in ("start", "end"):
        if figures["start"] >= _UNIX_FROM and figures["end"] < _UNIX_TO:
            moment = datetime.datetime.fromtimestamp(figures[key], datetime.UTC)
            shown[key] = f"{moment:%Y-%m-%d %H:%M:%S}"
        else:
            shown[key] = f"{figures[key]:,.0f} s"
    return shown


def columns_taken(options: Mapping[str, object]) -> list[str]:
    """Which columns of a table were taken for what, as a line; none for a format whose columns are fixed."""
    columns, names = options.get("columns"), options.get("names")
    if not isinstance(columns, Mapping) or not isinstance(names, Sequence):
        return []
    return ["columns: " + ", ".join(f"{part} = {names[place]}" for part, place in columns.items())]


def title_of(trace: Trace) -> str:
    """The trace's name; that it is a surrogate stands in every title."""
    name = trace.manifest.name
    return f"{name} (surrogate)" if trace.manifest.surrogate and "surrogate" not in name else name


def draw_plots(trace: Trace, summary: Summary, curves: Curves) -> list[Path]:
    """The plots of a version; contacts never change, so plots that are there are right.

    The trace is what counts: a plot that cannot be drawn or written is left out with a line on stderr.
    """
    folder = trace.path / "plots"
    paths = [folder / f"{name}.png" for name in ("contacts-per-hour", "inter-contact-times", "degrees")]
    if all(path.exists() for path in paths):
        return paths
    from hunet.report.style import save
    from hunet.report.traces import draw_degrees, draw_gaps, draw_hours

    title = title_of(trace)
    draw: tuple[Callable[[], Figure], ...] = (
        lambda: draw_hours(title, curves.hours, curves.per_hour),
        lambda: draw_gaps(title, curves.gaps, curves.gap_share, summary.mean_gap),
        lambda: draw_degrees(title, curves.degrees),
    )
    drawn = []
    for path, figure in zip(paths, draw, strict=True):
        try:
            drawn.append(save(figure(), path))
        except Exception as error:  # whatever a drawing library raises
            for begun in (path, path.with_suffix(".svg")):
                with suppress(OSError):
                    begun.unlink()
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            typer.echo(f"hunet: the plot {path.stem} is left out: {reason}", err=True)
    return drawn
