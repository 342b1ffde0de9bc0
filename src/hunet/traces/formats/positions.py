"""Positions: `id t x y` in metres, or latitude and longitude in degrees, as a text table with or without a header.

Degrees are projected to metres around an origin (`hunet.traces.degrees`).

Options: `columns` (name, time, x, y or lat, lon to column name or number from 1), `separator`, `unit` (s, ms or us),
`origin` ("lat,lon").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from hunet.model.errors import TraceError
from hunet.traces.columns import (
    find_columns,
    find_layout,
    given_columns,
    head_numbers,
    read_table,
    settle_table,
    settled_columns,
    shown_names,
)
from hunet.traces.degrees import project, settle_origin
from hunet.traces.evidence import Sample, bare_positions, degrees
from hunet.traces.format import POSITION_ROWS, Evidence, Format, Options
from hunet.traces.times import read_times

_PARTS = ("name", "time", "x", "y", "lat", "lon")


def evidence(_file_name: str, head: Sequence[str]) -> Evidence | None:
    """A header with a name, a time and coordinates; or four bare columns of which the last two can be coordinates."""
    layout = find_layout(head)
    if layout is None:
        return None
    if layout.header is not None:
        complete = _is_complete(find_columns(layout.names, _PARTS, {}))
        return Evidence("its header names a node, a time and coordinates", sure=True) if complete else None
    why = bare_positions(head)
    return None if why is None else Evidence(why)


def settle(file_name: str, head: Sequence[str], options: Options) -> Options:
    """Settle separator, header, columns, unit and, for degrees, the origin."""
    layout = find_layout(head)
    given = given_columns(options)
    if layout is not None and layout.header is None:
        options = {**options, "columns": {**_without_header(head, given), **given}}
    settled = settle_table(file_name, head, _PARTS, options)
    columns = settled_columns(settled)
    if not _is_complete(columns):
        raise TraceError(
            f"trace file '{file_name}': no columns found for all of name, time and x, y (or lat, lon) among "
            f"{shown_names(settled)}; say which they are, such as --columns name=1,time=2,lat=3,lon=4"
        )
    if "lat" not in columns or layout is None:
        return settled
    first = [head_numbers(head, layout, columns[part]) for part in ("lat", "lon")]
    return {**settled, "origin": settle_origin(options.get("origin"), first, file_name)}


def parse(lines: pa.Table, options: Options) -> tuple[pa.Table, pa.Table]:
    """Positions in metres."""
    sheet, columns = read_table(lines, options)
    time = read_times(sheet, columns["time"], "time", str(options["unit"]))
    if "lat" in columns:
        x, y = project(sheet, columns["lat"], columns["lon"], str(options["origin"]))
    else:
        x, y = sheet.number(columns["x"], "x"), sheet.number(columns["y"], "y")
    found = {"name": sheet.name(columns["name"], "id"), "time": time, "x": x, "y": y}
    return sheet.sort_out(POSITION_ROWS, found)


def _without_header(head: Sequence[str], given: Mapping[str, object]) -> dict[str, int]:
    """Which column is what without a header: degrees if the user says so, or, where they say nothing, by the sample."""
    axes: tuple[str, str] | None = ("lat", "lon") if {"lat", "lon"} & given.keys() else None
    sample = Sample.of(head)
    if axes is None and sample is not None and len(sample.columns) == 4 and not {"x", "y"} & given.keys():
        axes = degrees(sample)
    return {part: place for place, part in enumerate(("name", "time", *(axes or ("x", "y"))), start=1)}


def _is_complete(columns: dict[str, int]) -> bool:
    return {"name", "time"} <= columns.keys() and ({"x", "y"} <= columns.keys() or {"lat", "lon"} <= columns.keys())


POSITIONS = Format("positions", "positions (id t x y in metres, or lat/lon)", "positions", evidence, parse, settle)
