"""`hunet compare`: every protocol that routes by tags on one trace, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hunet.cli.output import Json, describe_folder, print_json, print_table
from hunet.cli.traces import store

_HEADINGS = {
    "protocol": "protocol",
    "delivery_ratio": "share delivered",
    "delay": "mean delay",
    "copies_ever_mean": "copies",
    "forwards_per_delivery": "forwards per delivery",
    "drops_per_node": "drops per node",
    "control_bytes_per_contact": "control bytes per contact",
}


def compare(
    trace: Annotated[str | None, typer.Argument(help="A stored trace. Default: a generated conference.")] = None,
    out: Annotated[Path, typer.Option(help="Directory for the picture.")] = Path("out/compare"),
    seed: Annotated[int, typer.Option(help="Seed of all chance.", min=0)] = 1,
    json: Json = False,
) -> None:
    """Simulate every protocol for tags on one trace, print the comparison, draw delivery against copies."""
    from rich.console import Console

    with Console(stderr=True).status("loading ...") as status:
        from hunet.sim.generate import generate
        from hunet.sim.profiles import BSUB13
        from hunet.studies.comparison import COMPARED, conference, draw
        from hunet.studies.comparison import compare as run
        from hunet.studies.contents import of_comparison
        from hunet.studies.reproduction import write_table

        if trace is None:
            tables, workload = conference(seed)
            title = "A generated conference: 79 people, 3 days"
        else:
            stored = store().open(trace)
            tables = stored.contacts(), stored.nodes()
            workload = generate(BSUB13, tables[0], seed)
            title = f"{trace} (surrogate)" if stored.manifest.surrogate else trace
        rows = []
        status.update("compiling and simulating ...")
        for row in run(tables, workload, COMPARED, seed):
            rows.append(row)
            status.update(f"compiling and simulating: {len(rows)} of {len(COMPARED)} protocols done ...")
        write_table(out / "comparison", [dict(row) for row in rows])
        picture = draw(title, rows, out / "delivery-against-copies.png")
    describe_folder(out, lambda asked: of_comparison(asked, title, workload.name, rows, tables))
    if json:
        print_json({"title": title, "workload": workload.name, "protocols": rows, "picture": str(picture)})
        return
    shown = [{**row, "delay": f"{row['delay_mean'] / 60:,.0f} min"} for row in rows]
    print_table(f"{title}; workload {workload.name}", shown, _HEADINGS)
    typer.echo(f"picture: {picture}")
    typer.echo(f"a page to send: hunet report {out}")
