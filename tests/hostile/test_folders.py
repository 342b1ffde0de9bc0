"""Stores and folders of results that somebody damaged, or made to do harm."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.contents import broken_containers, json_values, no_json, no_text
from tests.hostile.harness import Case, Tally, run
from tests.hostile.scene import STUDY, Scene, toml
from tests.hostile.test_files import check

OPENERS = (
    ("trace", "describe"),
    ("trace", "communities"),
    ("share",),
    ("simulate", "--protocol", "push"),
    ("compare", "--protocol", "push"),
    ("tune",),
)


@pytest.fixture
def victim(scene: Scene) -> Path:
    """The folder of a second trace, outside of what must not change, since it is damaged again and again."""
    home = scene.folder / "damaged"
    shutil.copytree(scene.home, home)
    return home / "traces" / "tiny"


def test_a_damaged_manifest_is_named_by_every_command(
    scene: Scene, tally: Tally, victim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUNET_HOME", str(victim.parents[1]))
    manifest = victim / "manifest.json"
    right = json.loads(manifest.read_text())

    def contents() -> Iterator[tuple[str, bytes]]:
        yield from no_json("manifest")
        for key in right:
            for label, value in json_values():
                if type(value) is not type(right[key]):
                    yield f"{key} = {label}", json.dumps({**right, key: value}).encode()
        for key, value in (("version", 0), ("version", -5), ("version", 7), ("name", "other"), ("name", "../tiny")):
            yield f"{key} = {value}", json.dumps({**right, key: value}).encode()

    def cases() -> Iterator[Case]:
        for number, (label, content) in enumerate(contents()):
            manifest.write_bytes(content)
            opener = OPENERS[number % len(OPENERS)]
            yield Case(f"{opener}, {label}", [*opener, "tiny"], [str(manifest), "'tiny' is damaged", "schema version"])
            study = scene.file(toml({**STUDY, "[trace]": {"name": '"tiny"'}}), ".toml")
            if number % 4 == 0:
                yield Case(f"study, {label}", ["study", "check", study], ["tiny"])

    check(cases(), scene, tally)
    manifest.write_bytes(b"{")
    listed = run(["trace", "list"])
    assert listed.code == 0
    assert str(manifest) in listed.out


def test_damaged_tables_of_a_trace_are_named_by_every_command(
    scene: Scene, tally: Tally, victim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUNET_HOME", str(victim.parents[1]))

    def cases() -> Iterator[Case]:
        contents = [content for _, ending, content in broken_containers("tables") if ending == ".parquet"]
        for number, content in enumerate(contents):
            for table in ("contacts", "nodes"):
                file = victim / "1" / table / "all.parquet"
                whole = file.read_bytes()
                file.write_bytes(content)
                opener = OPENERS[1 + number % (len(OPENERS) - 1)]
                yield Case(f"{opener}, {table} {number}", [*opener, "tiny"], ["'tiny' is damaged"])
                file.write_bytes(whole)
        for table in ("contacts", "nodes"):
            (victim / "1" / table).rename(victim / "1" / "away")
            for opener in OPENERS:
                yield Case(f"{opener}, {table} gone", [*opener, "tiny"], ["'tiny' is damaged"])
            (victim / "1" / "away").rename(victim / "1" / table)

    check(cases(), scene, tally)


CONTENTS: dict[str, object] = {
    "title": "t", "headline": "h", "command": "hunet", "made": {"hunet": "0"}, "shown": [], "verdicts": None,
    "settings": [], "traces": [], "errata": [], "notes": [],
}  # fmt: skip


def test_a_damaged_folder_of_results_becomes_no_page(scene: Scene, tally: Tally) -> None:
    folder = scene.folder / "results"
    folder.mkdir()
    file = folder / "contents.json"
    line = ["report", str(folder), "--out", str(scene.out / "page.html")]

    def cases() -> Iterator[Case]:
        for label, content in no_json("contents"):
            file.write_bytes(content)
            yield Case(f"contents, {label}", line, [str(folder)])
        for key, right in CONTENTS.items():
            for label, value in json_values():
                fits = value is None and key == "verdicts"
                fits |= (isinstance(right, list) and value == []) or (key == "made" and value == {})
                fits |= isinstance(right, str) and isinstance(value, str)
                if not fits:
                    file.write_text(json.dumps({**CONTENTS, key: value}))
                    yield Case(f"contents, {key} = {label}", line, [str(folder)])
        for name in ("/etc/passwd", "../../x", "no.csv", ".", "", "\0", "x" * 5000, "[/b]", "/dev/zero"):
            for key, told in (
                ("verdicts", {**CONTENTS, "verdicts": name}),
                ("data", {**CONTENTS, "shown": [{"title": "x", "data": name}]}),
                ("picture", {**CONTENTS, "shown": [{"title": "x", "picture": name}]}),
            ):
                file.write_text(json.dumps(told))
                yield Case(f"contents, {key} {name[:20]!r}", line, [str(folder)])
        file.write_text(json.dumps({**CONTENTS, "verdicts": "v.csv"}))
        for label, content in no_text("verdicts"):
            (folder / "v.csv").write_bytes(content + b"\n1,2,3\n")
            yield Case(f"verdicts, {label}", line, [str(folder)])
        for text in ("claim,verdict\n1\n", "claim,verdict\n1,2,3\n", "a,b\n1,2\n", "verdict\n" + "x" * 200_000):
            (folder / "v.csv").write_text(text)
            yield Case(f"verdicts, {text[:20]!r}", line, [str(folder)])

    check(cases(), scene, tally)
