"""Everything of [mops] again: the data and the plot of every figure, and a verdict on its claims from 24 on.

`mops_relations` has the others, which need no simulation. Infocom05 and Reality are taken from the trace store; where
they are not there, generated traces stand in for them and are called so. The campus is generated, as the paper's was
(AMB-62).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from hunet.report.style import save
from hunet.studies.papers.mops.claims import verdicts
from hunet.studies.papers.mops.example import closeness_of_contacts, communities_at, draw_example, weights
from hunet.studies.papers.mops.figures import draw_structure, simulated_figures
from hunet.studies.papers.mops.runs import measure, plan_of
from hunet.studies.papers.mops.structure import community_hops, community_sizes, pruning, trace_facts
from hunet.studies.papers.reproduction import Paper, Table, Told, Traces, write_table
from hunet.studies.papers.traces import CAMPUS, paper_traces
from hunet.sweeps.runner import Progress, Runner
from hunet.traces.generators.campus import CAMPUS as CAMPUS_GENERATOR
from hunet.traces.generators.campus import CampusSettings
from hunet.traces.store import TraceStore

__all__ = ["MOPS"]

_CAMPUS = "campus"


def _traces(store: TraceStore, names: Sequence[str], _quick: bool) -> Traces:
    """Those that are named; else Infocom05 and Reality, or what stands in for them, and a campus."""
    stored = [name for name in names if name != _CAMPUS]
    found = paper_traces(store, stored, () if names else ("infocom05", "reality"))
    if names and _CAMPUS not in names:
        return found
    made = CAMPUS_GENERATOR.generate(CampusSettings(), 1)
    return found._replace(tables={**found.tables, CAMPUS: (made.contacts, made.nodes)})


def _compute(out: Path, traces: Traces, quick: bool, told: Told) -> dict[str, Table]:
    """The worked example, and what the traces are like."""
    examples: Mapping[str, Callable[[], Table]] = {
        "MOPS-F2": closeness_of_contacts,
        "MOPS-F3a": lambda: communities_at("MOPS-F3a"),
        "MOPS-F3b": lambda: communities_at("MOPS-F3b"),
        "MOPS-F5-F6": weights,
    }
    facts: Mapping[str, Callable[[], Table]] = {
        "MOPS-T1": lambda: trace_facts(traces),
        "MOPS-F3": lambda: community_sizes(traces),
        "MOPS-pruning": lambda: pruning(traces),
        "MOPS-community-hops": lambda: community_hops(traces, plan_of(quick).seeds),
    }
    tables: dict[str, Table] = {}
    for name, make in {**examples, **facts}.items():
        told(name, len(tables), len(examples) + len(facts))
        tables[name] = make()
        write_table(out / name, tables[name])
        if name in examples:
            save(draw_example(name, tables[name]), out / f"{name}.png")
    for name in ("MOPS-F3", "MOPS-pruning"):
        save(draw_structure(name, tables[name]), out / f"{name}.png")
    return tables


def _simulate(
    out: Path, traces: Traces, tables: Mapping[str, Table], quick: bool, runner: Runner, progress: Progress
) -> pd.DataFrame:
    found = measure(traces.tables, out / "runs", plan_of(quick), runner, progress)
    for figure in simulated_figures(found, tables["MOPS-F3"]):
        write_table(out / figure.name, figure.table)
        for name, picture in figure.pictures.items():
            save(picture, out / f"{name}.png")
    return found.schemes


MOPS = Paper(_traces, _compute, _simulate, verdicts)
