"""Logs of nodes whose clocks are apart give back who met whom, and when."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import hunet as hn
from hunet.model.node_log import contact_line
from hunet.traces.align import align
from hunet.traces.formats.nodelog import read_log
from hunet.traces.lines import read_lines

DAYS = 3 * 86_400.0


def write_logs(folder: Path, nodes: int, contacts: int, seed: int = 1, *, lost: bool = False) -> list[tuple[Any, ...]]:
    """Logs as nodes write them; returns who met whom, on the first clock. `lost`: some lines were not written."""
    random = np.random.default_rng(seed)
    ahead = random.uniform(-10 * 3600, 10 * 3600, nodes)
    rate = random.uniform(-1e-4, 1e-4, nodes)
    ahead[0] = rate[0] = 0.0
    names = [f"{node:02}" for node in range(nodes)]
    lines: list[list[Any]] = [[] for _ in range(nodes)]
    met = []
    free: dict[tuple[int, int], float] = {}
    for i, start in enumerate(np.sort(random.uniform(0, DAYS, contacts))):
        a, b = sorted(random.choice(nodes, 2, replace=False).tolist())
        if free.get((a, b), 0.0) >= start:
            continue
        end = start + float(random.choice([0.1, 5.0, 600.0]))
        free[a, b] = end + 20.0
        met.append((a, b, float(start)))
        for me, peer, late in ((a, b, 0.0), (b, a, float(random.uniform(0, 15)))):
            heard = start + float(random.uniform(0, 0.05))

            def shows(node: int, time: float) -> float:
                return float(round(time * (1 + rate[node]) + ahead[node] + 1e6, 3))

            keys = names[me], names[peer]
            seen = shows(peer, start)
            if lost and i % 7 == 0 and me == a:
                continue  # its battery was empty
            lines[me].append(contact_line(shows(me, heard), *keys, True, f"{i:064x}", seen))
            if not (lost and i % 11 == 0 and me == a):
                lines[me].append(contact_line(shows(me, end + late), *keys, False, f"{i:064x}"))
    for name, some in zip(names, lines, strict=True):
        ordered = sorted(some, key=lambda line: line["time"])
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in ordered))
    return met


@pytest.mark.parametrize("lost", [False, True], ids=["whole", "with lines lost"])
def test_logs_of_clocks_hours_apart_that_drift_give_the_contacts_back(tmp_path: Path, lost: bool) -> None:
    met = write_logs(tmp_path, 41, 3000, lost=lost)
    trace = hn.read(tmp_path)
    rows = trace.contacts.to_pylist()
    assert len(rows) == len(met)
    named = trace.nodes["name"].to_pylist()
    found = sorted((int(named[row["a"]]), int(named[row["b"]]), row["start"]) for row in rows)
    origin = min(start for _, _, start in met) - min(start for _, _, start in found)
    for (a, b, start), (x, y, at) in zip(sorted(met), found, strict=True):
        assert (a, b) == (x, y)
        assert abs(at + origin - start) < 1.0


def test_a_clock_that_was_set_spoils_no_other(tmp_path: Path) -> None:
    met = write_logs(tmp_path, 10, 500)
    file = tmp_path / "07.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines[: len(lines) // 10]:  # until somebody set it right
        line["time"] -= 3600.0
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    trace = hn.read(tmp_path)
    named = trace.nodes["name"].to_pylist()
    found = sorted(
        (int(named[row["a"]]), int(named[row["b"]]), row["start"])
        for row in trace.contacts.to_pylist()
        if "07" not in (named[row["a"]], named[row["b"]])
    )
    others = sorted(contact for contact in met if 7 not in contact[:2])
    origin = others[0][2] - found[0][2]
    assert len(found) == len(others)
    assert all(abs(one[2] - other[2] - origin) < 1.0 for one, other in zip(others, found, strict=True))


@pytest.mark.parametrize("by", [7200.0, -7200.0], ids=["forwards", "backwards"])
@pytest.mark.parametrize("name", ["00", "03", "09"])
def test_contacts_of_a_node_whose_clock_was_set_lie_where_its_peers_saw_them(
    tmp_path: Path, by: float, name: str
) -> None:
    met = write_logs(tmp_path, 10, 500)
    file = tmp_path / f"{name}.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines[2 * len(lines) // 3 :]:
        line["time"] += by
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    trace = hn.read(tmp_path)
    moved = trace.about.settings["options"]["moved"]  # type: ignore[index]
    assert list(moved) == [name]
    assert len(moved[name]) > 20
    named = trace.nodes["name"].to_pylist()
    found = sorted((int(named[row["a"]]), int(named[row["b"]]), row["start"]) for row in trace.contacts.to_pylist())
    assert len(found) == len(met)
    true, at = (np.array([contact[2] for contact in sorted(some)]) for some in (met, found))
    assert np.abs((at - true) - np.median(at - true)).max() < 2.0
    lengths = np.array([row["end"] - row["start"] for row in trace.contacts.to_pylist()])
    assert lengths.max() < 700.0  # also that of the contact in which it was set


def test_the_order_of_lines_and_copies_of_them_change_no_bit(tmp_path: Path) -> None:
    write_logs(tmp_path, 12, 300, lost=True)
    tables = [read_log(lines)[0] for file in sorted(tmp_path.iterdir()) for lines in read_lines(file)]
    whole = align(tables)
    shuffled = pa.concat_tables([*tables, tables[3], tables[5].slice(3, 40)])
    order = np.random.default_rng(1).permutation(shuffled.num_rows)
    assert align([shuffled.take(order)]) == whole


def test_of_a_few_contacts_offsets_are_learnt_and_no_wild_rates(tmp_path: Path) -> None:
    """What follows the logs of a network from its first hour on must not see a clock stand still."""
    ahead = {"ann": 0, "bob": 5000, "cid": -300, "dan": 90_000}
    for number, (one, other) in enumerate((("ann", "bob"), ("bob", "cid"), ("cid", "dan"))):
        for me, peer in ((one, other), (other, one)):
            with (tmp_path / f"{me}.jsonl").open("a") as log:
                for up, at in ((True, 100 * number), (False, 100 * number + 60)):
                    line = contact_line(at + ahead[me], me, peer, up, f"c{number}", at + ahead[peer] if up else None)
                    log.write(json.dumps(line) + "\n")
    rows = hn.read(tmp_path).contacts.to_pylist()
    assert [(round(row["start"], 3), round(row["end"], 3)) for row in rows] == [(0, 60), (100, 160), (200, 260)]


def test_logs_without_names_of_contacts_are_read_as_they_are(tmp_path: Path) -> None:
    plain = '{"hunet": 1, "kind": "contact", "time": %d, "node": "ann", "peer": "bob", "up": %s}\n'
    (tmp_path / "ann.jsonl").write_text(plain % (5, "true") + plain % (9, "false"))
    (row,) = hn.read(tmp_path).contacts.to_pylist()
    assert (row["start"], row["end"]) == (5.0, 9.0)
