"""The [workload] section of a study file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hunet.model.errors import InvalidValueError
from hunet.model.names import one_of, unknown
from hunet.sim.workload.files import read_workload
from hunet.sim.workload.profiles import PROFILES
from hunet.sim.workload.units import parse_bandwidth, parse_buffer, parse_least, parse_seconds
from hunet.studies.study_file.page import Page, Place
from hunet.studies.study_file.traces import Tables
from hunet.studies.study_file.values import values_of
from hunet.sweeps.data import Data
from hunet.sweeps.simulation import workload_data

__all__ = ["WORKLOAD_KEYS", "WorkloadChoice", "read_workload_choice"]


def _buffer(text: str) -> float:
    found = parse_buffer(text)
    return math.inf if found is None else found


def _lifetime(text: str) -> float:
    return parse_seconds(text, "ttl")


def _min_contact(text: str) -> float:
    return parse_least(text, "min_contact")


def _own_outside(text: str) -> bool:
    return one_of("value of own_outside", text.lower(), ("true", "false")) == "true"


def _contact_model(text: str) -> str:
    one_of("contact model", text, ("start", "continuous"))
    return text


_CONDITIONS: Mapping[str, tuple[str, Callable[[str], float | str]]] = {
    "ttl": ("ttl", _lifetime),
    "buffer": ("buffer", _buffer),
    "bandwidth": ("bytes_per_second", parse_bandwidth),
    "min_contact": ("min_contact", _min_contact),
    "own_outside": ("own_outside", _own_outside),
    "contacts": ("contacts", _contact_model),
}
"""By key: what a run calls it, and how it is read."""

WORKLOAD_KEYS = ("profile", "file", *_CONDITIONS)


@dataclass(frozen=True)
class WorkloadChoice:
    """A profile or a file, and what replaces its conditions: every combination of these lists is run."""

    source: str | Path
    conditions: Mapping[str, Sequence[Any]]
    """ttl, buffer, bytes_per_second (infinity: no limit), min_contact, own_outside, contacts: those that are given."""

    @property
    def label(self) -> str:
        return self.source if isinstance(self.source, str) else self.source.stem

    def on(self, trace: Tables, seed: int) -> str | Data:
        """What a run is given: the name of a profile, or what a file says for this trace and seed."""
        if isinstance(self.source, str):
            return self.source
        return workload_data(read_workload(self.source, *trace, seed))


def read_workload_choice(page: Page, section: Mapping[str, Any]) -> WorkloadChoice:
    """The section; mistakes are noted on the page."""
    source: str | Path = str(section.get("profile", "bsub13"))
    if "file" in section:
        place = Place("workload", key="file")
        source = page.file.parent / str(section["file"])
        if "profile" in section:
            page.note(place, "a workload has either a profile or a file")
        elif not source.is_file():
            page.note(place, f"workload file '{source}' does not exist")
    elif source not in PROFILES:
        page.note(Place("workload", key="profile"), unknown("workload", str(source), PROFILES))
    conditions: dict[str, list[Any]] = {}
    for key, (name, parse) in _CONDITIONS.items():
        try:
            if key in section:
                conditions[name] = [parse(str(one)) for one in values_of(key, section[key])]
        except InvalidValueError as error:
            page.note(Place("workload", key=key), str(error))
    return WorkloadChoice(source, conditions)
