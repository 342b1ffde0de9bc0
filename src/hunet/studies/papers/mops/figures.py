"""The figures of [mops] that are simulated: from means over seeds to the tables and pictures of each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from hunet.report.study import draw_study
from hunet.studies.papers.mops.changing import MEASURES
from hunet.studies.papers.mops.runs import BUSY, DEFAULTS, SCHEMES, Measured, picked
from hunet.studies.papers.reproduction import Table
from hunet.studies.papers.traces import CAMPUS, FOR_INFOCOM05, FOR_REALITY, INFOCOM05, REALITY
from hunet.studies.statistics import means, wide
from hunet.traces.pairs import TRAINING

__all__ = ["Drawn", "draw_structure", "simulated_figures"]

_LETTERS = {REALITY: "a", FOR_REALITY: "a", INFOCOM05: "b", FOR_INFOCOM05: "b", CAMPUS: "c"}
_TITLES = {"push": "push", "mops": "MOPS", "neighbors": "Neighbors", "pull": "pull"}
_HOUR = 3600.0
_COLUMNS = {
    "latency": ("latency_h", 1 / _HOUR),
    "event_forwards": ("forwards_events", 1.0),
    "list_forwards": ("forwards_lists", 1.0),
    "forwards": ("forwards_total", 1.0),
}
"""Measures that have another name in tables, or are told in hours."""

_UTILITY = ("Utility", "interested nodes that get the event")
_EFFICIENCY = ("Efficiency", "interested ones of those that get the event")
_LATENCY = ("Latency", "mean delay in hours")
_FORWARDS = ("Cost", "forwards of events and lists")


class Drawn(NamedTuple):
    """A table, and the pictures of it by their ids."""

    name: str
    table: pd.DataFrame
    pictures: Mapping[str, Figure]


def simulated_figures(measured: Measured, sizes: Table) -> Iterator[Drawn]:
    """All figures; `sizes` are the communities for each T."""
    found = measured.schemes
    yield from _by_lifetime(found)
    if (found["on"] == CAMPUS).any():
        yield _by_threshold(found, sizes)
        yield _by_rate(found)
    yield _by_centrality(found)
    if len(measured.changing):
        yield _with_changes(measured.changing)
    yield _readings(found)


def draw_structure(name: str, table: Table) -> Figure:
    """What the traces are like: a line for each."""
    title, x, measures, axis = _STRUCTURE[name]
    frame = pd.DataFrame(table)
    if name == _HOPS:
        frame = frame[frame["frac"] == TRAINING]
        frame = frame.assign(reading=frame["boundary"] + " gaps,\n" + frame["min_len"])
    long = frame.melt(["dataset", x], list(measures), "measure", "mean").rename(columns={"dataset": "line", x: "x"})
    return draw_study(title, long.assign(low=math.nan, high=math.nan), measures, axis)


_HOPS = "MOPS-hops"
_STRUCTURE: Mapping[str, tuple[str, str, Mapping[str, tuple[str, str]], str]] = {
    "MOPS-F3": (
        "Communities for each threshold",
        "T",
        {"communities": ("Communities", "how many"), "mean_size": ("Size", "nodes, on average")},
        "threshold T",
    ),
    "MOPS-pruning": (
        "Gateways, and those that stay brokers",
        "B",
        {"gateways": ("Gateways", "nodes"), "brokers": ("Brokers", "nodes")},
        "share B at which gateways suffice",
    ),
    _HOPS: (
        "Hops of best paths in the first 40 %, by what counts",
        "reading",
        {
            "direct": ("Direct", "share of pairs"),
            "two_hop": ("Two hops", "share of pairs"),
            "rest": ("More or none", ""),
        },
        "gaps and lengths of contacts that count",
    ),
}


def _by_lifetime(found: pd.DataFrame) -> Iterator[Drawn]:
    """Fig. 8 and 9: a panel per trace."""
    curves = picked(found, "ttl").assign(x=lambda table: table["ttl"] / _HOUR)
    for trace, part in curves.groupby("on", sort=False):
        letter = _LETTERS.get(str(trace), f"-{trace}")
        for number, measure, words in ((8, "utility", _UTILITY), (9, "efficiency", _EFFICIENCY)):
            name = f"MOPS-F{number}{letter}"
            table = _wide(part, {"on": "dataset", "protocol": "scheme", "x": "ttl_h"}, [measure])
            yield Drawn(name, table, {name: _draw(f"{trace}", part, {measure: words}, "lifetime of events in hours")})


def _by_threshold(found: pd.DataFrame, sizes: Table) -> Drawn:
    """Fig. 10: latency and cost against T, for two default weights."""
    curves = picked(found, "threshold", "default_weight", on=CAMPUS, protocol="mops")
    curves = curves.assign(x=curves["threshold"])
    of_lists = ["latency", "event_forwards", "list_forwards", "forwards", "utility", "efficiency"]
    table = _wide(curves, {"threshold": "T", "default_weight": "default_weight"}, of_lists)
    there = pd.DataFrame(sizes)
    there = there[there["dataset"] == CAMPUS][["T", "communities", "mean_size"]]
    there = there.rename(columns={"communities": "n_communities"})
    lines = curves.sort_values("default_weight", kind="stable")
    lines = lines.assign(protocol=lines["default_weight"].map("default weight {:g}".format))
    pictures = {
        f"MOPS-F10{letter}": _draw(CAMPUS, lines, {measure: words}, "threshold T of communities")
        for letter, measure, words in (("a", "latency", _LATENCY), ("b", "forwards", _FORWARDS))
    }
    return Drawn("MOPS-F10", table.merge(there, on="T"), pictures)


def _by_rate(found: pd.DataFrame) -> Drawn:
    """Fig. 11: utility and efficiency against the rate of events."""
    curves = picked(found, "per_hour", on=CAMPUS).assign(x=lambda table: table["per_hour"])
    pictures = {
        f"MOPS-F11{letter}": _draw(CAMPUS, curves, {measure: words}, "events per hour")
        for letter, measure, words in (("a", "utility", _UTILITY), ("b", "efficiency", _EFFICIENCY))
    }
    table = _wide(curves, {"protocol": "scheme", "per_hour": "lambda"}, ["utility", "efficiency", "latency"])
    return Drawn("MOPS-F11", table, pictures)


def _by_centrality(found: pd.DataFrame) -> Drawn:
    """Utility of the quarters of the nodes, from the least to the most central."""
    quarters = {f"utility_q{number}": words for number, words in enumerate(("least", "2", "3", "most"), start=1)}
    curves = picked(found)
    curves = curves[curves["measure"].isin(list(quarters))]
    curves = curves.assign(x=curves["measure"].map(quarters), measure="utility")
    name = "MOPS-quarters"
    table = _wide(curves, {"on": "dataset", "protocol": "scheme", "x": "centrality"}, ["utility"])
    pictures = {
        f"{name}-{_slug(trace)}": _draw(str(trace), part, {"utility": _UTILITY}, "quarter of the nodes by centrality")
        for trace, part in curves.groupby("on", sort=False)
    }
    return Drawn(name, table, pictures)


def _with_changes(changing: pd.DataFrame) -> Drawn:
    """What becomes of events for new interests, with a default weight and without."""
    found = means(changing, ["on", "default_weight"])
    shown = found.assign(protocol=found["default_weight"].map("default weight {:g}".format), x=None)
    shown = shown.sort_values("default_weight", kind="stable")
    panels = {
        "reached_before": ("Published before the change", "events for new interests that arrive"),
        "reached_later": ("Published later", "events for new interests that arrive"),
        "forwards": _FORWARDS,
    }
    name = "MOPS-changing"
    pictures = {
        f"{name}-{_slug(trace)}": _draw(f"{trace}: a third of the nodes change their interests", part, panels, "")
        for trace, part in shown.groupby("on", sort=False)
    }
    return Drawn(name, _wide(found, {"on": "dataset", "default_weight": "default_weight"}, MEASURES), pictures)


def _readings(found: pd.DataFrame) -> Drawn:
    """How much hangs on what we chose: contacts of no length (AMB-60), categories (AMB-57), the rate of events."""
    settings = picked(found, "ttl", "categories", "min_contact", "per_hour").assign(
        ttl_h=lambda table: table["ttl"] / _HOUR
    )
    compared = [DEFAULTS["ttl"] / _HOUR, settings["ttl_h"].max()]
    columns = {
        "on": "dataset",
        "protocol": "scheme",
        "ttl_h": "ttl_h",
        "categories": "categories",
        "per_hour": "lambda",
    }
    several = settings[settings["ttl_h"].isin(compared) & settings["per_hour"].isin([DEFAULTS["per_hour"], BUSY])]
    table = _wide(several, {**columns, "min_contact": "min_contact"}, ["utility", "efficiency"])
    return Drawn("MOPS-readings", table, {})


def _draw(title: str, curves: pd.DataFrame, measures: Mapping[str, tuple[str, str]], axis: str) -> Figure:
    """Schemes have the same colours everywhere: those of their order."""
    order = {name: place for place, name in enumerate(SCHEMES)}
    shown = curves.sort_values("protocol", key=lambda names: names.map(lambda name: order.get(name, 0)), kind="stable")
    shown = shown.assign(line=shown["protocol"].map(lambda name: _TITLES.get(name, name)))
    scale = shown["measure"].map(lambda measure: _COLUMNS.get(measure, ("", 1.0))[1])
    shown = shown.assign(**{column: shown[column] * scale for column in ("mean", "low", "high")})
    return draw_study(title, shown, measures, axis)


def _wide(found: pd.DataFrame, columns: Mapping[str, str], measures: Sequence[str]) -> pd.DataFrame:
    return wide(found, columns, {measure: _COLUMNS.get(measure, (measure, 1.0)) for measure in measures})


def _slug(trace: object) -> str:
    return str(trace).removesuffix(" (generated)").replace(" ", "-")
