"""The one translation of Arrow schemas, in which the tables of the rooms are written down, to Spark's types."""

from __future__ import annotations

import pyarrow as pa
from pyspark.sql import types

_TYPES: dict[pa.DataType, types.DataType] = {
    pa.int32(): types.IntegerType(),
    pa.int64(): types.LongType(),
    pa.float64(): types.DoubleType(),
    pa.string(): types.StringType(),
    pa.bool_(): types.BooleanType(),
    pa.binary(): types.BinaryType(),
    pa.list_(pa.string()): types.ArrayType(types.StringType()),
    pa.list_(pa.float64()): types.ArrayType(types.DoubleType()),
}


def spark_schema(schema: pa.Schema) -> types.StructType:
    """The columns of an Arrow schema, in its order, as Spark calls them."""
    return types.StructType([types.StructField(field.name, _TYPES[field.type], field.nullable) for field in schema])
