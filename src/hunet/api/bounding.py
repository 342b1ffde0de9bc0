"""`bound`: what clairvoyance could do on a trace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hunet.api.simulating import MODELS, chosen_workload, limits
from hunet.api.trace import Trace
from hunet.model.errors import TraceError
from hunet.model.names import one_of
from hunet.sim.result import Result
from hunet.sim.simulate import bound as measured
from hunet.sim.workload.profiles import workload_named
from hunet.sim.workload.workload import Workload

__all__ = ["bound"]


def bound(
    trace: Trace,
    workload: str | Path | Workload = "bsub13",
    *,
    seed: int = 1,
    ttl: str | float | None = None,
    contacts: str = "start",
) -> Result:
    """What clairvoyance could do: all that can be delivered, as early as can be, by no transfer that leads to nothing.

    Buffers and bandwidth have no limit. The deliveries are those of an epidemic; the transfers are an upper bound of
    what they take. A protocol's distance from it says what is left to gain on this trace.

    workload, seed, ttl, contacts    as of `hn.simulate`

    >>> import hunet as hn
    >>> t = hn.generate("conference", nodes=8, days=1, contacts_per_day=20)
    >>> b = hn.bound(t, ttl="2h")
    >>> b.measures["delivered"], b.measures["forwards"], hn.simulate(t, "push", ttl="2h").measures["forwards"]
    (48, 73, 829)
    """
    one_of("contact model", contacts, MODELS)
    changes = limits(ttl=ttl)
    if not len(trace):
        raise TraceError(f"trace {trace.title!r} has no contacts: nothing can be delivered on it")
    found = chosen_workload(trace, workload, seed)
    load = workload_named(found, trace.contacts, seed) if isinstance(found, str) else found
    return replace(measured(trace.source, replace(load, **changes), seed, contacts=contacts), trace=trace.title)
