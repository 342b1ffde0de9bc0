"""The figures of [zigzag] as plots: lines with the limits of their means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from matplotlib.figure import Figure as Picture

from hunet.report.ranges import Line, draw_lines, draw_panels
from hunet.studies.tables import Table

__all__ = [
    "draw_filter_insertions",
    "draw_filter_rates",
    "draw_growth",
    "draw_insertions",
    "draw_points",
    "draw_queries",
    "draw_rates",
]


def _lines(table: Table, by: Callable[[dict[str, Any]], str], x: str, y: str) -> Mapping[str, Line]:
    """With limits where the table has them: means over seeds."""
    lines: dict[str, Line] = {}
    for row in table:
        line = lines.setdefault(by(row), Line([], [], [], []))
        line.xs.append(row[x])
        line.ys.append(row[y])
        if f"{y}_lo" in row:
            line.lows.append(row[f"{y}_lo"])
            line.highs.append(row[f"{y}_hi"])
    return lines


def draw_points(table: Table) -> Picture:
    """ZZ-T1, with the printed values."""
    lines = _lines(table, lambda row: f"{row['curve']}, widths {row['workload']}", "dim", "points_per_interval")
    printed = Line([2, 3, 4], [6.18, 6.25, 6.52], [], [])
    return draw_lines("Cells per interval", "dimensions", "cells per interval", {**lines, "printed": printed})


def draw_insertions(table: Table) -> Picture:
    """ZZ-F3a."""
    lines = _lines(table, lambda row: row["method"], "dim", "t_total")
    return draw_lines("Transforming and inserting a subscription", "dimensions", "CPU microseconds", lines)


def draw_filter_insertions(table: Table) -> Picture:
    """ZZ-F3b."""
    lines = _lines(table, lambda row: row["structure"] + (f", k = {row['k']}" if row["k"] else ""), "dim", "t_insert")
    return draw_lines("Inserting a transformed subscription", "dimensions", "CPU microseconds", lines)


def draw_queries(table: Table) -> Picture:
    """ZZ-F3c."""
    lines = _lines(table, lambda row: row["structure"] + (f", k = {row['k']}" if row["k"] else ""), "cells", "t_query")
    return draw_lines(
        "One event against 100 subscriptions of 4 attributes", "cells per dimension", "CPU microseconds", lines
    )


def draw_growth(table: Table) -> Picture:
    """ZZ-F4."""
    last = {(row["dim"], row["curve"]): row["slope"] for row in table}
    lines = _lines(
        table,
        lambda row: f"{row['dim']}D {row['curve']}, slope {last[row['dim'], row['curve']]:.1f}",
        "cells",
        "intervals",
    )
    return draw_lines("Intervals per subscription", "cells per dimension", "intervals", lines)


def draw_rates(table: Table) -> Picture:
    """ZZ-F5: a panel per workload, with the 3 % of the paper."""
    panels = {
        f"Widths {workload}": _lines(
            [row for row in table if row["workload"] == workload], lambda row: f"{row['dim']}D", "cells", "p_t"
        )
        for workload in dict.fromkeys(row["workload"] for row in table)
    }
    return draw_panels(panels, "cells per dimension", "false-positive rate P_T", reference=0.03)


def draw_filter_rates(table: Table) -> Picture:
    """ZZ-F6, with the 1.6 % of the paper."""
    rows = [row for row in table if row["extra_fpr_measured"] > 0]
    lines = _lines(rows, lambda row: f"{row['dim']}D {row['sizing']}, {row['workload']}", "cells", "extra_fpr_measured")
    return draw_lines(
        "What Bloom filters add", "cells per dimension", "extra false-positive rate", lines, reference=0.016
    )
