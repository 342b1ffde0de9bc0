"""How long a line may be: exactly so long, wherever a file is cut into blocks and parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from hunet.model.errors import TraceError
from hunet.traces.lines import MOST_LINE_BYTES, read_lines, read_part

MARK = b"\xef\xbb\xbf"
BREAK = b"\n"


def lengths(path: Path, piece_bytes: int) -> list[int]:
    return [len(text) for piece in read_lines(path, piece_bytes) for text in piece["text"].to_pylist()]


def lengths_in_parts(path: Path, part_bytes: int, piece_bytes: int) -> list[int]:
    size = path.stat().st_size
    parts = (read_part(path, begin, min(begin + part_bytes, size), piece_bytes) for begin in range(0, size, part_bytes))
    return [len(text) for part in parts for piece in part for text in piece["text"].to_pylist()]


@pytest.mark.parametrize(
    "before", [b"", MARK, b"x\n", b"x" * 900_000 + b"\n"], ids=["first", "mark", "second", "later"]
)
@pytest.mark.parametrize("after", [b"", b"\n", b"\ny\n"], ids=["at the end", "ended", "followed"])
@pytest.mark.parametrize("piece_bytes", [1 << 16, 1 << 20, 1 << 24])
def test_a_line_has_a_mebibyte_and_not_one_byte_more(
    tmp_path: Path, before: bytes, after: bytes, piece_bytes: int
) -> None:
    path = tmp_path / "long.csv"
    path.write_bytes(before + b"z" * MOST_LINE_BYTES + after)
    assert max(lengths(path, piece_bytes)) == MOST_LINE_BYTES
    assert max(lengths_in_parts(path, 700_000, piece_bytes)) == MOST_LINE_BYTES
    path.write_bytes(before + b"z" * (MOST_LINE_BYTES + 1) + after)
    refusal = rf"long\.csv', line {1 + before.count(BREAK)}: longer than 1,048,576 bytes"
    with pytest.raises(TraceError, match=refusal):
        lengths(path, piece_bytes)
    with pytest.raises(TraceError, match=refusal):
        lengths_in_parts(path, 700_000, piece_bytes)
