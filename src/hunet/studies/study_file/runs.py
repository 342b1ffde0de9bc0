"""From a study to its runs, and from a finished sweep to what people look at: a table and the lines of a picture."""

from __future__ import annotations

from collections.abc import Iterator

from hunet.studies.simulations import Simulation, trace_data
from hunet.studies.study_file.study import Study
from hunet.studies.study_file.values import combinations
from hunet.sweeps.experiment import Run

__all__ = ["study_runs"]


def study_runs(study: Study) -> list[Run]:
    """All runs of a study; traces are read or generated for it, and workloads made that come from files.

    Seeds change before parameters, so that a worker finds the workload of the run before.
    """
    return list(_runs(study))


def _runs(study: Study) -> Iterator[Run]:
    for choice in study.traces:
        tables = choice.load()
        trace = trace_data(*tables)
        labels = {"study": study.name, "trace": choice.label, "workload": study.workload.label}
        for seed in study.seeds:
            workload = study.workload.on(tables, seed)
            for conditions in combinations(study.workload.conditions):
                for protocol in study.protocols:
                    extras = tuple(name for name in study.extras if protocol.can_tell(name))
                    for settings in combinations(protocol.values):
                        yield Simulation(
                            trace,
                            workload,
                            protocol.protocol.name,
                            settings,
                            extras=extras,
                            deliveries=study.deliveries,
                            labels=labels,
                            **conditions,
                        ).run(seed)
