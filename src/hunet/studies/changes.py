"""What a network delivered before and after its nodes took over other settings, by their logs alone."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pyarrow.compute as pc

from hunet.input_files import parse_json
from hunet.model.errors import InvalidValueError
from hunet.protocols import protocol_named
from hunet.studies.tables import Table
from hunet.traces.lived import Lived

__all__ = ["before_and_after"]


def before_and_after(lived: Lived) -> Table:
    """One row per time between changes, for the messages that were published in it; nothing where nothing changed.

    Nodes change at one moment, but for those that hear of it late: the median counts.
    """
    times: dict[tuple[str, str, int], list[float]] = {}
    seen: Counter[tuple[str, str, str]] = Counter()
    for one in lived.changes.to_pylist():
        who = one["node"], one["protocol"], one["settings"]
        times.setdefault((*who[1:], seen[who]), []).append(one["time"])
        seen[who] += 1
    if not times:
        return []
    began = sorted((float(np.median(some)), len(some), _shown(*key[:2])) for key, some in times.items())
    periods = [(-np.inf, 0, "before"), *began, (np.inf, 0, "")]
    return [
        {"settings": words, "nodes changed": count, **_delivered(lived, at, until)}
        for (at, count, words), (until, _, _) in pairwise(periods)
    ]


def _shown(protocol: str, settings: str) -> str:
    """A protocol, and what differs from its defaults."""
    try:
        defaults = protocol_named(protocol).settings()._asdict()
        told = parse_json(settings, "settings of a log", InvalidValueError)
    except InvalidValueError:  # of another version of hunet, or written by somebody else
        return protocol
    if not isinstance(told, dict):
        return protocol
    changed = {name: value for name, value in told.items() if value != defaults.get(name)}
    return f"{protocol} ({', '.join(f'{name} = {value}' for name, value in changed.items()) or 'its defaults'})"


def _delivered(lived: Lived, at: float, until: float) -> dict[str, float | None]:
    time = lived.messages["time"]
    messages = lived.messages.filter(pc.and_(pc.greater_equal(time, at), pc.less(time, until)))["message"]
    came = lived.deliveries.filter(pc.is_in(lived.deliveries["message"], messages.combine_chunks()))
    delays, hops = came["delay"].drop_null().to_numpy(), came["hops"].to_numpy()
    return {
        "messages": len(messages),
        "deliveries": came.num_rows,
        "deliveries per message": round(came.num_rows / max(1, len(messages)), 3),
        "median delay (s)": round(float(np.median(delays)), 3) if delays.size else None,
        "mean hops": round(float(hops.mean()), 3) if hops.size else None,
    }
