"""`hunet compare`: every protocol, side by side on one trace or several."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hunet.cli.context import store, sweeping
from hunet.cli.output import Json, describe_folder, print_json, print_table, working

if TYPE_CHECKING:
    from hunet.studies.comparison import Where

_PRINTED = ("protocol", "share delivered", "mean delay, min", "copies", "control bytes")
"""What fits a terminal; the files have more."""


def compare(
    traces: Annotated[list[str] | None, typer.Argument(help="Stored traces. Default: a generated conference.")] = None,
    protocol: Annotated[list[str] | None, typer.Option(help="Protocols to compare. Default: all.")] = None,
    out: Annotated[Path, typer.Option(help="Folder for all results.")] = Path("out/compare"),
    seeds: Annotated[int, typer.Option(help="Seeds of all chance, over which means are taken.", min=1)] = 5,
    json: Json = False,
) -> None:
    """Simulate the protocols, print the comparison, draw it."""
    with working("loading"):
        from hunet.model.names import one_of
        from hunet.studies.comparison import COMPARED, conference, draw, for_people
        from hunet.studies.comparison import compare as run
        from hunet.studies.contents import of_comparison
        from hunet.studies.papers.reproduction import write_table
        from hunet.sweep.runner import Runner

        names = [one_of("protocol", name, COMPARED) for name in protocol or COMPARED]
        where = [_stored(name) for name in traces] if traces else [conference()]
    with sweeping(out) as progress:
        rows = run(where, names, seeds, Runner.local(), out / "runs", progress)
    write_table(out / "comparison", rows)
    write_table(out / "shown", for_people(rows))
    picture = draw(rows, out / "comparison.png")
    describe_folder(out, lambda asked: of_comparison(asked, where, rows, seeds))
    if json:
        known = [{name: None if value != value else value for name, value in row.items()} for row in rows]
        print_json({"seeds": seeds, "rows": known, "picture": str(picture)})
        return
    for one in where:
        shown = for_people([row for row in rows if row["trace"] == one.label])
        title = f"{one.label}; workload {one.workload}; mean over {seeds} seeds ± 95 % interval"
        print_table(title, shown, {name: name for name in _PRINTED})
    typer.echo(f"picture: {picture}")
    typer.echo(f"a page to send: hunet report {out}")


def _stored(name: str) -> Where:
    from hunet.studies.comparison import Where

    trace = store().open(name)
    label = f"{name} (surrogate)" if trace.manifest.surrogate else name
    return Where(label, (trace.contacts(), trace.nodes()))
