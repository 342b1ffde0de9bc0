"""What messages and subscriptions say when tags are not enough: events are points, subscriptions are ranges.

`Schema` turns events into points and subscriptions into boxes; `Matcher` finds the subscriptions that an event
matches, exactly or by ZigZag's approximations (`ZigZag`). Beneath lie the curves that number the cells of a grid
(`curves`), boxes to intervals (`cover`), the transformations and their errors (`transform`), and the index that finds
the boxes of a point (`stab_tree`).

This room knows no device, no contact, no clock and no protocol. Only `files` touches the disk.
"""

from hunet.content.attributes import Category, Number, Time
from hunet.content.curves import Curve, hilbert, z_order
from hunet.content.matching import Matcher, Matches
from hunet.content.schema import Box, Schema, schema_from
from hunet.content.zigzag import ZigZag

__all__ = [
    "Box",
    "Category",
    "Curve",
    "Matcher",
    "Matches",
    "Number",
    "Schema",
    "Time",
    "ZigZag",
    "hilbert",
    "schema_from",
    "z_order",
]
