"""Means over seeds with 95 % intervals, and differences between protocols on the same seeds.

Intervals are Student's: mean plus and minus t times s / sqrt(n), s being the standard deviation of the n values. Tables
come as pandas frames with one row per group and measure: the columns of the group, measure, runs (n), mean, low, high.
With one or two runs there is no interval: low and high are NaN. Values without a meaning in a run (NaN) do not count.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from hunet.model.errors import InvalidValueError
from hunet.sweeps.compaction import Sweep

__all__ = ["differences", "interval", "mean_over", "means", "over_seeds", "student_t", "values", "wide"]

CONFIDENCE = 0.95


def values(sweep: Sweep, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """One row per run and measure: all columns of the run, measure, value. Runs that failed have none."""
    long = sweep.measures.to_pandas()
    if measures is not None:
        long = long[long["measure"].isin(measures)]
    return pd.DataFrame(long.merge(sweep.runs.to_pandas(), on="run", how="left", validate="many_to_one"))


def means(values: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The mean of every measure with its interval, for each combination of the columns `by`, in their order."""
    groups = values.groupby([*by, "measure"], dropna=False, sort=False)
    rows = [(*key, *interval(part["value"].to_numpy(np.float64))) for key, part in groups]
    return pd.DataFrame(rows, columns=[*by, "measure", "runs", "mean", "low", "high"])


def wide(means: pd.DataFrame, columns: Mapping[str, str], measures: Mapping[str, tuple[str, float]]) -> pd.DataFrame:
    """Means as a figure's table: one row per setting, n_seeds, and a column per measure with `_lo` and `_hi` beside it.

    `columns` are those of the setting with their names in the table. `measures` have their name in the table, and what
    values are multiplied with: 1/60 for seconds told in minutes.
    """
    by = list(columns)
    means = means[means["measure"].isin(list(measures))]
    table = means.groupby(by, sort=False, dropna=False)["runs"].max().rename("n_seeds").reset_index()
    for measure, (name, scale) in measures.items():
        part = means[means["measure"] == measure]
        ends = {f"{name}{end}": part[column] * scale for column, end in (("mean", ""), ("low", "_lo"), ("high", "_hi"))}
        table = table.merge(part[by].assign(**ends), on=by, how="left", validate="one_to_one")
    return table.rename(columns=dict(columns))


def mean_over(seeds: int) -> str:
    """What a table of means says of itself: of one or two seeds there is no interval."""
    return "one seed" if seeds == 1 else f"mean over {seeds} seeds" + ("" if seeds == 2 else " ± 95 % interval")


def over_seeds(tables: Sequence[Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """A table per seed, of equal rows but for measured numbers: the mean of each of these with its interval."""
    rows: list[dict[str, Any]] = []
    for same in zip(*tables, strict=True):
        row: dict[str, Any] = {}
        for column, value in same[0].items():
            if not isinstance(value, float):
                assert all(other[column] == value for other in same)
                row[column] = value
                continue
            _, mean, low, high = interval(np.array([other[column] for other in same], np.float64))
            row |= {column: mean, f"{column}_lo": low, f"{column}_hi": high}
        rows.append({**row, "n_seeds": len(tables)})
    return rows


def differences(
    values: pd.DataFrame,
    by: Sequence[str],
    *,
    of: str = "protocol",
    from_: str,
    paired_on: Sequence[str] = ("trace", "seed"),
) -> pd.DataFrame:
    """How much each value of the column `of` differs from the value `from_`, in pairs of runs on the same seed.

    `by` are columns in which the compared runs may differ (parameters the baseline does not have): each combination is
    a row. Pairs share the columns `paired_on`; the baseline must have one run for each of them.
    """
    base = values[values[of] == from_]
    if base.empty:
        known = ", ".join(sorted(map(str, values[of].unique())))
        raise InvalidValueError(f"there is no {of} {from_!r} to compare with; there are: {known}")
    keys = [*paired_on, "measure"]
    if base.duplicated(keys).any():
        raise InvalidValueError(
            f"{of} {from_!r} has several runs of the same {' and '.join(paired_on)}: pick one first"
        )
    pairs = values[values[of] != from_].merge(base[[*keys, "value"]], on=keys, suffixes=("", "_base"))
    pairs = pairs.assign(value=pairs["value"] - pairs["value_base"])
    return means(pairs, list(dict.fromkeys((of, *by))))


def interval(found: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[int, float, float, float]:
    """How many values there are, their mean, and its interval."""
    found = found[~np.isnan(found)]
    count = len(found)
    mean = float(found.mean()) if count else math.nan
    if count < 3:  # two say next to nothing of how far others would lie
        return count, mean, math.nan, math.nan
    half = student_t(count - 1) * float(found.std(ddof=1)) / math.sqrt(count)
    return count, mean, mean - half, mean + half


@cache
def student_t(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The t that Student's distribution with so many degrees of freedom stays within, both ways, so often.

    >>> [round(student_t(freedom), 3) for freedom in (1, 2, 9, 29)]
    [12.706, 4.303, 2.262, 2.045]
    """
    if freedom < 1 or not 0 < confidence < 1:
        raise InvalidValueError(f"{freedom} degrees of freedom at {confidence}: at least 1, and between 0 and 1")
    low, high = 0.0, 1.0
    while _within(high, freedom) < confidence:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < confidence else (low, middle)
    return high


def _within(t: float, freedom: int) -> float:
    """P(|T| <= t) for whole degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = term if freedom > 1 else 0.0
    for step in range(3 if odd else 2, freedom - 1, 2):
        term *= cosine * cosine * (step - 1) / step
        total += term
    return (angle + sine * total) * 2 / math.pi if odd else sine * total
