"""Connectivity events of The ONE: `time CONN a b up|down`, by spaces or tabs, in upper or lower case.

Ids are kept as they stand (12, n12). Both directions of a link may be listed; how repeated ups are meant is judged
later, over all events of a file (`hunet.traces.events`).
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from hunet.traces.columns import is_number
from hunet.traces.fields import Sheet, split_words, without_blanks
from hunet.traces.format import EVENTS, Evidence, Format, Options


def evidence(_file_name: str, head: Sequence[str]) -> Evidence | None:
    """Every line is a CONN event."""
    rows = [line.split() for line in head if line.strip() and not line.startswith("#")]
    if rows and all(len(row) == 5 and is_number(row[0]) and row[1].upper() == "CONN" for row in rows):
        return Evidence("every line has a time and CONN", sure=True)
    return None


def parse(lines: pa.Table, _options: Options) -> tuple[pa.Table, pa.Table]:
    """Up and down events. Other events of The ONE (messages) are no contacts and count as bad lines."""
    sheet = Sheet.of_text(without_blanks(lines))
    time, kind, a, b, state = split_words(sheet, (5,), "time CONN a b up|down")
    sheet.reject(
        pc.not_equal(pc.ascii_upper(kind), "CONN"),
        pc.binary_join_element_wise("event '", kind, "' is not CONN, so it is no contact", ""),
    )
    columns = {"time": sheet.number(time, "time"), "a": a, "b": b, "up": read_state(sheet, state)}
    return sheet.sort_out(EVENTS, columns)


def read_state(sheet: Sheet, state: pa.Array) -> pa.Array:
    """Is the link up after this event? A word other than up and down makes the line bad."""
    lowered = pc.ascii_lower(state)
    up = pc.equal(lowered, "up")
    sheet.reject(
        pc.invert(pc.or_(up, pc.equal(lowered, "down"))),
        pc.binary_join_element_wise("state '", state, "' is neither up nor down", ""),
    )
    return up


ONE = Format("one", "ONE connectivity events (time CONN a b up|down)", "events", evidence, parse)
