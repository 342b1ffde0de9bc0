"""Where a setting may lie when somebody looks for a good one: `Protocol.searched` names those that are worth it."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

__all__ = ["Choices", "Search", "Span"]


class Span(NamedTuple):
    """Between two values, both included; where `log`, a factor counts as much at the low end as at the high one."""

    low: float
    high: float
    log: bool = True

    def at(self, share: float) -> float:
        """The value so far from low (0) to high (1).

        >>> Span(1, 100).at(0.5), Span(0, 1, log=False).at(0.25)
        (10.0, 0.25)
        """
        if self.log:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + (self.high - self.low) * share

    def allows(self, value: float) -> bool:
        """Whether a value lies between them.

        >>> Span(1, 100).allows(100), Span(1, 100).allows(float("nan"))
        (True, False)
        """
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}"


class Choices(NamedTuple):
    """One of these."""

    values: tuple[str | bool, ...]

    def at(self, share: float) -> str | bool:
        """The value so far from the first (0) to the last (1).

        >>> Choices(("ratio", "raw")).at(0.7)
        'raw'
        """
        return self.values[min(int(share * len(self.values)), len(self.values) - 1)]

    def allows(self, value: str | bool) -> bool:
        """Whether a value is one of them."""
        return value in self.values

    def __str__(self) -> str:
        return " or ".join(str(value).lower() for value in self.values)


Search: TypeAlias = Span | Choices
