"""A study file: traces, workload, protocols with their parameters, seeds. `docs/sweeps.md` describes every key.

Reading one finds all mistakes at once. Nothing is simulated or stored by that, but traces are made where a workload of
files has to be checked against them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hunet.model.errors import InvalidValueError, TraceError, WorkloadError
from hunet.model.names import is_name, unknown
from hunet.sim.engine.run import EXTRAS
from hunet.sim.measures import MEASURES
from hunet.sim.workload.units import parse_seconds
from hunet.studies.study_file.page import Page, Place, read_page
from hunet.studies.study_file.protocols import ProtocolChoice, read_protocol
from hunet.studies.study_file.traces import TraceChoice, read_trace
from hunet.studies.study_file.workload import WORKLOAD_KEYS, WorkloadChoice, read_workload_choice
from hunet.sweeps.supervisor import Limits
from hunet.traces.store import TraceStore

__all__ = ["Study", "read_study"]

_KEYS: Mapping[str, tuple[str, ...]] = {
    "": ("name", "seeds", "measures", "deliveries", "against", "trace", "workload", "protocol", "limits"),
    "workload": WORKLOAD_KEYS,
    "limits": ("time", "memory"),
}
_SHOWN = ("delivery_ratio", "copies_ever_mean", "delay_mean")
_NOT_NUMBERS = ("broker_share",)
_MOST_RUNS = 1_000_000
_MEMORY = {"MB": 10**6, "GB": 10**9}


@dataclass(frozen=True)
class Study:
    """What a study file says."""

    name: str
    file: Path
    seeds: tuple[int, ...]
    traces: tuple[TraceChoice, ...]
    workload: WorkloadChoice
    protocols: tuple[ProtocolChoice, ...]
    measures: tuple[str, ...]
    """Those to show."""
    extras: tuple[str, ...]
    """Those to take that cost extra; of a protocol that can tell them."""
    deliveries: bool
    against: str | None
    """The parameter along the axis of the picture; None where nothing is varied."""
    limits: Limits

    @property
    def title(self) -> str:
        """Its name and where it was done; a surrogate is called so in every title."""
        traces = ", ".join(trace.label for trace in self.traces)
        return self.name if traces == self.name else f"{self.name} on {traces}"

    @property
    def swept(self) -> dict[str, list[Any]]:
        """Parameters and conditions that have several values, with all values they have anywhere."""
        found: dict[str, dict[Any, None]] = {}
        for values in (self.workload.conditions, *(protocol.values for protocol in self.protocols)):
            for name, several in values.items():
                if len(several) > 1:
                    found.setdefault(name, {}).update(dict.fromkeys(several))
        return {name: list(values) for name, values in found.items()}

    @property
    def size(self) -> int:
        """How many runs it has."""
        surroundings = math.prod(map(len, self.workload.conditions.values()))
        protocols = sum(math.prod(map(len, protocol.values.values())) for protocol in self.protocols)
        return len(self.seeds) * len(self.traces) * surroundings * protocols


def read_study(file: Path, store: TraceStore) -> Study:
    """The study of a file, or a `StudyError` with all its mistakes."""
    page = read_page(file)
    content = page.content
    for section, keys in _KEYS.items():
        for key in _section(page, section):
            if key not in keys:
                page.note(Place(section, key=key), unknown("key", key, dict.fromkeys(keys)))
    traces = [
        trace
        for number, values in enumerate(_sections(page, "trace"))
        for trace in read_trace(page, number, values, store)
    ]
    protocols = [read_protocol(page, number, values) for number, values in enumerate(_sections(page, "protocol"))]
    measures, extras = _measures(page)
    known = [protocol for protocol in protocols if protocol is not None]
    for name in extras:
        if known and page.is_right and not any(protocol.can_tell(name) for protocol in known):
            page.note(Place(key="measures"), f"none of these protocols can tell {name!r}")
    study = Study(
        name=_name(page),
        file=file,
        seeds=_seeds(page),
        traces=tuple(traces),
        workload=read_workload_choice(page, _section(page, "workload")),
        protocols=tuple(known),
        measures=measures,
        extras=extras,
        deliveries=_of_type(page, Place(key="deliveries"), content.get("deliveries", False), bool, "true or false"),
        against=None,
        limits=_limits(page),
    )
    if page.is_right and study.size > _MOST_RUNS:
        page.note(Place(), f"{study.size:,} runs are more than the {_MOST_RUNS:,} that a study may have")
    if page.is_right and study.size == 0:
        page.note(Place(), "the study has no runs: it needs a trace and a protocol")
    study = _with_axis(page, study)
    if page.is_right and isinstance(study.workload.source, Path):
        _check_workload(page, study)
    page.refuse_mistakes()
    return study


def _section(page: Page, name: str) -> Mapping[str, Any]:
    if not name:
        return page.content
    found = page.content.get(name, {})
    if not isinstance(found, dict):
        page.note(Place(name), f"write [{name}], with single brackets: there is one of it")
        return {}
    return found


def _sections(page: Page, name: str) -> list[Mapping[str, Any]]:
    found = page.content.get(name)
    if found is None:
        page.note(Place(), f"there is no [[{name}]]: a study needs at least one")
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        page.note(Place(name), f"write [[{name}]], with double brackets: there may be several")
        return []
    return found


def _of_type(page: Page, place: Place, found: Any, kind: type[Any], wanted: str) -> Any:
    if isinstance(found, kind):
        return found
    page.note(place, f"{place.key} = {found!r}: write {wanted}")
    return kind()


def _name(page: Page) -> str:
    place = Place(key="name")
    name = str(_of_type(page, place, page.content.get("name", page.file.stem), str, "a name in quotes"))
    if not is_name(name):
        page.note(place, f"name = {name!r}: use letters, digits, dots, dashes and underscores, 100 at most")
    return name


def _seeds(page: Page) -> tuple[int, ...]:
    found = page.content.get("seeds", 1)
    several = found if isinstance(found, list) else [found]
    if not several or any(not isinstance(one, int) or isinstance(one, bool) or one < 0 for one in several):
        page.note(Place(key="seeds"), f"seeds = {found!r}: write how many, such as 10, or a list, such as [1, 2, 5]")
        return (1,)
    if len(set(several)) < len(several):
        page.note(Place(key="seeds"), f"seeds = {found!r} has a seed twice")
    if not isinstance(found, list):
        if not 1 <= found <= _MOST_RUNS:
            page.note(Place(key="seeds"), f"seeds = {found}: write a number from 1 to {_MOST_RUNS:,}")
            return (1,)
        return tuple(range(1, found + 1))
    return tuple(several)  # a TOML file has no whole numbers beyond 64 bits: the reader refuses them


def _measures(page: Page) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Measures to show, and those among them that cost extra."""
    always = [one.name for one in MEASURES if one.name != "cpu_seconds"]
    extra = [name for name in EXTRAS if name not in _NOT_NUMBERS]
    place = Place(key="measures")
    found = _of_type(page, place, page.content.get("measures", list(_SHOWN)), list, "a list of names")
    if not found:
        page.note(place, "measures = []: the list is empty")
    for name in found:
        if name not in (*always, *extra):
            page.note(place, unknown("measure", str(name), dict.fromkeys((*always, *extra))))
    return (
        tuple(str(name) for name in found if name in always),
        tuple(str(name) for name in found if name in extra),
    )


def _limits(page: Page) -> Limits:
    values = _section(page, "limits")
    seconds, memory = Limits().seconds, Limits().memory
    try:
        seconds = parse_seconds(str(values["time"]), "time") if "time" in values else seconds
    except InvalidValueError as error:
        page.note(Place("limits", key="time"), str(error))
    try:
        memory = _bytes(str(values["memory"])) if "memory" in values else memory
        return Limits(seconds, memory)
    except InvalidValueError as error:
        page.note(Place("limits", key="memory"), str(error))
    return Limits()


def _bytes(text: str) -> int:
    found = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(\w+)\s*", text)
    if found is None or found[2] not in _MEMORY:
        raise InvalidValueError(f"memory {text!r}: write a number and a unit, such as 2GB or 800MB")
    return int(float(found[1]) * _MEMORY[found[2]])


def _with_axis(page: Page, study: Study) -> Study:
    """What the picture is drawn against: as the file says, or whatever has the most values."""
    swept = study.swept
    against = page.content.get("against")
    if against is None:
        against = max(swept, key=lambda name: len(swept[name]), default=None)
    elif not isinstance(against, str) or against not in swept:
        if page.is_right or not isinstance(against, str):
            page.note(Place(key="against"), unknown("parameter with several values", str(against), swept))
        against = None
    return replace(study, against=against)


def _check_workload(page: Page, study: Study) -> None:
    for trace in study.traces:
        try:
            study.workload.on(trace.load(), study.seeds[0])
        except (WorkloadError, TraceError, InvalidValueError) as error:
            page.note(Place("workload", key="file"), f"on trace {trace.label}: {error}")
