"""What a quick reproduction of all papers says and writes, and what the ledger says; all on generated traces."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from hunet.studies.claims.ledger import entries
from tests.golden.commands import run, tables

TIMED = ("BSUB10-60", "ZZ-21", "ZZ-22", "ZZ-24", "ZZ-25", "ZZ-26")
"""Claims about how long something takes: what else the machine does may decide them."""


class Reproduced(NamedTuple):
    """A folder with one of each paper in it, and what was said meanwhile."""

    folder: Path
    told: str

    def verdicts(self, paper: str) -> dict[str, str]:
        """The word for each claim of a paper."""
        claims = pq.read_table(self.folder / paper / "claims.parquet")
        return dict(zip(claims["claim"].to_pylist(), claims["verdict"].to_pylist(), strict=True))


def reproduce(home: Path) -> Reproduced:
    """All papers, quickly; `home` is an empty folder."""
    return Reproduced(home / "out", run(home, "reproduce", "all", "--quick", "--out", home / "out"))


def record(home: Path) -> dict[str, Any]:
    """Everything, as it is today; `home` is an empty folder."""
    return summary(reproduce(home))


def summary(reproduced: Reproduced) -> dict[str, Any]:
    """The word for each claim, and all tables."""
    folder = reproduced.folder
    papers = sorted(path.parent.name for path in folder.glob("*/claims.parquet"))
    verdicts = {claim: word for paper in papers for claim, word in reproduced.verdicts(paper).items()}
    words = {claim: word for claim, word in verdicts.items() if claim not in TIMED}
    found = tables(folder, timeless)
    del found["papers"]  # how many claims there are of each word, the timed ones among them
    return {"verdicts": words, "tables": found}


def timeless(table: pa.Table) -> pa.Table:
    """Without what was timed."""
    if "claim" in table.column_names:
        table = table.filter(pc.invert(pc.is_in(table["claim"], pa.array(TIMED))))
    return table.select([name for name in table.column_names if not name.startswith("t_")])


def ledger() -> dict[str, str]:
    """The word for each claim in the ledger that is shipped."""
    return {entry.id: entry.verdict for entry in entries()}
