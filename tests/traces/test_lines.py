"""How long a line may be: exactly so long, wherever a file is cut into blocks and parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from hunet.model.errors import TraceError
from hunet.traces.lines import MOST_LINE_BYTES, read_lines, read_part

MARK = b"\xef\xbb\xbf"


def lengths(path: Path, piece_bytes: int) -> list[int]:
    return [len(text) for piece in read_lines(path, piece_bytes) for text in piece["text"].to_pylist()]


@pytest.mark.parametrize("before", [b"", MARK, b"x\n", b"x" * 900_000 + b"\n"], ids=["first", "mark", "second", "later"])
@pytest.mark.parametrize("after", [b"", b"\n", b"\ny\n"], ids=["at the end", "ended", "followed"])
@pytest.mark.parametrize("piece_bytes", [1 << 16, 1 << 20, 1 << 24])
def test_a_line_has_a_mebibyte_and_not_one_byte_more(
    tmp_path: Path, before: bytes, after: bytes, piece_bytes: int
) -> None:
    path = tmp_path / "long.csv"
    path.write_bytes(before + b"z" * MOST_LINE_BYTES + after)
    size = path.stat().st_size
    assert max(lengths(path, piece_bytes)) == MOST_LINE_BYTES
    cuts = [*range(0, size, 700_000), size]
    parts = [part for begin, end in zip(cuts, cuts[1:], strict=False) for part in read_part(path, begin, end)]
    assert max(len(text) for part in parts for text in part["text"].to_pylist()) == MOST_LINE_BYTES
    path.write_bytes(before + b"z" * (MOST_LINE_BYTES + 1) + after)
    line = 1 + before.count(b"\n")
    with pytest.raises(TraceError, match=rf"long\.csv', line {line}: longer than 1,048,576 bytes"):
        lengths(path, piece_bytes)
    with pytest.raises(TraceError, match=rf"long\.csv', line {line}: longer than 1,048,576 bytes"):
        for begin, end in zip(cuts, cuts[1:], strict=False):
            list(read_part(path, begin, end, piece_bytes))
