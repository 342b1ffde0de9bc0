"""The protocols, each in one file that reads like its description in the paper.

A protocol sees its own row of state and what the peer sent, never the peer's row: so what was simulated is what a
device runs. This room knows no trace, no event loop, no buffer, no socket and no clock; who has seen what, what
expires and what fits into a contact is its host's business.
"""

from hunet.model.names import choose
from hunet.protocols.bsub10 import BSUB10
from hunet.protocols.bsub13 import BSUB13
from hunet.protocols.bsubp import BSUBP
from hunet.protocols.envoy import ENVOY
from hunet.protocols.mops import MOPS
from hunet.protocols.mops_live import MOPS_LIVE
from hunet.protocols.neighbors import NEIGHBORS
from hunet.protocols.prophet import PROPHET
from hunet.protocols.protocol import Protocol
from hunet.protocols.pull import PULL
from hunet.protocols.push import PUSH
from hunet.protocols.settings import make_settings
from hunet.protocols.spray import SPRAY
from hunet.protocols.sptbf import SPTBF
from hunet.protocols.zigzag import ZIGZAG

__all__ = ["PROTOCOLS", "Protocol", "make_settings", "protocol_named"]

PROTOCOLS: tuple[Protocol, ...] = (
    PUSH,
    PULL,
    BSUB10,
    BSUB13,
    BSUBP,
    NEIGHBORS,
    SPRAY,
    PROPHET,
    ZIGZAG,
    MOPS,
    MOPS_LIVE,
    SPTBF,
    ENVOY,
)
"""Every protocol, in the order in which tables and figures show them."""


def protocol_named(name: str) -> Protocol:
    """The protocol of this name.

    >>> protocol_named("bsub13").title
    'B-SUB 2013: all relay, by preference'
    >>> protocol_named("bsub")
    Traceback (most recent call last):
    hunet.model.errors.InvalidValueError: there is no protocol 'bsub'; did you mean 'bsubp'? There are: push, ...
    """
    return choose("protocol", name, {protocol.name: protocol for protocol in PROTOCOLS})
