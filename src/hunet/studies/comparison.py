"""All protocols side by side, on one trace or several: what each delivers, how soon, and at what cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from matplotlib.figure import Figure

from hunet.model.errors import InvalidValueError
from hunet.model.names import one_of
from hunet.protocols import PROTOCOLS, make_settings, protocol_named
from hunet.report.numbers import with_interval
from hunet.report.simulation import draw_comparison, draw_standing
from hunet.sim.bound import CLAIRVOYANT, TITLE
from hunet.studies.simulations import Simulation, all_runs, bound_run, trace_data
from hunet.studies.statistics import interval
from hunet.sweeps.experiment import Run
from hunet.sweeps.identity import run_id
from hunet.sweeps.runner import Progress, Runner

__all__ = [
    "COMPARED",
    "MEASURES",
    "TAKEN",
    "Contestant",
    "Row",
    "Standing",
    "Values",
    "Where",
    "compare",
    "contestant",
    "for_people",
    "measured",
    "picture",
]

COMPARED = tuple(protocol.name for protocol in PROTOCOLS if not protocol.needs.history)
"""ZigZag, made for ranges, takes tags as cells here. MOPS and Neighbors are told who is close to whom, from the first
40 % of the trace. What learns that by itself needs time before the first message, which there is none of here."""

MEASURES: Mapping[str, tuple[str, float]] = {
    "delivery_ratio": ("share delivered", 1.0),
    "delivered_within_4h": ("within 4 h", 1.0),
    "forwards_per_delivery": ("transfers per delivery", 1.0),
    "overhead_bytes_per_contact": ("bytes per contact", 1.0),
    "delivered_within_1h": ("within 1 h", 1.0),
    "delivered_within_10h": ("within 10 h", 1.0),
    "delay_mean": ("mean delay, min", 60.0),
    "copies_ever_mean": ("copies", 1.0),
    "drops_per_node": ("drops per node", 1.0),
}
"""What is compared; what people call it, and in which unit they read it; what matters first comes first. Mean delay and
copies are of what was delivered: whoever delivers only what is easy looks good by them."""

Row: TypeAlias = dict[str, Any]
"""trace, protocol, title; of each of MEASURES its mean and, as `..._low` and `..._high`, the ends of its interval."""


TAKEN = (*MEASURES, "forwards")
"""What is looked up of every run."""

Values: TypeAlias = Mapping[str, npt.NDArray[np.float64]]
"""Of each of TAKEN, its values by seed."""


class Standing(NamedTuple):
    """A protocol on a trace."""

    trace: str
    label: str
    title: str


class Where(NamedTuple):
    """What protocols are compared on, the same for all of them."""

    label: str
    tables: tuple[pa.Table, pa.Table]
    workload: str = "bsub13"
    """The name of a profile, made anew with each seed."""
    ttl: float | None = None
    """This, buffer and bytes_per_second replace the workload's; infinity for no limit."""
    buffer: float | None = None
    bytes_per_second: float | None = None
    contacts: str = "start"
    own_outside: bool = True
    """Whether nodes keep what they published outside their buffers."""


class Contestant(NamedTuple):
    """A protocol with settings, and what it is called."""

    label: str
    protocol: str
    settings: Mapping[str, Any]


def contestant(text: str) -> Contestant:
    """A protocol as a person writes it: its name, or with settings.

    >>> contestant("spray:copies=32,k=3")
    Contestant(label='spray:copies=32,k=3', protocol='spray', settings={'copies': 32, 'k': 3})
    """
    name, colon, rest = text.partition(":")
    pairs = [item.partition("=") for item in rest.split(",")] if colon else []
    if not all(key and equals and value for key, equals, value in pairs):
        raise InvalidValueError(f"protocol {text[:100]!r}: write NAME or NAME:setting=value,setting=value")
    one_of("protocol", name, COMPARED)
    given = {key.strip(): value.strip() for key, _, value in pairs}
    settings = make_settings(protocol_named(name), given)
    return Contestant(text, name, {key: getattr(settings, key) for key in given})


def measured(
    where: Sequence[Where],
    contestants: Sequence[Contestant],
    seeds: int,
    runner: Runner,
    folder: Path,
    progress: Progress = lambda done, failed, total: None,
) -> dict[Standing, Values]:
    """The protocols, in this order, each on every trace; and at last what clairvoyance could do.

    All runs are kept in the folder: stopped, the same call goes on from there.
    """
    traces = [trace_data(*one.tables) for one in where]
    numbers = range(1, seeds + 1)
    runs: dict[Standing, list[Run]] = {}
    for one in contestants:
        for on, trace in zip(where, traces, strict=True):
            simulation = Simulation(trace, on.workload, one.protocol, one.settings, **_conditions(on))
            standing = Standing(on.label, one.label, protocol_named(one.protocol).title)
            runs[standing] = [simulation.run(seed) for seed in numbers]
    for on, trace in zip(where, traces, strict=True):
        bounds = [bound_run(trace, on.workload, on.contacts, on.ttl, seed) for seed in numbers]
        runs[Standing(on.label, CLAIRVOYANT, TITLE)] = bounds
    done = all_runs([run for some in runs.values() for run in some], folder, runner, progress)
    found = {(row["run"], row["measure"]): row["value"] for row in done.measures.to_pylist()}
    return {
        standing: {measure: np.array([found[run_id(run), measure] for run in some]) for measure in TAKEN}
        for standing, some in runs.items()
    }


def compare(
    where: Sequence[Where],
    contestants: Sequence[Contestant],
    seeds: int,
    runner: Runner,
    folder: Path,
    progress: Progress = lambda done, failed, total: None,
) -> list[Row]:
    """What is `measured`, as means with intervals."""
    return [
        {"trace": standing.trace, "protocol": standing.label, "title": standing.title} | _intervals(values)
        for standing, values in measured(where, contestants, seeds, runner, folder, progress).items()
    ]


def _conditions(where: Where) -> dict[str, Any]:
    return {name: getattr(where, name) for name in ("contacts", "ttl", "buffer", "bytes_per_second", "own_outside")}


def _intervals(values: Values) -> Row:
    row: Row = {}
    for measure in MEASURES:
        _, mean, low, high = interval(values[measure])
        row |= {measure: mean, f"{measure}_low": low, f"{measure}_high": high}
    return row


def for_people(rows: Sequence[Row]) -> list[dict[str, str]]:
    """The same as text, trace by trace: means with the halves of their intervals."""
    traces = list(dict.fromkeys(row["trace"] for row in rows))
    return [
        {
            "trace": row["trace"],
            "protocol": row["protocol"],
            **{
                words: with_interval(row[measure] / unit, row[f"{measure}_high"] / unit)
                for measure, (words, unit) in MEASURES.items()
            },
        }
        for row in sorted(rows, key=lambda row: traces.index(row["trace"]))
    ]


def picture(rows: Sequence[Row]) -> Figure:
    """On one trace delivery against transfers, on several all that counts, trace by trace."""
    traces = list(dict.fromkeys(row["trace"] for row in rows))
    if len(traces) > 1:
        return draw_standing(rows)
    points = [
        {
            "protocol": row["protocol"],
            "transfers": row["forwards_per_delivery"],
            "delivery_ratio": row["delivery_ratio"],
            "delay": row["delay_mean"],
        }
        for row in rows
    ]
    return draw_comparison(traces[0], points)
