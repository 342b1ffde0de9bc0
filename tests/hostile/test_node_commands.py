"""What a node is told on the command line, and what lies in its home, in every wrong kind. No node runs here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.contents import json_values, no_json, no_text, no_toml
from tests.hostile.harness import Case, Tally, run
from tests.hostile.scene import Scene
from tests.hostile.test_files import check, shown
from tests.hostile.test_options import NO_COUNTS, NO_NUMBERS, NO_TIMES, NO_WORDS

NO_ADDRESSES = (
    "x:y",
    "1.2.3.4:99999",
    "[::1",
    "::1",
    "a b:1",
    "a/b:1",
    "x" * 9 + ":" + "9" * 5000,
    "1:2:3",
    "\x1b[31m",
    "127.0.0.1:-1",
    "127.0.0.1:٣",
    "a:1.5",
)
NO_DOORS = (*NO_ADDRESSES, "8.8.8.8:1", "0.0.0.0:80", "a" * 5000)
NO_EVENTS = ("", "{", "[]", "3", "null", '{"a":' * 1000, "\x1b", '{"a": NaN}')
NO_INVITATIONS = ("", " ", "HUNET:", "HUNET:abc", "x" * 100_000, "\x1b[31m", f"HUNET:{'A' * 1000}", "\udcff", "HUNET:٣")
GRACE = tuple(value for value in NO_TIMES if value != "0")
OPTIONS: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {
    ("join",): {"": NO_INVITATIONS},
    ("network", "new"): {"": ("", " ", "x" * 5000, "\x1b[31m", "\udcff", "a\nb", "\0")},
    ("network", "rotate"): {"--grace": GRACE},
    ("run",): {
        "--protocol": (*NO_WORDS, "mops"),
        "--settings": NO_WORDS,
        "--listen": NO_ADDRESSES,
        "--peer": (*NO_ADDRESSES, ":", ":47470", "", " "),
        "--http": NO_DOORS,
        "--mqtt": NO_DOORS,
    },
    ("pub", "jazz", "hello"): {"--lifetime": NO_TIMES},
    ("pub", "hello"): {"--event": NO_EVENTS},
    ("sub", "jazz"): {"--for": NO_TIMES, "--level": (*NO_NUMBERS, "-1", "0", "2", "inf"), "--hops": NO_COUNTS},
    ("inbox",): {"--since": NO_COUNTS},
    ("replay", "tiny"): {
        "--protocol": NO_WORDS,
        "--workload": NO_WORDS,
        "--speed": (*(value for value in NO_NUMBERS if not value.isdigit()), "0", "-1", "-inf", "1e-300"),
        "--processes": (*(value for value in NO_COUNTS if value != str(1 << 64)), "0"),
        "--seed": NO_COUNTS,
        "--hours": ("", "nan", "0", "-1", "many"),
    },
}


@pytest.fixture
def home(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A node that is in a network."""
    folder = scene.kept / "node"
    monkeypatch.setenv("HUNET_NODE_HOME", str(folder))
    assert run(("node", "network", "new", "friends")).code == 0
    (folder / "lock").touch(mode=0o600)  # which every `run` makes
    return folder


@pytest.mark.parametrize("command", OPTIONS, ids=" ".join)
def test_a_wrong_word_to_a_node_is_refused(
    scene: Scene, tally: Tally, home: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    if command[:1] in (("join",), ("network",)) and command != ("network", "rotate"):
        monkeypatch.setenv("HUNET_NODE_HOME", str(scene.kept / "nobody"))

    def cases() -> Iterator[Case]:
        for option, values in OPTIONS[command].items():
            for value in values:
                given = [option, value] if option else [value]
                named = [
                    option.lstrip("-"),
                    shown(value)[:40],
                    "invitation",
                    "name",
                    "no node runs",
                    "there is no",
                    "No such",
                    "event",
                ]
                # nobody answers: what is right but for this option would be asked of a running node
                yield Case(
                    f"{command} {option} = {value[:30]!r}", ["node", *command, *given], [one for one in named if one]
                )

    check(cases(), scene, tally)


def test_a_home_that_is_none_is_refused_by_every_command_that_needs_one(scene: Scene, tally: Tally, home: Path) -> None:
    def cases() -> Iterator[Case]:
        for label, path in scene.no_folders().items():
            for command in (("status",), ("network", "show"), ("network", "new", "x"), ("sub", "x"), ("run",)):
                yield Case(f"{command}, home is {label}", ["node", *command, "--home", path], [shown(path)[:40]])

    check(cases(), scene, tally)


def test_files_for_a_node_that_are_none_are_refused(scene: Scene, tally: Tally, home: Path) -> None:
    def cases() -> Iterator[Case]:
        other = str(scene.kept / "other")
        for label, content in no_toml("node"):
            file = scene.file(content, ".toml")
            yield Case(f"--settings, {label}", ["node", "run", "--settings", file], [file])
            yield Case(f"--schema, {label}", ["node", "network", "new", "x", "--home", other, "--schema", file], [file])

    check(cases(), scene, tally)


def test_a_damaged_network_is_named_and_left_as_it_is(scene: Scene, tally: Tally, home: Path) -> None:
    file = home / "network.json"
    right = json.loads(file.read_text())

    def contents() -> Iterator[tuple[str, bytes]]:
        yield from no_json("network")
        yield from no_text("network")
        for key in right:
            for label, value in json_values():
                fits = value is True or (key == "schema" and isinstance(value, str)) or value is None
                if type(value) is not type(right[key]) and not fits:
                    yield f"{key} = {label}", json.dumps({**right, key: value}).encode()

    for label, content in contents():
        file.write_bytes(content)
        file.chmod(0o600)
        commands = (("status",), ("network", "rotate"), ("network", "new", "other"), ("run",))
        check((Case(f"{label}, {one}", ["node", *one], [str(file)]) for one in commands), scene, tally)


DAMAGED = [(name, content) for name in ("link.key", "author.key") for content in (b"", b"x" * 33, b"x" * 5000)]
DAMAGED += [("node.db", b"x" * 33), ("node.db", b"SQLite format 3\0" + b"\xff" * 5000)]


@pytest.mark.parametrize(("name", "content"), DAMAGED, ids=lambda value: str(value)[:12])
def test_a_damaged_key_or_store_is_named_before_a_node_runs(
    scene: Scene, tally: Tally, home: Path, name: str, content: bytes
) -> None:
    for key in ("link.key", "author.key"):  # which the node would make anew
        (home / key).write_bytes(bytes(range(32)))
        (home / key).chmod(0o600)
    (home / name).write_bytes(content)
    command = ["node", "run", "--listen", "127.0.0.1:0"]
    check(iter([Case(f"{name}, {len(content)} bytes", command, [str(home / name)])]), scene, tally)
