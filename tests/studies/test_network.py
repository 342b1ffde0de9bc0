"""A live network as a page, from the logs of its nodes alone."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

from hunet.cli.main import main
from hunet.model.node_log import contact_line, delivery_line, message_line, settings_line

# ann meets bob, bob cid, cid dan; clocks of bob and dan are 1,000 s ahead. ann's message reaches cid and dan.
HOSTILE = "<script>alert(1)</script>"
LOGS = {
    "ann": [
        contact_line(10, "ann", "bob", True, "c1", 1010),
        message_line(12, "ann", "a1b2", ["jazz", HOSTILE], 40, 1000.0),
        message_line(13, "ann", "c3d4", ["chess"], 10, None),
        contact_line(60, "ann", "bob", False, "c1"),
    ],
    "bob": [
        contact_line(1010, "bob", "ann", True, "c1", 10),
        contact_line(1060, "bob", "ann", False, "c1"),
        contact_line(1100, "bob", "cid", True, "c2", 100),
        contact_line(1160, "bob", "cid", False, "c2"),
    ],
    "cid": [
        contact_line(100, "cid", "bob", True, "c2", 1100),
        delivery_line(112, "cid", "a1b2", "bob", 2),
        contact_line(160, "cid", "bob", False, "c2"),
        contact_line(200, "cid", "dan", True, "c3", 1200),
        contact_line(260, "cid", "dan", False, "c3"),
    ],
    "dan": [
        contact_line(1200, "dan", "cid", True, "c3", 200),
        delivery_line(1212, "dan", "a1b2", "cid", 3),
        delivery_line(1213, "dan", "a1b2", "cid", 3),
        delivery_line(1214, "dan", "ffff", "cid", 5),
        contact_line(1260, "dan", "cid", False, "c3"),
    ],
}


def write(folder: Path, later: float = 0.0) -> Path:
    folder.mkdir(parents=True)
    for name, lines in LOGS.items():
        moved = [
            {key: value + later if key.endswith("time") else value for key, value in line.items()} for line in lines
        ]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in moved))
    return folder


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUNET_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def page_of(*words: str) -> str:
    with pytest.raises(SystemExit) as end:
        main(["report", *words, "--out", "page.html"])
    assert end.value.code == 0
    return Path("page.html").read_text()


def table_of(page: str, name: str) -> list[list[str]]:
    """A table that the page lets one save."""
    found = re.search(rf'download="{name}.csv" href="data:text/csv;base64,([^"]+)"', page)
    assert found is not None
    lines = base64.b64decode(found[1]).decode().splitlines()
    return [[cell.strip('"') for cell in line.split(",")] for line in lines]


def test_logs_become_a_page_with_who_met_whom_and_what_came_how_soon(tmp_path: Path) -> None:
    page = page_of(str(write(tmp_path / "party")))
    assert "4 nodes met 3 times in 4.2 min. 2 messages were delivered 3 times, half of it within 2.5 min." in page
    figures = dict(table_of(page, "figures")[1:])
    assert figures["median delay (s)"] == "150"  # 100 s to cid, 200 s to dan: clocks apart are aligned
    assert figures["bytes delivered"] == "80"
    assert float(figures["mean hops"]) == pytest.approx(10 / 3)
    assert table_of(page, "nodes") == [
        ["node", "contacts", "met", "published", "got", "brought", "bytes_got"],
        ["ann", "1", "1", "2", "0", "0", "0"],
        ["bob", "2", "2", "0", "0", "1", "0"],
        ["cid", "2", "2", "0", "1", "2", "40"],
        ["dan", "1", "1", "0", "2", "0", "40"],
    ]
    assert table_of(page, "tags")[1:] == [
        ["jazz", "1", "2", "150"],
        [HOSTILE, "1", "2", "150"],
        ["chess", "1", "0", ""],
    ]
    assert {(one, other) for one, other, *_ in table_of(page, "pairs")[1:]} == {
        ("ann", "bob"),
        ("bob", "cid"),
        ("cid", "dan"),
    }
    assert HOSTILE not in page
    assert page.count("<figure") == 6
    assert "no delivery ratio" in page


def test_folders_of_logs_are_chapters_put_side_by_side(tmp_path: Path) -> None:
    write(tmp_path / "day" / "morning")
    evening = write(tmp_path / "day" / "evening", later=30_000.0)
    (evening / "dan.jsonl").write_text("")
    page = page_of(str(tmp_path / "day"))
    rows = {row[0]: row[1:] for row in table_of(page, "side_by_side")}
    assert rows["figure"] == ["morning", "evening"]
    assert rows["deliveries"] == ["3", "1"]
    assert "morning, as its nodes logged it" in page


def test_logs_without_a_message_and_odd_lines_make_a_page_that_says_so(tmp_path: Path) -> None:
    folder = write(tmp_path / "quiet")
    for file in folder.iterdir():
        lines = [line for line in file.read_text().splitlines() if '"contact"' in line]
        file.write_text("".join(f"{line}\n" for line in lines) + "odd\n")
    (folder / "copy.jsonl").write_text((folder / "ann.jsonl").read_text())
    page = page_of(str(folder))
    assert "0 messages were published; nothing was delivered." in page
    assert "5 lines of the logs could not be read" in page
    assert "2 lines were in the logs more than once" in page


def test_what_is_neither_results_nor_logs_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.txt").write_text("Dear Ann\n")
    for what in ("letters", "nowhere"):
        with pytest.raises(SystemExit) as end:
            main(["report", what])
        assert end.value.code == 1
        assert "has no contents.json and no logs of nodes" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_what_nodes_took_over_is_shown_as_before_and_after(tmp_path: Path) -> None:
    """At 150 s all but one change, which does so later; by then there are two messages, and one comes after."""
    folder = write(tmp_path / "logs")
    changed = '{"m": 256, "k": 3, "any_holder": true}'
    more = {
        "ann": [settings_line(150, "ann", "pull", changed), message_line(170, "ann", "e5f6", ["jazz"], 9, None)],
        "bob": [settings_line(1150, "bob", "pull", changed)],
        "cid": [settings_line(150, "cid", "pull", changed), delivery_line(210, "cid", "e5f6", "dan", 2)],
        "dan": [settings_line(1900, "dan", "pull", changed), settings_line(1950, "dan", HOSTILE, "[[[")],
    }
    for name, lines in more.items():
        with (folder / f"{name}.jsonl").open("a") as log:
            log.writelines(json.dumps(line) + "\n" for line in lines)
    page = page_of("logs")
    assert "Before and after" in page
    head, *rows = table_of(page, "before_after")
    assert head[:4] == ["settings", "nodes changed", "messages", "deliveries"]
    assert [row[:4] for row in rows] == [
        ["before", "0", "2", "2"],
        ["pull (any_holder = True)", "4", "1", "1"],
        [HOSTILE, "1", "0", "0"],
    ]
    assert rows[1][5:] == ["40", "2"]
    assert HOSTILE not in page
