"""A surrogate for a trace whose contacts are not to be had, from what was published about it.

Known are, per ordered pair, how often and how long one device saw the other (a Haggle `table.ExpN.dat`), and the
times of all events without the devices (comma separated). The surrogate keeps, per pair, the number of contacts
(mean of both directions, halves up) and their total length (mean of both directions), and over all pairs the events
per hour. It makes up which contact happened when and how its pair's time is divided: it must never be called the
trace, and is named a surrogate wherever it goes.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.input_files import readable
from hunet.kernels import loop
from hunet.model.errors import DecodeError, InvalidValueError
from hunet.traces.generators.bursts import Ints, bursts, keep_apart, room_after
from hunet.traces.generators.generated import (
    Floats,
    Generated,
    TraceGenerator,
    check_settings,
    heavy_tailed,
    nodes_table,
    seeded,
    setting,
    sorted_contacts,
)


@dataclass(frozen=True)
class SurrogateSettings:
    """The two published files and which devices to keep."""

    table: Path = field(metadata={"help": "per-pair table of counts and contact times (plain or .gz)"})
    event_times: Path = field(metadata={"help": "times of all events, seconds, comma separated (plain or .gz)"})
    first: int = setting(21, "first device to keep (Infocom06: participants are 21-98)", low=1)
    last: int = setting(98, "last device to keep", low=2)
    gap_tail: float = setting(0.4, "tail exponent of the gaps between a pair's contacts", low=0.05, high=10)
    length_tail: float = setting(1.1, "tail exponent by which a pair's contact time is divided", low=0.05, high=10)
    apart: float = setting(1.0, "contacts of a pair are at least this many seconds apart", low=0.001, high=3600)

    def __post_init__(self) -> None:
        check_settings("surrogate", self)
        if not self.first < self.last:
            raise InvalidValueError(f"surrogate: first device {self.first} must be below the last, {self.last}")


class PairTable(NamedTuple):
    """Square arrays by device id - 1: how often the column's device saw the row's, and for how long (s)."""

    contacts: Ints
    seconds: Ints


def _open_text(path: Path) -> IO[str]:
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")


def _numbers(path: Path, number: int, line: str, wanted: int) -> list[int]:
    """The last `wanted` numbers of a line of the table; what stands before them describes the device."""
    words = line.split()
    try:
        found = [int(word) for word in words[-wanted:]]
    except ValueError:
        found = []
    if len(found) < wanted:
        raise DecodeError(f"{path}, line {number}: expected {wanted} whole numbers, found {line.strip()[:40]!r}")
    return found


def read_pair_table(path: Path) -> PairTable:
    """Read the internal part of a Haggle `table.ExpN.dat`: two lines per device, a column per recording device."""
    with readable(path, DecodeError, "pair table"), _open_text(path) as lines:
        devices = next(lines, "").count("ID ") - 1  # the first "ID #" heads the rows
        if not 2 <= devices <= 10_000:
            raise DecodeError(f"{path}, line 1: no 'ID 1', 'ID 2', ... columns: is this a Haggle pair table?")
        table = PairTable(np.zeros((devices, devices), np.int64), np.zeros((devices, devices), np.int64))
        for number, line in enumerate(lines, start=2):
            head = line.split(maxsplit=1)[:1]
            if line[:1].isspace() or not head or not head[0].isdigit() or int(head[0]) > devices:
                continue  # headings, empty lines, and external devices, which recorded nothing themselves
            table.contacts[int(head[0]) - 1] = _numbers(path, number, line, devices)
            table.seconds[int(head[0]) - 1] = _numbers(path, number + 1, next(lines, ""), devices)
    return table


def read_event_times(path: Path) -> Floats:
    """Read comma-separated event times, sorted."""
    with readable(path, DecodeError, "list of times"), _open_text(path) as text:
        words = [word for word in text.read().replace("\n", ",").split(",") if word.strip()]
    try:
        times = np.array(words, dtype=np.float64)
    except ValueError as error:
        raise DecodeError(f"{path}: not a list of times in seconds: {error}") from None
    if len(times) < 2 or not np.isfinite(times).all() or times.min() < 0 or times.min() == times.max():
        raise DecodeError(
            f"{path}: {len(times)} event times; at least two different, finite and not negative are needed"
        )
    return np.sort(times)


@loop
def _divide(bounds: Ints, total: Floats, weight: Floats, start: Floats, room: Floats) -> None:
    """Turn weights into lengths that add up to each pair's total and fit its room; if they cannot, start earlier."""
    for pair in range(bounds.shape[0] - 1):
        low = bounds[pair]
        high = bounds[pair + 1]
        space = 0.0
        for i in range(low, high):
            space += room[i]
        missing = total[pair] - space
        if missing > 0.0:
            for i in range(low, high):
                start[i] -= missing
            room[high - 1] += missing
        left = total[pair]
        open_weight = 0.0
        for i in range(low, high):
            open_weight += weight[i]
        # Fill those that overflow (marked by a negative weight) until the rest takes what is left.
        again = True
        while again and open_weight > 0.0:
            again = False
            per_weight = left / open_weight
            for i in range(low, high):
                if weight[i] > 0.0 and weight[i] * per_weight > room[i]:
                    left -= room[i]
                    open_weight -= weight[i]
                    weight[i] = -1.0
                    again = True
        for i in range(low, high):
            if weight[i] < 0.0:
                weight[i] = room[i]
            elif open_weight > 0.0:
                weight[i] = min(weight[i] * (left / open_weight), room[i])


def _kept_pairs(table: PairTable, settings: SurrogateSettings) -> tuple[Ints, Ints, Ints, Floats]:
    """Pairs a < b that met (renumbered from 0), their contacts and their seconds."""
    devices = len(table.contacts)
    if settings.last > devices:
        raise InvalidValueError(
            f"surrogate: last device {settings.last} is above {devices}, the last of {settings.table}"
        )
    kept = slice(settings.first - 1, settings.last)
    contacts, seconds = table.contacts[kept, kept], table.seconds[kept, kept]
    count = (contacts + contacts.T + 1) // 2
    a, b = np.nonzero(np.triu(count, 1))
    return a, b, count[a, b], ((seconds + seconds.T) / 2)[a, b]


def _by_rank(points: Floats, event_times: Floats) -> Floats:
    """Put points at the quantiles of the event times: as many per hour as there were events, in the points' order."""
    rank = np.empty(len(points))
    rank[np.argsort(points, kind="stable")] = (np.arange(len(points)) + 0.5) / len(points)
    return np.interp(rank, np.linspace(0.0, 1.0, len(event_times)), event_times)


def generate(settings: SurrogateSettings, seed: int) -> Generated:
    """A surrogate of the trace that the two files describe."""
    chance = seeded("surrogate", seed)
    a, b, count, seconds = _kept_pairs(read_pair_table(settings.table), settings)
    event_times = read_event_times(settings.event_times)
    span = float(event_times[-1])
    _check_fit(count, seconds, settings, span)
    bounds = np.append(0, np.cumsum(count))
    start = _by_rank(bursts(chance, bounds, settings.gap_tail), event_times)
    keep_apart(bounds, start, settings.apart, span)
    room = np.empty(len(start))
    room_after(bounds, start, settings.apart, span, room)
    length = heavy_tailed(chance, settings.length_tail, 1.0, 10_000.0, len(start))
    _divide(bounds, seconds, length, start, room)
    contacts = sorted_contacts(np.repeat(a, count), np.repeat(b, count), start, start + length)
    return Generated(contacts, nodes_table([str(device) for device in range(settings.first, settings.last + 1)]))


def _check_fit(count: Ints, seconds: Floats, settings: SurrogateSettings, span: float) -> None:
    if not len(count):
        raise InvalidValueError(f"surrogate: devices {settings.first}-{settings.last} of {settings.table} never met")
    full: npt.NDArray[np.int64] = np.flatnonzero(seconds + count * settings.apart > span)
    if len(full):
        pair = int(full[0])
        raise InvalidValueError(
            f"surrogate: {count[pair]} contacts of {seconds[pair]:g} s, {settings.apart:g} s apart, do not fit into "
            f"the {span:g} s of {settings.event_times}: are the two files of the same trace?"
        )


SURROGATE = TraceGenerator(
    name="surrogate",
    title="a surrogate of a trace known only by its per-pair table and event times (Infocom06)",
    settings=SurrogateSettings,
    generate=generate,
    surrogate=True,
)
