"""A sample of broken and odd files through Spark: read or refused as they are in memory."""

from __future__ import annotations

import random
from pathlib import Path

from pyspark.sql import SparkSession

from hunet.model.errors import HunetError
from hunet.pipeline.importing import import_trace
from hunet.pipeline.read import find_source
from hunet.pipeline.work import ImportSettings
from hunet.traces.reading import settle
from hunet.traces.store import TraceStore
from hunet.traces.storing import Label
from hunet.traces.whole import TraceRules, read_trace
from tests.slow import ALL
from tests.traces.test_odd_files import SEED, odd_file

READ, REFUSED = (8, 6) if ALL else (3, 2)
"""How many files of each end are tried; those whose head is refused never reach Spark."""


def test_odd_files_end_on_spark_as_they_do_in_memory(spark: SparkSession, tmp_path: Path) -> None:
    draw = random.Random(f"{SEED} spark")
    store = TraceStore(tmp_path / "home")
    wanted = {True: READ, False: REFUSED}
    for number in range(500):
        path, forced = odd_file(draw, number, tmp_path)
        try:
            settle(path, forced, {})
        except HunetError:
            continue
        expected = contacts_in_memory(path, forced)
        if not wanted[expected is not None]:
            continue
        wanted[expected is not None] -= 1
        assert contacts_on_spark(spark, store, path, forced) == expected, f"file {number} of seed {SEED}"
        if not any(wanted.values()):
            return
    raise AssertionError("too few files of one kind were drawn")


def contacts_in_memory(path: Path, forced: str | None) -> int | None:
    try:
        return int(read_trace([path], TraceRules(), forced).contacts.num_rows)
    except HunetError:
        return None


def contacts_on_spark(spark: SparkSession, store: TraceStore, path: Path, forced: str | None) -> int | None:
    try:
        source = find_source([str(path)], forced, {})
        import_trace(spark, store, source, Label("odd"), ImportSettings(yes=True))
    except HunetError as error:
        return None if len(str(error).splitlines()) == 1 else -1
    return int(store.open("odd").contacts().num_rows)
