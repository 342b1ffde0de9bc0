"""Generated files that stand in for real ones: the same paths and formats, about the same sizes, every kind of fault.

The real traces are under research terms and never shipped, so what reads them is tested on these too. Every file comes
with its rows, told by who wrote it, for the slow rules of `tests/naive` to work on.
"""

from __future__ import annotations

import gzip
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from hunet.traces.generators.campus import CAMPUS, CampusSettings
from hunet.traces.generators.conference import CONFERENCE, ConferenceSettings
from tests.naive import proximity
from tests.naive.traces import Event, Interval, pair_events

INFOCOM05 = "haggle-infocom05/contacts.Exp3.dat"
INFOCOM05_EVENTS = "haggle-infocom05/one/Haggle3-Infocom5.csv"
INFOCOM05_TABLE = "haggle-infocom05/table.Exp3.dat"
REALITY = "mit-reality/one/mit.txt.gz"
REALITY_BROKEN = "mit-reality/dtnsim2/MITcontacts.txt.gz"
HT2009 = "sociopatterns/ht2009_contact_list.dat.gz"
SCHOOL = "sociopatterns/primaryschool.csv.gz"
SCHOOL_PEOPLE = "sociopatterns/primaryschool_metadata.txt"
NCCU_DAY = "nccu/day1(WED).csv.gz"
NCCU = "nccu/nccu.dat"

NCCU_RADIUS = 10.0 * 3764 / 20000
"""What its authors' tool took for 10 m."""
MIDNIGHT = 1_418_767_200

Rows = list[tuple[int, int, int, int]]


@dataclass(frozen=True)
class StandIns:
    """A folder as that of the real traces, and of each file of contacts its rows, and how its events were paired."""

    folder: Path
    rows: dict[str, list[Interval]] = field(default_factory=dict)
    events: dict[str, Counter[str]] = field(default_factory=dict)

    def write(self, file: str, lines: Iterable[str]) -> None:
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{line}\n" for line in lines).encode()
        path.write_bytes(gzip.compress(text, 1) if path.suffix == ".gz" else text)


def write_stand_ins(folder: Path) -> StandIns:
    """All of them, in a few seconds."""
    made = StandIns(folder)
    _infocom05(made, np.random.default_rng(1))
    _reality(made, np.random.default_rng(2))
    _sociopatterns(made, np.random.default_rng(3))
    _nccu(made, np.random.default_rng(4))
    return made


def _whole_seconds(contacts: pa.Table) -> Rows:
    columns = (contacts["a"], contacts["b"], contacts["start"], contacts["end"])
    return [(a, b, int(start), int(end)) for a, b, start, end in zip(*(c.to_pylist() for c in columns), strict=True)]


def _named(rows: Rows, first: int = 0, prefix: str = "") -> list[Interval]:
    return [(f"{prefix}{a + first}", f"{prefix}{b + first}", float(start), float(end)) for a, b, start, end in rows]


def _events(rows: list[Interval]) -> list[Event]:
    """Ups and downs in order of time."""
    found = [event for a, b, start, end in rows for event in ((a, b, start, True), (a, b, end, False))]
    return sorted(found, key=lambda event: event[2])


def _infocom05(made: StandIns, random: np.random.Generator) -> None:
    """41 devices and 20 of strangers; most contacts are recorded by both ends, one a little later, some as a moment."""
    settings = ConferenceSettings(nodes=61, acquaintances=55.0, contacts_per_day=430.0)
    rows: Rows = []
    for a, b, start, end in _whole_seconds(CONFERENCE.generate(settings, 1).contacts):
        end = start if random.random() < 0.1 else end
        rows.append((a, b, start, end))
        if max(a, b) < 41 and random.random() < 0.3:
            rows.append((b, a, int(random.integers(start, end + 1)), end))
    rows += [(7, 7, 500, 900)]
    made.rows[INFOCOM05] = _named(rows, first=1)
    made.write(INFOCOM05, (f"{a}\t{b}\t{start:.0f}\t{end:.0f}\t1\t0" for a, b, start, end in made.rows[INFOCOM05]))
    inside = [row for row in rows if max(row[:2]) < 41 and row[0] != row[1]]
    events = _events(_named(inside))
    made.write(INFOCOM05_EVENTS, (f"{t:.0f} CONN {a} {b} {'up' if up else 'down'}" for a, b, t, up in events))
    made.rows[INFOCOM05_EVENTS], made.events[INFOCOM05_EVENTS] = pair_events(events, "count")

    counts, seconds = np.zeros((2, 41, 41), int)
    for a, b, start, end in inside:
        counts[b, a] += 1
        seconds[b, a] += end - start
    lines = ["ID #\tClass\tIncidence\tOccurence   :\tTotal\t" + "\t".join(f"ID {i}" for i in range(1, 42)), ""]
    for device in range(41):
        lines.append(f"{device + 1}\t1\t1\t\t\t\t{counts[device].sum()}\t" + "\t".join(map(str, counts[device])))
        lines += [f"\t\t\t\t\t\t{seconds[device].sum()}\t" + "\t".join(map(str, seconds[device])), ""]
    made.write(INFOCOM05_TABLE, lines)


def _reality(made: StandIns, random: np.random.Generator) -> None:
    """96 people on a campus; in the second file events were lost and repeated."""
    rows = _whole_seconds(CAMPUS.generate(CampusSettings(students=96, days=12), 1).contacts)
    events = _events(_named(rows, prefix="n"))
    made.write(REALITY, (f"{t:.1f} CONN {a} {b} {'up' if up else 'down'}" for a, b, t, up in events))
    made.rows[REALITY], made.events[REALITY] = pair_events(events, "count")
    broken: list[Event] = []
    for event in _events(_named(rows)):
        fate = random.random()
        broken += [] if fate < 0.1 else [event, event] if fate > 0.9 else [event]
    made.write(REALITY_BROKEN, (f"@{t:.0f} {a} <-> {b} {'up' if up else 'down'}" for a, b, t, up in broken))
    made.rows[REALITY_BROKEN], made.events[REALITY_BROKEN] = pair_events(broken, "flag")


def _sociopatterns(made: StandIns, random: np.random.Generator) -> None:
    """Records of 20 s, of people at a conference, and of pupils with their classes."""
    people = ConferenceSettings(nodes=113, acquaintances=60.0, contacts_per_day=60.0, shortest=20.0, length_tail=1.5)
    for seed, file in enumerate((HT2009, SCHOOL), start=1):
        seen: set[tuple[int, int, int]] = set()
        for a, b, start, end in _whole_seconds(CONFERENCE.generate(people, seed).contacts):
            seen |= {(20 + 20 * (at // 20), 1001 + a, 1001 + b) for at in range(start, min(end, start + 600), 20)}
        records = sorted(seen)
        with_class = "\t{}\t{}" if file == SCHOOL else ""
        made.write(file, (f"{t}\t{a}\t{b}" + with_class.format(_class_of(a), _class_of(b)) for t, a, b in records))
        made.rows[file] = [(str(a), str(b), float(t - 20), float(t)) for t, a, b in records]
    sexes = random.choice(["F", "M", "Unknown"], 113)
    made.write(SCHOOL_PEOPLE, (f"{1001 + i}\t{_class_of(1001 + i)}\t{sexes[i]}" for i in range(113)))


def _class_of(pupil: int) -> str:
    return f"{1 + pupil % 5}{'AB'[pupil % 2]}" if pupil % 11 else "Teachers"


def _nccu(made: StandIns, random: np.random.Generator) -> None:
    """Twenty minutes of people who walk about a small place, and who came near whom, by the slow rule."""
    samples = []
    for node in range(20):
        x, y = random.uniform(0, 14, 2)
        for at in range(0, 1200, 30):
            x, y = (float(np.clip(value + random.normal(0, 2), 0, 14)) for value in (x, y))
            samples.append((node, MIDNIGHT + at + int(random.integers(20)), round(x, 2), round(y, 2)))
    samples.sort(key=lambda sample: sample[1])
    head = f"{MIDNIGHT} {MIDNIGHT + 86_400} 0 20000 0 20000"
    made.write(NCCU_DAY, [head, *(f"{t} {node + 2} {x} {y}" for node, t, x, y in samples)])
    met = proximity.contacts(samples, NCCU_RADIUS, step=1, gap=600, hold=math.inf)
    made.rows[NCCU] = [(str(a), str(b), start, end) for a, b, start, end in met]
    made.write(NCCU, (f"{a} {b} {start * 1000:.0f} {end * 1000:.0f}" for a, b, start, end in met))
