"""ZigZag's claims, judged by the computed tables and by simulation; `relations` has those that need neither."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from hunet.studies.claims.judging import Found, each
from hunet.studies.claims.verdict import Verdict, Word
from hunet.studies.papers.measured import Measured
from hunet.studies.tables import Table

__all__ = ["BY_TABLE", "verdicts"]

Findings: TypeAlias = dict[str, Found]
"""By the id of the claim."""

_STATED, _MEAN, _WIDE = "U[0,1/100]", "U[0,2/100]", "U[0,1]"
_D = (2, 3, 4)


def verdicts(tables: Mapping[str, Table], measured: Measured) -> list[Verdict]:
    """The claims that tables and simulations decide."""
    parts = [*(judge(tables[name]) for name, judge in BY_TABLE.items()), _routing(measured.runs)]
    return [found.verdict(claim) for part in parts for claim, found in part.items()]


def _row(table: Table, **where: Any) -> dict[str, Any]:
    return next(row for row in table if all(row[name] == value for name, value in where.items()))


def _values(table: Table, column: str, **where: Any) -> list[float]:
    """One value per dimension."""
    return [float(_row(table, dim=d, **where)[column]) for d in _D]


def _drawing(table: Table) -> Findings:
    ids = [row["id"] for row in table if row["level"] == 1]
    covered = sum(row["covered"] for row in table if row["level"] == 1)
    own_case = f"not recomputable, no coordinates are printed; a case of our own takes {covered}"
    return {
        "ZZ-02": Found.of(sorted(ids) == list(range(16)), f"{len(set(ids))} of 16"),
        "ZZ-03": Found.of(False, own_case, partly=covered == 4),
    }


def _points(table: Table) -> Findings:
    stated, fixed, mean = (
        _values(table, "points_per_interval", workload=widths, curve="z-order") for widths in (_STATED, "1/100", _MEAN)
    )
    printed = np.array([6.18, 6.25, 6.52])
    spread = max(max(values) / min(values) for values in (stated, fixed, mean))
    found = f"{each(stated, '.2f')} with the stated widths, {each(mean, '.2f')} with a mean of 1/100, ERR-25"
    return {
        "ZZ-12": Found.or_erratum(np.allclose(stated, printed, rtol=0.05), found),
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
    slower = (
        f"MICS takes {each(mics, '.2f')} times as long, transforming alone {each(alone, '.2f')}; it inserts fewer "
        "intervals"
    )
    return {
        "ZZ-21": Found.of(min(mics) > 1, slower, partly=min(alone) > 1),
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
    found = (
        f"k = 3 {three:.2f} us, k = 5 {five:.2f}; a tree each {own:.2f}, one of all, searched once, {one:.2f} (asked: "
        "half of both)"
    )
    return {"ZZ-26": Found.of(max(three, five) < 0.5 * min(one, own), found, partly=three < own)}


def _growth(table: Table) -> Findings:
    slopes, shares = [], []
    for d in _D:
        cells = max(row["cells"] for row in table if row["dim"] == d)
        slopes.append(float(_row(table, dim=d, cells=cells, curve="z-order")["slope"]))
        z, h = (
            _row(table, dim=d, cells=min(cells, 1024), curve=curve)["intervals"] for curve in ("z-order", "hilbert")
        )
        shares.append(float(h / z))
    cubic = all(abs(slope - 3) < 0.3 for slope in slopes)
    return {
        "ZZ-27": Found.or_erratum(cubic, f"powers {each(slopes, '.1f')}, ERR-27"),
        "ZZ-28": Found.or_erratum(min(shares) > 0.9, f"{each(shares, '.2f')} of Z-order's, ERR-28"),
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
    usable = min(wide[64]) > 0.1 and max(wide[256]) < 0.1
    return {
        "ZZ-06": Found.or_erratum(max(excess) <= 1, f"mean {each(excess, '.1f')}, ERR-23"),
        "ZZ-07": Found.of(all(row["eq2"] <= row["eq1_mean"] for row in table), f"in all of {len(table)} settings"),
        "ZZ-10": Found.of(
            less < 0.7 and all(row["p_t_zigzagH"] < row["p_t"] for row in table),
            f"{coarse['p_t']:.2f} to {coarse['p_t_zigzagH']:.2f} (256 cells, 2D, G = 8; asked: 0.7 times)",
        ),
        "ZZ-30": Found.of(
            usable and max(stated[256]) < 0.1,
            f"64 cells: {each(wide[64], '.0%')}, 256 cells: {each(wide[256], '.0%')} for widths up to 1, "
            f"{each(stated[256], '.0%')} for the stated, hardly wider than a cell (asked: above and below 10 %)",
            partly=usable,
        ),
        "ZZ-31": Found.or_erratum(
            max(stated[1024]) < 0.03,
            f"{each(stated[1024], '.0%')} for the stated widths, {each(wide[1024], '.1%')} up to 1, ERR-26",
        ),
        "ZZ-32": Found.of(ordered, "at 16 to 256 cells, both workloads"),
    }


def _filters(table: Table) -> Findings:
    pooled = max(row["extra_fpr_measured"] for row in table if row["sizing"] == "pooled" and row["cells"] == 1024)
    single = [row for row in table if row["sizing"] == "per_sub" and row["cells"] == 1024]
    mean, worst = (max(row[name] for row in single) for name in ("extra_fpr_measured", "extra_fpr_worst"))
    found = f"one filter of all {pooled:.1%}; one each {mean:.1%} on average, {worst:.0%} where an interval is long"
    fits = pooled <= 0.016
    return {"ZZ-34": Found.of(fits and max(mean, worst) <= 0.016, found, partly=fits)}


def _routing(means: pd.DataFrame) -> Findings:
    """Judged where ZigZag delivers least: on every trace and content, with the best of its lifetimes."""
    delivered = means[means["measure"] == "delivery_ratio"]
    found, reached, better = [], [], []
    for (trace, spread), part in delivered.groupby(["on", "spread"], sort=False):
        best = part.groupby("protocol")["mean"].max()
        reached.append(best["zigzag"] / best["push"])
        better.append(best["zigzag"] > best["pull"])
        shown = ", ".join(f"{name} {best[name]:.2f}" for name in ("zigzag", "push", "bsub13", "pull"))
        found.append(f"{trace}, {spread}: {shown}")
    least = f"at least {np.floor(100 * min(reached)):.0f} % of what PUSH does"
    shown = (
        f"delivered, with the best lifetime of subscriptions, on {'; '.join(found)}. Asked for: 0.9 of PUSH, above PULL"
    )
    on = means["on"].unique().tolist()
    gradient = Found.of(all(better) and min(reached) >= 0.9, shown, partly=all(better))._replace(on=on)
    verify = "verify" if gradient.word is Word.HOLDS else "do not verify"
    none = f"the text has none (ERR-29); ours {verify} it: it delivers {least} (ZZ-20)"
    return {"ZZ-20": gradient, "ZZ-35": Found(Word.ERRATUM, none, on)}  # an erratum whatever ours show


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
