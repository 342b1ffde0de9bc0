"""Importing whole files: `hunet trace import` beside DuckDB doing the same steps, by the CPU time of whole processes.

Both read a CSV file of names and times, account for lines that cannot be read, leave out what no contact is, unite the
directions, merge what overlaps, number the people, sort by time, say how pairs met, and write Parquet. Starting Python
and Java is part of it, as it is for who waits. Other sizes, such as 50 million rows:

    python -m benchmarks.imports 50
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc

from benchmarks.command import Cost, cost_of, hunet
from benchmarks.measure import Row, compare

CORES = 2
MILLION = 1_000_000
DAYS = 30
BAD = 1_000
"""One line in so many has a time that is none."""

BEFORE = {3: (139.0, None), 10: (None, 2.7)}
"""Millions of rows: CPU seconds and gigabytes before."""
MOST_TIMES, MOST_GIGABYTES = 4.0, {10: 2.5, 50: 3.5}
"""Of DuckDB's CPU time; and by millions of rows."""

_STEPS = """
create table lines as select * from read_csv('{raw}', header = true, store_rejects = true,
 columns = {{'a': 'VARCHAR', 'b': 'VARCHAR', 'start': 'DOUBLE', 'end': 'DOUBLE'}});
copy (select line, error_message from reject_errors) to '{out}/bad.parquet' (format parquet);
create table named as select least(a, b) a, greatest(a, b) b, start s, "end" e from lines
 where a <> b and "end" >= start;
create table merged as
 with marked as (select *, case when s <= max(e) over earlier then 0 else 1 end fresh from named
                 window earlier as (partition by a, b order by s rows between unbounded preceding and 1 preceding)),
  grouped as (select *, sum(fresh) over (partition by a, b order by s rows unbounded preceding) nth from marked)
 select a, b, min(s) "start", max(e) "end" from grouped group by a, b, nth;
create table nodes as select row_number() over (order by name) - 1 node, name
 from (select a as name from merged union select b from merged);
copy nodes to '{out}/nodes.parquet' (format parquet);
create table contacts as select p.node a, q.node b, start, "end"
 from merged join nodes p on merged.a = p.name join nodes q on merged.b = q.name;
copy (select * from contacts order by start, a, b) to '{out}/contacts.parquet' (format parquet);
copy (select a, b, count(*) contacts, sum("end" - start) total, min(start) "first", max("end") "last"
      from contacts group by a, b) to '{out}/spans.parquet' (format parquet);"""


def run(*millions: int) -> list[Row]:
    """Rows for each size: CPU time and memory, beside DuckDB's."""
    return [row for count in millions or (3, 10) for row in _import(count)]


def _import(millions: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        raw, out, home = Path(folder) / "raw.csv", Path(folder) / "out", Path(folder) / "home"
        out.mkdir()
        write_lines(raw, millions * MILLION)
        ours = cost_of(hunet(f"trace import {raw} --name big --json --yes"), {"HUNET_HOME": str(home)})
        theirs = cost_of([sys.executable, "-m", "benchmarks.imports", "duckdb", str(raw), str(out)], {})
    _check_same(ours, theirs)
    cpu, gigabytes = BEFORE.get(millions, (None, None))
    most = MOST_GIGABYTES.get(millions)
    what, peer = f"import of {millions} M rows", "duckdb, 2 threads"
    return [
        compare(what, "s CPU", ours.cpu, peer, theirs.cpu, 1 / MOST_TIMES, cpu),
        compare(f"{what}: time", "s", ours.seconds, peer, theirs.seconds),
        compare(f"{what}: memory", "GB", ours.gigabytes, peer, theirs.gigabytes, None, gigabytes),
        *([compare(f"{what}: memory", "GB", ours.gigabytes, "target", most, 1.0, gigabytes)] if most else []),
    ]


def write_lines(path: Path, count: int, seed: int = 1) -> None:
    """Lines as a file of sightings has them: both directions, overlaps, popular people; about 50 lines per pair."""
    chance = np.random.default_rng(seed)
    people, pairs = max(100, count // 1000), max(10, count // 50)
    popular = (people * chance.random((2, pairs)) ** 1.5).astype(np.int32)
    names = pa.array([f"p{number:06d}" for number in range(people)])
    schema = pa.schema([("a", pa.string()), ("b", pa.string()), ("start", pa.string()), ("end", pa.string())])
    with pc.CSVWriter(path, schema, write_options=pc.WriteOptions(quoting_style="none")) as writer:
        for begin in range(0, count, MILLION):
            size = min(MILLION, count - begin)
            pair, turned = chance.integers(0, pairs, size), chance.random(size) < 0.5
            one, other = popular[0, pair], popular[1, pair]
            start = np.floor(chance.random(size) * DAYS * 86_400).astype(np.int64)
            end = pa.array(start + np.floor(chance.exponential(900.0, size)).astype(np.int64)).cast(pa.string())
            wrong = pa.array(np.arange(size) % BAD == BAD - 1)
            ends = [names.take(pa.array(np.where(turned, *both))) for both in ((other, one), (one, other))]
            end = pa.compute.if_else(wrong, pa.scalar("late"), end)
            writer.write_table(pa.table([*ends, pa.array(start).cast(pa.string()), end], schema=schema))


def _check_same(ours: Cost, theirs: Cost) -> None:
    told = json.loads(ours.printed)
    mine = [told["read"]["bad_lines"], told["nodes"], told["contacts"], told["pairs"]]
    if mine != json.loads(theirs.printed):
        raise RuntimeError(
            f"hunet and DuckDB do not agree on bad lines, nodes, contacts, pairs: {mine}, {theirs.printed}"
        )


def _duckdb(raw: str, out: str) -> None:
    import duckdb

    connection = duckdb.connect(f"{out}/work.db")
    connection.execute("set threads = 2")
    connection.execute("set preserve_insertion_order = false")
    connection.execute(_STEPS.format(raw=raw, out=out))
    counts = [
        connection.execute(f"select count(*) from '{out}/{table}.parquet'").fetchone()
        for table in ("bad", "nodes", "contacts", "spans")
    ]
    print(json.dumps([count[0] for count in counts if count is not None]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["duckdb"]:
        _duckdb(*sys.argv[2:])
    else:
        for row in run(*map(int, sys.argv[1:])):
            print(row)
