"""Pictures of MOPS' worked example: contacts of a pair and their gaps, and the neighbouring graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hunet.report.style import INK, PALETTE, axes_in_house_style, new_figure

__all__ = ["draw_graph", "draw_history"]

Edges = Mapping[tuple[int, int], float]


def draw_history(window: float, contacts: Sequence[tuple[float, float]], found: str, edges: Edges) -> Figure:
    """The contacts of a pair in the training window with the gaps between them, and the graph the pair belongs to."""
    figure = new_figure(11.0, 4.0)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.2))
    for start, end in contacts:
        left.barh(0, end - start, left=start, height=0.3, color=PALETTE[0])
    ends = [0.0, *(time for contact in contacts for time in contact), window]
    for start, end in zip(ends[::2], ends[1::2], strict=True):
        left.annotate("", (start, 0.35), (end, 0.35), arrowprops={"arrowstyle": "<->", "color": INK})
        left.text((start + end) / 2, 0.42, f"{end - start:g}", ha="center", color=INK)
    left.set_ylim(-0.6, 1.0)
    left.set_xlim(0, window)
    left.set_yticks([])
    axes_in_house_style(left, f"Contacts of 5 and 8, and the gaps: {found}", "time", "")
    left.spines["left"].set_visible(False)
    _draw_graph(right, "The neighbouring graph", edges, {}, {})
    return figure


def draw_graph(title: str, edges: Edges, community: Mapping[int, int], notes: Mapping[int, str]) -> Figure:
    """The example's graph, coloured by community, with a note beside some nodes."""
    figure = new_figure(7.0, 4.2)
    _draw_graph(figure.subplots(), title, edges, community, notes)
    return figure


_PLACES = {
    3: (0.0, 2.0),
    4: (0.0, 0.0),
    1: (1.1, 1.0),
    5: (2.2, 2.0),
    8: (2.2, 0.0),
    2: (3.7, 1.7),
    7: (4.6, 0.6),
    9: (5.8, 0.6),
    6: (6.7, 1.5),
}
"""Where the nodes of the paper's drawing stand here; its own coordinates are not in the text."""


def _draw_graph(axes: Axes, title: str, edges: Edges, community: Mapping[int, int], notes: Mapping[int, str]) -> None:
    labels = sorted(set(community.values()))
    for (a, b), closeness in edges.items():
        (x, y), (u, v) = _PLACES[a], _PLACES[b]
        axes.plot([x, u], [y, v], color="#aab6c2", linewidth=0.6 + 3 * closeness, zorder=1)
        axes.text((x + u) / 2, (y + v) / 2, f"{closeness:g}", fontsize=8, color=INK, ha="center", va="center",
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8}, zorder=2)  # fmt: skip
    for node, (x, y) in _PLACES.items():
        colour = PALETTE[labels.index(community[node]) % len(PALETTE)] if community else PALETTE[5]
        axes.plot([x], [y], "o", markersize=17, color=colour, zorder=3)
        axes.text(x, y, str(node), color="white", ha="center", va="center", fontweight="bold", zorder=4)
        if node in notes:
            axes.text(x, y + (0.3 if y > 1 else -0.45), notes[node], ha="center", color=INK, zorder=4)
    axes.set_title(title, loc="left", fontsize=11, color=INK, fontweight="bold")
    axes.set_axis_off()
    axes.set_xlim(-0.5, 7.2)
    axes.set_ylim(-0.5, 2.7)
