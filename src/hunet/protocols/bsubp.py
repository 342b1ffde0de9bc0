"""B-SUB-P: B-SUB that hides whose interests are whose.

A node tells one mixed filter, its relay filter with its own interests added, so that nobody can tell own from relayed
interests ([bsub13] 4.5). The price: nobody can tell that a peer itself wants a message either.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hunet.filters.counters import m_merge, value
from hunet.filters.temporal import counter_type
from hunet.kernels import leaf
from hunet.protocols.bsub13 import (
    SEARCHED,
    BsubParams,
    BsubSettings,
    adopt,
    age,
    gave,
    give,
    new_state,
    prepare,
    relay_filters,
    take,
    worth,
)
from hunet.protocols.interests import add_interests, copy_row, name_tag, subscribe
from hunet.protocols.layout import counters, layout, local
from hunet.protocols.protocol import Protocol, World
from hunet.protocols.quantities import Digest, Face, Hello, Now, Reading, Row, Tag
from hunet.protocols.search import Choices
from hunet.protocols.settings import require_choice

__all__ = ["BSUBP", "BsubPSettings"]


class BsubPSettings(NamedTuple):
    """Parameters of B-SUB-P: those of B-SUB, and one more."""

    m: int = 256
    """Positions of the filters."""
    k: int = 3
    """Hash functions."""
    initial: int = 5
    """Counter of a fresh interest (ICV)."""
    decay_cycle: float = 256.0
    """Seconds in which every relay counter loses 1."""
    ceiling: int = 255
    """Where counters stop (AMB-03)."""
    preference: str = "ratio"
    """What the preference table compares (AMB-24, AMB-25): `ratio`, `raw` or `above`."""
    relays_wanted: bool = True
    """Whether one who wanted a message also relays it (AMB-28)."""
    reference: str = "relay"
    """My side of the preferential query (AMB-31): my `relay` filter, as in B-SUB, or what I tell, `mixed`."""


DIGEST = layout(
    counters("mixed"),
    local("relay", lambda params: counter_type(params.ceiling), length="m"),  # mine when I told the mixture
)


def _prepare(settings: BsubPSettings, world: World) -> BsubParams:
    require_choice("reference", settings.reference, ("relay", "mixed"))
    as_bsub = {name: value for name, value in settings._asdict().items() if name != "reference"}
    return prepare(BsubSettings(**as_bsub), world)._replace(mixed=settings.reference == "mixed")


@leaf
def _tell(params: Any, state: Any, me: Row, now: Now, hello: Hello, face: Face, digest: Digest) -> None:
    """The mixture is made for the air only; written back, own interests would pile up (AMB-32)."""
    copy_row(state.relay[me], digest.relay)
    copy_row(state.relay[me], digest.mixed)
    add_interests(digest.mixed, state.genuine[me], params.initial, params.ceiling)


@leaf
def _read(params: Any, digest: Digest, tag: Tag) -> Any:
    """The smallest counter in what was told; in the 32 bits below it, that of my relay filter, which only I know."""
    relayed = np.int64(value(digest.relay, params.table, tag))
    return (np.int64(value(digest.mixed, params.table, tag)) << 32) | relayed


@leaf
def _want(params: Any, mine: Reading, theirs: Reading, own: bool) -> Any:
    return worth(params, mine >> 32 if params.mixed else mine & 0xFFFFFFFF, theirs >> 32)


@leaf
def _hear(params: Any, state: Any, me: Row, digest: Digest, face: Face, now: Now) -> None:
    m_merge(state.relay[me], digest.mixed)


BSUBP = Protocol(
    name="bsubp",
    title="B-SUB-P: own and relayed interests in one filter",
    settings=BsubPSettings,
    prepare=_prepare,
    new_state=new_state,
    digest=DIGEST,
    subscribe=subscribe,
    age=age,
    tell=_tell,
    read=_read,
    want=_want,
    give=give,
    hear=_hear,
    take=take,
    gave=gave,
    adopt=adopt,
    name_tag=name_tag,
    inspect={"relay": relay_filters},
    searched={**SEARCHED, "reference": Choices(("relay", "mixed"))},
    independent=True,
)
