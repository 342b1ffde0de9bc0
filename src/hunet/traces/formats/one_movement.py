"""ExternalMovement files of The ONE: a header `minTime maxTime minX maxX minY maxY`, then `time id x y` in metres.

The header says where the simulator should put its arena; the rows stand on their own and are kept as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.numbers import NUMBER
from hunet.traces.columns import is_number
from hunet.traces.fields import Sheet, split_words, without_blanks
from hunet.traces.format import POSITION_ROWS, Evidence, Format, Options

_HEADER = rf"^{NUMBER}([ \t]+{NUMBER}){{5}}$"


def evidence(_file_name: str, head: Sequence[str]) -> Evidence | None:
    """One line of six numbers, then lines of four whose times lie in its range."""
    rows = [line.split() for line in head if line.strip() and not line.startswith("#")]
    if len(rows) < 2 or len(rows[0]) != 6 or not all(map(is_number, rows[0])):
        return None
    if any(len(row) != 4 or not all(is_number(row[field]) for field in (0, 2, 3)) for row in rows[1:]):
        return None
    low, high = float(rows[0][0]), float(rows[0][1])
    if all(low <= float(row[0]) <= high for row in rows[1:]):
        return Evidence("a line of six numbers, then lines of four whose times lie within it", sure=True)
    return None


def parse(lines: pa.Table, _options: Options) -> tuple[pa.Table, pa.Table]:
    """Positions in metres. Lines of six numbers are headers, also where several files are read together."""
    lines = without_blanks(lines)
    header = pc.match_substring_regex(lines.column("text"), _HEADER)
    sheet = Sheet.of_text(lines.filter(pc.invert(header)))
    time, name, x, y = split_words(sheet, (4,), "time id x y")
    columns = {
        "time": sheet.number(time, "time"),
        "name": name,
        "x": sheet.number(x, "x"),
        "y": sheet.number(y, "y"),
    }
    return sheet.sort_out(POSITION_ROWS, columns)


ONE_MOVEMENT = Format("one-movement", "ONE ExternalMovement (time id x y)", "positions", evidence, parse)
