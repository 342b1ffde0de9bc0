"""Everything of [sptbf] again: the data and the plot of every figure, and a verdict on every claim.

Written for each figure: CSV and Parquet, named by its id, and PNG where it is a plot or a scene. AMB-67 is the table of
what our readings do to the savings.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from hunet.pipeline.session import SparkSettings
from hunet.report.sharing import draw_lost_savings, draw_readings, draw_savings
from hunet.report.style import save
from hunet.sim.sharing import COVERED, LABELS
from hunet.studies import sptbf
from hunet.studies.sptbf_claims import verdicts
from hunet.studies.sptbf_drawings import example_filter, life, operations, signatures
from hunet.studies.sptbf_pictures import draw_life
from hunet.studies.verdicts import Verdict

__all__ = ["reproduce"]

_READINGS = {
    "range": "radio range, m",
    "period": "seconds between beacons",
    "lifetime": "seconds an interest lives",
    "m": "slots (m)",
    "k": "hash functions (k)",
    "loss": "share of beacons lost",
    "item_bytes": "bytes per label and value",
}


def reproduce(
    out: Path, quick: bool, spark: SparkSettings, progress: Callable[[int, int, int], None]
) -> list[Verdict]:
    """Simulate what is missing, write and draw everything, and judge the claims."""
    found = sptbf.measure(out / "runs", quick, spark, progress)
    tables = {
        "SPTBF-F1": pd.DataFrame(example_filter().slots(), columns=["hops", "time"]),
        "SPTBF-F2": operations(),
        "SPTBF-F3": life(),
        "SPTBF-T1": signatures(),
        "SPTBF-F4": sptbf.percents(found),
        "SPTBF-F5": sptbf.applications(found),
        "SPTBF-F6": sptbf.sizes(found),
        "AMB-67": sptbf.sensitivity(found),
    }
    for name, table in tables.items():
        _write(out / name, table)
    wanted = "labels that each node wants, %"
    pictures = {
        "SPTBF-F3": draw_life(),
        "SPTBF-F4": draw_savings("Savings by what each node wants", tables["SPTBF-F4"], wanted, COVERED),
        "SPTBF-F5": draw_savings("Savings by applications", tables["SPTBF-F5"], "applications", COVERED),
        "SPTBF-F6": draw_lost_savings("Savings lost to false positives, hop limit 3", tables["SPTBF-F6"], LABELS),
        "AMB-67": draw_readings("Savings by what the paper does not say, hop limit 2", tables["AMB-67"], _READINGS),
    }
    for name, figure in pictures.items():
        save(figure, out / f"{name}.png")
    claims = verdicts(tables)
    _write(out / "claims", pd.DataFrame(claims))
    return claims


def _write(path: Path, table: pd.DataFrame) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    content = pa.Table.from_pandas(table, preserve_index=False)
    pyarrow.csv.write_csv(content, f"{path}.csv")
    pq.write_table(content, f"{path}.parquet")
