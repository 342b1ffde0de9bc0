"""Workloads of ranges: messages are points of a content space, subscriptions are boxes in it.

One content becomes messages and interests with tags in two ways. As `points`, every message has a tag of its own, nodes
want exactly the points in their boxes, and the cells of boxes travel beside (`Ranges`): for ZigZag. As `cells`, a
message's tag is its cell and a node wants every cell its boxes touch: for protocols that only know tags, which so
deliver a little too much. Messages have the same numbers in both.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.content import Category, Matcher, Number, Schema, z_order
from hunet.content.grid import Grid, Points
from hunet.content.transform import inclusive
from hunet.model.errors import InvalidValueError
from hunet.model.names import choose, one_of
from hunet.model.tables import INTERESTS
from hunet.protocols.protocol import Ranges
from hunet.sim.workload.generate import MessageSettings, draw_messages, people_and_time, stream
from hunet.sim.workload.tag_pool import TagPool, zipf_pool
from hunet.sim.workload.workload import Workload

__all__ = ["CAMERA_MARKET", "SPREADS", "Content", "RangeSettings", "draw_content", "generate_ranges"]

Ints = npt.NDArray[np.int64]

CAMERA_MARKET = Schema(
    brand=Category(("Canon", "Nikon", "Sony", "Fujifilm", "Pentax", "Leica", "Sigma", "Tamron")),
    focal=Number(8, 400),
    price=Number(0, 2000),
)
"""Second-hand lenses: brand, focal length in mm, price."""

_LEAST, _MOST = np.array([attribute.domain for attribute in CAMERA_MARKET.values()]).T
_IS_RANGE = np.array([not isinstance(attribute, Category) for attribute in CAMERA_MARKET.values()])
_MESSAGES = MessageSettings(every=4 * 3600.0)
_PLACES = 6
_NEAR = 0.08  # standard deviation around a popular place, as a share of the range

SPREADS = {"uniform": 0.0, "gaussian": 0.0, "zipf": 1.0}
"""How content lies in its space, with the exponent by which some brands and places are more popular than others:
uniform; around a few popular places (a mixture of normal distributions); the same with unequal popularity."""


@dataclass(frozen=True)
class RangeSettings:
    """Who publishes and wants what, over the camera market."""

    name: str
    tags: str = "points"
    """What tags are: `points` or `cells`."""
    spread: str = "gaussian"
    per_node: int = 2
    """Subscriptions of each node: one brand, and ranges of the other attributes."""
    widest: float = 0.5
    """Widths of ranges are uniform between 0 and this share of an attribute."""
    bits: int = 4
    """Of the grid that all know: 2^bits cells per attribute."""
    messages: MessageSettings = _MESSAGES
    ttl: float = 10 * 3600.0

    def __post_init__(self) -> None:
        one_of("kind of tags", self.tags, ("points", "cells"))
        choose("spread", self.spread, SPREADS)
        if self.per_node < 0:
            raise InvalidValueError(f"subscriptions per node {self.per_node} is below 0")
        if not 0 <= self.widest <= 1:
            raise InvalidValueError(f"widest range {self.widest:g}: give a share of the attribute, from 0 to 1")


@dataclass(frozen=True)
class Content:
    """What is published and wanted, before it becomes tags."""

    messages: pa.Table
    """MESSAGES in order of creation; their tags say nothing yet."""
    points: Points
    """Of each message."""
    node: Ints
    """Of each subscription."""
    lows: Points
    highs: Points
    grid: Grid

    @property
    def wanted(self) -> tuple[Ints, Ints]:
        """Every (message, node) for which the point lies in a box of the node; exactly, each once, in order."""
        matcher = Matcher(CAMERA_MARKET)
        matcher.add_boxes(range(len(self.node)), self.lows, self.highs)
        offsets, boxes = matcher.find(self.points)
        pairs = np.column_stack((np.repeat(np.arange(len(self.points)), np.diff(offsets)), self.node[boxes]))
        message, node = np.unique(pairs, axis=0).T if len(pairs) else np.empty((2, 0), np.int64)
        return message, node

    @property
    def cell(self) -> list[str]:
        """The number of the cell of each message."""
        return [str(number) for number in self.grid.curve.ids(self.grid.cells(self.points))]

    @property
    def cells(self) -> tuple[Ints, Ints]:
        """Every (box, cell) that touch each other, by box."""
        covers = self.grid.curve.cover(*inclusive(self.grid, self.lows, self.highs).boxes())
        return np.repeat(np.arange(len(self.node)), covers.points.astype(np.int64)), covers.numbers().astype(np.int64)

    @property
    def covered(self) -> tuple[Ints, Ints]:
        """Every (node, cell) for which a box of the node touches the cell, each once, in order."""
        box, cell = self.cells
        pairs = np.unique(np.column_stack((self.node[box], cell)), axis=0)
        return pairs[:, 0], pairs[:, 1]


def draw_content(settings: RangeSettings, contacts: pa.Table, seed: int) -> Content:
    """Messages and subscriptions by chance; `settings.tags` plays no part in it."""
    people = people_and_time(contacts)
    any_tag = TagPool(("point",), (1.0,))
    messages = draw_messages(settings.messages, any_tag, people, seed)
    messages = messages.sort_by([("created", "ascending"), ("source", "ascending")])
    places = _LEAST + stream(seed, "popular places").random((_PLACES, len(_LEAST))) * (_MOST - _LEAST)
    points = _draw(settings.spread, places, messages.num_rows, stream(seed, "points"))
    chance = stream(seed, "subscriptions")
    node = np.repeat(people.node, settings.per_node)
    centre = _draw(settings.spread, places, len(node), chance)
    half = chance.random(centre.shape) * settings.widest * (_MOST - _LEAST) / 2 * _IS_RANGE
    grid = CAMERA_MARKET.grid(z_order(len(CAMERA_MARKET), settings.bits))
    return Content(messages, points, node, np.maximum(centre - half, _LEAST), np.minimum(centre + half, _MOST), grid)


def _draw(spread: str, places: Points, count: int, chance: np.random.Generator) -> Points:
    """Points of the camera market."""
    if spread == "uniform":
        points = _LEAST + chance.random((count, len(_LEAST))) * (_MOST - _LEAST)
    else:
        at = zipf_pool(len(places), SPREADS[spread]).draw(chance, count).ravel()
        points = chance.normal(places[at], _NEAR * (_MOST - _LEAST))
    for i, attribute in enumerate(CAMERA_MARKET.values()):
        if isinstance(attribute, Category):
            points[:, i] = zipf_pool(len(attribute.values), SPREADS[spread]).draw(chance, count).ravel()
    clipped: Points = np.clip(points, _LEAST, _MOST)
    return clipped


def generate_ranges(settings: RangeSettings, contacts: pa.Table, seed: int) -> Workload:
    """The workload of these settings on a trace."""
    if seed < 0:
        raise InvalidValueError(f"seed {seed} is below its limit 0")
    content = draw_content(settings, contacts, seed)
    made = _as_points(content) if settings.tags == "points" else _as_cells(content)
    tags, tag_of_message, interests, ranges = made
    lists = pa.array([[tag] for tag in tag_of_message], pa.list_(pa.string()))
    messages = content.messages.set_column(content.messages.column_names.index("tags"), "tags", lists)
    origin = {"seed": seed, "ranges": asdict(settings)}
    return Workload(settings.name, messages, interests, tags, settings.ttl, origin=origin, ranges=ranges)


def _as_points(content: Content) -> tuple[tuple[str, ...], list[str], pa.Table, Ranges]:
    tags = [f"point-{i}" for i in range(len(content.points))]
    message, node = content.wanted
    subscriptions: list[list[str]] = [[] for _ in content.node]
    for box, cell in zip(*content.cells, strict=True):
        subscriptions[box].append(str(cell))
    wanted: dict[int, list[list[str]]] = {}
    for owner, cells in zip(content.node.tolist(), subscriptions, strict=True):
        wanted.setdefault(owner, []).append(cells)
    return tuple(tags), tags, _interests(node, [tags[m] for m in message]), Ranges(content.cell, wanted)


def _as_cells(content: Content) -> tuple[tuple[str, ...], list[str], pa.Table, None]:
    node, cell = content.covered
    return (), content.cell, _interests(node, [str(number) for number in cell]), None


def _interests(node: Ints, tags: list[str]) -> pa.Table:
    always = np.full(len(node), math.inf)
    level, hops = np.ones(len(node)), np.zeros(len(node), np.int32)
    names = pa.array(tags, pa.string())
    return pa.table([node.astype(np.int32), names, -always, always, level, hops], schema=INTERESTS)
