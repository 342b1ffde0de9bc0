"""The schema: which attributes there are, events to points, subscriptions to boxes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.content.attributes import Attribute, Category, Number, Time
from hunet.content.curves import Curve
from hunet.content.grid import Grid, Points
from hunet.content.where import Condition, Where, read_conditions
from hunet.model.errors import ContentError
from hunet.model.names import did_you_mean

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Box", "Schema", "schema_from"]

_KINDS = {"number": ("min", "max"), "category": ("values",), "time": ("min", "max")}


class Box(NamedTuple):
    """A subscription: what it allows in each dimension, both ends included; infinite where it is open."""

    lows: npt.NDArray[np.float64]
    highs: npt.NDArray[np.float64]


class Schema(Mapping[str, Attribute]):
    """The attributes of a content space, by name; their order is that of the dimensions.

    >>> schema = Schema(brand=Category(("Canon", "Nikon")), focal=Number(8, 400))
    >>> schema.point({"brand": "Nikon", "focal": 85})
    array([ 1., 85.])
    >>> schema.box("brand = Nikon and 50 <= focal <= 105")
    Box(lows=array([ 1., 50.]), highs=array([  1., 105.]))
    """

    def __init__(self, attributes: Mapping[str, Attribute] | None = None, /, **more: Attribute) -> None:
        self._attributes = {**(attributes or {}), **more}
        for name, attribute in self._attributes.items():
            if not name or not isinstance(attribute, Attribute):
                raise ContentError(f"attribute {name!r} must be a Number, Category or Time, got {attribute!r}")
        if not self._attributes:
            raise ContentError("a schema needs at least one attribute")

    def __getitem__(self, name: str) -> Attribute:
        return self._attributes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._attributes)

    def __len__(self) -> int:
        return len(self._attributes)

    def __repr__(self) -> str:
        return f"Schema({', '.join(f'{name}={attribute}' for name, attribute in self.items())})"

    def box(self, where: Where) -> Box:
        """The box of a subscription, from text (`brand = Nikon and focal < 105`) or a mapping; see `where`.

        An attribute that is not mentioned, or only from one side, is open. Ends beyond the limits of an attribute are
        allowed as long as something remains within them.
        """
        lows, highs = np.full(len(self), -math.inf), np.full(len(self), math.inf)
        dimension = {name: i for i, name in enumerate(self)}
        for condition in read_conditions(where, self):
            at = dimension[condition.attribute]
            low, high = self._range(condition)
            lows[at], highs[at] = max(lows[at], low), min(highs[at], high)
        for at, (name, attribute) in enumerate(self.items()):
            least, most = attribute.domain
            if lows[at] > highs[at]:
                shown = attribute.show(lows[at]), attribute.show(highs[at])
                raise ContentError(f"{name}: nothing is at least {shown[0]} and at most {shown[1]}; the range is empty")
            if lows[at] > most or highs[at] < least:
                limits = f"{attribute.show(least)} to {attribute.show(most)}"
                raise ContentError(f"{name}: the range lies outside of {limits}; no event can be there")
        return Box(lows, highs)

    def _range(self, condition: Condition) -> tuple[float, float]:
        """The values that one condition allows. Without the end itself: up to the nearest number beside it."""
        name, comparison, value = condition
        attribute = self[name]
        if isinstance(attribute, Category) and comparison != "=":
            raise ContentError(f"{name} is a category: it can be = a value, not {comparison}")
        end = _coordinate(name, attribute, value)
        ranges = {
            "=": (end, end),
            "<=": (-math.inf, end),
            ">=": (end, math.inf),
            "<": (-math.inf, math.nextafter(end, -math.inf)),
            ">": (math.nextafter(end, math.inf), math.inf),
        }
        return ranges[comparison]

    def point(self, event: Mapping[str, object]) -> npt.NDArray[np.float64]:
        """The point of one event, which needs a value within the limits for every attribute; others are ignored."""
        point = np.empty(len(self))
        for at, (name, attribute) in enumerate(self.items()):
            value = event.get(name)
            if value is None:
                raise ContentError(f"the event has no {name!r}; {did_you_mean(name, event)}")
            point[at] = _coordinate(name, attribute, value)
            _require_within(name, attribute, point[at])
        return point

    def points(self, events: pa.Table, ids: Sequence[object] | None = None) -> Points:
        """The points of many events: an Arrow table with a column per attribute. Errors name the event by `ids`."""
        points = np.empty((events.num_rows, len(self)))
        for at, (name, attribute) in enumerate(self.items()):
            if name not in events.column_names:
                raise ContentError(f"the events have no column {name!r}; {did_you_mean(name, events.column_names)}")
            column = events[name]
            points[:, at] = attribute.coordinates(column)
            least, most = attribute.domain
            wrong = np.flatnonzero(~((points[:, at] >= least) & (points[:, at] <= most)))
            if wrong.size:
                row = int(wrong[0])
                which = f"event {row}" if ids is None else f"event {ids[row]!r}"
                self._explain(which, name, column[row].as_py())
        return points

    def _explain(self, which: str, name: str, value: object) -> None:
        """Raise the error that the single call would."""
        if value is None:
            raise ContentError(f"{which} has no {name}")
        _require_within(f"{which}: {name}", self[name], _coordinate(f"{which}: {name}", self[name], value))

    def grid(self, curve: Curve) -> Grid:
        """The space cut into the cells of a curve. A category takes one cell per value."""
        if curve.dimensions != len(self):
            raise ContentError(f"a curve of {curve.dimensions} dimensions for {len(self)} attributes")
        cells = 2.0**curve.bits
        origin, span = np.empty(len(self)), np.empty(len(self))
        discrete = np.array([isinstance(attribute, Category) for attribute in self.values()])
        for at, (name, attribute) in enumerate(self.items()):
            least, most = attribute.domain
            if isinstance(attribute, Category) and len(attribute.values) > cells:
                raise ContentError(f"{name} has {len(attribute.values)} values, more than {cells:.0f} cells; more bits")
            origin[at], span[at] = (0.0, cells) if isinstance(attribute, Category) else (least, most - least)
        return Grid(curve, origin, span, discrete)


def schema_from(description: Mapping[str, Any]) -> Schema:
    """A schema from what TOML or JSON say: {"attributes": {"focal": {"type": "number", "min": 8, "max": 400}}}."""
    tables = description.get("attributes")
    if not isinstance(tables, Mapping) or not tables:
        raise ContentError("a schema needs a table [attributes.NAME] per attribute")
    return Schema({name: _attribute(name, table) for name, table in tables.items()})


def _attribute(name: str, table: object) -> Attribute:
    where = f"[attributes.{name}]"
    if not isinstance(table, Mapping):
        raise ContentError(f"{where} must be a table with type = ..., got {table!r}")
    kind = table.get("type")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ContentError(f"{where} has the type {kind!r}; {did_you_mean(str(kind), _KINDS)}")
    for key in table:
        if key not in ("type", *_KINDS[kind]):
            raise ContentError(f"{where} has {key!r}; {did_you_mean(key, ('type', *_KINDS[kind]))}")
    for key in _KINDS[kind]:
        if key not in table:
            raise ContentError(f"{where} lacks {key!r}; a {kind} needs {' and '.join(_KINDS[kind])}")
    try:
        if kind == "category":
            if not isinstance(table["values"], list | tuple):
                raise ContentError(f"values must be a list of words, got {table['values']!r}")
            return Category(tuple(table["values"]))
        return Number(table["min"], table["max"]) if kind == "number" else Time(table["min"], table["max"])
    except ContentError as error:
        raise ContentError(f"{where}: {error}") from None


def _coordinate(name: str, attribute: Attribute, value: object) -> float:
    try:
        return attribute.coordinate(value)
    except ContentError as error:
        raise ContentError(f"{name}: {error}") from None


def _require_within(name: str, attribute: Attribute, coordinate: float) -> None:
    least, most = attribute.domain
    if not least <= coordinate <= most:
        limits = f"{attribute.show(least)} to {attribute.show(most)}"
        raise ContentError(f"{name} = {attribute.show(coordinate)} lies outside of {limits}")
