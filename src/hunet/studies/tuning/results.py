"""What people look at when tuning is done: the settings side by side, a sentence on how sure they are, a picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import hunet
from hunet.protocols import make_settings
from hunet.protocols.settings_file import write_settings
from hunet.report.numbers import with_interval
from hunet.report.style import save
from hunet.report.tuning import Spread, draw_tuning
from hunet.sim.measures import MEASURES
from hunet.studies.tables import write_csv
from hunet.studies.tuning.tune import COSTS, Goal, Interval, Tuned

__all__ = ["comparison", "draw", "judged_rows", "setting_rows", "verdict", "write_file", "write_results"]

_UNITS = {one.name: one.unit for one in MEASURES}


def setting_rows(goal: Goal, tuned: Tuned) -> list[dict[str, Any]]:
    """Every setting that was searched: the default and what was found."""
    defaults = goal.protocol.settings()._asdict()
    return [{"setting": name, "default": defaults[name], "tuned": value} for name, value in tuned.found.best.items()]


def comparison(tuned: Tuned) -> list[dict[str, Any]]:
    """One row per measure: PUSH, the defaults and what was found, each with its interval."""
    return [
        {
            "measure": f"{measure.replace('_', ' ')} {_UNITS.get(measure, '')}".strip(),
            **{who: with_interval(one.mean, one.high) for who, one in found.items()},
        }
        for measure, found in _rows(tuned).items()
    ]


def judged_rows(tuned: Tuned) -> list[dict[str, Any]]:
    """The same as numbers, one row per measure and who."""
    return [
        {"measure": measure, "who": who, **one._asdict()}
        for measure, found in _rows(tuned).items()
        for who, one in found.items()
    ]


def _rows(tuned: Tuned) -> Mapping[str, Mapping[str, Interval]]:
    return {"delivery of PUSH's": tuned.relative, **tuned.judged}


def verdict(goal: Goal, tuned: Tuned) -> list[str]:
    """Sentences: whether the goal is met, what is saved, and how sure that is."""
    delivery, wanted = tuned.delivery, goal.min_delivery
    met = "The goal is met" if delivery.low >= wanted else "The goal is missed"
    if delivery.low < wanted <= delivery.high:
        met = "The goal may be missed"
    unchanged = all(row["default"] == row["tuned"] for row in setting_rows(goal, tuned))
    sentences = [
        f"{met}: it delivers {_range(delivery)} of what PUSH delivers; {wanted:g} was asked for.",
        "Nothing better than the defaults was found." if unchanged else _change(goal, tuned),
        f"How sure: 95 % intervals over {tuned.seeds} workloads by chance, none of which the search saw, on the last "
        "30 % of this trace. They say nothing about another crowd or another day.",
    ]
    if tuned.found.meets:
        return sentences
    return [f"Nothing reached {wanted:g} throughout the first 70 % of the trace; this comes nearest to it.", *sentences]


def _change(goal: Goal, tuned: Tuned) -> str:
    mean, low, high = (100 * value for value in tuned.saved)
    change = f"{_range(Interval(mean, low, high), ' %')} less"
    if mean < 0:
        change = f"{_range(Interval(-mean, -high, -low), ' %')} more"
    defaults = _range(tuned.relative["defaults"])
    return f"{goal.minimise.capitalize()}: {change} than with the defaults, which deliver {defaults}."


def _range(one: Interval, unit: str = "") -> str:
    return f"{one.mean:.3g}{unit} ({one.low:.3g} to {one.high:.3g})"


def write_results(folder: Path, goal: Goal, tuned: Tuned, trace: Mapping[str, Any]) -> tuple[Path, Path]:
    """Write settings, tables and a picture into a folder, and return the file of settings and the picture."""
    file = write_file(folder / f"{goal.protocol.name}.toml", goal, tuned, trace)
    write_csv(folder / "tried.csv", tuned.found.tried)
    tables = {"settings": setting_rows(goal, tuned), "judged": judged_rows(tuned), "comparison": comparison(tuned)}
    for name, rows in tables.items():
        write_csv(folder / f"{name}.csv", rows)
    return file, draw(f"{goal.protocol.name} on {trace['name']}", goal, tuned, folder / "tuning.png")


def draw(title: str, goal: Goal, tuned: Tuned, path: Path) -> Path:
    """What was tried, and what came of it."""
    tried, best = tuned.found.tried, tuned.found.best
    same = (tried[list(best)] == list(best.values())).all(axis=1)
    cost = tuned.judged[COSTS[goal.minimise]]
    judged = {who: Spread(cost[who].mean, *at) for who, at in tuned.relative.items()}
    places = {"defaults": 0, "tuned": int(same.idxmax())}
    figure = draw_tuning(title, tried, places, judged, goal.min_delivery, goal.minimise)
    return save(figure, path)


def write_file(path: Path, goal: Goal, tuned: Tuned, trace: Mapping[str, Any]) -> Path:
    """The settings, for `hunet simulate --settings` and for a node, with where they come from."""
    settings = make_settings(goal.protocol, tuned.found.best)._asdict()
    notes: dict[str, dict[str, Any]] = {
        "goal": {
            "min_delivery": goal.min_delivery,
            "minimise": goal.minimise,
            "workload": str(goal.workload),
        },
        "judged": {
            "delivery_of_push": _rounded(tuned.delivery),
            "saved_of_defaults": _rounded(tuned.saved),
        },
        "trace": dict(trace),
        "made_by": {"hunet": hunet.__version__},
    }
    return write_settings(path, goal.protocol, settings, notes)


def _rounded(one: Interval) -> list[float]:
    return [round(value, 4) for value in one]
