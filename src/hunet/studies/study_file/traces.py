"""The [[trace]] sections of a study file: a stored trace by its name, or a generator with its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, get_type_hints

import pyarrow as pa

from hunet.model.errors import InvalidValueError, TraceError
from hunet.model.names import unknown
from hunet.studies.study_file.page import Page, Place
from hunet.studies.study_file.values import MOST_COMBINATIONS, combinations, require_few, values_of
from hunet.traces.generators import GENERATORS, TraceGenerator
from hunet.traces.store import Trace, TraceStore

__all__ = ["TraceChoice", "read_trace"]

Tables: TypeAlias = tuple[pa.Table, pa.Table]

_TYPES: Mapping[type, tuple[tuple[type, ...], str]] = {
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
    bool: ((bool,), "true or false"),
    Path: ((str,), "a path in quotes"),
}


@dataclass(frozen=True)
class TraceChoice:
    """One trace: what people call it, and how to get its contacts and nodes."""

    label: str
    load: Callable[[], Tables]


def read_trace(page: Page, number: int, section: Mapping[str, Any], store: TraceStore) -> list[TraceChoice]:
    """One section; lists in it mean several traces. Mistakes are noted on the page."""
    place = Place("trace", number)
    if ("name" in section) == ("generator" in section):
        page.note(place, "a [[trace]] has either the name of a stored trace or a generator")
        return []
    return _stored(page, place, section, store) if "name" in section else _generated(page, place, section)


def _stored(page: Page, place: Place, section: Mapping[str, Any], store: TraceStore) -> list[TraceChoice]:
    for key in section.keys() - {"name"}:
        page.note(place._replace(key=key), f"a stored trace has no settings: remove {key!r}")
    found = []
    known = {manifest.name: manifest for manifest in store.list()}
    place = place._replace(key="name")
    try:
        names = values_of("name", section["name"])
    except InvalidValueError as error:
        page.note(place, str(error))
        return []
    for name in names:
        if name not in known:
            page.note(place, unknown("trace", str(name), known))
            continue
        try:
            trace = store.open(name)
            empty = trace.contacts().num_rows == 0
        except TraceError as error:
            page.note(place, str(error))
            continue
        if empty:
            page.note(place, f"trace {name!r} has no contacts: nothing can be simulated on it")
        found.append(TraceChoice(known[name].title, partial(_load, trace)))
    return found


def _load(trace: Trace) -> Tables:
    return trace.contacts(), trace.nodes()


def _generated(page: Page, place: Place, section: Mapping[str, Any]) -> list[TraceChoice]:
    known = {generator.name: generator for generator in GENERATORS}
    name = str(section["generator"])
    if name not in known:
        page.note(place._replace(key="generator"), unknown("generator", name, known))
        return []
    generator = known[name]
    types = {**get_type_hints(generator.settings), "seed": int}
    values: dict[str, list[Any]] = {}
    for key in section.keys() - {"generator"}:
        try:
            if key not in types:
                raise InvalidValueError(unknown(f"setting of {name}", key, types))
            values[key] = [_typed(page, key, types[key], one) for one in values_of(key, section[key])]
        except InvalidValueError as error:
            page.note(place._replace(key=key), str(error))
    needed = [field.name for field in fields(generator.settings) if field.default is MISSING]
    missing = [key for key in needed if key not in section]
    if missing:
        page.note(place, f"{name} cannot do without {' and '.join(missing)}")
    if missing or values.keys() != section.keys() - {"generator"}:
        return []
    several = [key for key in section if key in values and len(values[key]) > 1]
    return _made(page, place, generator, {key: values[key] for key in section if key in values}, several)


def _made(
    page: Page, place: Place, generator: TraceGenerator, values: Mapping[str, list[Any]], several: list[str]
) -> list[TraceChoice]:
    """A choice for every combination; what they differ in is part of their labels."""
    found = []
    try:
        require_few(values, MOST_COMBINATIONS)
    except InvalidValueError as error:
        page.note(place, f"{generator.name}: {error}")
        return []
    for chosen in combinations(values):
        label = ", ".join((generator.name, *(f"{key} {chosen[key]}" for key in several)))
        seed = chosen.pop("seed", 1)
        try:
            if seed < 0:
                raise InvalidValueError(f"seed {seed} is below its limit 0")
            settings = generator.settings(**chosen)
        except (InvalidValueError, TraceError) as error:
            key = next((key for key in values if key in str(error)), "")
            page.note(place._replace(key=key), str(error))
            continue
        label = f"{label} (surrogate)" if generator.surrogate and "surrogate" not in label else label
        found.append(TraceChoice(label, partial(_generate, generator, settings, seed)))
    return found


def _generate(generator: TraceGenerator, settings: Any, seed: int) -> Tables:
    made = generator.generate(settings, seed)
    return made.contacts, made.nodes


def _typed(page: Page, key: str, wanted: Any, value: Any) -> Any:
    kinds, words = _TYPES[wanted]
    if not isinstance(value, kinds) or (isinstance(value, bool) and wanted is not bool):
        raise InvalidValueError(f"{key} = {value!r}: write {words}")
    return page.file.parent / str(value) if wanted is Path else wanted(value)
