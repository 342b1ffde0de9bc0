"""Every claim that is said to be tested has exactly one test, named by its id.

MOPS-01 to 08 and claims that need Spark (BSUB13-05) are tested in `tests/pipeline`, `tests/social` and `tests/traces`.
Claims that simulations decide are judged by the reproductions; `tests/studies` has the tests of how they judge.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _ids(paper: str, *numbers: int) -> list[str]:
    return [f"{paper}-{number:02d}" for number in numbers]


CLAIMS = [
    *_ids("BSUB10", *range(1, 15), 18, 20, 22, 23, 24, *range(26, 30), 31, *range(33, 40), 41, 42, 43, 48),
    *_ids("BSUB13", *range(1, 5), 6, 7, 11, 12, 33),
    *_ids("MOPS", *range(9, 27), 39, 41),
    *_ids("SPTBF", *range(1, 11), 20, 22),
    *_ids("ZZ", *range(1, 21), 23, 24, *range(27, 35), 36),
]


def _tests() -> list[str]:
    return [
        statement.name
        for path in sorted(Path(__file__).parent.glob("test_*.py"))
        for statement in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(statement, ast.FunctionDef) and statement.name.startswith("test_")
    ]


def _claim_of(test: str) -> str | None:
    found = re.match(r"test_([A-Z]+\d*)_(\d\d)_", test)
    return f"{found[1]}-{found[2]}" if found else None


def test_each_claim_has_one_test_and_each_test_a_claim_of_the_list() -> None:
    tested = Counter(claim for test in _tests() if (claim := _claim_of(test)))
    assert tested == Counter(CLAIMS)
