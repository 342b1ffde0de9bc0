"""hunet: interest-driven publish/subscribe for human networks.

People carry devices, devices meet, and what one person publishes reaches those who care, hop by hop, without
servers. This is the public face; `docs/notebook.md` walks through it. A name is loaded when it is first used:

    traces        read, load, stored, generate, Trace
    simulations   simulate, compare, bound, sweep, Runner
    questions     communities, claims, names
    errors        HunetError

Behind it each subpackage is a room with one subject; `docs/design.md` has the map and the arrows between them.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hunet.api.bounding import bound
    from hunet.api.comparing import compare
    from hunet.api.generating import generate
    from hunet.api.ledger import claims
    from hunet.api.names import names
    from hunet.api.reading import read
    from hunet.api.simulating import simulate
    from hunet.api.social import communities
    from hunet.api.storing import load, stored
    from hunet.api.sweeping import sweep
    from hunet.api.trace import Trace
    from hunet.model.errors import HunetError
    from hunet.sweeps.runner import Runner

__version__ = "0.1.0"

__all__ = [
    "HunetError",
    "Runner",
    "Trace",
    "__version__",
    "bound",
    "claims",
    "communities",
    "compare",
    "generate",
    "load",
    "names",
    "read",
    "simulate",
    "stored",
    "sweep",
]

_HOMES = {
    "HunetError": "model.errors",
    "Runner": "sweeps.runner",
    "Trace": "api.trace",
    "bound": "api.bounding",
    "claims": "api.ledger",
    "communities": "api.social",
    "compare": "api.comparing",
    "generate": "api.generating",
    "load": "api.storing",
    "names": "api.names",
    "read": "api.reading",
    "simulate": "api.simulating",
    "stored": "api.storing",
    "sweep": "api.sweeping",
}
"""Where each name lives."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hunet' has no attribute {name!r}; it offers {', '.join(__all__)}")
    found = getattr(importlib.import_module(f"hunet.{_HOMES[name]}"), name)
    globals()[name] = found  # not asked for again
    return found


def __dir__() -> list[str]:
    return __all__
