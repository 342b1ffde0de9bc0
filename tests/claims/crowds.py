"""Traces on which claims about protocols are tested, and runs on them; each run is made once per session."""

from __future__ import annotations

import dataclasses
import os
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest

from hunet.protocols import Protocol
from hunet.protocols.bsub10 import BSUB10
from hunet.sim import profiles
from hunet.sim.engine import Conditions
from hunet.sim.generate import generate
from hunet.sim.result import Result
from hunet.sim.simulate import simulate
from hunet.sim.workload import Workload
from hunet.traces.clean import CleanSettings, clean, to_intervals
from hunet.traces.generators.conference import CONFERENCE
from hunet.traces.reading import read_files

Tables = tuple[pa.Table, pa.Table]

_FILES = {
    "infocom05": ("haggle-infocom05/contacts.Exp3.dat", CleanSettings(internal="1-41")),
    "sfhh": ("sociopatterns/SFHH_tij.dat.gz", CleanSettings()),
    "ht2009": ("sociopatterns/ht2009_contact_list.dat.gz", CleanSettings()),
}
_RARER = {"bsub10": {"sfhh": 90, "ht2009": 40}}
"""Where somebody met one other person only, B-SUB 2010's rates by degree would give up to a million messages; with
periods so many times as long there are 13,000, as on the conference."""
_FOLDER = Path(os.environ.get("HUNET_TRACES", Path(__file__).parents[3] / "shared" / "traces"))

each_crowd = pytest.mark.parametrize(
    "where",
    [
        "conference",
        *(
            pytest.param(
                name, marks=pytest.mark.skipif(not (_FOLDER / file).exists(), reason="real traces: $HUNET_TRACES")
            )
            for name, (file, _settings) in _FILES.items()
        ),
    ],
)
"""A test on every crowd. Real traces are under research terms and not part of hunet."""


@cache
def crowd(name: str = "conference") -> Tables:
    """The generated conference (79 people), or a real trace: Infocom05 (41), ht2009 (113) or SFHH (403)."""
    if name == "conference":
        made = CONFERENCE.generate(CONFERENCE.settings(), 1)
        return made.contacts, made.nodes
    file, settings = _FILES[name]
    reading = read_files([_FOLDER / file], strict=True)
    cleaned = clean(to_intervals(reading.rows, reading.format.yields, reading.options).intervals, settings)
    return cleaned.contacts, cleaned.nodes


@cache
def load(profile: str, seed: int, total: bool = False, where: str = "conference") -> Workload:
    """A profile on a crowd; `total`: intervals so long that all nodes together publish what one would."""
    settings = {"bsub10": profiles.BSUB10, "bsub13": profiles.BSUB13}[profile]
    contacts, nodes = crowd(where)
    rarer = nodes.num_rows if total else _RARER.get(profile, {}).get(where, 1)
    messages = dataclasses.replace(settings.messages, every=settings.messages.every * rarer)
    return generate(dataclasses.replace(settings, messages=messages), contacts, seed)


@cache
def light(protocol: str, seed: int, where: str = "conference", **settings: float) -> Result:
    """B-SUB 2013's workload read as 180 messages for the whole trace."""
    log = protocol in ("bsub13", "bsubp")  # as the attack needs it: one loop less to compile for each
    workload = load("bsub13", seed, total=True, where=where)
    return simulate(crowd(where), workload, protocol, seed, settings=settings, log=log)


@cache
def brokers(
    decay_cycle: float, seed: int = 1, where: str = "conference", m: int = 256, protocol: Protocol = BSUB10
) -> Result:
    """B-SUB 2010 on its own workload, with a lifetime of 20 h as in its sweep of the decay factor, and a log."""
    workload = dataclasses.replace(load("bsub10", seed, where=where), ttl=20 * 3600.0)
    return simulate(
        crowd(where),
        workload,
        protocol,
        seed,
        settings={"decay_cycle": decay_cycle, "m": m},
        conditions=Conditions(bytes_per_second=workload.bytes_per_second),
        measures=("false_positives",),
        log=True,
    )
