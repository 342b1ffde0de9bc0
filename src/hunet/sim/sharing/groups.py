"""Groups that everybody in a scene forms, and what they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int
from hunet.model.errors import InvalidValueError, WorkloadError
from hunet.model.names import choose
from hunet.protocols.grapevine import GrapevineState
from hunet.protocols.grapevine_groups import AGGREGATES, aggregate, form

__all__ = ["Group", "form_groups", "mean_members"]

_MOST = 2**32 - 1
_WORDS = re.compile(r"(\d{1,9})=(\w+):(\d{1,9})(?::(\d{1,10}):(\d{1,10}))?", re.ASCII)


@dataclass(frozen=True)
class Group:
    """The members near a node are those who have a value of label `of` from `least` to `most`; `label` is theirs."""

    label: int
    of: int
    how: str = "mean"
    """`count`, `smallest`, `largest` or `mean`."""
    least: int = 0
    most: int = _MOST

    def __post_init__(self) -> None:
        choose("aggregate", self.how, AGGREGATES)
        require_int("least of a group", self.least, 0, _MOST)
        require_int("most of a group", self.most, self.least, _MOST)

    @classmethod
    def parse(cls, words: str) -> Group:
        """From LABEL=HOW:OF, or LABEL=HOW:OF:LEAST:MOST.

        >>> Group.parse("0=mean:1:10:40")
        Group(label=0, of=1, how='mean', least=10, most=40)
        """
        found = _WORDS.fullmatch(words)
        if found is None:
            raise InvalidValueError(f"group {words!r}: write LABEL=HOW:OF or LABEL=HOW:OF:LEAST:MOST, such as 0=mean:1")
        label, how, of, least, most = found.groups()
        return cls(int(label), int(of), how) if least is None else cls(int(label), int(of), how, int(least), int(most))


def form_groups(state: GrapevineState, groups: tuple[Group, ...]) -> None:
    """Everybody forms these."""
    nodes, labels = state.group_of.shape
    taken = [group.label for group in groups]
    for group in groups:
        if taken.count(group.label) > 1:
            raise WorkloadError(f"groups: label {group.label} is given to two; it can have one value")
        for label in (group.label, group.of):
            if not 0 <= label < labels:
                raise WorkloadError(f"groups: there is no label {label}; they are numbered 0 to {labels - 1}")
        if group.of in taken:
            raise WorkloadError(f"groups: label {group.of} is a group's itself; a group is of single nodes' values")
        for node in range(nodes):
            form(state, node, group.label, group.of, AGGREGATES[group.how], group.least, group.most)
        state.has[:, group.label] = False


def mean_members(params: Any, state: GrapevineState, groups: tuple[Group, ...], now: npt.NDArray[np.int64]) -> float:
    """How many members of a group a node knows, itself among them if it is one, on average.

    `now` has the time of every node in milliseconds, each on its own clock.
    """
    counts = [aggregate(params, state, node, group.label, time)[0] for group in groups for node, time in enumerate(now)]
    return float(np.mean(counts))
