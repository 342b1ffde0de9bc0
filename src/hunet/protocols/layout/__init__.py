"""What a digest or a hello consists of, as data: its record, size, bytes and cost all follow from one list of parts.

    DIGEST = layout(bloom("genuine", answers="answers"), counters("relay"))

The record is a NamedTuple of arrays, one for every name and in this order: `tell` fills `digest.genuine`. Each part
brings its bytes together with their number, so that a size cannot differ from what is sent.
"""

from hunet.protocols.layout.arrays import array, bloom, counters, local, number, positions
from hunet.protocols.layout.layouts import NOTHING, Layout, layout
from hunet.protocols.layout.lists import values, weights
from hunet.protocols.layout.part import Part, repeat, when

__all__ = [
    "NOTHING",
    "Layout",
    "Part",
    "array",
    "bloom",
    "counters",
    "layout",
    "local",
    "number",
    "positions",
    "repeat",
    "values",
    "weights",
    "when",
]
