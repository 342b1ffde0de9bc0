"""One invented file of every format, with a fault or two, and the contacts it means."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

Contact = tuple[str, str, float, float]


class File(NamedTuple):
    """Lines of a file, the contacts (names, start, end) that come of them, by name and time, and files beside it."""

    lines: tuple[str, ...]
    contacts: list[Contact]
    beside: Mapping[str, tuple[str, ...]] = {}


_LOG = '{{"hunet": 1, "kind": "contact", "time": {}, "node": "{}", "peer": "{}", "up": {}}}'

FILES: Mapping[str, File] = {
    "crawdad": File(
        ("1 2 0 50 1 0", "2 1 40 90 1 0", "10 2 7 7 1 0", "2 2 5 6 1 0"),
        [("1", "2", 0.0, 90.0), ("2", "10", 7.0, 7.0)],
    ),
    "one": File(
        (
            "0 CONN n1 n2 up",
            "10 CONN n2 n1 up",
            "20 CONN n1 n2 down",
            "30 CONN n2 n1 down",
            "5 CONN n3 n1 up",
            "6 CONN n3 n1 down",
        ),
        [("n1", "n2", 0.0, 30.0), ("n1", "n3", 5.0, 6.0)],
    ),
    "dtnsim2": File(("3", "@1 1 <-> 2 up", "@4 2 <-> 1 down", "@5 1 <-> 3 up"), [("1", "2", 1.0, 4.0)]),
    "sociopatterns": File(
        ("20 7 9 5B staff", "40 7 9 5B staff", "80 9 7 staff 5B", "100 3 7 5A 5B"),
        [("3", "7", 80.0, 100.0), ("7", "9", 0.0, 40.0), ("7", "9", 60.0, 80.0)],
    ),
    "nodelog": File(
        (
            _LOG.format(1, "ann", "bob", "true"),
            _LOG.format(2, "bob", "ann", "true"),
            _LOG.format(8, "ann", "bob", "false"),
            _LOG.format(9, "bob", "ann", "false"),
            "{broken",
        ),
        [("ann", "bob", 1.0, 9.0)],
    ),
    "csv": File(
        (
            "a,b,start,end,class_a",
            "ann,bob,0,60,staff",
            "bob,ann,30,90,",
            "ann,bob,0,60,staff",
            "eve,ann,100,100,guest",
            "eve,eve,1,2,odd",
            "bob,eve,9,8,",
            "bob,eve,soon,9,",
        ),
        [("ann", "bob", 0.0, 90.0), ("ann", "eve", 100.0, 100.0)],
    ),
    "sightings": File(
        ("a;b;time", "ann;bob;0", "bob;ann;250", "ann;bob;900", "eve;ann;10"),
        [("ann", "bob", 0.0, 250.0), ("ann", "bob", 900.0, 900.0), ("ann", "eve", 10.0, 10.0)],
    ),
    "positions": File(
        ("id,t,x,y", "p1,0,0,0", "p2,0,3,4", "p10,0,90,0", "p2,25,60,0", "p1,45,55,0", "p10,70,500,0"),
        [("p1", "p2", 0.0, 30.0), ("p1", "p2", 50.0, 80.0)],
    ),
    "lengths": File(
        ("1,16,1334127549000,96000", "16,1,1334127600000,60000", "1,3,1334127549000,0"),
        [("1", "3", 1334127549.0, 1334127549.0), ("1", "16", 1334127549.0, 1334127660.0)],
    ),
    "time-first": File(
        ("0 ann bob", "10 eve ann", "250 bob ann", "900 ann bob"),
        [("ann", "bob", 0.0, 250.0), ("ann", "bob", 900.0, 900.0), ("ann", "eve", 10.0, 10.0)],
    ),
    "cabspotting": File(
        ("37.75134 -122.39488 0 1213084600",),
        [("cabspotting", "other", 1213084600.0, 1213084620.0)],
        {"other.txt": ("37.75234 -122.39488 1 1213084620", "37.75137 -122.39488 0 1213084600")},
    ),
    "one-movement": File(
        ("0 100 0 500 0 500", "0 1 0 0", "0 2 3 4", "20 2 99 0"),
        [("1", "2", 0.0, 20.0)],
    ),
}


def invented_file(name: str, folder: Path) -> Path:
    """The file of a format, written into a folder; or, where others lie beside it, a new folder with all of them."""
    file = FILES[name]
    place = folder / name if file.beside else folder
    place.mkdir(exist_ok=True)
    for title, lines in {f"{name}.txt": file.lines, **file.beside}.items():
        (place / title).write_text("".join(f"{line}\n" for line in lines))
    return place if file.beside else place / f"{name}.txt"
