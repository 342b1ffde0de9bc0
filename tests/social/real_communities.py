"""Contacts of the traces that MOPS was measured on, through hunet's own reading and cleaning, without Spark."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from hunet.traces.clean import CleanSettings, clean, to_intervals
from hunet.traces.pairs import first_part, pairs_of
from hunet.traces.reading import read_files


class Known(NamedTuple):
    """A trace, and the closeness of its pairs in the first 40 %."""

    contacts: pa.Table
    nodes: int
    pairs: pa.Table
    rows: int = 0
    """Sound rows of the file, before both directions of a contact are united."""


def infocom05(real_traces: Path) -> Known:
    return _known(real_traces / "haggle-infocom05" / "contacts.Exp3.dat", CleanSettings(internal="1-41"))


def reality(real_traces: Path) -> Known:
    return _known(real_traces / "mit-reality" / "one" / "mit.txt.gz", CleanSettings())


def _pairs(contacts: pa.Table) -> pa.Table:
    return pairs_of(contacts, first_part(contacts))


def _known(path: Path, settings: CleanSettings) -> Known:
    reading = read_files([path], strict=True)
    cleaned = clean(to_intervals(reading.rows, reading.format.yields, reading.options).intervals, settings)
    return Known(cleaned.contacts, cleaned.nodes.num_rows, _pairs(cleaned.contacts), cleaned.counts.clean_rows)
