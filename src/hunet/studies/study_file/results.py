"""What people look at when a study is done: means with intervals as a table, and a picture of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from hunet.report.numbers import short, with_interval
from hunet.report.study import draw_study
from hunet.report.style import save
from hunet.sim.measures import MEASURES
from hunet.studies.statistics import means, values
from hunet.studies.study_file.study import Study
from hunet.studies.tables import write_csv
from hunet.sweeps.compaction import Sweep

__all__ = ["draw", "failures", "for_people", "shown_measures", "summary", "write_results"]

_PANELS = 3
_ABOUT = {one.name: one for one in MEASURES}


def shown_measures(study: Study, sweep: Sweep) -> list[str]:
    """The measures that were asked for, and all that those which cost extra brought along."""
    brought = dict.fromkeys(name for name in sweep.measures.column("measure").to_pylist() if name not in _ABOUT)
    return [*study.measures, *brought]


def summary(study: Study, sweep: Sweep) -> pd.DataFrame:
    """One row per protocol, varied setting and measure: mean over the seeds with its interval."""
    shown = shown_measures(study, sweep)
    found = means(values(sweep, shown), _columns(study))
    return found.sort_values("measure", key=lambda names: names.map(shown.index), kind="stable", ignore_index=True)


def write_results(study: Study, sweep: Sweep) -> tuple[pd.DataFrame, Path | None]:
    """Write the summary and its picture (none of an empty summary) into the sweep's folder, and return both."""
    table = summary(study, sweep)
    write_csv(sweep.path / "summary.csv", table)
    return table, None if table.empty else draw(study, table, sweep.path / f"{study.name}.png")


def for_people(table: pd.DataFrame) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """A summary as rows with a column for each measure, as text; and what stands above the columns."""
    measures = list(dict.fromkeys(table["measure"]))
    by = [name for name in table.columns if name not in ("measure", "runs", "mean", "low", "high")]
    headings = {name: _words(name) for name in by} | {"runs": "runs"}
    headings |= {name: f"{_words(name)} {_ABOUT[name].unit if name in _ABOUT else ''}".strip() for name in measures}
    rows = [
        {
            **dict(zip(by, key, strict=True)),
            "runs": int(part["runs"].max()),
            **dict.fromkeys(measures, "-"),
            **{row["measure"]: with_interval(row["mean"], row["high"]) for row in part.to_dict("records")},
        }
        for key, part in table.groupby(by, dropna=False, sort=False)
    ]
    return rows, headings


def _columns(study: Study) -> list[str]:
    return ["protocol", *(["trace"] if len(study.traces) > 1 else []), *study.swept]


def failures(sweep: Sweep) -> pd.DataFrame:
    """The runs that failed."""
    runs = sweep.runs.to_pandas()
    return pd.DataFrame(runs[runs["error"].notna()])


def draw(study: Study, table: pd.DataFrame, path: Path) -> Path:
    """The first measures of a study against its parameter, a line for everything else that varies."""
    others = [column for column in _columns(study) if column not in (study.against, "protocol")]
    names = [
        ", ".join((row["protocol"], *(_named(other, row[other]) for other in others if pd.notna(row[other]))))
        for _, row in table.iterrows()
    ]
    lines = table.assign(line=names, x=table[study.against] if study.against else None)
    panels = list(dict.fromkeys(table["measure"]))[:_PANELS]
    several = len(study.seeds) > 1
    count = f"mean and 95 % interval over {len(study.seeds)} seeds" if several else f"seed {study.seeds[0]}"
    headings = {name: _heading(name) for name in panels}
    figure = draw_study(f"{study.title}: {count}", lines, headings, _words(study.against or ""))
    return save(figure, path)


def _heading(measure: str) -> tuple[str, str]:
    about = _ABOUT.get(measure)
    if about is None:
        return _words(measure), ""
    return _words(measure), f"{about.title} ({about.unit})" if about.unit else about.title


def _named(column: str, value: object) -> str:
    return short(value) if column == "trace" else f"{_words(column)} {short(value)}"


def _words(name: str) -> str:
    return name.replace("_", " ")
