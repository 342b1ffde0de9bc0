"""Interests of real people, as two data sets published them.

Both come without contacts, so their profiles may be dealt to the nodes of another trace; where the trace has the same
node names, each node gets its own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from hunet.input_files import readable
from hunet.model.errors import WorkloadError
from hunet.model.numbers import plain_number
from hunet.model.tables import INTERESTS
from hunet.sim.workload.tag_pool import TagPool

__all__ = ["TABLES", "Profile", "deal", "popularity", "read_infocom06_forms", "read_sigcomm2009"]


class Profile(NamedTuple):
    """What one person wants: tags, each from a time on."""

    name: str
    tags: tuple[tuple[str, float], ...]


def read_sigcomm2009(folder: Path) -> list[Profile]:
    """MobiClique at SIGCOMM 2009: groups joined at the start (interests1.csv) and later (interests2.csv)."""
    found: dict[str, dict[str, float]] = {}
    for file, width in ((folder / "interests1.csv", 2), (folder / "interests2.csv", 3)):
        for number, line in enumerate(_lines(file), start=1):
            if not line.strip() or line.startswith("#"):
                continue
            fields = [part.strip() for part in line.split(";")]
            if len(fields) != width:
                raise WorkloadError(f"'{file}', line {number}: {line!r} has {len(fields)} fields, expected {width}")
            since = -math.inf if width == 2 else _seconds(file, number, fields[2])
            own = found.setdefault(fields[0], {})
            tag = f"group {fields[1]}"
            own[tag] = min(since, own.get(tag, math.inf))
    return [Profile(name, tuple(tags.items())) for name, tags in found.items()]


def read_infocom06_forms(folder: Path) -> list[Profile]:
    """The questionnaires of Infocom 2006: `topics=` of each participant's form, named by its number."""
    files = sorted(folder.glob("*.dat"), key=lambda file: (len(file.stem), file.stem))
    if not files:
        raise WorkloadError(f"'{folder}' has no forms: expected files such as 21.dat")
    profiles = []
    for file in files:
        for number, line in enumerate(_lines(file), start=1):
            if not line.startswith("topics="):
                continue
            topics = [topic.strip() for topic in line.removeprefix("topics=").split(",") if topic.strip()]
            for topic in topics:
                if not re.fullmatch(r"[0-9]+", topic):
                    raise WorkloadError(f"'{file}', line {number}: topic {topic!r} is not a number")
            unique = dict.fromkeys(f"topic {topic}" for topic in topics)
            profiles.append(Profile(file.stem, tuple((tag, -math.inf) for tag in unique)))
    return profiles


TABLES: Mapping[str, Callable[[Path], list[Profile]]] = {
    "sigcomm2009": read_sigcomm2009,
    "infocom06-forms": read_infocom06_forms,
}


def deal(profiles: list[Profile], nodes: Mapping[str, int], chance: np.random.Generator | None) -> pa.Table:
    """INTERESTS from profiles: by name, or, given a source of chance, dealt to all nodes, over again if too few."""
    if chance is None:
        owners = [(nodes[one.name], one) for one in profiles if one.name in nodes]
        if not owners:
            raise WorkloadError(
                f"no person of the table ({profiles[0].name}, ...) is a node of the trace: deal the profiles by chance"
            )
    else:
        deck = [profiles[i] for i in chance.permutation(len(profiles))]
        owners = [(node, deck[place % len(deck)]) for place, node in enumerate(nodes.values())]
    rows = [(node, tag, since, math.inf, 1.0, 0) for node, one in owners for tag, since in one.tags]
    columns = list(zip(*rows, strict=True)) if rows else [()] * 6
    return pa.table([list(column) for column in columns], schema=INTERESTS)


def popularity(interests: pa.Table) -> TagPool:
    """The tags of a table of interests, weighted by how many want them."""
    counted = interests.group_by("tag").aggregate([("node", "count_distinct")]).sort_by("tag")
    if counted.num_rows == 0:
        raise WorkloadError("nobody is interested in anything: there are no tags to publish on")
    counts = counted.column("node_count_distinct").to_numpy().astype(np.float64)
    return TagPool(tuple(counted.column("tag").to_pylist()), tuple((counts / counts.sum()).tolist()))


def _lines(file: Path) -> list[str]:
    with readable(file, WorkloadError, "file"):
        return file.read_text(encoding="utf-8", errors="replace").splitlines()  # forms of 2006 are in any encoding


def _seconds(file: Path, number: int, text: str) -> float:
    seconds = plain_number(text)
    if seconds is None:
        raise WorkloadError(f"'{file}', line {number}: time {text!r} is not a number")
    return seconds
