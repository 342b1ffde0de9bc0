"""The notebook of the first steps runs, and its kept outputs are what comes of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "examples" / "first-steps.ipynb"
MOST_BYTES = 200_000


def texts(notebook: Any) -> list[list[str]]:
    """What each cell says as plain text; pictures and HTML come along with it."""
    return [
        [str(output.get("text") or output["data"]["text/plain"]) for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def kept() -> Any:
    """The notebook as it is in the repository."""
    return nbformat.reads(NOTEBOOK.read_text(encoding="utf-8"), as_version=4)  # type: ignore[no-untyped-call]


def executed() -> Any:
    """The notebook after a run, in a kernel of its own; so few contacts are quicker uncompiled."""
    notebook = kept()
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1", COLUMNS="80")
    client = NotebookClient(
        notebook, timeout=300, record_timing=False, resources={"metadata": {"path": str(NOTEBOOK.parent)}}
    )
    client.execute(env=environment)
    return notebook


@pytest.mark.filterwarnings("default")  # of the notebook's machinery
def test_the_notebook_runs_and_says_what_it_keeps() -> None:
    assert texts(executed()) == texts(kept()), "make notebook keeps what it says now"
    shown = [set(output.get("data", ())) for cell in kept().cells for output in cell.get("outputs", ())]
    assert sum("image/png" in one for one in shown) >= 3
    assert sum("text/html" in one for one in shown) >= 5


def test_the_notebook_is_small_and_stores_nothing() -> None:
    assert NOTEBOOK.stat().st_size < MOST_BYTES
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert ".save(" not in text
    assert "/home/" not in text


if __name__ == "__main__":
    nbformat.write(executed(), NOTEBOOK)  # type: ignore[no-untyped-call]
