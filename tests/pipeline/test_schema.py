"""Arrow schemas as Spark's types, and nowhere a second way to write columns down."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pytest

import hunet
from hunet.model import tables
from hunet.pipeline.schema import spark_schema
from hunet.traces.format import ROWS

FLAT = {
    "contacts": tables.CONTACTS,
    "nodes": tables.NODES,
    "spans": tables.SPANS,
    "positions": tables.POSITIONS,
    **ROWS,
}
DDL = re.compile(r"""["'](\w+ (int|bigint|long|double|float|string|boolean)(, )?)+["']""")


@pytest.mark.parametrize("name", FLAT)
def test_columns_keep_their_names_their_order_and_their_types(name: str) -> None:
    from pyspark.sql.pandas.types import to_arrow_schema

    assert to_arrow_schema(spark_schema(FLAT[name])).equals(FLAT[name])


def test_a_type_without_a_translation_is_an_error() -> None:
    with pytest.raises(KeyError):
        spark_schema(pa.schema([("x", pa.float16())]))


def test_no_other_file_writes_the_columns_of_a_frame_down() -> None:
    assert DDL.search('X = "a int, b int"')
    source = Path(hunet.__file__).parent
    lines = [
        f"{path.relative_to(source)}:{number}: {line.strip()}"
        for path in sorted(source.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (DDL.search(line) or "StructType" in line) and path != source / "pipeline" / "schema.py"
    ]
    assert lines == []
