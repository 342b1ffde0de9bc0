"""PULL: one hop. A node takes from the producers it meets what it is interested in; the lower bound."""

from __future__ import annotations

from typing import Any, NamedTuple

from hunet.kernels import leaf
from hunet.protocols.interests import (
    INTERESTS,
    Filters,
    Interests,
    is_interested,
    name_tag,
    new_interests,
    subscribe,
    tell_interests,
    with_filters,
)
from hunet.protocols.protocol import DIRECT, NO, Message, Protocol, as_it_is
from hunet.protocols.quantities import Entry, Note, Reading, Row
from hunet.protocols.search import Choices

__all__ = ["PULL", "PullSettings"]


class PullSettings(NamedTuple):
    """Parameters of PULL."""

    m: int = 256
    """Positions of the interest filter."""
    k: int = 3
    """Hash functions."""
    any_holder: bool = False
    """Whether a consumer serves what it pulled to others (AMB-37); the papers' PULL does not."""


@leaf
def _want(params: Filters, mine: Reading, theirs: Reading, own: bool) -> Any:
    return DIRECT if theirs else NO


@leaf
def _take(params: Filters, state: Interests, me: Row, entry: Entry, message: Message, note: Note) -> Any:
    return message.own or params.settings.any_holder


PULL = Protocol(
    name="pull",
    title="PULL: one hop, from the producer to who asks",
    settings=PullSettings,
    prepare=with_filters,
    new_state=new_interests,
    digest=INTERESTS,
    subscribe=subscribe,
    tell=tell_interests,
    read=is_interested,
    want=_want,
    take=_take,
    adopt=as_it_is,
    name_tag=name_tag,
    own_outside=True,
    searched={"any_holder": Choices((False, True))},
    independent=True,
)
