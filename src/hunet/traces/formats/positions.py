"""Positions: `id t x y` in metres, or latitude and longitude in degrees, as a text table with or without a header.

Degrees are projected around an origin, by default the first position of the file: with R the radius of the Earth,
x = R cos(lat0) (lon - lon0) and y = R (lat - lat0), angles in radians. Within 50 km of the origin, at middle
latitudes, distances are right to about 1 %.

Options: `columns` (name, time, x, y or lat, lon to column name or number from 1), `separator`, `unit` (s or ms),
`origin` ("lat,lon").
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import InvalidValueError, TraceError
from hunet.traces.columns import (
    find_columns,
    find_layout,
    given_columns,
    head_numbers,
    head_times,
    read_table,
    settle_table,
    settled_columns,
    shown_names,
)
from hunet.traces.fields import Sheet
from hunet.traces.format import POSITION_ROWS, Format, Options
from hunet.traces.times import read_times

EARTH_RADIUS = 6_371_008.8

_PARTS = ("name", "time", "x", "y", "lat", "lon")
_WITHOUT_HEADER = {"name": 1, "time": 2, "x": 3, "y": 4}
_ORDERED_SHARE = 0.9  # in a table of contacts (a b start end) the third column is below the fourth more often


def looks_like(_file_name: str, head: Sequence[str]) -> bool:
    """A header with a name, a time and coordinates; or four bare columns whose last two are in no order."""
    layout = find_layout(head)
    if layout is None:
        return False
    if layout.header is not None:
        return _is_complete(find_columns(layout.names, _PARTS, {}))
    if len(layout.names) != 4:
        return False
    time = head_times(head, layout, 1)
    x, y = (head_numbers(head, layout, place) for place in (2, 3))
    if not len(time) == len(x) == len(y) or not time:
        return False
    ordered = sum(one <= other for one, other in zip(x, y, strict=True))
    return ordered < _ORDERED_SHARE * len(x)


def settle(file_name: str, head: Sequence[str], options: Options) -> Options:
    """Settle separator, header, columns, unit and, for degrees, the origin."""
    layout = find_layout(head)
    given = given_columns(options)
    if layout is not None and layout.header is None:
        axes = ("lat", "lon") if {"lat", "lon"} & given.keys() else ("x", "y")
        default = {part: place for part, place in _WITHOUT_HEADER.items() if part in ("name", "time", *axes)}
        options = {**options, "columns": {**default, **given}}
    settled = settle_table(head, _PARTS, options)
    columns = settled_columns(settled)
    if not _is_complete(columns):
        raise TraceError(
            f"trace file '{file_name}': no columns found for all of name, time and x, y (or lat, lon) among "
            f"{shown_names(settled)}; say which they are, such as --columns name=1,time=2,lat=3,lon=4"
        )
    if "lat" not in columns or layout is None:
        return settled
    first = [head_numbers(head, layout, columns[part])[:1] for part in ("lat", "lon")]
    return {**settled, "origin": _origin(options.get("origin"), first)}


def parse(lines: pa.Table, options: Options) -> tuple[pa.Table, pa.Table]:
    """Positions in metres."""
    sheet, columns = read_table(lines, options)
    time = read_times(sheet, columns["time"], "time", str(options["unit"]))
    if "lat" in columns:
        x, y = _project(sheet, columns["lat"], columns["lon"], str(options["origin"]))
    else:
        x, y = sheet.number(columns["x"], "x"), sheet.number(columns["y"], "y")
    found = {"name": sheet.name(columns["name"], "id"), "time": time, "x": x, "y": y}
    return sheet.sort_out(POSITION_ROWS, found)


def _project(sheet: Sheet, lat: pa.Array, lon: pa.Array, origin: str) -> tuple[pa.Array, pa.Array]:
    degrees = {}
    for name, column, limit in (("latitude", lat, 90.0), ("longitude", lon, 180.0)):
        degrees[name] = sheet.number(column, name)
        sheet.reject(
            pc.greater(pc.abs(degrees[name]), limit),
            pc.binary_join_element_wise(f"{name} ", column, f" is outside -{limit:g} to {limit:g}", ""),
        )
    lat0, lon0 = (float(part) for part in origin.split(","))
    metres_per_degree = math.radians(EARTH_RADIUS)
    x = pc.multiply(pc.subtract(degrees["longitude"], lon0), metres_per_degree * math.cos(math.radians(lat0)))
    return x, pc.multiply(pc.subtract(degrees["latitude"], lat0), metres_per_degree)


def _origin(given: object, first: Sequence[Sequence[float]]) -> str:
    if given is None:
        if not all(first):
            raise TraceError("no position found in the first lines to serve as origin: give one as origin=lat,lon")
        return ",".join(repr(values[0]) for values in first)
    try:
        lat, lon = (float(part) for part in str(given).split(","))
        if not (abs(lat) <= 90.0 and abs(lon) <= 180.0):
            raise ValueError
    except ValueError:
        raise InvalidValueError(
            f"origin {given!r}: write it as lat,lon in degrees, -90 to 90 and -180 to 180"
        ) from None
    return f"{lat!r},{lon!r}"


def _is_complete(columns: dict[str, int]) -> bool:
    return {"name", "time"} <= columns.keys() and ({"x", "y"} <= columns.keys() or {"lat", "lon"} <= columns.keys())


POSITIONS = Format("positions", "positions (id t x y in metres, or lat/lon)", "positions", looks_like, parse, settle)
