"""The figures of [mops] that are computed: its worked example, and what the traces are like."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
from matplotlib.figure import Figure as Picture

from hunet.report.study import draw_study
from hunet.studies.papers.figures import Figure
from hunet.studies.papers.mops.example import (
    closeness_of_contacts,
    communities_at,
    draw_closeness,
    draw_communities,
    draw_weights,
    weights,
)
from hunet.studies.papers.mops.learned import draw_learned, learned
from hunet.studies.papers.mops.paths import hops_of_best_paths, links_by_threshold
from hunet.studies.papers.mops.runs import plan_of
from hunet.studies.papers.mops.structure import community_hops, community_sizes, pruning, trace_facts
from hunet.studies.papers.traces import INFOCOM05, PaperTrace, Traces
from hunet.studies.tables import Table
from hunet.traces.pairs import TRAINING

__all__ = ["computed"]


def computed(traces: Traces, quick: bool) -> Sequence[Figure]:
    """All that need no simulation."""
    found = traces.found
    return (
        Figure(
            "MOPS-F2",
            "From a history of contacts to the closeness of each pair.",
            closeness_of_contacts,
            draw_closeness,
        ),
        *(
            Figure(
                f"MOPS-F3{letter}",
                f"The worked example: communities at T = {threshold:g}.",
                partial(communities_at, threshold),
                draw_communities,
            )
            for letter, threshold in (("a", 0.5), ("b", 0.7))
        ),
        Figure(
            "MOPS-F5-F6",
            "The worked example: weights of interests inside, outside, and recommended.",
            weights,
            draw_weights,
        ),
        Figure("MOPS-T1", "The traces, beside what the paper prints of them.", lambda: trace_facts(found)),
        Figure(
            "MOPS-F3",
            "How many communities there are, and how large, against the threshold T.",
            lambda: community_sizes(found),
            _draw_sizes,
        ),
        Figure(
            "MOPS-pruning",
            "Gateways, and those that stay brokers, against the share B.",
            lambda: pruning(found),
            _draw_pruning,
        ),
        Figure(
            "MOPS-community-hops",
            "Communities between the publisher of an event and those who want it.",
            lambda: community_hops(found, plan_of(quick).seeds),
        ),
        Figure(
            "MOPS-hops",
            "How many hops best paths take, by which gaps and contacts count, beside the printed shares.",
            lambda: hops_of_best_paths(found),
            _draw_hops,
        ),
        Figure(
            "MOPS-thresholds",
            "Communities and the closeness of their links, by the threshold T.",
            lambda: links_by_threshold(found),
        ),
        *(_learned(trace) for trace in found if trace.key == INFOCOM05 and not quick),
    )


def _learned(trace: PaperTrace) -> Figure:
    return Figure(
        "MOPS-learned",
        "Communities and brokers that nodes find by themselves, beside those of full knowledge, as time goes on.",
        lambda: learned(*trace.trace),
        partial(draw_learned, f"What nodes learn by themselves on {trace.title}"),
    )


def _draw_sizes(table: Table) -> Picture:
    measures = {"communities": ("Communities", "how many"), "mean_size": ("Size", "nodes, on average")}
    return _draw("Communities for each threshold", pd.DataFrame(table), "T", measures, "threshold T")


def _draw_pruning(table: Table) -> Picture:
    measures = {"gateways": ("Gateways", "nodes"), "brokers": ("Brokers", "nodes")}
    axis = "share B at which gateways suffice"
    return _draw("Gateways, and those that stay brokers", pd.DataFrame(table), "B", measures, axis)


def _draw_hops(table: Table) -> Picture:
    frame = pd.DataFrame(table)
    frame = frame[frame["frac"] == TRAINING]
    frame = frame.assign(reading=frame["boundary"] + " gaps,\n" + frame["min_len"])
    measures = {
        "direct": ("Direct", "share of pairs"),
        "two_hop": ("Two hops", "share of pairs"),
        "rest": ("More or none", ""),
    }
    axis = "gaps and lengths of contacts that count"
    return _draw("Hops of best paths in the first 40 %, by what counts", frame, "reading", measures, axis)


def _draw(title: str, frame: pd.DataFrame, x: str, measures: Mapping[str, tuple[str, str]], axis: str) -> Picture:
    """A line for each trace."""
    long = frame.melt(["dataset", x], list(measures), "measure", "mean").rename(columns={"dataset": "line", x: "x"})
    return draw_study(title, long.assign(low=math.nan, high=math.nan), measures, axis)
