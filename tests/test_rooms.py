"""The arrows between the rooms, as `docs/design.md` draws them, checked on the source itself."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import hunet

SOURCE = Path(hunet.__file__).parent

# room -> the rooms it may import. Modules that lie directly in src/hunet count as rooms of their own.
ARROWS: dict[str, set[str]] = {
    "model": set(),
    "kernels": {"kernel_cache", "kernel_calls", "kernel_key", "kernel_linking", "kernel_passes", "kernel_records"},
    "kernel_cache": {"kernel_key", "kernel_level", "kernel_turns", "private_folder", "atomic"},
    "kernel_calls": set(),
    "kernel_key": {"kernel_records"},
    "kernel_level": set(),
    "kernel_linking": set(),
    "kernel_passes": set(),
    "kernel_records": set(),
    "kernel_turns": set(),
    "private_folder": set(),
    "atomic": set(),
    "input_files": {"model"},
    "progress": set(),
    "home": set(),
    "filters": {"model", "kernels"},
    "content": {"model", "kernels", "input_files", "filters"},
    "social": {"model", "kernels", "filters", "content"},
    "protocols": {"model", "kernels", "atomic", "input_files", "filters", "content", "social"},
    # report and watch know nothing of sim: a result can draw and show itself without a circle
    "sim": {
        "model",
        "kernels",
        "progress",
        "input_files",
        "filters",
        "content",
        "social",
        "protocols",
        "traces",
        "report",
        "watch",
    },
    "node": {"model", "kernels", "atomic", "home", "input_files", "filters", "content", "protocols"},
    "traces": {"model", "kernels", "atomic", "input_files"},
    "pipeline": {
        "model",
        "kernels",
        "private_folder",
        "atomic",
        "input_files",
        "filters",
        "content",
        "social",
        "traces",
    },
    "sweeps": {"model", "kernels", "atomic", "filters", "content", "social", "protocols", "traces", "sim", "pipeline"},
    "report": {"model", "atomic", "input_files"},
    "watch": {"model", "atomic", "input_files", "social", "traces"},
    "studies": {
        "model",
        "kernels",
        "progress",
        "atomic",
        "home",
        "input_files",
        "filters",
        "content",
        "social",
        "protocols",
        "sim",
        "traces",
        "pipeline",
        "sweeps",
        "report",
        "node",
    },
}
ARROWS["api"] = set(ARROWS) - {"node"}
ARROWS["cli"] = set(ARROWS)

FILES = sorted(SOURCE.rglob("*.py"))


def room_of(path: Path) -> str:
    first = path.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def imported_names(path: Path) -> set[str]:
    """Everything a file imports, with its module: `hunet.model.errors.HunetError`."""
    source = ast.parse(path.read_text(encoding="utf-8"))
    if room_of(path) == "__init__":  # the face names its types for editors, and loads none of them
        source.body = [part for part in source.body if not isinstance(part, ast.If)]
    names = set()
    for statement in ast.walk(source):
        if isinstance(statement, ast.Import):
            names |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            assert statement.level == 0, f"{path}: relative imports hide the arrows; write hunet.{room_of(path)}..."
            names |= {f"{statement.module}.{alias.name}" for alias in statement.names}
    return names


def imported_rooms(path: Path) -> set[str]:
    return {name.split(".")[1] for name in imported_names(path) if name.startswith("hunet.")} - {"__version__"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_imports_only_what_lies_upstream(path: Path) -> None:
    room = room_of(path)
    if room == "__init__":
        assert imported_rooms(path) == set(), "hunet itself imports no room, so that `import hunet` stays light"
        return
    assert room in ARROWS, f"{room} is not a room of the design: add it to docs/design.md and to ARROWS"
    assert imported_rooms(path) - {room} <= ARROWS[room]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_spark_is_named_in_pipeline_and_sweeps_only(path: Path) -> None:
    """Studies pass a Runner around. The command line may tell an import where its Spark is, by a record."""
    if room_of(path) in ("pipeline", "sweeps"):
        return
    named = {name for name in imported_names(path) if name.startswith(("pyspark", "hunet.pipeline.session"))}
    assert named <= ({"hunet.pipeline.session.SparkSettings"} if room_of(path) in ("api", "cli") else set())


@pytest.mark.parametrize("room", sorted(p.name for p in SOURCE.iterdir() if (p / "__init__.py").exists()))
def test_every_room_opens_by_saying_what_it_is_and_what_it_must_not_know(room: str) -> None:
    text = ast.get_docstring(ast.parse((SOURCE / room / "__init__.py").read_text(encoding="utf-8")))
    assert text, f"{room} has no docstring"
    assert len(text.split("\n\n")) >= 2, f"{room}: two short paragraphs, what lives here and what it must not know"
