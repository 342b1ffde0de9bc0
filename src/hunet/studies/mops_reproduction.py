"""Everything of [mops] again: the data and the plot of every figure, and a verdict on its claims from 24 on.

`mops_relations` has the others, which need no simulation. Infocom05 and Reality are taken from the trace store, where
they are there; the campus is generated, as the paper's was (AMB-62).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from hunet.pipeline.session import SparkSettings
from hunet.pipeline.sweep.driver import Progress
from hunet.report.style import save
from hunet.studies.mops_claims import verdicts
from hunet.studies.mops_example import closeness_of_contacts, communities_at, draw_example, weights
from hunet.studies.mops_figures import draw_sizes, simulated_figures
from hunet.studies.mops_runs import CAMPUS, INFOCOM05, REALITY, measure, plan_of
from hunet.studies.mops_structure import community_hops, community_sizes, pruning, trace_facts
from hunet.studies.reproduction import Paper, Table, Told, Traces, write_table
from hunet.traces.clean import CleanCounts
from hunet.traces.generators.campus import CAMPUS as CAMPUS_GENERATOR
from hunet.traces.generators.campus import CampusSettings
from hunet.traces.store import Trace, TraceStore

__all__ = ["MOPS"]

_STORED = {"infocom05": INFOCOM05, "reality": REALITY}
_IMPORT = {
    "infocom05": "contacts.Exp3.dat --name infocom05 --internal 1-41",
    "reality": "mit.txt.gz --name reality",
}
_CAMPUS = "campus"


def _traces(store: TraceStore, names: Sequence[str], _quick: bool) -> Traces:
    """Those that are named; else the paper's, as far as they are stored, and a campus."""
    known = {manifest.name for manifest in store.list()}
    asked = list(names) or [*(name for name in _STORED if name in known), _CAMPUS]
    absent = [] if names else [_absence(name) for name in _STORED if name not in known]
    stored = {name: store.open(name) for name in asked if name != _CAMPUS}
    tables = {_STORED.get(name, name): (trace.contacts(), trace.nodes()) for name, trace in stored.items()}
    if _CAMPUS in asked:
        made = CAMPUS_GENERATOR.generate(CampusSettings(), 1)
        tables[CAMPUS] = made.contacts, made.nodes
    rows = {_STORED.get(name, name): _rows(trace) for name, trace in stored.items()}
    return Traces(tables, {name: count for name, count in rows.items() if count is not None}, absent)


def _absence(name: str) -> str:
    return f"{_STORED[name]} is not stored here and is left out: hunet trace import {_IMPORT[name]}"


def _rows(trace: Trace) -> int | None:
    """Sound rows of the files that a trace was imported from."""
    counts = trace.manifest.counts
    if "rows" not in counts:
        return None
    return CleanCounts(**{name: counts[name] for name in CleanCounts.__dataclass_fields__}).clean_rows  # type: ignore[arg-type]


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
    save(draw_sizes(tables["MOPS-F3"]), out / "MOPS-F3.png")
    return tables


def _simulate(
    out: Path, traces: Traces, tables: Mapping[str, Table], quick: bool, spark: SparkSettings, progress: Progress
) -> pd.DataFrame:
    found = measure(traces.tables, out / "runs", plan_of(quick), spark, progress)
    for figure in simulated_figures(found, tables["MOPS-F3"]):
        write_table(out / figure.name, figure.table)
        for name, picture in figure.pictures.items():
            save(picture, out / f"{name}.png")
    return found.schemes


MOPS = Paper(_traces, _compute, _simulate, verdicts)
