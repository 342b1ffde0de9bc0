"""Every command that reads a file, with files of every wrong kind."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.hostile.contents import (
    WRONG_VALUES,
    broken_containers,
    json_values,
    no_json,
    no_tables,
    no_text,
    no_toml,
    odd_containers,
    parquet_of,
)
from tests.hostile.dice import dice, letters
from tests.hostile.harness import Case, Tally, complaints
from tests.hostile.scene import (
    EVENTS,
    INTERESTS,
    LOG,
    MESSAGES,
    SCHEMA,
    SETTINGS,
    STUDY,
    SUBSCRIPTION,
    TAGS,
    WORKLOAD,
    Scene,
    toml,
)

TOML_READERS = {
    "study check": ("study", "check", "FILE"),
    "study run": ("study", "run", "FILE", "--out", "OUT"),
    "simulate --settings": ("simulate", "tiny", "--settings", "FILE"),
    "simulate --workload": ("simulate", "tiny", "--protocol", "push", "--workload", "FILE"),
    "tune --workload": ("tune", "long", "--workload", "FILE", "--out", "OUT"),
    "bound --workload": ("bound", "tiny", "--workload", "FILE"),
    "match --schema": ("match", "--schema", "FILE", "--subscriptions", "SUBSCRIPTION", "--events", "EVENTS"),
}
WORKLOADS = ("simulate --workload", "tune --workload", "bound --workload")
DOCUMENTS: Mapping[str, dict[str, dict[str, str]]] = {
    "study check": STUDY,
    "study run": STUDY,
    "simulate --settings": SETTINGS,
    "simulate --workload": WORKLOAD,
    "tune --workload": WORKLOAD,
    "match --schema": SCHEMA,
}


def command(scene: Scene, words: tuple[str, ...], file: str) -> list[str]:
    """A command line with a file in its place, and right ones in the others."""
    known = {
        "FILE": lambda: file,
        "OUT": lambda: str(scene.out),
        "SCHEMA": lambda: scene.file(toml(SCHEMA), ".toml"),
        "SUBSCRIPTION": lambda: scene.file(SUBSCRIPTION, ".jsonl"),
        "EVENTS": lambda: scene.file(EVENTS, ".csv"),
        "MESSAGES": lambda: scene.file(MESSAGES, ".csv"),
        "INTERESTS": lambda: scene.file(INTERESTS, ".csv"),
    }
    return [known[word]() if word in known else word for word in words]


@pytest.mark.parametrize("reader", TOML_READERS)
def test_what_is_no_toml_is_refused(scene: Scene, tally: Tally, reader: str) -> None:
    def cases() -> Iterator[Case]:
        for label, content in no_toml(reader):
            file = scene.file(content, ".toml")
            yield Case(f"{reader}, {label}", command(scene, TOML_READERS[reader], file), [file])
        for label, path in scene.no_files().items():
            if reader not in WORKLOADS or path.endswith(".toml"):  # there other words are names of profiles
                yield Case(f"{reader}, {label}", command(scene, TOML_READERS[reader], path), [shown(path)])

    check(cases(), scene, tally)


DURATIONS = ("inf", "1e308", "9223372036854775807", '"1e-12s"')
WORDS = ('"nan"', '"1_000"', '"1e-12s"', '"1e999d"')
TEXTS = tuple(value for value in WRONG_VALUES if value.startswith('"'))
RIGHT: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("study", ".name"): WORDS,
    ("study", ".deliveries"): ("true",),
    ("study", "[trace].seed"): ("9223372036854775807",),
    ("study", "workload.ttl"): DURATIONS,
    ("study", "workload.min_contact"): DURATIONS,
    ("study", "workload.buffer"): ("inf",),
    ("study", "workload.bandwidth"): ("inf",),
    ("study", "workload.own_outside"): ("true",),
    ("study", "[protocol].any_holder"): ("true",),
    ("study", "limits.time"): DURATIONS,
    ("simulate --settings", "settings.decay_cycle"): ("inf", "1e308", "9223372036854775807"),
    ("simulate --workload", ".name"): TEXTS,
    ("simulate --workload", ".ttl"): DURATIONS,
    ("simulate --workload", ".bandwidth"): ("inf",),
    ("simulate --workload", ".own_outside"): ("true",),
    ("simulate --workload", ".buffer"): ("9223372036854775807",),
    ("simulate --workload", "tags.weights"): ("[1, 1]",),
    ("simulate --workload", "interests.weighted"): ("true",),
    ("simulate --workload", "interests.stay"): DURATIONS,
    ("simulate --workload", "interests.away"): DURATIONS,
    ("simulate --workload", "interests.hops"): ("[1, 1]",),
    ("simulate --workload", "messages.every"): ("1e308", "9223372036854775807"),
    ("simulate --workload", "messages.by_centrality"): ("true",),
    ("simulate --workload", "messages.size"): ("[1, 1]",),
    ("match --schema", "attributes.focal.min"): ("-1", "-0.5"),
    ("match --schema", "attributes.focal.max"): ("1e308", "9223372036854775807"),
}
"""Values among the wrong ones that a key may well have, and that are none for this battery."""


def _right(reader: str, place: str) -> tuple[str, ...]:
    of = "study" if reader.startswith("study") else WORKLOADS[0] if reader in WORKLOADS else reader
    return RIGHT.get((of, place), ())


@pytest.mark.parametrize("reader", DOCUMENTS)
def test_a_key_with_a_wrong_value_is_refused(scene: Scene, tally: Tally, reader: str) -> None:
    def cases() -> Iterator[Case]:
        document = DOCUMENTS[reader]
        chance = dice(f"values {reader}")
        for section, keys in document.items():
            for key in keys:
                for value in chance.sample(WRONG_VALUES, 16):
                    if value not in _right(reader, f"{section}.{key}"):
                        file = scene.file(toml(document, **{f"{section}.{key}": value}), ".toml")
                        label = f"{reader}, {section}.{key} = {value[:40]}"
                        yield Case(label, command(scene, TOML_READERS[reader], file), [file])

    check(cases(), scene, tally)


GRIDS = {
    "a huge grid": toml(
        STUDY, **{"[protocol].m": "{ from = 1, to = 9000, step = 1 }", "[protocol].k": str([*range(1, 33)])}
    ),
    "a grid of traces": toml(STUDY, **{"[trace].seed": str([*range(9000)]), "[trace].nodes": str([*range(10, 99)])}),
    "no trace": toml({**STUDY, "[trace]": {"name": "[]"}}),
    "a trace twice": toml({**STUDY, "[trace]": {"name": '["tiny", "tiny"]'}}),
    "a trace of no name": toml({**STUDY, "[trace]": {"name": "3"}}),
    "a seed beyond 64 bits": toml(STUDY, **{".seeds": f"[{1 << 64}]"}),
    "a billion seeds": toml(STUDY, **{".seeds": "1000000000"}),
    "too many runs": toml(STUDY, **{".seeds": "900000"}),
    "a range without end": toml(STUDY, **{"[protocol].m": "{ from = 1, to = 1e300, factor = 1.0000001 }"}),
}
MANY = {
    "10^12 tags": toml(TAGS, **{"tags.count": "1000000000000"}),
    "no tags": toml(TAGS, **{"tags.count": "0"}),
    "an exponent without measure": toml(TAGS, **{"tags.zipf": "1e300"}),
    "interests of a picosecond": toml(WORKLOAD, **{"interests.stay": '"1e-12s"', "interests.away": '"1e-12s"'}),
    "messages of a picosecond": toml(WORKLOAD, **{"messages.every": '"1e-12s"'}),
    "messages of a picosecond, uniform": toml(
        WORKLOAD, **{"messages.every": '"1e-12s"', "messages.process": '"uniform"'}
    ),
    "interests without number": toml(WORKLOAD, **{"interests.per_node": "1000000000000"}),
    "a size beyond 64 bits": toml(WORKLOAD, **{"messages.size": f"[1, {1 << 70}]"}),
    "a file of messages that is none": toml(WORKLOAD | {"messages": {"file": '"/dev/zero"'}}),
    "a file of interests that is none": toml(WORKLOAD | {"interests": {"file": '"."'}}),
    "a table of interests that is none": toml(WORKLOAD | {"interests": {"table": '"sigcomm2009"', "folder": '"x"'}}),
}


def test_what_would_take_for_ever_is_counted_first(scene: Scene, tally: Tally) -> None:
    def cases() -> Iterator[Case]:
        for reader, texts in (
            ("study check", GRIDS),
            ("study run", GRIDS),
            ("simulate --workload", MANY),
            ("tune --workload", MANY),
            ("bound --workload", MANY),
        ):
            for label, text in texts.items():
                file = scene.file(text, ".toml")
                yield Case(
                    f"{reader}, {label}", command(scene, TOML_READERS[reader], file), [str(scene.files), "/dev/zero"]
                )

    check(cases(), scene, tally)


def test_a_subscription_that_is_no_line_of_json_is_refused(scene: Scene, tally: Tally) -> None:
    words = ("match", "--schema", "SCHEMA", "--subscriptions", "FILE", "--events", "EVENTS")
    wrong = ("and", "brand", "brand =", "brand = Canon and", "focal < x", "focal = 1_0", "focal = ٣", "[/b] = 3",
             "focal < 1 < 2", "brand < Canon", "focal = inf", "focal = nan", "focal = 1e999", "x" * 5000, "(" * 5000,
             "50 <= focal <= 40", "focal > 9999", "brand = Leica", "focal = 1 or brand = Canon",
             "focal = \x1b[31m")  # fmt: skip

    def cases() -> Iterator[Case]:
        for label, content in no_json("subscriptions"):
            file = scene.file(content, ".jsonl")
            yield Case(f"subscriptions, {label}", command(scene, words, file), [file])
        for key in ("id", "where"):
            for label, value in json_values():
                is_id = key == "id" and isinstance(value, int | str) and not isinstance(value, bool)
                if not is_id and not (key == "where" and value in ("", {})):  # who says nothing wants everything
                    file = scene.file(json.dumps({"id": 7, "where": "brand = Nikon", key: value}), ".jsonl")
                    yield Case(f"subscriptions, {key} = {label}", command(scene, words, file), [file])
        for where in wrong:
            file = scene.file(json.dumps({"id": 7, "where": where}), ".jsonl")
            yield Case(f"subscriptions, where {where[:30]}", command(scene, words, file), [file])
        for label, path in scene.no_files().items():
            yield Case(f"subscriptions, {label}", command(scene, words, path), [shown(path)])

    check(cases(), scene, tally)


SHEETS = {
    "messages": (
        ("simulate", "tiny", "--protocol", "push", "--messages", "FILE", "--interests", "INTERESTS"),
        MESSAGES,
    ),
    "interests": (
        ("simulate", "tiny", "--protocol", "push", "--messages", "MESSAGES", "--interests", "FILE"),
        INTERESTS,
    ),
    "events": (("match", "--schema", "SCHEMA", "--subscriptions", "SUBSCRIPTION", "--events", "FILE"), EVENTS),
}
CELLS = (
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-1",
    "1_000",
    "٣",
    "0x10",
    "[/b]",
    "\x1b[31m",
    "x" * 200_000,
    '"open',
    "1;;2",
    ";",
)
RIGHT_CELLS = {
    "source": (),
    "tag": CELLS,
    "id": CELLS,
    "size": ("1e999",),
    "ttl": ("inf",),
    "from": ("-1",),
    "brand": (),
}
TABLES: Mapping[str, dict[str, object]] = {
    "truth for numbers": {"time": [True], "source": ["ann"], "tag": ["x"], "node": ["ann"], "from": [True], "id": [1],
                          "brand": ["Nikon"], "focal": [True]},
    "lists for numbers": {"time": [[1]], "source": [["ann"]], "tag": [["x"]], "node": [["ann"]], "id": [[1]],
                          "brand": [["Nikon"]], "focal": [[1]]},
    "bytes": {"time": [b"\xff"], "source": [b"\xff"], "tag": [b"\xff"], "node": [b"\xff"], "id": [b"\xff"],
              "brand": [b"\xff"], "focal": [b"\xff"]},
    "nothing": {"time": [None], "source": [None], "tag": [None], "node": [None], "id": [None], "brand": [None],
                "focal": [None]},
}  # fmt: skip


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_table_that_is_none_is_refused(scene: Scene, tally: Tally, sheet: str) -> None:
    words, right = SHEETS[sheet]
    header, row = (line.split(",") for line in right.splitlines())

    def cases() -> Iterator[Case]:
        for label, content in no_text(sheet):
            file = scene.file(content, ".csv")
            yield Case(f"{sheet}, {label}", command(scene, words, file), [file])
        for label, ending, content in broken_containers(sheet):
            if ending == ".parquet":
                file = scene.file(content, ending)
                yield Case(f"{sheet}, {label}", command(scene, words, file), [file])
        for label, path in scene.no_files().items():
            yield Case(f"{sheet}, {label}", command(scene, words, path), [shown(path)])
        for place, name in enumerate(header):
            for cell in CELLS:
                if cell not in RIGHT_CELLS.get(name, ()):
                    cells = [*row[:place], cell, *row[place + 1 :]]
                    file = scene.file(f"{','.join(header)}\n{','.join(cells)}\n", ".csv")
                    yield Case(f"{sheet}, {name} = {cell[:20]}", command(scene, words, file), [file])
        for label, text in {
            "no header": f"{','.join(row)}\n",
            "only blank lines": "\n\n\n",
            "too few cells": f"{','.join(header)}\n{row[0]}\n",
            "too many cells": f"{','.join(header)}\n{','.join(row)},,,\n",
            "a column twice": f"{','.join(header)},{header[0]}\n{','.join(row)},{row[0]}\n",
            "markup": "[/b],[b]\n1,2\n",
            "one endless line": "x" * (4 << 20),
        }.items():
            file = scene.file(text, ".csv")
            yield Case(f"{sheet}, {label}", command(scene, words, file), [file])
        for label, columns in TABLES.items():
            chosen = {name: columns[name] for name in header if name in columns}
            file = scene.file(parquet_of(chosen), ".parquet")
            yield Case(f"{sheet}, {label}", command(scene, words, file), [file])

    check(cases(), scene, tally)


TRACE_READERS = {
    "import": ("trace", "import"),
    "look": ("trace", "look"),
    "simulate": ("simulate", "--protocol", "push"),
    "watch": ("watch", "--out", "page.html"),
}


@pytest.mark.parametrize("name", TRACE_READERS)
def test_a_trace_file_that_is_none_is_refused_before_spark_starts(scene: Scene, tally: Tally, name: str) -> None:
    command = TRACE_READERS[name]

    def cases() -> Iterator[Case]:
        for label, content in (*no_text("import"), *no_tables("import")):
            file = scene.file(content, ".dat")
            yield Case(f"{name}, {label}", [*command, file], [Path(file).name])
        for label, ending, content in (*broken_containers("import"), *odd_containers("import")):
            file = scene.file(content, ending)
            yield Case(f"{name}, {label}", [*command, file], [Path(file).name])
        for label, path in (scene.no_files() | scene.odd_places()).items():
            yield Case(f"{name}, {label}", [*command, path], [shown(path), "trace name"])
        if name in ("import", "look"):
            mixed = [scene.file("a,b,start,end\n1,2,3,4\n", ".csv"), scene.file(b"PAR1", ".parquet")]
            yield Case(f"{name}, text and Parquet", [*command, *mixed], ["import them apart"])

    check(cases(), scene, tally)


def test_what_is_no_log_is_not_followed(scene: Scene, tally: Tally) -> None:
    """Nothing is made, and Spark is not started. Folders without a log, and logs without a line, may get some yet."""
    command = ("trace", "follow", "--name", "new", "--once")

    def cases() -> Iterator[Case]:
        for label, content in (*no_text("import"), *no_tables("import")):
            file = scene.file(content, ".jsonl")
            if content:
                yield Case(f"follow, {label}", [*command, file], [Path(file).name])
        for label, path in (scene.no_files() | scene.odd_places()).items():
            if not os.path.isdir(path):  # noqa: PTH112 (which does not mind names that none can have)
                yield Case(f"follow, {label}", [*command, path], [shown(path)])
        log = scene.file(LOG, ".jsonl")
        yield Case("follow, one more that is none", [*command, log, letter := scene.file("Dear Ann\n")], [letter])
        yield Case("follow, a trace of another kind", ["trace", "follow", log, "--name", "tiny"], ["tiny"])

    check(cases(), scene, tally)


def test_a_file_about_nodes_that_is_none_is_refused_before_spark_starts(scene: Scene, tally: Tally) -> None:
    chance = dice("metadata")
    texts = {
        "nothing": "",
        "blank lines": " \n\t\n",
        "comments": "# 1 A\n",
        "names alone": "ann A\nbob\n",
        "CSV": "ann,A,F\nbob,B,M\n",
        "one endless word": "x" * (2 << 20),
        **{f"odd letters {number}": "".join(letters(chance, 50).split()) for number in range(6)},
    }

    def cases() -> Iterator[Case]:
        csv = scene.file("a,b,start,end\nann,bob,0,100\nbob,cat,200,300\n", ".csv")
        command = ["trace", "import", csv, "--metadata"]
        for label, content in (*((label, text.encode()) for label, text in texts.items()), *no_text("metadata")):
            file = scene.file(content, ".txt")
            yield Case(f"metadata, {label}", [*command, file], [file])
        for label, ending, content in broken_containers("metadata"):
            if ending in (".gz", ".zip", ".csv.gz"):
                file = scene.file(content, ending)
                yield Case(f"metadata, {label}", [*command, file], [file])
        for label, path in scene.no_files().items():
            yield Case(f"metadata, {label}", [*command, path], [shown(path)])

    check(cases(), scene, tally)


def check(cases: Iterator[Case], scene: Scene, tally: Tally) -> None:
    number, found = complaints(cases, scene.kept, tally)
    assert not found, f"{len(found)} of {number}:\n" + "\n".join(found)


def shown(path: str) -> str:
    """A path as it is printed."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in path)[:80]
