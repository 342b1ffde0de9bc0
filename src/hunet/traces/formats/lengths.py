"""Contact tables without a header whose fourth column is a length: `a b start length`, in one unit.

Options: those of `hunet.traces.formats.csv`.
"""

from __future__ import annotations

from collections.abc import Sequence

from hunet.traces.columns import given_columns
from hunet.traces.evidence import bare_lengths
from hunet.traces.format import Evidence, Format, Options
from hunet.traces.formats import csv

_WITHOUT_HEADER = {"a": 1, "b": 2, "start": 3, "duration": 4}


def evidence(_file_name: str, head: Sequence[str]) -> Evidence | None:
    """Four bare columns of which the third is a time and the last a length."""
    why = bare_lengths(head)
    return None if why is None else Evidence(why)


def settle(file_name: str, head: Sequence[str], options: Options) -> Options:
    """Settle as contact tables do, with other columns where the user names none."""
    return csv.settle(file_name, head, {**options, "columns": {**_WITHOUT_HEADER, **given_columns(options)}})


LENGTHS = Format("lengths", "contact table with lengths (a b start length)", "intervals", evidence, csv.parse, settle)
