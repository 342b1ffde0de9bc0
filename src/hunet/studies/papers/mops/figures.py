"""The figures of [mops] that are simulated: from runs to means over seeds, tables and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd
from matplotlib.figure import Figure as Picture

from hunet.report.study import USUAL, Look
from hunet.studies.papers.curves import Panel, Panels, beside, draw_means, table_of
from hunet.studies.papers.figures import Figure
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.mops.runs import BUSY, DEFAULTS, SCHEMES, picked
from hunet.studies.papers.traces import CAMPUS, INFOCOM05, REALITY, PaperTrace
from hunet.studies.statistics import means
from hunet.studies.tables import Table

__all__ = ["simulated"]

_LETTERS = {REALITY: "a", INFOCOM05: "b", CAMPUS: "c"}
_TITLES = {"push": "push", "mops": "MOPS", "neighbors": "Neighbors", "pull": "pull"}
_HOUR = 3600.0

_UTILITY = Panel("Utility", "interested nodes that get the event")
_EFFICIENCY = Panel("Efficiency", "interested ones of those that get the event")
_LATENCY = Panel("Latency", "mean delay in hours", 1 / _HOUR, "latency_h")
_FORWARDS = Panel("Cost", "forwards of events and lists", column="forwards_total")
_BEST_THRESHOLD = Look((0.5, "paper: about 0.5"), linear_x=True)


def simulated(measured: Measured, tables: Mapping[str, Table]) -> Iterator[Figure]:
    """All figures; the communities for each T are among the tables."""
    found = measured.runs
    for trace in measured.on:
        yield from _by_lifetime(trace, found[found["on"] == trace.title])
    for trace in measured.on:
        if trace.key == CAMPUS:
            on = found[found["on"] == trace.title]
            yield _by_threshold(trace.title, on, tables["MOPS-F3"])
            yield _by_rate(trace.title, on)
    yield _by_centrality(measured)
    if len(measured.others["changing"]):
        yield _with_changes(measured)
    yield _readings(found)


def _means(found: pd.DataFrame, *varied: str) -> pd.DataFrame:
    """Of the runs in which all but `varied` is as usual."""
    return means(picked(found, *varied), ["on", "protocol", *varied])


def _by_lifetime(trace: PaperTrace, found: pd.DataFrame) -> Iterator[Figure]:
    """Fig. 8 and 9: a panel per trace."""
    curves = _means(found, "ttl").assign(x=lambda table: table["ttl"] / _HOUR)
    letter = _LETTERS.get(trace.key, f"-{trace.key}")
    utility = "Utility (share of the interested that get an event) against its lifetime."
    efficiency = "Efficiency (share of those that get an event who wanted it) against its lifetime."
    yield _curve(f"MOPS-F8{letter}", utility, trace.title, curves, {"utility": _UTILITY})
    yield _curve(f"MOPS-F9{letter}", efficiency, trace.title, curves, {"efficiency": _EFFICIENCY})


def _curve(name: str, caption: str, title: str, curves: pd.DataFrame, panels: Panels) -> Figure:
    columns = {"on": "dataset", "protocol": "scheme", "x": "ttl_h"}
    return Figure(
        name,
        caption,
        lambda: table_of(curves, columns, panels),
        lambda _table: _draw(title, curves, panels, "lifetime of events in hours"),
    )


def _by_threshold(title: str, found: pd.DataFrame, sizes: Table) -> Figure:
    """Fig. 10: latency and cost against T, for two default weights."""
    mops = found[found["protocol"] == "mops"]
    curves = _means(mops, "threshold", "default_weight")
    curves = curves.assign(x=curves["threshold"])
    lines = curves.sort_values("default_weight", kind="stable")
    lines = lines.assign(protocol=lines["default_weight"].map("default weight {:g}".format))
    panels = {
        "latency": _LATENCY,
        **beside(event_forwards="forwards_events", list_forwards="forwards_lists"),
        "forwards": _FORWARDS,
        "utility": _UTILITY,
        "efficiency": _EFFICIENCY,
    }

    def table() -> pd.DataFrame:
        there = pd.DataFrame(sizes)
        there = there[there["dataset"] == title][["T", "communities", "mean_size"]]
        there = there.rename(columns={"communities": "n_communities"})
        columns = {"threshold": "T", "default_weight": "default_weight"}
        return table_of(curves, columns, panels).merge(there, on="T")

    def draw(_table: pd.DataFrame) -> Mapping[str, Picture]:
        return {
            letter: _draw(title, lines, {measure: panels[measure]}, "threshold T of communities", _BEST_THRESHOLD)
            for letter, measure in (("a", "latency"), ("b", "forwards"))
        }

    caption = "Latency and forwards of MOPS against the threshold T, with and without a default weight."
    return Figure("MOPS-F10", caption, table, draw)


def _by_rate(title: str, found: pd.DataFrame) -> Figure:
    """Fig. 11: utility and efficiency against the rate of events."""
    curves = _means(found, "per_hour").assign(x=lambda table: table["per_hour"])
    panels = {"utility": _UTILITY, "efficiency": _EFFICIENCY, "latency": _LATENCY}

    def draw(_table: pd.DataFrame) -> Mapping[str, Picture]:
        return {
            letter: _draw(title, curves, {measure: panels[measure]}, "events per hour")
            for letter, measure in (("a", "utility"), ("b", "efficiency"))
        }

    caption = "Utility and efficiency against the rate at which events are published."
    columns = {"protocol": "scheme", "per_hour": "lambda"}
    return Figure("MOPS-F11", caption, lambda: table_of(curves, columns, panels), draw)


def _by_centrality(measured: Measured) -> Figure:
    """Utility of the quarters of the nodes, from the least to the most central."""
    quarters = {f"utility_q{number}": words for number, words in enumerate(("least", "2", "3", "most"), start=1)}
    curves = _means(measured.runs)
    curves = curves[curves["measure"].isin(list(quarters))]
    curves = curves.assign(x=curves["measure"].map(quarters), measure="utility")
    panels = {"utility": _UTILITY}

    def draw(_table: pd.DataFrame) -> Mapping[str, Picture]:
        return {
            f"-{trace.key}": _draw(trace.title, part, panels, "quarter of the nodes by centrality")
            for trace, part in _on_each(measured, curves)
        }

    columns = {"on": "dataset", "protocol": "scheme", "x": "centrality"}
    caption = "Utility by the centrality of nodes: who is left out."
    return Figure("MOPS-quarters", caption, lambda: table_of(curves, columns, panels), draw)


def _with_changes(measured: Measured) -> Figure:
    """What becomes of events for new interests, with a default weight and without."""
    found = means(measured.others["changing"], ["on", "default_weight"])
    shown = found.assign(protocol=found["default_weight"].map("default weight {:g}".format), x=None)
    shown = shown.sort_values("default_weight", kind="stable")
    arrive = "events for new interests that arrive"
    panels = {
        "reached_before": Panel("Published before the change", arrive),
        "reached_later": Panel("Published later", arrive),
        "forwards": _FORWARDS,
    }
    both = {
        "reached_before": panels["reached_before"],
        "reached_later": panels["reached_later"],
        "utility": _UTILITY,
        "latency": _LATENCY,
        "forwards": _FORWARDS,
    }

    def draw(_table: pd.DataFrame) -> Mapping[str, Picture]:
        return {
            f"-{trace.key}": _draw(f"{trace.title}: a third of the nodes change their interests", part, panels, "")
            for trace, part in _on_each(measured, shown)
        }

    columns = {"on": "dataset", "default_weight": "default_weight"}
    caption = "What happens when a third of the nodes change their interests half-way."
    return Figure("MOPS-changing", caption, lambda: table_of(found, columns, both), draw)


def _on_each(measured: Measured, curves: pd.DataFrame) -> Iterator[tuple[PaperTrace, pd.DataFrame]]:
    for trace in measured.on:
        yield trace, curves[curves["on"] == trace.title]


def _readings(found: pd.DataFrame) -> Figure:
    """How much hangs on what we chose: contacts of no length (AMB-60), categories (AMB-57), the rate of events."""
    settings = _means(found, "ttl", "categories", "min_contact", "per_hour")
    settings = settings.assign(ttl_h=settings["ttl"] / _HOUR)
    compared = [DEFAULTS["ttl"] / _HOUR, settings["ttl_h"].max()]
    columns = {
        "on": "dataset",
        "protocol": "scheme",
        "ttl_h": "ttl_h",
        "categories": "categories",
        "per_hour": "lambda",
        "min_contact": "min_contact",
    }
    several = settings[settings["ttl_h"].isin(compared) & settings["per_hour"].isin([DEFAULTS["per_hour"], BUSY])]
    panels = {"utility": _UTILITY, "efficiency": _EFFICIENCY}
    caption = "What hangs on our readings: contacts of no length, categories, the rate of events."
    return Figure("MOPS-readings", caption, lambda: table_of(several, columns, panels))


def _draw(title: str, curves: pd.DataFrame, panels: Panels, axis: str, look: Look = USUAL) -> Picture:
    """Schemes have the same colours everywhere: those of their order."""
    order = {name: place for place, name in enumerate(SCHEMES)}
    shown = curves.sort_values("protocol", key=lambda names: names.map(lambda name: order.get(name, 0)), kind="stable")
    return draw_means(
        title, shown.assign(line=shown["protocol"].map(lambda name: _TITLES.get(name, name))), panels, axis, look
    )
