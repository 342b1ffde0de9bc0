"""ZigZag's claims, judged by the computed tables and by simulation; `relations` has those that need neither."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from hunet.studies.claims.judging import Found, Judge, Parts, each, everywhere
from hunet.studies.claims.verdict import Beside, Verdict
from hunet.studies.papers.evidence import COLUMNS, Evidence, judge_all
from hunet.studies.papers.measured import Measured
from hunet.studies.tables import Table

__all__ = ["BY_TABLE", "verdicts"]

Findings: TypeAlias = dict[str, Found]
"""By the id of the claim."""

_STATED, _MEAN, _WIDE = "U[0,1/100]", "U[0,2/100]", "U[0,1]"
_D = (2, 3, 4)


def verdicts(tables: Mapping[str, Table], measured: Measured) -> list[Verdict]:
    """The claims that tables and simulations decide."""
    by_table = [judge(tables[name]) for name, judge in BY_TABLE.items()]
    alone = [found.verdict(claim) for part in by_table for claim, found in part.items()]
    evidence = Evidence(measured.on, tables, pd.DataFrame(columns=COLUMNS))
    routed = _routing(measured)
    judges: list[Judge[Evidence]] = [Judge(claim, partial(_as_found, found)) for claim, found in routed.items()]
    return [*alone, *judge_all(judges, evidence)]


def _as_found(found: Found, _evidence: Evidence) -> Found:
    return found


def _row(table: Table, **where: Any) -> dict[str, Any]:
    return next(row for row in table if all(row[name] == value for name, value in where.items()))


def _values(table: Table, column: str, **where: Any) -> list[float]:
    """One value per dimension."""
    return [float(_row(table, dim=d, **where)[column]) for d in _D]


def _drawing(table: Table) -> Findings:
    ids = [row["id"] for row in table if row["level"] == 1]
    return {"ZZ-02": Found.of(sorted(ids) == list(range(16)), f"{len(set(ids))} of 16")}


def _points(table: Table) -> Findings:
    stated, fixed, mean = (
        _values(table, "points_per_interval", workload=widths, curve="z-order") for widths in (_STATED, "1/100", _MEAN)
    )
    printed = np.array([6.18, 6.25, 6.52])
    spread = max(max(values) / min(values) for values in (stated, fixed, mean))
    found = {
        f"{number:g} in {d} dimensions with the stated widths, within 5 %": (
            abs(one / number - 1) <= 0.05,
            f"{one:.2f}",
        )
        for d, number, one in zip(_D, printed, stated, strict=True)
    }
    wider = Found.all({"": (np.allclose(mean, printed, rtol=0.05), each(mean, ".2f"))})
    return {
        "ZZ-12": Found.all(found)._replace(
            readings=(Beside("widths with a mean of 1/100 (ERR-25)", wider.word, wider.measured),)
        ),
        "ZZ-13": Found.of(spread < 1.15, f"largest by smallest: {spread:.2f}"),
    }


def _insertions(table: Table) -> Findings:
    def time(method: str, d: int) -> float:
        row = _row(table, method=method, dim=d)
        return float(row["t_transform"] + row["t_insert"])

    mics = [time("MICS", d) / time("ZigZag", d) for d in _D]
    alone = [
        _row(table, method="MICS", dim=d)["t_transform"] / _row(table, method="ZigZag", dim=d)["t_transform"]
        for d in _D
    ]
    two_levels = [time("ZigZagH", d) / time("ZigZag", d) for d in _D]
    intervals = _values(table, "n_intervals", method="ZigZag")
    seconds = np.log(_values(table, "t_transform", method="ZigZag"))
    slope, straight = float(np.polyfit(_D, seconds, 1)[0]), float(np.corrcoef(_D, seconds)[0, 1] ** 2)
    kilobytes = [100 * 8 * count / 1e3 for count in intervals]
    slower = f"{each(mics, '.2f')} times; it inserts fewer intervals"
    return {
        "ZZ-21": Found.all(
            {
                "MICS takes longer to transform and insert, in every dimension": (min(mics) > 1, slower),
                "and to transform alone": (min(alone) > 1, f"{each(alone, '.2f')} times"),
            }
        ),
        "ZZ-22": Found.of(min(two_levels) > 1 and max(two_levels) < 2, f"{each(two_levels, '.2f')} times"),
        "ZZ-24": Found.of(
            slope > 0 and straight > 0.95,
            f"{np.exp(slope):.1f} times per dimension; the logarithm of time lies on a line, R^2 = {straight:.2f} "
            f"(asked: 0.95); intervals {each(intervals, '.0f')}",
        ),
        "ZZ-29": Found.of(max(kilobytes) < 1000, f"{each(kilobytes, '.0f')} KB (asked: below 1 MB)"),
    }


def _filter_insertions(table: Table) -> Findings:
    trees = _values(table, "t_insert", structure="interval tree")
    filters = _values(table, "t_insert", structure="Bloom filter", k=3)
    ratio = [f / t for f, t in zip(filters, trees, strict=True)]
    found = f"filters take {each(ratio, '.2f')} times as long (k = 3; asked: 0.5 in 2D)"
    return {"ZZ-25": Found.of(ratio[0] < 0.5, found)}


def _queries(table: Table) -> Findings:
    most = max(row["cells"] for row in table)
    one, own = (
        _row(table, structure=f"{name}", cells=most)["t_query"] for name in ("one interval tree", "interval tree each")
    )
    three, five = (_row(table, structure="Bloom filter each", k=k, cells=most)["t_query"] for k in (3, 5))
    found = f"k = 3 {three:.2f} us, k = 5 {five:.2f}"
    return {
        "ZZ-26": Found.all(
            {
                "less than half of the time of a tree for each": (max(three, five) < 0.5 * own, f"{found}; {own:.2f}"),
                "and of one tree of all, searched once": (max(three, five) < 0.5 * one, f"{found}; {one:.2f}"),
            }
        )
    }


def _growth(table: Table) -> Findings:
    slopes, shares = [], []
    for d in _D:
        cells = max(row["cells"] for row in table if row["dim"] == d)
        slopes.append(float(_row(table, dim=d, cells=cells, curve="z-order")["slope"]))
        z, h = (
            _row(table, dim=d, cells=min(cells, 1024), curve=curve)["intervals"] for curve in ("z-order", "hilbert")
        )
        shares.append(float(h / z))
    return {
        "ZZ-27": Found.all(
            {
                f"a power of 3 +- 0.3 in {d} dimensions": (abs(slope - 3) < 0.3, f"{slope:.1f} (ERR-27)")
                for d, slope in zip(_D, slopes, strict=True)
            }
        ),
        "ZZ-28": Found.all(
            {
                f"0.9 to 1 of Z-order's in {d} dimensions": (0.9 < share < 1, f"{share:.2f} (ERR-28)")
                for d, share in zip(_D, shares, strict=True)
            }
        ),
    }


def _rates(table: Table) -> Findings:
    excess = _values(table, "eq1_mean", workload=_STATED, cells=1024)
    wide = {cells: _values(table, "p_t", workload=_WIDE, cells=cells) for cells in (64, 256, 1024)}
    stated = {cells: _values(table, "p_t", workload=_STATED, cells=cells) for cells in (256, 1024)}
    coarse = _row(table, dim=2, cells=256, workload=_STATED)
    coarse_rows = [row for row in table if row["cells"] <= 256]
    ordered = all(
        _row(coarse_rows, dim=2, cells=c, workload=w)["p_t"]
        < _row(coarse_rows, dim=3, cells=c, workload=w)["p_t"]
        < _row(coarse_rows, dim=4, cells=c, workload=w)["p_t"]
        for c, w in {(row["cells"], row["workload"]) for row in coarse_rows}
    )
    less = float(coarse["p_t_zigzagH"] / coarse["p_t"])
    return {
        "ZZ-06": Found.or_erratum(max(excess) <= 1, f"mean {each(excess, '.1f')}, ERR-23"),
        "ZZ-07": Found.of(all(row["eq2"] <= row["eq1_mean"] for row in table), f"in all of {len(table)} settings"),
        "ZZ-10": Found.of(
            less < 0.7 and all(row["p_t_zigzagH"] < row["p_t"] for row in table),
            f"{coarse['p_t']:.2f} to {coarse['p_t_zigzagH']:.2f} (256 cells, 2D, G = 8; asked: 0.7 times)",
        ),
        "ZZ-30": Found.all(
            {
                "above 10 % with 64 cells": (min(wide[64]) > 0.1, f"{each(wide[64], '.0%')} for widths up to 1"),
                "below with 256": (max(wide[256]) < 0.1, f"{each(wide[256], '.0%')}"),
                "below with 256 for the stated widths": (
                    max(stated[256]) < 0.1,
                    f"{each(stated[256], '.0%')}: they are hardly wider than a cell",
                ),
            }
        ),
        "ZZ-31": Found.all(
            {
                f"below 3 % in {d} dimensions with the stated widths": (rate < 0.03, f"{rate:.0%}")
                for d, rate in zip(_D, stated[1024], strict=True)
            }
        )._replace(
            readings=(
                Beside(
                    "widths up to the whole range (ERR-26)",
                    Found.of(max(wide[1024]) < 0.03, "").word,
                    each(wide[1024], ".1%"),
                ),
            )
        ),
        "ZZ-32": Found.of(ordered, "at 16 to 256 cells, both workloads"),
    }


def _filters(table: Table) -> Findings:
    pooled = max(row["extra_fpr_measured"] for row in table if row["sizing"] == "pooled" and row["cells"] == 1024)
    single = [row for row in table if row["sizing"] == "per_sub" and row["cells"] == 1024]
    mean, worst = (max(row[name] for row in single) for name in ("extra_fpr_measured", "extra_fpr_worst"))
    return {
        "ZZ-34": Found.all(
            {
                "at most 1.6 % with one filter of all": (pooled <= 0.016, f"{pooled:.1%}"),
                "with one each, on average": (mean <= 0.016, f"{mean:.1%}"),
                "and at worst": (worst <= 0.016, f"{worst:.0%}, where an interval is long"),
            }
        )
    }


def _routing(measured: Measured) -> Findings:
    """Judged where ZigZag delivers least: for every content, with the best of its lifetimes. ZZ-35, that simulations
    verify the design, is judged by the same runs: the text reports none (ERR-29)."""
    means = measured.runs
    delivered = means[means["measure"] == "delivery_ratio"]

    def parts(on: str) -> Parts:
        found = {}
        for spread, part in delivered[delivered["on"] == on].groupby("spread", sort=False):
            best = part.groupby("protocol")["mean"].max()
            reached = best["zigzag"] / best["push"]
            figures = ", ".join(f"{name} {best[name]:.2f}" for name in ("zigzag", "push", "bsub13", "pull"))
            found[f"0.9 of PUSH, {spread} content"] = (bool(reached >= 0.9), f"{reached:.2f}: {figures}")
            found[f"above PULL, {spread} content"] = (bool(best["zigzag"] > best["pull"]), f"{best['pull']:.2f}")
        return found

    found = everywhere([trace.title for trace in measured.on], parts)
    return {"ZZ-20": found, "ZZ-35": found._replace(note="The text has no such simulation (ERR-29); these are ours")}


BY_TABLE: Mapping[str, Callable[[Table], Findings]] = {
    "ZZ-F2": _drawing,
    "ZZ-T1": _points,
    "ZZ-F3a": _insertions,
    "ZZ-F3b": _filter_insertions,
    "ZZ-F3c": _queries,
    "ZZ-F4": _growth,
    "ZZ-F5": _rates,
    "ZZ-F6": _filters,
}
"""Judges by the table that decides their claims."""
