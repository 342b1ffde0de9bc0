"""Groups that everybody in a scene forms, and what they are."""

from __future__ import annotations

from dataclasses import dataclass

from hunet.filters.checks import require_int
from hunet.model.errors import WorkloadError
from hunet.model.names import choose
from hunet.protocols.grapevine import GrapevineState
from hunet.protocols.grapevine_groups import AGGREGATES, form

__all__ = ["Group", "form_groups"]

_MOST = 2**32 - 1


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
        require_int("least", self.least, 0, _MOST)
        require_int("most", self.most, self.least, _MOST)


def form_groups(state: GrapevineState, groups: tuple[Group, ...]) -> None:
    """Everybody forms these."""
    nodes, labels = state.group_of.shape
    for group in groups:
        for label in (group.label, group.of):
            if not 0 <= label < labels:
                raise WorkloadError(f"groups: there is no label {label}; they are numbered 0 to {labels - 1}")
        if group.of in {other.label for other in groups}:
            raise WorkloadError(f"groups: label {group.of} is a group's itself; a group is of single nodes' values")
        for node in range(nodes):
            form(state, node, group.label, group.of, AGGREGATES[group.how], group.least, group.most)
        state.has[:, group.label] = False
