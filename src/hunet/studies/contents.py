"""What each kind of folder says about itself: a reproduction, a comparison, a study, a search for settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from hunet.report.contents import Contents, Rows, Shown, pictures_in
from hunet.sim.bound import CLAIRVOYANT
from hunet.studies.claims.errata import errata_of
from hunet.studies.claims.verdict import Verdict
from hunet.studies.comparison import Where, contestant
from hunet.studies.papers.figures import captions_of
from hunet.studies.papers.reproduce import Reproduction
from hunet.studies.provenance import (
    Tables,
    made,
    settings_of_runs,
    settings_of_workload,
    trace_rows,
)
from hunet.studies.statistics import mean_over
from hunet.studies.study_file.study import Study
from hunet.studies.tuning.results import verdict
from hunet.studies.tuning.tune import Goal, Tuned
from hunet.traces.store import TraceStore

__all__ = ["Asked", "counts_by_paper", "of_comparison", "of_papers", "of_reproduction", "of_study", "of_tuning"]


class Asked(NamedTuple):
    """What a person typed, and when."""

    command: str
    on: str
    store: TraceStore
    """Where traces and their origins are known."""


def of_reproduction(asked: Asked, name: str, done: Reproduction) -> Contents:
    """A paper, known by this name: all pictures of the folder, tables that have none, and the verdicts."""
    captions = captions_of(done.figures)
    pictures = pictures_in(done.folder, captions)
    drawn = {one.data for one in pictures} | {"claims.csv"}
    tables = [
        Shown(file.stem, captions.get(file.stem, ""), data=file.name)
        for file in sorted(done.folder.glob("*.csv"))
        if file.name not in drawn
    ]
    traces = {trace.title: trace.trace for trace in done.traces.found}
    return Contents(
        title=f"{done.paper.title}, reproduced",
        headline=f"{_counted(done.verdicts)} On {', '.join(traces)}.",
        command=asked.command,
        made=made(asked.on),
        shown=[*pictures, *tables],
        verdicts="claims.csv",
        settings=_settings(done.folder / "runs" / "runs.parquet"),
        traces=trace_rows(traces, asked.store),
        errata=errata_of([name]),
        notes=list(done.traces.absent),
    )


def of_papers(asked: Asked, done: Sequence[Reproduction], pages: Mapping[str, str]) -> Contents:
    """All papers, each of which has a folder of its own within this one, and pages that lie beside the report."""
    return Contents(
        title="The papers, reproduced",
        headline=_counted([verdict for one in done for verdict in one.verdicts]),
        command=asked.command,
        made=made(asked.on),
        shown=[Shown("Verdicts by paper", data="papers.csv")],
        pages=pages,
    )


def counts_by_paper(done: Sequence[Reproduction]) -> list[dict[str, Any]]:
    """A row per paper: how many of its claims have which verdict."""
    counts = {one.paper.title: Counter(verdict.word for verdict in one.verdicts) for one in done}
    words = [word for word, _ in sum(counts.values(), Counter()).most_common()]
    return [
        {"paper": title, "claims": count.total(), **{word.value: count[word] for word in words}}
        for title, count in counts.items()
    ]


def _counted(found: Sequence[Verdict]) -> str:
    counts = Counter(one.word for one in found)
    return f"Of {len(found)} claims: {', '.join(f'{count} {word}' for word, count in counts.most_common())}."


def of_comparison(asked: Asked, folder: Path, where: Sequence[Where], rows: Rows, seeds: int) -> Contents:
    """Protocols side by side."""
    labels = list(dict.fromkeys(str(row["protocol"]) for row in rows if row["protocol"] != CLAIRVOYANT))
    names = list(dict.fromkeys(contestant(label).protocol for label in labels))
    several = len(where) > 1
    return Contents(
        title=f"{len(labels)} protocols on {len(where)} traces" if several else where[0].label,
        headline=_best(where, rows),
        command=asked.command,
        made=made(asked.on),
        shown=[
            Shown(
                "Side by side" if several else "Delivery against transfers",
                f"{mean_over(seeds).capitalize()}. All under the same conditions. "
                + ("" if several else "Upper left is best: much delivered with few transfers."),
                "comparison.png",
                "comparison.csv",
            ),
            Shown("All measures", f"{mean_over(seeds).capitalize()}.", data="shown.csv"),
        ],
        settings=[*settings_of_workload(where[0].workload), *_settings(folder / "runs" / "runs.parquet")],
        traces=trace_rows({one.label: one.tables for one in where}, asked.store),
        errata=errata_of(names),
    )


def _best(where: Sequence[Where], rows: Rows) -> str:
    """Which protocol delivers most and which transfers least for it, trace by trace."""
    most, least = [], []
    for one in where:
        some = [row for row in rows if row["trace"] == one.label and row["protocol"] != CLAIRVOYANT]
        on = f" on {one.label}" if len(where) > 1 else ""
        first = max(some, key=lambda row: float(row["delivery_ratio"]))
        most.append(f"{first['protocol']}{on} ({first['delivery_ratio']:.0%})")
        first = min(some, key=lambda row: _or_last(row["forwards_per_delivery"]))
        least.append(f"{first['protocol']}{on} ({first['forwards_per_delivery']:.1f})")
    return f"Most is delivered by {', '.join(most)}; the fewest transfers per delivery are made by {', '.join(least)}."


def _or_last(value: Any) -> float:
    """Where nothing was delivered there are no transfers per delivery, and they are not the least."""
    return float(value) if value == value else float("inf")


def of_study(asked: Asked, study: Study, runs: pa.Table, traces: Mapping[str, Tables], drawn: bool) -> Contents:
    """A study file and what came of it."""
    failed = runs.num_rows - runs.column("error").null_count
    names = list(dict.fromkeys(choice.protocol.name for choice in study.protocols))
    return Contents(
        title=study.title,
        headline=f"{', '.join(names)}: {runs.num_rows:,} runs, {mean_over(len(study.seeds))}.",
        command=asked.command,
        made=made(asked.on),
        shown=[
            *([Shown(study.name, "Mean over the seeds.", f"{study.name}.png", "summary.csv")] if drawn else []),
            Shown("Summary", "Mean over the seeds, and the ends of its 95 % interval.", data="summary.csv"),
        ],
        settings=[*settings_of_workload(study.workload.label), *settings_of_runs(runs)],
        traces=trace_rows(traces, asked.store),
        errata=errata_of(names),
        notes=[f"{failed:,} of {runs.num_rows:,} runs failed and are not part of the means."] if failed else [],
    )


def of_tuning(asked: Asked, folder: Path, label: str, trace: Tables, goal: Goal, tuned: Tuned) -> Contents:
    """Settings that were looked for."""
    first, *others = verdict(goal, tuned)
    return Contents(
        title=f"{goal.protocol.name} tuned for {label}",
        headline=" ".join((first, others[0])),
        command=asked.command,
        made=made(asked.on),
        shown=[
            Shown(
                "What was tried, and what came of it",
                f"Left, every candidate on the first 70 % of the trace, in its worse half. Right, on the last 30 %. "
                f"{others[-1]}",
                "tuning.png",
                "judged.csv",
            ),
            Shown("The settings", "Those that were searched.", data="settings.csv"),
            Shown("On the last 30 %", f"{mean_over(tuned.seeds).capitalize()}.", data="comparison.csv"),
            Shown("Everything that was tried", data="tried.csv"),
        ],
        settings=[*settings_of_workload(str(goal.workload)), *_settings(folder / "runs" / "runs.parquet")],
        traces=trace_rows({label: trace}, asked.store),
        errata=errata_of([goal.protocol.name]),
    )


def _settings(runs: Path) -> list[dict[str, str]]:
    return settings_of_runs(pq.read_table(runs)) if runs.is_file() else []
