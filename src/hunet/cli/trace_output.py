"""What commands on traces print and draw."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hunet.cli.output import print_json, print_table

if TYPE_CHECKING:
    from hunet.api.trace import Trace
    from hunet.pipeline.importing import ImportReport


def main_figures(trace: Trace) -> dict[str, Any]:
    """The first figures of a description."""
    asked = ("nodes", "contacts", "pairs", "start", "end", "days")
    found = {row["name"]: row["value"] for row in trace.describe()}
    return {key: found[key] for key in asked}


def print_import(report: ImportReport, trace: Trace, json: bool, timings: bool) -> None:
    """What an import did, and the trace that came of it, whose plots are drawn on the way."""
    from dataclasses import asdict

    from hunet.api.trace import dated

    began = time.perf_counter()
    draw_plots(trace)
    seconds = {**report.seconds, "drawing": time.perf_counter() - began} if timings else {}
    figures = main_figures(trace)
    if json:
        print_json(
            {
                "name": trace.name,
                "version": trace.about.version,
                "changed": report.changed,
                "content_hash": trace.about.content_hash,
                "format": {"name": report.format_name, "title": report.format_title},
                "read": {
                    "files": report.files,
                    "rows": report.counts["rows"],
                    "bad_lines": report.lines_bad,
                    "bad_examples": [asdict(example) for example in report.bad_examples],
                },
                "odd": report.odd,
                "events": report.events,
                "cleaning": report.counts,
                **figures,
                **({"seconds": seconds} if timings else {}),
            }
        )
        return
    print_table(f"{trace.name}: what cleaning did", trace.cleaning.rows)
    if report.events:
        print_table("ups and downs", [report.events])
    if report.lines_bad:
        examples = [
            {"file": Path(one.file).name, "line": one.line, "reason": one.reason} for one in report.bad_examples
        ]
        skipped = "1 bad line was skipped" if report.lines_bad == 1 else f"{report.lines_bad:,} bad lines were skipped"
        print_table(f"{skipped}{', such as' if report.lines_bad > len(examples) else ''}", examples)
    for sentence in report.odd:
        typer.echo(f"odd: {sentence}", err=True)
    print_table(f"{trace.name}, version {trace.about.version}", [dated(figures)])
    if not report.changed:
        typer.echo("the store had exactly this trace already: nothing changed")
    if timings:
        rows = [{"stage": stage, "seconds": f"{took:.1f}"} for stage, took in seconds.items()]
        print_table("how long it took", [*rows, {"stage": "in all", "seconds": f"{sum(seconds.values()):.1f}"}])
    typer.echo(f"more and pictures: hunet trace describe {trace.name}")


def draw_plots(trace: Trace) -> list[Path]:
    """The plots of a stored trace; of one that is left out a line on stderr says why."""
    from hunet.api.plots import stored_plots

    return stored_plots(trace, lambda sentence: typer.echo(f"hunet: {sentence}", err=True))
