"""Files that are one document, and not lines: GPX, GeoJSON and JSON, unfolded into a table with a header.

What comes of it is read as any table is (`positions`, `csv`, `sightings`), so a document needs no format of its own;
lines are entries. A node of a GPX file, and one of GeoJSON without a name, is called as its file.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any
from xml.parsers import expat

from hunet.model.errors import TraceError

MOST_BYTES = 1 << 28
"""A document is held in memory as a whole."""

Row = Sequence[object]
_POSITIONS = ("name", "time", "lat", "lon")
_POINTS = ("trkpt", "rtept", "wpt")
_TIMES = ("time", "timestamp", "t", "datetime")
_NAMES = ("id", "name", "node", "user", "device", "vehicle")


def unfold(name: str, content: bytes) -> bytes | None:
    """The lines of a table that a document stands for; None for JSON that is lines already."""
    suffix = _suffix(name)
    try:
        rows = DOCUMENTS[suffix](_stem(name), content)
        return None if rows is None else _written(rows)
    except (expat.ExpatError, ValueError, TypeError, LookupError, RecursionError) as error:
        reason = str(error) or type(error).__name__
        raise TraceError(f"trace file '{name}' cannot be read as {suffix[1:]}: {reason}") from None


def is_document(name: str) -> bool:
    """Is this the name of a document?"""
    return _suffix(name) in DOCUMENTS


def _gpx(stem: str, content: bytes) -> Iterator[Row]:
    found: list[Row] = [_POSITIONS]
    place: dict[str, str] = {}
    time: list[str] = []
    inside: list[str] = []

    def begin(tag: str, attributes: dict[str, str]) -> None:
        inside.append(tag.rpartition(" ")[2])
        if inside[-1] in _POINTS:
            place.update(attributes)
            time.clear()

    def end(_tag: str) -> None:
        if inside.pop() in _POINTS:
            found.append((stem, "".join(time), place["lat"], place["lon"]))

    def say(text: str) -> None:
        if inside[-1] == "time" and len(inside) > 1 and inside[-2] in _POINTS:
            time.append(text)

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, end, say
    parser.StartDoctypeDeclHandler = _refuse_doctype  # entities could grow without bound, or name other files
    parser.Parse(content, True)
    return iter(found)


def _refuse_doctype(*_declared: object) -> None:
    raise ValueError("it declares a document type, which a track does not need (remove the DOCTYPE)")


def _geojson(stem: str, content: bytes) -> Iterator[Row]:
    document = json.loads(content)
    features = document["features"] if document["type"] == "FeatureCollection" else [document]
    yield _POSITIONS
    for number, feature in enumerate(features, start=1):
        known = feature.get("properties") or {}
        name = _first(known, _NAMES, feature.get("id", stem))
        shape, points = feature["geometry"]["type"], feature["geometry"]["coordinates"]
        if shape == "Point":
            points, times = [points], [_first(known, _TIMES, "")]
        elif shape == "LineString":
            times = _first(known, ("coordTimes", "times"), (known.get("coordinateProperties") or {}).get("times"))
            if not isinstance(times, list) or len(times) != len(points):
                raise ValueError(f"feature {number} has no list `times` with a time for each of its points")
        else:
            raise ValueError(f"feature {number} is a {shape}; points and lines with times are read")
        for (lon, lat, *_height), time in zip(points, times, strict=True):
            yield name, time, lat, lon


def _json(_stem: str, content: bytes) -> Iterator[Row] | None:
    try:
        document = json.loads(content)
    except json.JSONDecodeError:
        json.loads(content.lstrip().partition(b"\n")[0])  # JSON lines; if not, its complaint is as good
        return None
    if isinstance(document, dict) and "hunet" in document:
        return None
    if isinstance(document, dict) and len(document) == 1 and isinstance(next(iter(document.values())), list):
        document = next(iter(document.values()))  # {"contacts": [...]}
    if isinstance(document, dict):
        return _of_pairs(document)
    if isinstance(document, list) and document and all(isinstance(entry, dict) for entry in document):
        return _of_objects(document)
    if isinstance(document, list) and document and all(isinstance(entry, list) for entry in document):
        return iter(document)
    raise ValueError("it is neither a list of contacts nor {who: {whom: [[start, end], ...]}}")


def _of_pairs(document: Mapping[str, Any]) -> Iterator[Row]:
    """{who: {whom: [[start, end], ...]}}"""
    yield "a", "b", "start", "end"
    for a, met in document.items():
        if not isinstance(met, dict):
            raise ValueError(f"beside {a!r} stands no object {{whom: [[start, end], ...]}}")
        for b, intervals in met.items():
            for start, end in intervals:
                yield a, b, start, end


def _of_objects(entries: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    """Objects with the same keys, of which one may hold the intervals: [{a, b, intervals: [[start, end], ...]}, ...]"""
    keys = list(entries[0])
    nested = [key for key in keys if isinstance(entries[0][key], list)]
    plain = [key for key in keys if key not in nested]
    if len(nested) > 1:
        raise ValueError(f"an entry holds several lists: {', '.join(nested)}")
    yield (*plain, "start", "end") if nested else plain
    for entry in entries:
        own = [entry.get(key, "") for key in plain]
        if not nested:
            yield own
            continue
        for start, end in entry[nested[0]]:
            yield (*own, start, end)


def _written(rows: Iterable[Row]) -> bytes:
    lines = io.StringIO()
    writer = csv.writer(lines, delimiter="\t", lineterminator="\n")
    for row in rows:
        writer.writerow([_field(value) for value in row])
    return lines.getvalue().encode()


def _field(value: object) -> str:
    if isinstance(value, dict | list | bool):
        raise ValueError(f"{json.dumps(value)[:40]} stands where a name or a number should")
    text = "" if value is None else " ".join(str(value).split())
    text.encode()  # half a letter (a lone surrogate) cannot be written, and must not become the same sign as another
    return text


def _first(known: Mapping[str, Any], keys: Sequence[str], default: object) -> Any:
    return next((known[key] for key in keys if known.get(key) is not None), default)


def _suffix(name: str) -> str:
    return PurePath(name.removesuffix(".gz")).suffix.lower()


def _stem(name: str) -> str:
    return PurePath(name).name.partition(".")[0]


DOCUMENTS: Mapping[str, Callable[[str, bytes], Iterator[Row] | None]] = {
    ".gpx": _gpx,
    ".geojson": _geojson,
    ".json": _json,
}
"""By how the name of a file ends, how it is unfolded."""
