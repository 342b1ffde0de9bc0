"""A picture of the community graph: who belongs together, who leads from one community to another."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from hunet.report.style import INK, PALETTE, new_figure

__all__ = ["draw_communities"]

MOST = 60
LINES = 150
"""More communities or lines than this are not told apart by eye: the largest are drawn."""

Points = npt.NDArray[np.float64]

_COLOURS = {"member": PALETTE[5], "gateway": PALETTE[3], "broker": PALETTE[1]}
_WORDS = {"member": "without an edge across", "gateway": "other gateways", "broker": "brokers"}
_GOLDEN = math.pi * (3 - math.sqrt(5))


def draw_communities(title: str, communities: pa.Table, bridges: pa.Table, names: list[str]) -> Figure:
    """Each community a disc with its members, joined by lines that are wider the more edges lead across.

    `communities` (COMMUNITIES with roles) and `bridges` (BRIDGES) are stages of the social structure; `names` are the
    nodes' own. A community bears the name of the node that formed it.
    """
    label = communities["community"].to_numpy()
    found, sizes = np.unique(label, return_counts=True)
    order = np.argsort(-sizes, kind="stable")[:MOST]
    drawn, radius = found[order].tolist(), np.sqrt(sizes[order]) + 0.6
    edges = _edges_between(drawn, bridges)
    centre = _layout(radius, edges)
    figure = new_figure(9.0, 7.0)
    axes = figure.subplots()
    axes.set_title(title, loc="left", fontsize=11, color=INK, fontweight="bold")
    axes.set_axis_off()
    axes.set_aspect("equal")
    pairs = np.argwhere(np.triu(edges) > 0)
    pairs = pairs[np.argsort(-edges[pairs[:, 0], pairs[:, 1]], kind="stable")[:LINES]]
    widths = 0.4 + 3.6 * np.sqrt(edges[pairs[:, 0], pairs[:, 1]] / max(1.0, edges.max(initial=1.0)))
    lines = LineCollection(list(centre[pairs]), linewidths=widths.tolist(), colors="#c3ccd5", zorder=1)
    axes.add_collection(lines)
    discs = EllipseCollection(2 * radius, 2 * radius, np.zeros(len(drawn)), units="xy", offsets=centre,
                              offset_transform=axes.transData, facecolors="#eaf3f8", edgecolors=PALETTE[0],
                              linewidths=1.0, zorder=2)  # fmt: skip
    axes.add_collection(discs)
    size = min(40.0, 4000.0 / max(1, int(sizes[order].sum())) + 4)
    role = communities["role"].to_numpy(zero_copy_only=False)
    for place, one in enumerate(drawn):
        # Brokers sit at the rim, where the lines arrive; plain members in the midst.
        inside = sorted(np.flatnonzero(label == one).tolist(), key=lambda node: list(_COLOURS).index(role[node]))
        spots = centre[place] + _sunflower(len(inside))
        axes.scatter(
            spots[:, 0], spots[:, 1], s=size, c=[_COLOURS[role[node]] for node in inside], linewidths=0, zorder=3
        )
        axes.annotate(names[one], centre[place] + [0, radius[place]], xytext=(0, 2), textcoords="offset points",
                      ha="center", va="bottom", fontsize=8, color=INK, zorder=4)  # fmt: skip
    low, high = (centre - radius[:, None]).min(axis=0) - 0.5, (centre + radius[:, None]).max(axis=0) + 1.5
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    _explain(figure, role, found.size)
    return figure


def _edges_between(drawn: list[int], bridges: pa.Table) -> Points:
    """How many edges join two of the communities drawn; the table has each pair of communities both ways."""
    place = {one: number for number, one in enumerate(drawn)}
    edges = np.zeros((len(drawn), len(drawn)))
    for own, towards, count in zip(*(bridges[name].to_pylist() for name in ("community", "towards", "edges")),
                                   strict=True):  # fmt: skip
        if own in place and towards in place:
            edges[place[own], place[towards]] = count
    return edges


def _layout(radius: Points, edges: Points, steps: int = 300) -> Points:
    """Centres by springs: joined communities attract, all repel, discs that overlap push each other apart."""
    count = radius.size
    angle = _GOLDEN * np.arange(count)
    centre: Points = (
        np.stack((np.cos(angle), np.sin(angle)), axis=1) * (np.sqrt(np.arange(count)) * 2 * radius.max())[:, None]
    )
    pull = np.log1p(edges) / max(1.0, float(np.log1p(edges.max(initial=1.0))))
    room = radius[:, None] + radius[None, :] + 1.2
    for step in range(2 * steps):
        away = centre[:, None, :] - centre[None, :, :]
        distance = np.maximum(np.hypot(away[..., 0], away[..., 1]), 1e-6)
        overlap = np.maximum(room - distance, 0.0)
        np.fill_diagonal(overlap, 0.0)
        if step < steps:
            force = 4 * room / distance**2 - 0.06 * pull * np.maximum(distance - room, 0) - 0.004 * distance / room
            np.fill_diagonal(force, 0.0)
            most = 3.0 * (1 - step / steps)
        else:
            force, most = np.zeros_like(distance), np.inf  # in the end, only make room
        move = (np.where(overlap > 0, 0.5 * overlap, force) / distance)[..., None] * away
        centre = centre + np.clip(0.5 * move.sum(axis=1), -most, most)
    return centre


def _sunflower(count: int) -> Points:
    """So many points evenly within a disc of radius sqrt(count), from the middle outwards."""
    place = np.arange(count)
    far = np.sqrt(place + 0.5) if count > 1 else np.zeros(1)
    return np.stack((np.cos(_GOLDEN * place) * far, np.sin(_GOLDEN * place) * far), axis=1)


def _explain(figure: Figure, role: npt.NDArray[np.object_], communities: int) -> None:
    """Below the picture: how many of each role there are, what a line is, and what was left out."""
    handles: list[Line2D] = []
    for name, colour in _COLOURS.items():
        if count := int((role == name).sum()):
            text = f"{_WORDS[name]}: {count:,}"
            handles.append(Line2D([], [], color=colour, marker="o", linestyle="", markersize=6, label=text))
    handles.append(Line2D([], [], color="#c3ccd5", linewidth=3, label="edges across, wider if more"))
    left_out = (
        f"the largest {MOST} of {communities:,} communities, {LINES} widest lines" if communities > MOST else None
    )
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=9, labelcolor=INK,
                  title=left_out, title_fontsize=9)  # fmt: skip
