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
    "kernels": {"kernel_cache"},
    "kernel_cache": {"private_folder"},
    "private_folder": set(),
    "filters": {"model", "kernels"},
    "content": {"model", "kernels", "filters"},
    "social": {"model", "kernels", "filters", "content"},
    "protocols": {"model", "kernels", "filters", "content", "social"},
    # report knows nothing of sim: a result can draw itself without a circle
    "sim": {"model", "kernels", "filters", "content", "social", "protocols", "report"},
    "node": {"model", "kernels", "filters", "content", "social", "protocols"},
    "traces": {"model", "kernels"},
    "pipeline": {"model", "kernels", "private_folder", "filters", "content", "social", "traces"},
    "sweep": {"model", "kernels", "filters", "content", "social", "protocols", "traces", "sim", "pipeline"},
    "report": {"model"},
    "studies": {
        "model",
        "kernels",
        "filters",
        "content",
        "social",
        "protocols",
        "sim",
        "traces",
        "pipeline",
        "sweep",
        "report",
    },
}
ARROWS["api"] = set(ARROWS) - {"node"}
ARROWS["cli"] = set(ARROWS)

FILES = sorted(SOURCE.rglob("*.py"))


def room_of(path: Path) -> str:
    first = path.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    return rooms_of(path, ast.parse(path.read_text(encoding="utf-8")))


def rooms_of(path: Path, source: ast.Module) -> set[str]:
    rooms = set()
    for statement in ast.walk(source):
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            assert statement.level == 0, f"{path}: relative imports hide the arrows; write hunet.{room_of(path)}..."
            module = statement.module or ""
            names = [f"{module}.{alias.name}" for alias in statement.names] if module == "hunet" else [module]
        else:
            continue
        rooms |= {name.split(".")[1] for name in names if name.startswith("hunet.")}
    return rooms - {"__version__"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_imports_only_what_lies_upstream(path: Path) -> None:
    room = room_of(path)
    if room == "__init__":
        without_types = ast.parse(path.read_text(encoding="utf-8"))
        without_types.body = [one for one in without_types.body if not isinstance(one, ast.If)]
        assert rooms_of(path, without_types) == set(), (
            "hunet itself imports no room, so that `import hunet` stays light"
        )
        return
    assert room in ARROWS, f"{room} is not a room of the design: add it to docs/design.md and to ARROWS"
    assert imported_rooms(path) - {room} <= ARROWS[room]


@pytest.mark.parametrize("room", sorted(p.name for p in SOURCE.iterdir() if (p / "__init__.py").exists()))
def test_every_room_opens_by_saying_what_it_is_and_what_it_must_not_know(room: str) -> None:
    text = ast.get_docstring(ast.parse((SOURCE / room / "__init__.py").read_text(encoding="utf-8")))
    assert text, f"{room} has no docstring"
    assert len(text.split("\n\n")) >= 2, f"{room}: two short paragraphs, what lives here and what it must not know"
