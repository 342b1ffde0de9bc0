"""Context sharing for a sweep: a run of Grapevine on a trace, and what it saves beside the agnostic variant.

A run has as inputs `trace` (contacts, nodes), `duration` (seconds), `allocation` (`percent` or `applications`) with its
`amount`, the fields of `Beaconing` and the settings of Grapevine: all of them, also where they have their default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas as pd

from hunet.model.names import choose
from hunet.protocols import make_settings
from hunet.protocols.grapevine import GRAPEVINE
from hunet.sim.sharing.allocation import ALLOCATIONS, standing
from hunet.sim.sharing.beaconing import Beaconing
from hunet.sim.sharing.network import LABELS, SharingScene, count_savings, share
from hunet.studies.statistics import values
from hunet.sweeps.compaction import Sweep
from hunet.sweeps.data import Data, read_table
from hunet.sweeps.experiment import Answer, Experiment, Run

__all__ = ["run", "savings_of", "sharing_run"]

_BEACONING = tuple(field.name for field in fields(Beaconing))
_NOT_SETTINGS = ("trace", "duration", "allocation", "amount", *_BEACONING)
_PER_BEACON = 5e-6
_FILTER_ONLY = ("m", "k")
"""Settings that the agnostic variant has no use for: it runs once for all of them."""


def run(inputs: Mapping[str, Any], seed: int) -> Answer:
    """One simulation."""
    settings = make_settings(GRAPEVINE, {name: value for name, value in inputs.items() if name not in _NOT_SETTINGS})
    contacts, nodes = _trace(inputs["trace"])
    wants = choose("allocation", inputs["allocation"], ALLOCATIONS)(nodes, LABELS, inputs["amount"], seed)
    scene = SharingScene(contacts, nodes, standing(wants, settings.hops), inputs["duration"])
    return share(scene, settings, Beaconing(**{name: inputs[name] for name in _BEACONING}), seed), {}


@lru_cache(maxsize=4)
def _trace(folder: Path) -> tuple[Any, int]:
    return read_table(folder, "contacts"), read_table(folder, "nodes").num_rows


def _seconds(inputs: Mapping[str, Any]) -> float:
    nodes = inputs["trace"].tables["nodes"].num_rows
    return 0.03 + _PER_BEACON * float(nodes * inputs["duration"] / inputs["period"])


_EXPERIMENT = Experiment("share", run, _seconds, start_seconds=12.0)


def sharing_run(
    trace: Data,
    duration: float,
    allocation: tuple[str, int],
    seed: int,
    settings: Mapping[str, Any],
    beaconing: Beaconing,
    labels: Mapping[str, str | int | float],
) -> Run:
    """One run; of the agnostic variant, settings that make no difference to it have their defaults."""
    if settings.get("interests") != "sptbf":
        settings = {name: value for name, value in settings.items() if name not in _FILTER_ONLY}
    inputs = {
        "trace": trace,
        "duration": duration,
        "allocation": allocation[0],
        "amount": allocation[1],
        **asdict(beaconing),
        **make_settings(GRAPEVINE, settings)._asdict(),
    }
    return Run(_EXPERIMENT, inputs, seed, labels)


def savings_of(done: Sweep, by: list[str]) -> pd.DataFrame:
    """One row per interest-aware run: the columns `by` and its measures, with those of `count_savings`.

    `by` are the columns that a run shares with the agnostic run it is compared with; the seed is one of them.
    """
    found = values(done)
    wide = found.pivot(index="run", columns="measure", values="value")
    runs = found.drop(columns=["measure", "value"]).drop_duplicates("run").set_index("run")
    every = runs.join(wide)
    plain = every[every["interests"] == "agnostic"]
    aware = every[every["interests"] != "agnostic"]
    pairs = aware.merge(plain, on=by, how="left", suffixes=("", "_agnostic"), validate="many_to_one")
    measures = list(wide.columns)
    mine, theirs = pairs[measures], pairs[[f"{name}_agnostic" for name in measures]].set_axis(measures, axis=1)
    saved = [count_savings(theirs.loc[i].to_dict(), mine.loc[i].to_dict()) for i in pairs.index]
    return pd.concat([pairs, pd.DataFrame(saved, index=pairs.index)], axis=1)
