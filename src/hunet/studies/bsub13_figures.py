"""The figures and tables of [bsub13]: those that are computed, and those that are simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from hunet.protocols import make_settings
from hunet.protocols.bsub13 import BSUB13
from hunet.report.study import draw_study
from hunet.report.style import save
from hunet.sim.engine import Conditions
from hunet.sim.make_scene import make_scene
from hunet.studies.attack import Attack, attack, listen, posterior
from hunet.studies.bsub13_relations import consensus
from hunet.studies.bsub13_runs import SCHEMES, TOTAL, load
from hunet.studies.bsub_evidence import OURS
from hunet.studies.bsub_figures import (
    Panel,
    bogus_counters,
    decay_course,
    draw_bogus,
    draw_course,
    draw_curves,
    draw_merged,
    main_traces,
    merges,
    name_of,
    wide,
)
from hunet.studies.bsub_traces import facts, is_sparse
from hunet.studies.reproduction import Table, Traces, write_table

__all__ = ["computed", "draw_computed", "write_simulated"]

_LOADS = {OURS: "", TOTAL: "-total"}
"""Readings that are drawn, and what is added to the names of their files."""
_FIGURES: Mapping[str, Mapping[str, Panel]] = {
    "a": {"delivery_ratio": Panel("Delivery", "pairs delivered of those wanted")},
    "b": {
        "copies_net_mean": Panel("Copies", "of a delivered message, less those dropped"),
        "copies_ever_mean": Panel("Copies ever", "of a delivered message"),
    },
    "c": {"delay_mean": Panel("Delay", "mean delay in seconds")},
    "d": {
        "forwarding_fpr": Panel("False forwards", "of forwards; PUSH: those B-SUB would not make"),
        "conditional_fpr": Panel("False matches", "of queries for absent tags"),
    },
    "e": {"drops_per_node": Panel("Drops", "messages per node")},
    "g": {
        "relayed_tags_exact": Panel("Relayed tags", "per node at the end"),
        "relayed_tags": Panel("Relayed tags by query", "per node at the end"),
    },
    "h": {
        "control_bytes_per_contact": Panel("Control bytes", "per contact"),
        "control_bytes_raw": Panel("Control bytes as raw strings", "per contact"),
    },
}
_BESIDE = {
    "h": ("control_bytes_E3", "control_bytes_E4", "control_bytes_E5", "distinct_counters", "saturated_counters"),
}
"""In the table of a figure, not in its picture."""
_ATTACKERS = range(10)


def computed(traces: Traces, seeds: Sequence[int]) -> Mapping[str, Callable[[], Table]]:
    """Figures and tables that need no sweep, by their ids."""
    return {
        "BSUB13-F3-F4": merges,
        "BSUB13-F5": _decay,
        "BSUB13-F7": lambda: _survey(seeds),
        "BSUB13-F8": bogus_counters,
        "BSUB13-T1": lambda: _traces_and_messages(traces),
        "BSUB13-attack": lambda: _attacks(traces, seeds),
        "BSUB13-guesses": lambda: _guesses(traces),
    }


def draw_computed(name: str, table: Table) -> Figure | None:
    """The picture of one of them, where it has one."""
    draw = {
        "BSUB13-F3-F4": draw_merged,
        "BSUB13-F5": draw_course,
        "BSUB13-F7": _draw_survey,
        "BSUB13-F8": draw_bogus,
        "BSUB13-attack": _draw_attacks,
    }.get(name)
    return draw(table) if draw else None


def _decay() -> Table:
    places = {"x": {0, 1}, "y": {1, 2}, "z": {3, 4}, "w": {2, 3}}
    return decay_course(places, {0: "xz", 4: "w", 10: "w", 12: "y", 15: "w"})


def _survey(seeds: Sequence[int], people: int = 21, titles: int = 10) -> Table:
    """A survey made up with the paper's outcome: everybody knows the usual tag of all titles but one."""
    rows: Table = []
    for seed in seeds:
        chance = np.random.default_rng(seed)
        for title in range(1, titles + 1):
            usual = 0.43 if title == titles else 0.92
            chosen = [["usual"] if chance.random() < usual else [f"own {chance.integers(6)}"] for _ in range(people)]
            rows.append({"title": title, "seed": seed, "people": people, "consensus": consensus(chosen)})
    return rows


def _draw_survey(table: Table) -> Figure:
    frame = pd.DataFrame(table).groupby("title")["consensus"].mean().reset_index()
    shown = frame.assign(
        line="title " + frame["title"].astype(str), x=None, mean=frame["consensus"], low=np.nan, high=np.nan
    )
    words = {"consensus": ("Consensus", "share of those who chose the most-chosen tag")}
    return draw_study("A synthetic survey", shown.assign(measure="consensus"), words, "")


def _traces_and_messages(traces: Traces) -> Table:
    rows = []
    for row in facts(traces):
        name = str(row["trace"])
        contacts = traces.tables[name][0]
        workload = load(contacts, is_sparse(name), 1, total=False)
        count = workload.messages.num_rows
        rows.append({**row, "messages": count, "messages_per_node": count / int(str(row["nodes"]))})
    return rows


def _attacks(traces: Traces, seeds: Sequence[int]) -> Table:
    """How well interests are guessed, on the crowd that stands for Infocom06."""
    trace = main_traces(list(traces.tables))[0]
    rows: Table = []
    for seed in seeds if trace else ():
        contacts, nodes = traces.tables[trace]
        workload = load(contacts, False, seed, total=True)
        scene = make_scene(contacts, nodes, workload)
        for row in attack(Attack(scene, workload.tags, Conditions(buffer=workload.buffer), _ATTACKERS, seed)):
            found = asdict(row)
            about = {
                "variant": found.pop("protocol"),
                "attacker": found.pop("guesses_by"),
                "universe": found.pop("knows"),
            }
            rows.append({"trace": trace, "seed": seed, **about, **found})
    return rows


def _draw_attacks(table: Table) -> Figure:
    frame = pd.DataFrame(table)
    frame = frame[frame["universe"] == "all tags"]
    titles = {"bsub13": "B-SUB", "bsubp": "B-SUB-P"}
    frame = frame.assign(line=frame["variant"].map(titles) + ", " + frame["attacker"])
    long = frame.melt(["line"], ["precision", "recall"], "measure").groupby(["line", "measure"], sort=False)["value"]
    shown = long.mean().rename("mean").reset_index().assign(x=None, low=np.nan, high=np.nan)
    words = {"precision": ("Precision", "guesses that are right"), "recall": ("Recall", "interests that are guessed")}
    return draw_study(f"Guessing interests on {table[0]['trace']}, all tags known", shown, words, "")


def _guesses(traces: Traces) -> Table:
    """Small filters make guesses wrong often enough to compare them with Bayes: 32 positions, 5 of 200 tags each."""
    trace = main_traces(list(traces.tables))[0]
    if not trace:
        return []
    contacts, nodes = traces.tables[trace]
    chance = np.random.default_rng(1)
    tags = tuple(f"tag {i}" for i in range(200))
    wants = np.array([np.isin(np.arange(200), chance.choice(200, 5, replace=False)) for _ in range(nodes.num_rows)])
    scene = make_scene(contacts, nodes, load(contacts, False, 1, total=False))._replace(wants=wants.astype(np.uint8))
    everybody = Attack(scene, tags, Conditions(), range(nodes.num_rows))
    heard = listen(BSUB13, make_settings(BSUB13, {"m": 32, "k": 2}), everybody)
    guess = heard.values() > 0
    right = guess & wants[heard.speaker]
    expected = posterior(5 / 200, (1 - (1 - 1 / 32) ** 10) ** 2)
    return [{"trace": trace, "precision": float(right.sum() / guess.sum()), "posterior": expected}]


def write_simulated(out: Path, runs: pd.DataFrame) -> None:
    """Write and draw Fig. 9 for every trace, with both readings of how many messages there are."""
    # What PUSH forwards for nothing stands where others have their false forwards (AMB-34).
    runs = runs.assign(measure=runs["measure"].replace("not_by_bsub", "forwarding_fpr"))
    for name, table, picture in _figures(runs):
        write_table(out / name, table)
        save(picture, out / f"{name}.png")


def _figures(runs: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame, Figure]]:
    names = [str(name) for name in runs["on"].unique()]
    crowd, sparse = main_traces(names)
    columns = {"on": "trace", "protocol": "scheme", "study": "counters", "x": "cycle_s"}
    for trace in names:
        for reading, ending in _LOADS.items():
            part = runs[
                (runs["on"] == trace) & (runs["reading"] == reading) & runs["study"].isin(["cycle", "unlimited"])
            ]
            for letter, panels in _FIGURES.items():
                beside = {name: Panel("", "") for name in _BESIDE.get(letter, ())}
                table = wide(part, columns, {**panels, **beside})
                shown = part[part["study"] == "cycle"]
                title = f"{trace}{': ' if reading else ''}{reading}"
                picture = draw_curves(title, shown, "protocol", panels, "decay cycle in seconds", SCHEMES)
                figure = name_of(f"BSUB13-F9{letter}", trace, crowd) if trace != sparse else f"BSUB13-F9{letter}-R"
                yield f"{figure}{ending}", table, picture
