"""Latitude and longitude in degrees, projected to metres around an origin, by default the first position of the files.

With R the radius of the Earth, x = R cos(lat0) (lon - lon0) and y = R (lat - lat0), angles in radians. Within 50 km of
the origin, at middle latitudes, distances are right to about 1 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import InvalidValueError, TraceError
from hunet.model.numbers import plain_number
from hunet.traces.fields import Sheet

EARTH_RADIUS = 6_371_008.8
LIMITS = (90.0, 180.0)
"""Of latitude and longitude, degrees."""


def project(sheet: Sheet, lat: pa.Array, lon: pa.Array, origin: str) -> tuple[pa.Array, pa.Array]:
    """(x, y) in metres of columns of degrees; lines outside the globe are bad. origin: "lat,lon"."""
    degrees = {}
    for name, column, limit in zip(("latitude", "longitude"), (lat, lon), LIMITS, strict=True):
        degrees[name] = sheet.number(column, name)
        sheet.reject(
            pc.greater(pc.abs(degrees[name]), limit),
            pc.binary_join_element_wise(f"{name} ", column, f" is outside -{limit:g} to {limit:g}", ""),
        )
    lat0, lon0 = (float(part) for part in origin.split(","))
    metres_per_degree = math.radians(EARTH_RADIUS)
    x = pc.multiply(pc.subtract(degrees["longitude"], lon0), metres_per_degree * math.cos(math.radians(lat0)))
    return x, pc.multiply(pc.subtract(degrees["latitude"], lat0), metres_per_degree)


def settle_origin(given: object, first: Sequence[Sequence[float]], file_name: str = "") -> str:
    """The origin of a projection as "lat,lon": as given, or by the first latitude and longitude of these."""
    if given is None:
        first = [[value for value in values if abs(value) <= most] for values, most in zip(first, LIMITS, strict=True)]
        if not all(first):
            raise TraceError(
                f"trace file '{file_name}': no position found in the first lines to serve as origin: give one "
                "(--lat-lon-origin lat,lon)"
            )
        return ",".join(repr(values[0]) for values in first)
    parts = [plain_number(part) for part in str(given).split(",")]
    if len(parts) != 2 or any(part is None or abs(part) > most for part, most in zip(parts, LIMITS, strict=True)):
        raise InvalidValueError(f"origin {given!r}: write it as lat,lon in degrees, -90 to 90 and -180 to 180")
    return f"{parts[0]!r},{parts[1]!r}"
