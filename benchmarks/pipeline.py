"""The pipeline on Spark beside DuckDB and Polars: the same Parquet file in, the same answers written as Parquet.

Every engine runs in a process of its own with two threads and does three jobs one after the other: symmetrise and
merge, pair statistics with closeness, contacts per node and hour. CPU time is that of all its processes; starting
Python, the JVM and its workers, and compiling the kernel, is not part of it. Alone:

    python -m benchmarks.pipeline [rows in millions, 10 by default]
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.measure import Row, compare

MILLION = 1_000_000
TASKS = ("symmetrise and merge", "pairs and closeness", "contacts per node and hour")
SIGMA = 86_400.0
DAYS = 30
RADIUS = 10.0
ENGINES = ("duckdb", "polars", "spark")

_MERGED = """
with rows as (select least(a, b) a, greatest(a, b) b, start s, "end" e from '{raw}' where a <> b),
 marked as (select *, case when s <= max(e) over earlier then 0 else 1 end fresh from rows
            window earlier as (partition by a, b order by s rows between unbounded preceding and 1 preceding)),
 grouped as (select *, sum(fresh) over (partition by a, b order by s rows unbounded preceding) nth from marked)
select a, b, min(s) "start", max(e) "end" from grouped group by a, b, nth"""
_PAIRS = """
with spans as (select a, b, count(*) contacts, sum("end" - start) total, min(start) f, max("end") l
               from '{merged}' group by a, b),
 gaps as (select *, case when contacts > 1 then (l - f - total) / (contacts - 1) end mean_gap from spans)
select a, b, contacts, total, mean_gap, coalesce(exp(-mean_gap * mean_gap / (2 * {sigma} * {sigma})), 0) closeness
from gaps"""
_HOURS = """
select node, cast(floor(start / 3600) as int) as hour, count(*) contacts
from (select unnest([a, b]) as node, start from '{merged}') group by all"""

CORES = 2


def run(millions: int = 10) -> list[Row]:
    """One row per job and other engine, one for peak memory, one for positions."""
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "raw.parquet"
        write_rows(raw, millions * MILLION)
        measured = {engine: _measure(engine, raw, Path(folder) / engine) for engine in ENGINES}
    spark = measured["spark"]
    for engine in ("duckdb", "polars"):
        _check_same(spark["answers"], measured[engine]["answers"], engine)
    rows = []
    for engine, most_times in (("duckdb", 5.0 if millions <= 10 else 3.0), ("polars", None)):
        other, peer = measured[engine], f"{engine}, 2 threads"
        rows += [
            compare(f"{millions} M rows: {task}", "s CPU", spark["cpu"][task], peer, other["cpu"][task])
            for task in TASKS
        ]
        ours, theirs = sum(spark["cpu"].values()), sum(other["cpu"].values())
        target = None if most_times is None else 1 / most_times
        rows.append(compare(f"{millions} M rows: all three", "s CPU", ours, peer, theirs, target))
        rows.append(compare(f"{millions} M rows: peak memory", "MB", spark["peak"], peer, other["peak"]))
    return [*rows, *_positions()]


def write_rows(path: Path, count: int, seed: int = 1) -> None:
    """Rows as a file of sightings has them: both directions, overlaps, popular people; about 50 rows per pair."""
    chance = np.random.default_rng(seed)
    nodes, pairs = max(100, count // 1000), max(10, count // 50)
    popular = (nodes * chance.random((2, pairs)) ** 1.5).astype(np.int32)
    writer: pq.ParquetWriter | None = None
    for begin in range(0, count, MILLION):
        size = min(MILLION, count - begin)
        pair = chance.integers(0, pairs, size)
        turned = chance.random(size) < 0.5
        one, other = popular[0, pair], popular[1, pair]
        start = np.floor(chance.random(size) * DAYS * 86_400)
        end = start + np.floor(chance.exponential(900.0, size))
        columns = {"a": np.where(turned, other, one), "b": np.where(turned, one, other), "start": start, "end": end}
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def _measure(engine: str, raw: Path, out: Path) -> dict[str, Any]:
    """Run one engine in a process of its own; the process may use two cores, whatever this one is bound to."""
    command = [sys.executable, "-m", "benchmarks.pipeline", "--engine", engine, str(raw), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent.parent, check=False)
    if done.returncode:
        raise RuntimeError(f"{engine} failed: {done.stderr[-2000:]}")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def _check_same(ours: list[float], theirs: list[float], engine: str) -> None:
    for mine, other in zip(ours, theirs, strict=True):
        if abs(mine - other) > 1e-6 * abs(mine):
            raise RuntimeError(f"Spark and {engine} do not agree: {ours} and {theirs}")


def _run_engine(engine: str, raw: Path, out: Path) -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(range(os.cpu_count() or 1)))
    out.mkdir()
    engines = {
        "duckdb": _duckdb,
        "polars": _polars,
        "spark": _spark,
        "duckdb-positions": _duckdb_positions,
        "spark-positions": _spark_positions,
    }
    result = engines[engine](raw, out)
    print(json.dumps(result))


def _timed(jobs: dict[str, Callable[[], object]], clock: Callable[[], float]) -> dict[str, float]:
    spent = {}
    for task, job in jobs.items():
        before = clock()
        job()
        spent[task] = clock() - before
    return spent


def _own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _answers(out: Path) -> list[float]:
    """Numbers by which the engines' answers are compared."""
    merged, pairs, hours = (pq.read_table(out / name) for name in ("merged.parquet", "pairs.parquet", "hours.parquet"))
    length = merged["end"].to_numpy().sum() - merged["start"].to_numpy().sum()
    sizes = [float(table.num_rows) for table in (merged, pairs, hours)]
    return [
        *sizes,
        float(length),
        float(pairs["closeness"].to_numpy().sum()),
        float(hours["contacts"].to_numpy().sum()),
    ]


def _duckdb(raw: Path, out: Path) -> dict[str, Any]:
    import duckdb

    connection = duckdb.connect()
    connection.execute("set threads = 2")
    connection.execute("set preserve_insertion_order = false")

    def copy(query: str, name: str) -> Callable[[], object]:
        return lambda: connection.execute(f"copy ({query}) to '{out / name}' (format parquet)")

    merged = out / "merged.parquet"
    queries = (
        copy(_MERGED.format(raw=raw), "merged.parquet"),
        copy(_PAIRS.format(merged=merged, sigma=SIGMA), "pairs.parquet"),
        copy(_HOURS.format(merged=merged), "hours.parquet"),
    )
    cpu = _timed(dict(zip(TASKS, queries, strict=True)), _own_cpu)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu": cpu, "peak": peak, "answers": _answers(out)}


def _polars(raw: Path, out: Path) -> dict[str, Any]:
    os.environ["POLARS_MAX_THREADS"] = "2"
    import polars as pl

    merged, pairs, hours = (out / name for name in ("merged.parquet", "pairs.parquet", "hours.parquet"))

    def merge() -> None:
        rows = pl.scan_parquet(raw).filter(pl.col("a") != pl.col("b"))
        oriented = rows.select(
            a=pl.min_horizontal("a", "b"), b=pl.max_horizontal("a", "b"), start=pl.col("start"), end=pl.col("end")
        ).sort("a", "b", "start")
        key = pl.col("a").cast(pl.Int64) * (1 << 32) + pl.col("b")
        reached = oriented.with_columns(key=key).with_columns(
            before=pl.col("end").cum_max().over("key").shift(1),
            fresh=(pl.col("key") != pl.col("key").shift(1)).fill_null(True),
        )
        numbered = reached.with_columns(nth=(pl.col("fresh") | (pl.col("start") > pl.col("before"))).cum_sum())
        contacts = numbered.group_by("nth", maintain_order=True).agg(
            pl.col("a", "b").first(), pl.col("start").min(), pl.col("end").max()
        )
        contacts.drop("nth").collect().write_parquet(merged)

    def statistics() -> None:
        length = (pl.col("end") - pl.col("start")).sum()
        spans = pl.scan_parquet(merged).group_by("a", "b").agg(
            contacts=pl.len(), total=length, first=pl.col("start").min(), last=pl.col("end").max()
        )  # fmt: skip
        inner = (pl.col("last") - pl.col("first") - pl.col("total")) / (pl.col("contacts") - 1)
        gaps = spans.with_columns(mean_gap=pl.when(pl.col("contacts") > 1).then(inner))
        curve = (-(pl.col("mean_gap") ** 2) / (2 * SIGMA * SIGMA)).exp().fill_null(0)
        gaps.with_columns(closeness=curve).collect().write_parquet(pairs)

    def count() -> None:
        contacts = pl.scan_parquet(merged)
        ends = pl.concat([contacts.select(node=pl.col(end), start=pl.col("start")) for end in ("a", "b")])
        hour = (pl.col("start") / 3600).floor().cast(pl.Int32)
        ends.group_by("node", hour=hour).agg(contacts=pl.len()).collect().write_parquet(hours)

    cpu = _timed(dict(zip(TASKS, (merge, statistics, count), strict=True)), _own_cpu)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu": cpu, "peak": peak, "answers": _answers(out)}


def _spark(raw: Path, out: Path) -> dict[str, Any]:
    from pyspark.sql import functions as sf

    from hunet.pipeline.session import SparkSettings, spark_session
    from hunet.pipeline.steps.merge import contacts_in, merge_contacts
    from hunet.pipeline.steps.spans import pair_spans
    from hunet.pipeline.write import keep
    from hunet.traces.pairs import Window, pairs_from

    input_bytes = max(raw.stat().st_size, 65 << 20)  # no light compilation: this is no short work
    with spark_session(SparkSettings(master="local[2]", input_bytes=input_bytes)) as spark:
        rows = spark.read.parquet(raw.as_uri()).where(sf.col("a") != sf.col("b"))
        contacts_in(merge_contacts(rows.limit(100_000))).count()

        def merge() -> None:
            keep(spark, contacts_in(keep(spark, merge_contacts(rows), out / "packs")), out / "merged.parquet")

        def merged(name: str) -> Any:
            return spark.read.parquet((out / name).as_uri())

        def pairs() -> None:
            keep(spark, pair_spans(merged("packs"), [Window(0.0, (DAYS + 1) * 86_400.0)]), out / "spans.parquet")
            pq.write_table(pairs_from(pq.read_table(out / "spans.parquet"), "inner", SIGMA), out / "pairs.parquet")

        def hours() -> None:
            hour = sf.floor(sf.col("start") / 3600).cast("int").alias("hour")
            ends = merged("merged.parquet").select(sf.explode(sf.array("a", "b")).alias("node"), hour)
            keep(spark, ends.groupBy("node", "hour").agg(sf.count("*").alias("contacts")), out / "hours.parquet")

        cpu = _timed(dict(zip(TASKS, (merge, pairs, hours), strict=True)), _tree_cpu)
        peak = sum(_high_water(process) for process in psutil.Process().children(recursive=True))
        return {"cpu": cpu, "peak": peak, "answers": _answers(out)}


def _tree_cpu() -> float:
    """CPU time of this process and everything below it, living or gone."""
    total = _own_cpu()
    for process in psutil.Process().children(recursive=True):
        try:
            used = process.cpu_times()
        except psutil.Error:
            continue
        total += used.user + used.system + used.children_user + used.children_system
    return total


def _high_water(process: psutil.Process) -> float:
    """The most memory a process ever held, in MB."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0.0)


def _positions(nodes: int = 1000, samples: int = 2000) -> list[Row]:
    """Positions to contacts on Spark beside a DuckDB join of cells with their neighbours; both count pairs in range."""
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "positions.parquet"
        write_positions(raw, nodes, samples)
        ours = _measure("spark-positions", raw, Path(folder) / "spark")
        theirs = _measure("duckdb-positions", raw, Path(folder) / "duckdb")
    if ours["answers"] != theirs["answers"]:
        raise RuntimeError(f"Spark and duckdb do not agree on positions: {ours['answers']} and {theirs['answers']}")
    what = f"{nodes} nodes x {samples} positions: contacts"
    peer = "duckdb cell join, 2 threads"
    return [
        compare(what, "s CPU", ours["cpu"], peer, theirs["cpu"]),
        compare(f"{what}, peak memory", "MB", ours["peak"], peer, theirs["peak"]),
    ]


def write_positions(path: Path, nodes: int, samples: int, seed: int = 1) -> None:
    """People who wander over a square kilometre, all looked at every second."""
    chance = np.random.default_rng(seed)
    steps = chance.normal(0, 1.0, (2, samples, nodes))
    place = (chance.random((2, 1, nodes)) * 1000 + np.cumsum(steps, axis=1)) % 1000
    node = np.tile(np.arange(nodes, dtype=np.int32), samples)
    t = np.repeat(np.arange(samples, dtype=np.float64), nodes)
    pq.write_table(pa.table({"node": node, "t": t, "x": place[0].ravel(), "y": place[1].ravel()}), path)


def _spark_positions(raw: Path, _out: Path) -> dict[str, Any]:
    from pyspark.sql import functions as sf

    from hunet.pipeline.session import SparkSettings, spark_session
    from hunet.pipeline.steps.positions import join_runs, looks_per_slice, watch_slices
    from hunet.traces.proximity import Proximity

    rule = Proximity(radius=RADIUS, step=1.0, gap=0.0, hold=0.0)
    with spark_session(SparkSettings(master="local[2]", input_bytes=65 << 20)) as spark:
        rows = spark.read.parquet(raw.as_uri()).withColumns({"file": sf.lit(""), "line": sf.lit(0)})
        last = float(pq.read_table(raw, columns=["t"])["t"].to_numpy().max())
        slices = looks_per_slice(rows.count(), 0.0, last, rule)
        join_runs(watch_slices(rows.where("t < 20"), rule, slices, 20.0), rule).agg(sf.sum("together")).collect()
        before = _tree_cpu()
        contacts = join_runs(watch_slices(rows, rule, slices, last), rule)
        answer = contacts.agg(sf.sum("together")).collect()[0][0]
        cpu = _tree_cpu() - before
        peak = sum(_high_water(process) for process in psutil.Process().children(recursive=True))
        return {"cpu": cpu, "peak": peak, "answers": [round(answer)]}


def _duckdb_positions(raw: Path, _out: Path) -> dict[str, Any]:
    import duckdb

    connection = duckdb.connect()
    connection.execute("set threads = 2")
    query = f"""
    with cells as (select *, cast(floor(x / {RADIUS}) as int) cx, cast(floor(y / {RADIUS}) as int) cy from '{raw}'),
     around as (select node, t, x, y, cx + i cx, cy + j cy from cells, range(-1, 2) r1(i), range(-1, 2) r2(j))
    select count(*) from cells p join around q using (t, cx, cy)
    where p.node < q.node and (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) <= {RADIUS * RADIUS}"""
    before = _own_cpu()
    found = connection.execute(query).fetchone()
    cpu = _own_cpu() - before
    assert found is not None
    return {"cpu": cpu, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "answers": [found[0]]}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--engine"]:
        _run_engine(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        for row in run(int(sys.argv[1]) if len(sys.argv) > 1 else 10):
            print(row)
