"""The tables and pictures of `make comparison`, from invented runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hunet.report.frontier import draw_frontier
from hunet.studies import standing
from hunet.studies.comparison import COMPARED, TAKEN, Standing, Values
from hunet.studies.standing import BEGIN, END, condition_table, differences_table, frontiers
from hunet.traces.generators.conference import CONFERENCE
from hunet.traces.store import TraceStore


def values(ratio: float, forwards: float) -> Values:
    """Three seeds, each a little better than the one before."""
    found = {name: np.full(3, 1.0) for name in TAKEN}
    for name in ("delivery_ratio", "delivered_within_4h"):
        found[name] = ratio + np.array([0.0, 0.01, 0.02])
    found["forwards"] = np.full(3, forwards)
    found["forwards_per_delivery"] = np.full(3, forwards / ratio)
    return found


FOUND = {Standing("one", name, name): values(0.5, 100.0) for name in COMPARED} | {
    Standing("one", "envoy", "envoy"): values(0.7, 30.0),
    Standing("one", "spray:copies=32", "spray"): values(0.6, 60.0),
    Standing("one", "clairvoyant", "bound"): values(0.8, 20.0),
}


def test_a_table_has_a_row_for_every_protocol_and_the_bound_but_not_for_points_of_a_frontier() -> None:
    rows = condition_table(FOUND).splitlines()
    assert len(rows) == 2 + len(COMPARED) + 1
    assert "| `envoy` | 0.710 / 0.710 / 42.9 |" in rows
    assert rows[-1].startswith("| `clairvoyant`")


def test_differences_are_paired_by_seed() -> None:
    row = differences_table(FOUND).splitlines()[-1]
    assert "+0.200 ± 0.000 | +0.200 ± 0.000" in row  # seeds differ, pairs do not
    assert row.endswith("| 1.39 | 30% |")


def test_the_picture_joins_points_of_one_protocol_and_names_the_others() -> None:
    axes = draw_frontier(frontiers(FOUND), "clairvoyant").axes[0]
    assert [line.get_label() for line in axes.get_lines()][:1] == ["spray"]
    assert "clairvoyant" in [text.get_text() for text in axes.texts]


def test_the_page_is_written_between_its_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUNET_HOME", str(tmp_path))
    made = CONFERENCE.generate(CONFERENCE.settings(nodes=4, days=1, acquaintances=3, contacts_per_day=20), 1)
    with TraceStore(tmp_path).write_version("ht2009") as draft:
        draft.write("contacts", made.contacts)
        draft.write("nodes", made.nodes)
        draft.describe(origin="drawn by chance")
    monkeypatch.setattr(standing, "measured", lambda *_: FOUND)
    page = tmp_path / "comparison.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    standing.main([str(tmp_path), str(tmp_path / "runs")])
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert text.count("### (") == 4
    assert (tmp_path / "pictures" / "standing.png").is_file()
    assert (tmp_path / "pictures" / "frontier.png").is_file()
