"""The name of a run: a hash of everything its answer depends on, the code included.

The code that counts is the module of the experiment and whatever it takes from its own package and from hunet, however
deep, see `sources`: changing a figure or a command leaves results valid, changing a protocol does not.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache

from hunet.model.errors import SweepError
from hunet.sweeps.data import Data
from hunet.sweeps.experiment import Input, Run
from hunet.sweeps.sources import sources_behind

__all__ = ["code_version", "order_of", "run_id"]


def run_id(run: Run) -> str:
    """The hash under which a run is published."""
    module = run.experiment.reference.partition(":")[0]
    return hashlib.sha256(f"{order_of(run)} {code_version(module)}".encode()).hexdigest()[:32]


def order_of(run: Run) -> str:
    """What a worker has to be told to do a run, as JSON."""
    inputs = {name: _plain(value) for name, value in run.inputs.items()}
    order = {"function": run.experiment.reference, "inputs": inputs, "seed": run.seed}
    return json.dumps(order, sort_keys=True)


def _plain(value: Input) -> object:
    return {"data": value.hash} if isinstance(value, Data) else value


@cache
def code_version(module: str) -> str:
    """A hash of the sources of a module and of all it takes something from, of hunet and of its own package."""
    found = sources_behind(module)
    if module not in found:
        raise SweepError(f"there is no module {module!r} with the experiment of this sweep: install it there too")
    digest = hashlib.sha256()
    for name in sorted(found):
        digest.update(f"{name} {len(found[name])} ".encode() + found[name])
    return digest.hexdigest()[:16]
