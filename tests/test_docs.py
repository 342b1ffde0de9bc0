"""The documentation keeps its promises: ids in the code are explained, links lead somewhere."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAPERS = [page for page in sorted((ROOT / "docs" / "papers").glob("*.md")) if page.name != "README.md"]
TEXTS = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *(page for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md") if page.exists()),
]
ALL_IDS = [f"ERR-{i:02d}" for i in range(1, 30)] + [f"AMB-{i:02d}" for i in range(1, 85) if i != 81]


def explained() -> Counter[str]:
    """The ids that have a table row of their own on one of the papers' pages."""
    rows = re.compile(r"^\| ((?:ERR|AMB)-\d\d) \| \S", re.MULTILINE)
    return Counter(found for page in PAPERS for found in rows.findall(page.read_text(encoding="utf-8")))


def mentioned(text: str) -> set[str]:
    return set(re.findall(r"\b(?:ERR|AMB)-\d+\b", text))


def test_every_erratum_and_reading_is_explained_on_exactly_one_page() -> None:
    assert explained() == Counter(ALL_IDS)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "src").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT / "src"))
)
def test_every_id_in_the_code_is_explained(path: Path) -> None:
    assert mentioned(path.read_text(encoding="utf-8")) <= set(explained())


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        goal = (page.parent / file).resolve() if file else page
        assert goal.exists(), f"{page.name}: {target} does not exist"
        if anchor and goal.suffix == ".md":
            assert anchor in anchors(goal), f"{page.name}: {target} has no such heading"


def anchors(page: Path) -> set[str]:
    """The names that headings get on the usual code hosts."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


SOURCE = ROOT / "src" / "hunet"
TWELVE = (
    "a format of trace files",
    "a generator",
    "a protocol",
    "a measure",
    "a figure of a paper",
    "what a claim asks for",
    "the schema of a trace",
    "a command",
    "a sweep backend",
    "an encoding of filters",
    "a section of the report",
    "what can be asked of a node",
)
"""What a stranger changes first."""


def places_to_change() -> dict[str, list[str]]:
    """The table "Where to change what": the paths that each row names."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("## Where to change what")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ", 1) for line in table.splitlines() if line.startswith("| ")]
    return {what: re.findall(r"`([\w./*-]+(?:/|\.\w+))`", where) for what, where in rows}


def test_where_to_change_what_names_places_that_exist() -> None:
    for what, paths in places_to_change().items():
        for path in paths:
            root = ROOT if path.startswith(("tests/", "docs/")) else SOURCE
            assert any(root.glob(re.sub("NAME|PAPER", "*", path.rstrip("/")))), f"{what}: {path} does not exist"


def test_the_twelve_usual_changes_touch_at_most_three_files() -> None:
    table = places_to_change()
    for what in TWELVE:
        assert 1 <= len(table[what]) <= 3, f"{what}: {table[what]}"


def test_the_map_of_the_rooms_names_what_lies_there_and_nothing_else() -> None:
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    rooms = text.partition("    src/hunet/\n")[2].partition("\n\n")[0]
    for path in SOURCE.iterdir():
        if path.suffix == ".py" and path.name != "__init__.py":
            assert path.name in rooms, f"{path.name} is not on the map"
        elif (path / "__init__.py").exists():
            assert f"      {path.name}/" in rooms, f"{path.name} is not on the map"
    for name in re.findall(r"[a-z_]+\.py|\b[a-z_]+/", rooms):
        assert any(SOURCE.rglob(name.rstrip("/"))), f"the map names {name}, which does not exist"
