"""The figures of [mops] that are simulated: from means over seeds to the tables and pictures of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from hunet.report.study import draw_study
from hunet.studies.mops_runs import CAMPUS, INFOCOM05, REALITY, picked
from hunet.studies.reproduction import Table

__all__ = ["Drawn", "draw_sizes", "simulated_figures"]

_LETTERS = {REALITY: "a", INFOCOM05: "b", CAMPUS: "c"}
_SCHEMES = {"push": "push", "mops": "MOPS", "neighbors": "Neighbors", "pull": "pull"}
_HOUR = 3600.0
_HOURS = ("latency",)
"""Measures in seconds, shown in hours."""

_UTILITY = ("Utility", "interested nodes that get the event")
_EFFICIENCY = ("Efficiency", "interested ones of those that get the event")
_LATENCY = ("Latency", "mean delay in hours")
_FORWARDS = ("Cost", "forwards of events and lists")


class Drawn(NamedTuple):
    """A table, and the pictures of it by their ids."""

    name: str
    table: pd.DataFrame
    pictures: Mapping[str, Figure]


def simulated_figures(found: pd.DataFrame, sizes: Table) -> Iterator[Drawn]:
    """All figures; `sizes` are the communities for each T."""
    yield from _by_lifetime(found)
    if (found["on"] == CAMPUS).any():
        yield _by_threshold(found, sizes)
        yield _by_rate(found)
    yield _by_centrality(found)
    yield _with_changes(found)
    yield _readings(found)


def draw_sizes(sizes: Table) -> Figure:
    """How many communities each T gives."""
    table = pd.DataFrame(sizes).rename(columns={"T": "x", "dataset": "line", "communities": "mean"})
    table = table.assign(measure="communities", low=table["mean"], high=table["mean"])
    return draw_study("Communities by threshold", table, {"communities": ("Communities", "how many")}, "threshold T")


def _by_lifetime(found: pd.DataFrame) -> Iterator[Drawn]:
    """Fig. 8 and 9: a panel per trace."""
    means = picked(found, "ttl").assign(x=lambda table: table["ttl"] / _HOUR)
    for trace, part in means.groupby("on", sort=False):
        letter = _LETTERS.get(str(trace), f"-{trace}")
        for number, measure, words in ((8, "utility", _UTILITY), (9, "efficiency", _EFFICIENCY)):
            name = f"MOPS-F{number}{letter}"
            table = _wide(part, {"on": "dataset", "protocol": "scheme", "x": "ttl_h"}, [measure])
            yield Drawn(name, table, {name: _draw(f"{trace}", part, {measure: words}, "lifetime of events in hours")})


def _by_threshold(found: pd.DataFrame, sizes: Table) -> Drawn:
    """Fig. 10: latency and cost against T, for two default weights."""
    means = picked(found, "threshold", "default_weight", on=CAMPUS, protocol="mops")
    means = means.assign(x=means["threshold"])
    of_lists = ["latency", "event_forwards", "list_forwards", "forwards", "utility", "efficiency"]
    table = _wide(means, {"threshold": "T", "default_weight": "default_weight"}, of_lists)
    there = pd.DataFrame(sizes)
    there = there[there["dataset"] == CAMPUS][["T", "communities", "mean_size"]]
    lines = means.assign(protocol="default weight " + means["default_weight"].map("{:g}".format))
    pictures = {
        f"MOPS-F10{letter}": _draw(CAMPUS, lines, {measure: words}, "threshold T of communities")
        for letter, measure, words in (("a", "latency", _LATENCY), ("b", "forwards", _FORWARDS))
    }
    return Drawn("MOPS-F10", table.merge(there, on="T"), pictures)


def _by_rate(found: pd.DataFrame) -> Drawn:
    """Fig. 11: utility and efficiency against the rate of events."""
    means = picked(found, "per_hour", on=CAMPUS).assign(x=lambda table: table["per_hour"])
    pictures = {
        f"MOPS-F11{letter}": _draw(CAMPUS, means, {measure: words}, "events per hour")
        for letter, measure, words in (("a", "utility", _UTILITY), ("b", "efficiency", _EFFICIENCY))
    }
    table = _wide(means, {"protocol": "scheme", "per_hour": "lambda"}, ["utility", "efficiency", "latency"])
    return Drawn("MOPS-F11", table, pictures)


def _by_centrality(found: pd.DataFrame) -> Drawn:
    """Utility of the quarters of the nodes, from the least to the most central."""
    means = picked(found)
    means = means[means["measure"].str.startswith("utility_q")]
    means = means.assign(quarter=means["measure"].str[-1].astype(int), measure="utility")
    means = means.assign(x=means["quarter"])
    name = "MOPS-quarters"
    table = _wide(means, {"on": "dataset", "protocol": "scheme", "quarter": "quarter"}, ["utility"])
    pictures = {
        f"{name}-{_slug(trace)}": _draw(str(trace), part, {"utility": _UTILITY}, "quarter of the nodes by centrality")
        for trace, part in means.groupby("on", sort=False)
    }
    return Drawn(name, table, pictures)


def _with_changes(found: pd.DataFrame) -> Drawn:
    """What the default weight is for: a third of the nodes change their interests half-way, or nobody does."""
    means = picked(found, "changing", "default_weight", protocol="mops")
    shown = means.assign(
        protocol=means["changing"].map(lambda share: "a third changes" if share else "nobody changes")
        + means["default_weight"].map(", weight {:g}".format),
        x=None,
    )
    name = "MOPS-changing"
    measures = {"utility": _UTILITY, "latency": _LATENCY, "forwards": _FORWARDS}
    pictures = {
        f"{name}-{_slug(trace)}": _draw(str(trace), part, measures, "")
        for trace, part in shown.groupby("on", sort=False)
    }
    columns = {"on": "dataset", "changing": "changing", "default_weight": "default_weight"}
    return Drawn(name, _wide(means, columns, ["utility", "efficiency", "latency", "forwards"]), pictures)


def _readings(found: pd.DataFrame) -> Drawn:
    """How much hangs on readings of our own: contacts of no length (AMB-60), the number of categories (AMB-57)."""
    parts = [picked(found, "ttl", "categories", "min_contact", categories=10)]
    means = parts[0].assign(ttl_h=parts[0]["ttl"] / _HOUR)
    several = means[means["ttl_h"].isin(means[means["min_contact"] > 0]["ttl_h"]) | (means["categories"] != 10)]
    columns = {"on": "dataset", "protocol": "scheme", "ttl_h": "ttl_h", "categories": "categories"}
    table = _wide(several, {**columns, "min_contact": "min_contact"}, ["utility", "efficiency"])
    return Drawn("MOPS-readings", table, {})


def _draw(title: str, means: pd.DataFrame, measures: Mapping[str, tuple[str, str]], axis: str) -> Figure:
    shown = means.assign(line=means["protocol"].map(lambda name: _SCHEMES.get(name, name)))
    scale = shown["measure"].map(lambda measure: 1 / _HOUR if measure in _HOURS else 1.0)
    shown = shown.assign(**{column: shown[column] * scale for column in ("mean", "low", "high")})
    return draw_study(title, shown, measures, axis)


def _wide(means: pd.DataFrame, columns: Mapping[str, str], measures: list[str]) -> pd.DataFrame:
    """One row per setting, and for each measure its mean and the ends of its interval."""
    kept = means[means["measure"].isin(measures)]
    table = kept.groupby(list(columns), sort=False, dropna=False)["runs"].max().to_frame()
    for measure in measures:
        part = kept[kept["measure"] == measure].set_index(list(columns))
        scale, name = (1 / _HOUR, f"{measure}_h") if measure in _HOURS else (1.0, measure)
        for column, ending in (("mean", ""), ("low", "_low"), ("high", "_high")):
            table[f"{name}{ending}"] = part[column] * scale
    return table.reset_index().rename(columns=columns)


def _slug(trace: object) -> str:
    return str(trace).split(maxsplit=1)[0]
