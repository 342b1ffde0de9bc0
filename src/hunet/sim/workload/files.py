"""A workload as a TOML file: settings of a generated one, files of messages and interests, or a mixture.

    name = "campus"                 # optional: the file's name
    ttl = "10h"                     # optional, unlimited: of messages that have none of their own
    buffer = 100                    # optional, unlimited
    bandwidth = "250kbps"           # optional, unlimited
    own_outside = true              # optional, as each protocol's paper has it: a node's own lie outside its buffer

    [tags]                          # how tags are chosen: one of
    count = 100                     # so many tags, weights by Zipf's law
    zipf = 1.0
    names = ["jazz", "chess"]       # or these, with
    weights = [3, 1]                # these weights (or by zipf)
    pool = "trends-2009"            # or the 38 keys of B-SUB; without [tags], those that interests name, by popularity

    [interests]
    per_node = 2                    # drawn from the tags, by their
    weighted = false                # weights or alike;
    stay = "6h"                     # each lasts so long on average, and after
    away = "2h"                     # so long on average another takes its place;
    hops = [1, 3]                   # with a hop limit, a number or a range
    file = "interests.csv"          # or from a file (workload_tables),
    table = "sigcomm2009"           # or from a published table (interest_tables)
    folder = "sigcomm2009"          # in this folder,
    deal = "chance"                 # dealt to the nodes by chance, or by "name"

    [messages]
    process = "poisson"             # or periodic, or uniform
    every = "30min"                 # mean interval of a node; by_centrality: of the least central
    by_centrality = false
    centrality = "degree"           # or contacts
    tags = 1                        # different tags per message
    size = [1, 140]                 # bytes: a number or a range
    file = "messages.csv"           # or from a file

Paths are relative to the TOML file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from hunet.input_files import parse_toml, read_text
from hunet.model.errors import InvalidValueError, WorkloadError
from hunet.model.names import choose, one_of, unknown
from hunet.sim.workload.generate import (
    InterestSettings,
    MessageSettings,
    People,
    draw_interests,
    draw_messages,
    people_and_time,
    stream,
)
from hunet.sim.workload.interest_tables import TABLES, deal, popularity
from hunet.sim.workload.tables import node_numbers, read_interests, read_messages
from hunet.sim.workload.tag_pool import TagPool, trends_2009, zipf_pool
from hunet.sim.workload.units import parse_bandwidth, parse_buffer, parse_seconds
from hunet.sim.workload.workload import Workload

__all__ = ["read_workload", "workload_from_tables"]

_POOLS = {"trends-2009": trends_2009}
_KEYS: Mapping[str, tuple[str, ...]] = {
    "": ("name", "ttl", "buffer", "bandwidth", "own_outside", "tags", "interests", "messages"),
    "tags": ("count", "zipf", "names", "weights", "pool"),
    "interests": ("per_node", "weighted", "stay", "away", "hops", "file", "table", "folder", "deal"),
    "messages": ("process", "every", "by_centrality", "centrality", "tags", "size", "file"),
}


def workload_from_tables(messages: Path, interests: Path, nodes: pa.Table) -> Workload:
    """A workload of two files; buffer, bandwidth and lifetimes are unlimited unless the files say otherwise."""
    numbers = node_numbers(nodes)
    origin = {"messages": messages.name, "interests": interests.name}
    return Workload(messages.stem, read_messages(messages, numbers), read_interests(interests, numbers), origin=origin)


def read_workload(file: Path, contacts: pa.Table, nodes: pa.Table, seed: int) -> Workload:
    """The workload that a TOML file describes, on a trace."""
    text = read_text(file, WorkloadError, "workload file")
    content = parse_toml(text, file, WorkloadError)
    page = _Page(file, text, content)
    page.check_keys()
    people = people_and_time(contacts)
    numbers = node_numbers(nodes)
    pool = _pool(page)
    if page.has("interests", "file"):
        interests = read_interests(page.path("interests", "file"), numbers)
    elif page.has("interests", "table"):
        interests = _published(page, numbers, seed)
    else:
        if pool is None:
            raise WorkloadError(f"'{file}': interests are to be drawn, but [tags] does not say of what")
        interests = _drawn(page, "interests", partial(_interests, page, pool, people, seed))
    if page.has("messages", "file"):
        messages = read_messages(page.path("messages", "file"), numbers)
    else:
        pool = pool or popularity(interests)
        messages = _drawn(page, "messages", lambda: draw_messages(_message_settings(page), pool, people, seed))
    return Workload(
        page.value("", "name", str, file.stem),
        messages,
        interests,
        pool.names if pool else (),
        page.amount("", "ttl", parse_seconds),
        page.buffer(),
        page.amount("", "bandwidth", parse_bandwidth),
        {"file": file.name, "seed": seed, "settings": content},
        own_outside=page.value("", "own_outside", bool, None),
    )


@dataclass(frozen=True)
class _Page:
    """A TOML file whose mistakes can be named by line."""

    file: Path
    text: str
    content: dict[str, Any]

    def check_keys(self) -> None:
        for section, keys in _KEYS.items():
            values = self.content.get(section, {}) if section else self.content
            if not isinstance(values, dict):
                raise self.mistake("", section, f"[{section}] must be a section")
            for key in values:
                if key not in keys:
                    raise self.mistake(section, key, unknown("key", key, dict.fromkeys(keys)))

    def mistake(self, section: str, key: str, what: str) -> WorkloadError:
        inside = ""
        for number, line in enumerate(self.text.splitlines(), start=1):
            heading = re.match(r"\s*\[\s*([\w-]+)\s*\]", line)
            inside = heading[1] if heading else inside
            if inside == section and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
                return WorkloadError(f"'{self.file}', line {number}: {what}")
        return WorkloadError(f"'{self.file}': {what}")

    def has(self, section: str, key: str) -> bool:
        return key in (self.content.get(section, {}) if section else self.content)

    def value(self, section: str, key: str, kind: type[Any] | tuple[type[Any], ...], default: Any) -> Any:
        values = self.content.get(section, {}) if section else self.content
        if key not in values:
            return default
        found = values[key]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(found, kinds) or (isinstance(found, bool) and bool not in kinds):
            wanted = " or ".join(one.__name__ for one in kinds)
            raise self.mistake(section, key, f"{key} = {found!r} must be of type {wanted}")
        return found

    def amount(self, section: str, key: str, parse: Any, default: float = math.inf) -> float:
        found = self.value(section, key, (str, int, float), None)
        if found is None:
            return default
        try:
            return float(parse(str(found), key))
        except InvalidValueError as error:
            raise self.mistake(section, key, str(error)) from None

    def buffer(self) -> int | None:
        found = self.value("", "buffer", (str, int), "unlimited")
        try:
            return parse_buffer(str(found))
        except InvalidValueError as error:
            raise self.mistake("", "buffer", str(error)) from None

    def path(self, section: str, key: str) -> Path:
        return self.file.parent / str(self.value(section, key, str, ""))

    def span(self, section: str, key: str, default: int, say: str) -> tuple[int, int]:
        """A whole number, or a range of two."""
        found = self.value(section, key, (int, list), default)
        low, high = found if isinstance(found, list) and len(found) == 2 else (found, found)
        if any(isinstance(one, bool) or not isinstance(one, int) for one in (low, high)):
            raise self.mistake(section, key, f"{key} = {found!r}: write {say}")
        return low, high


def _pool(page: _Page) -> TagPool | None:
    if "tags" not in page.content:
        return None
    try:
        if page.has("tags", "pool"):
            return choose("pool of tags", page.value("tags", "pool", str, ""), _POOLS)()
        names = page.value("tags", "names", list, None)
        if names is not None and not all(isinstance(name, str) for name in names):
            raise InvalidValueError(f"names = {names!r}: write the tags as text, in quotes")
        zipf = float(page.value("tags", "zipf", (int, float), 1.0))
        weights = page.value("tags", "weights", list, None)
        if weights is not None:
            return TagPool(tuple(map(str, names or ())), tuple(map(_weight, weights)))
        count = len(names) if names is not None else page.value("tags", "count", int, 0)
        return zipf_pool(count, zipf, None if names is None else [str(name) for name in names])
    except InvalidValueError as error:
        raise WorkloadError(f"'{page.file}', [tags]: {error}") from None


def _drawn(page: _Page, section: str, draw: Callable[[], pa.Table]) -> pa.Table:
    try:
        return draw()
    except InvalidValueError as error:
        raise WorkloadError(f"'{page.file}', [{section}]: {error}") from None


def _interests(page: _Page, pool: TagPool, people: People, seed: int) -> pa.Table:
    return draw_interests(_interest_settings(page), pool, people, seed)


def _weight(found: Any) -> float:
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise InvalidValueError(f"weight {found!r} is not a number")
    return float(found)


def _interest_settings(page: _Page) -> InterestSettings:
    stay = page.amount("interests", "stay", parse_seconds)
    return InterestSettings(
        page.value("interests", "per_node", int, 1),
        page.value("interests", "weighted", bool, True),
        None if math.isinf(stay) else stay,
        page.amount("interests", "away", parse_seconds, 0.0),
        *page.span("interests", "hops", 0, "a hop limit as 2 or [1, 3]"),
    )


def _message_settings(page: _Page) -> MessageSettings:
    return MessageSettings(
        page.value("messages", "process", str, "poisson"),
        page.amount("messages", "every", parse_seconds, 1800.0),
        page.value("messages", "by_centrality", bool, False),
        page.value("messages", "centrality", str, "degree"),
        page.value("messages", "tags", int, 1),
        *page.span("messages", "size", 140, "bytes as 140 or [1, 140]"),
    )


def _published(page: _Page, nodes: Mapping[str, int], seed: int) -> pa.Table:
    try:
        read = choose("table of interests", page.value("interests", "table", str, ""), TABLES)
        by = page.value("interests", "deal", str, "name")
        one_of("way to deal", by, ("name", "chance"))
    except InvalidValueError as error:
        raise WorkloadError(f"'{page.file}', [interests]: {error}") from None
    profiles = read(page.path("interests", "folder"))
    return deal(profiles, nodes, stream(seed, "deal") if by == "chance" else None)
