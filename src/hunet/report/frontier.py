"""A picture of frontiers: what share of an epidemic's deliveries protocols make for what share of its transfers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure

from hunet.report.style import INK, PALETTE, axes_in_house_style, new_figure

__all__ = ["draw_frontier"]


def draw_frontier(rows: Sequence[Mapping[str, Any]], bound: str) -> Figure:
    """A panel per trace. Rows have trace, protocol (NAME, or NAME:setting=value), delivered and transfers, as shares.

    Points of one protocol with different settings are joined by a line; `bound` is the one that is no protocol.
    """
    traces = list(dict.fromkeys(row["trace"] for row in rows))
    names = list(dict.fromkeys(str(row["protocol"]).partition(":")[0] for row in rows))
    varied = [name for name in names if any(str(row["protocol"]).startswith(f"{name}:") for row in rows)]
    columns = min(2, len(traces))
    figure = new_figure(5.5 * columns, 4.2 * -(-len(traces) // columns))
    panels = figure.subplots(-(-len(traces) // columns), columns, squeeze=False).ravel()
    for panel, trace in zip(panels, traces, strict=False):
        some = [row for row in rows if row["trace"] == trace]
        for number, name in enumerate(varied):
            line = sorted(
                (row["transfers"], row["delivered"]) for row in some if str(row["protocol"]).partition(":")[0] == name
            )
            panel.plot(*zip(*line, strict=True), "o-", color=PALETTE[number], markersize=4, label=name)
        for row in some:
            name = str(row["protocol"])
            if name.partition(":")[0] not in varied:
                colour = PALETTE[len(varied)] if name == bound else "#777777"
                panel.plot(
                    row["transfers"],
                    row["delivered"],
                    "*" if name == bound else "o",
                    color=colour,
                    markersize=9 if name == bound else 4,
                )
                panel.annotate(
                    name,
                    (row["transfers"], row["delivered"]),
                    (4, -9),
                    textcoords="offset points",
                    fontsize=7,
                    color=INK,
                )
        panel.set_xlim(0, 1.05)
        panel.set_ylim(0, 1.05)
        axes_in_house_style(panel, trace, "transfers, as a share of PUSH's", "deliveries, as a share of PUSH's")
    panels[0].legend(loc="lower right", frameon=False)
    return figure
