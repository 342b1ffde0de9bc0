"""Numbers for people: as many digits as say something."""

from __future__ import annotations

import math

__all__ = ["lasting", "short", "with_interval"]


def with_interval(mean: float, high: float) -> str:
    """A mean and the half of its interval.

    >>> with_interval(46.43, 46.74), with_interval(84370.0, 84650.0), with_interval(0.3, float("nan"))
    ('46.43 ± 0.31', '84,370 ± 280', '0.300')
    """
    if math.isnan(mean):
        return "-"
    half = high - mean
    digits = 0 if abs(mean) >= 1000 else 1 if abs(mean) >= 100 else 2 if abs(mean) >= 10 else 3
    return f"{mean:,.{digits}f}" + ("" if math.isnan(half) else f" ± {half:,.{digits}f}")


def lasting(seconds: float) -> str:
    """A length of time, in the largest unit of which it has two.

    >>> lasting(259_200), lasting(9000), lasting(90)
    ('3 days', '2.5 h', '90 s')
    """
    for unit, size in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}".replace(".0 ", " ")
    return f"{seconds:.0f} s"


def short(value: object) -> str:
    """A value in a table.

    >>> short(12345.678), short(0.123456), short(10), short(float("inf")), short(None), short(True)
    ('12,346', '0.1235', '10', 'unlimited', '-', 'yes')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    if math.isinf(value):
        return "unlimited"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
