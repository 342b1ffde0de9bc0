"""A small world to be attacked: a store with one trace, right files of every kind, places nobody can write."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.tables import CONTACTS, NODES
from hunet.traces.store import TraceStore
from hunet.traces.storing import Label, store_tables

STUDY = {
    "": {"name": '"s"', "seeds": "2", "measures": '["delivery_ratio"]', "deliveries": "false", "against": '"k"'},
    "[trace]": {"generator": '"conference"', "nodes": "10", "days": "1", "contacts_per_day": "5.0", "seed": "1",
                "acquaintances": "3.0"},
    "workload": {"profile": '"bsub13"', "ttl": '"10h"', "buffer": "100", "bandwidth": '"unlimited"',
                 "own_outside": "true", "min_contact": '"0s"', "contacts": '"start"'},
    "[protocol]": {"name": '"pull"', "m": "256", "k": "[3, 4]", "any_holder": "false"},
    "limits": {"time": '"10min"', "memory": '"4GB"'},
}  # fmt: skip
WORKLOAD = {
    "": {"name": '"w"', "ttl": '"10h"', "buffer": "100", "bandwidth": '"250kbps"', "own_outside": "true"},
    "tags": {"names": '["jazz", "chess"]', "weights": "[3, 1]"},
    "interests": {"per_node": "1", "weighted": "true", "stay": '"6h"', "away": '"2h"', "hops": "[1, 3]"},
    "messages": {
        "process": '"poisson"',
        "every": '"30min"',
        "by_centrality": "false",
        "centrality": '"degree"',
        "tags": "1",
        "size": "[1, 140]",
    },
}
TAGS = {**WORKLOAD, "tags": {"count": "5", "zipf": "1.0"}}
SETTINGS = {"": {"protocol": '"bsub13"'}, "settings": {"decay_cycle": "64.0", "m": "256", "k": "4"}}
SCHEMA = {
    "attributes.brand": {"type": '"category"', "values": '["Canon", "Nikon"]'},
    "attributes.focal": {"type": '"number"', "min": "8", "max": "400"},
}
SUBSCRIPTION = '{"id": 7, "where": "brand = Nikon and 50 <= focal <= 105"}\n'
EVENTS = "id,brand,focal\n1,Nikon,85\n"
MESSAGES = "time,source,tag,size,ttl\n1,ann,jazz,10,10h\n"
LOG = '{"hunet": 1, "kind": "contact", "time": 5, "node": "ann", "peer": "bob", "up": true}\n'
INTERESTS = "node,tag,from,until,level,hops\nbob,jazz,0,100,1,2\n"


def toml(sections: dict[str, dict[str, str]], **changed: str) -> str:
    """A document; `changed` gives the key of a section (`section.key`) another value."""
    lines = []
    for section, values in sections.items():
        lines += [f"[{section}]"] if section else []
        lines += [f"{key} = {changed.get(f'{section}.{key}', value)}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


class Scene:
    """Files lie in `files`; what must not change lies in `kept`: the store, and a folder for results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files, self.kept = folder / "files", folder / "kept"
        self.home, self.out = self.kept / "home", self.kept / "out"
        for place in (self.files, self.out):
            place.mkdir(parents=True)
        (self.out / "mine.txt").write_text("mine")
        self._numbers = itertools.count()
        store = TraceStore(self.home)
        store_tables(store, Label("tiny", "invented"), {"contacts": tiny(), "nodes": nodes()}, {})
        store_tables(store, Label("long", "invented"), {"contacts": repeated(tiny(), 40), "nodes": nodes()}, {})

    def file(self, content: bytes | str, ending: str = "") -> str:
        """A new file with this content."""
        path = self.files / f"f{next(self._numbers)}{ending}"
        path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
        return str(path)

    def no_files(self) -> dict[str, str]:
        """Paths that name no regular file, by what they are."""
        number = next(self._numbers)
        pipe, circle, lost = (self.files / f"{what}{number}" for what in ("pipe", "circle", "lost"))
        os.mkfifo(pipe)
        circle.symlink_to(circle)
        lost.symlink_to(self.files / "nowhere")
        return {
            "nothing": str(self.files / "nothing.toml"),
            "a pipe": str(pipe),
            "a link in a circle": str(circle),
            "a link to nothing": str(lost),
            "an endless device": "/dev/zero",
            "below a file": f"{self.file('x')}/below",
            "a long name": str(self.files / ("n" * 300)),
            "a long path": "/".join(["d" * 200] * 30),
            "markup": "[/b]",
            "odd letters": "\u202e\x1b[31m",
            "no text": "\udcff\udcfe",
        }

    def odd_places(self) -> dict[str, str]:
        """Paths of regular files or folders in which there is nothing to read."""
        number = next(self._numbers)
        sparse, empty, deep = (self.files / f"{what}{number}" for what in ("sparse.csv", "empty", "deep"))
        with sparse.open("wb") as stream:
            stream.truncate(1 << 40)
        empty.mkdir()
        folder = deep.joinpath(*["d" * 50] * 60)
        for part in [*reversed(folder.parents), folder]:
            part.mkdir(exist_ok=True)
        return {
            "a sparse terabyte": str(sparse),
            "an empty folder": str(empty),
            "a deep folder": str(folder),
            "a pattern of nothing": str(self.files / "*.nothing"),
            "a pattern that is none": str(self.files / "[z-a]"),
        }

    def in_store(self) -> dict[str, str]:
        """Places in the store, where nobody but the store writes."""
        return {
            "the store": str(self.home / "traces"),
            "a trace": str(self.home / "traces" / "tiny"),
            "a version": str(self.home / "traces" / "tiny" / "1" / "out"),
            "the store, roundabout": str(self.out / ".." / "home" / "traces" / "new"),
        }

    def no_folders(self) -> dict[str, str]:
        """Places where no folder can be made."""
        found = self.no_files()
        chosen = (
            "a pipe",
            "a link in a circle",
            "a link to nothing",
            "an endless device",
            "below a file",
            "a long name",
        )
        return {"a file": self.file("x"), **{name: found[name] for name in chosen}}

    def no_places(self) -> dict[str, str]:
        """Places where no file can be written."""
        found = self.no_files()
        chosen = ("a pipe", "a link in a circle", "an endless device", "below a file", "a long name")
        return {"a folder": str(self.out), "a full device": "/dev/full", **{name: found[name] for name in chosen}}


def repeated(contacts: pa.Table, times: int) -> pa.Table:
    """The same contacts again and again, every 1,000 s."""
    parts = []
    for time in range(times):
        shifted = [pc.add(contacts[name], 1000.0 * time) for name in ("start", "end")]
        parts.append(pa.table([contacts["a"], contacts["b"], *shifted], schema=CONTACTS))
    return pa.concat_tables(parts)


def tiny() -> pa.Table:
    """Five contacts of three people."""
    rows = ([0, 0, 0, 1, 1], [1, 1, 2, 2, 2], [0.0, 500.0, 90.0, 30.0, 900.0], [60.0, 560.0, 200.0, 80.0, 1000.0])
    return pa.table(rows, schema=CONTACTS)


def nodes() -> pa.Table:
    return pa.table([[0, 1, 2], ["ann", "bob", "eve"], ["internal"] * 3, [None] * 3], schema=NODES)
