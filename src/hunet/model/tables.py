"""The tables that rooms hand to each other: names, columns and types, as Arrow schemas.

Times are seconds (float64), distances metres, node ids dense integers from 0. On disk every table is Parquet.
"""

from __future__ import annotations

import pyarrow as pa

CONTACTS = pa.schema([("a", pa.int32()), ("b", pa.int32()), ("start", pa.float64()), ("end", pa.float64())])
"""One meeting of two nodes: a < b; those of a pair are disjoint. Traces have them by (start, a, b)."""

NODES = pa.schema([("node", pa.int32()), ("name", pa.string()), ("kind", pa.string()), ("class", pa.string())])
"""name: the id in the original data; kind: internal or external; class: group given by the data, or null."""

POSITIONS = pa.schema([("node", pa.int32()), ("t", pa.float64()), ("x", pa.float64()), ("y", pa.float64())])

SPANS = pa.schema(
    [
        ("a", pa.int32()),
        ("b", pa.int32()),
        ("contacts", pa.int64()),
        ("total", pa.float64()),
        ("first", pa.float64()),
        ("last", pa.float64()),
        ("window_start", pa.float64()),
        ("window_end", pa.float64()),
    ]
)
"""One row per pair that met and window: how often, how long together, when first and until when last, within it."""

PAIRS = pa.schema(
    [
        ("a", pa.int32()),
        ("b", pa.int32()),
        ("contacts", pa.int64()),
        ("total", pa.float64()),
        ("mean_gap", pa.float64()),
        ("closeness", pa.float64()),
        ("window_start", pa.float64()),
        ("window_end", pa.float64()),
        ("boundary", pa.string()),
        ("sigma", pa.float64()),
    ]
)
"""One row per pair that met and setting (window, boundary reading AMB-40, sigma); closeness is Eq. 1 of MOPS."""

NODE_FACTS = pa.schema([("node", pa.int32()), ("degree", pa.int64()), ("contacts", pa.int64())])
"""degree: whom a node met, each counted once; contacts: how often it met anybody."""

LINKS = pa.schema(
    [
        ("a", pa.int32()),
        ("b", pa.int32()),
        ("closeness", pa.float64()),
        ("hops", pa.int32()),
        ("via", pa.list_(pa.int32())),
    ]
)
"""The best path of at most k hops between two nodes: product of closeness, hops, and the nodes in between."""

COMMUNITIES = pa.schema(
    [
        ("node", pa.int32()),
        ("community", pa.int32()),
        ("role", pa.string()),
        ("round", pa.int32()),
        ("degree", pa.float64()),
    ]
)
"""Each node's community, named by the node that formed it, and in which round; degree: the sum of its closeness.
role: member, gateway (it has an edge into another community) or broker (a gateway that was not pruned)."""

FORMATION = pa.schema(
    [
        ("community", pa.int32()),
        ("round", pa.int32()),
        ("degree", pa.float64()),
        ("neighbours", pa.int32()),
        ("cliques", pa.int32()),
        ("size", pa.int32()),
        ("ncut", pa.float64()),
    ]
)
"""How a community was formed: the initiator's degree and local neighbours then, cliques it tried, the one it chose."""

GATEWAYS = pa.schema(
    [
        ("node", pa.int32()),
        ("community", pa.int32()),
        ("towards", pa.int32()),
        ("edges", pa.int32()),
        ("betweenness", pa.float64()),
        ("above", pa.float64()),
        ("broker", pa.bool_()),
    ]
)
"""A node with edges into another community: its betweenness (Eq. 7 of MOPS), that of all above it, and if it stays."""

BRIDGES = pa.schema(
    [
        ("community", pa.int32()),
        ("towards", pa.int32()),
        ("edges", pa.int32()),
        ("gateways", pa.int32()),
        ("brokers", pa.list_(pa.int32())),
    ]
)
"""From one community to another: edges, how many gateways have one, and which of them are its brokers that way."""

MESSAGES = pa.schema(
    [
        ("source", pa.int32()),
        ("created", pa.float64()),
        ("tags", pa.list_(pa.string())),
        ("size", pa.int64()),
        ("ttl", pa.float64()),
    ]
)
"""A workload's messages in order of creation; the row is the message's number. ttl: null for the workload's default."""

INTERESTS = pa.schema(
    [
        ("node", pa.int32()),
        ("tag", pa.string()),
        ("from", pa.float64()),
        ("until", pa.float64()),
        ("level", pa.float64()),
        ("hops", pa.int32()),
    ]
)
"""Who wants what, from a time on and until before another; minus and plus infinity for always. How much, above 0 to 1,
and over how many hops at most, 0 for any number."""

MEASURES = pa.schema([("run", pa.string()), ("measure", pa.string()), ("value", pa.float64())])
"""What runs measured, in long form; NaN for a measure that has no meaning in a run."""
