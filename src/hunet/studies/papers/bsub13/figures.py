"""The figures and tables of [bsub13]: those that are computed, and those that are simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from matplotlib.figure import Figure

from hunet.protocols import make_settings
from hunet.protocols.bsub13 import BSUB13
from hunet.report.study import Look, draw_study
from hunet.report.style import save
from hunet.sim.engine.run import Conditions
from hunet.sim.make_scene import make_scene
from hunet.studies.papers.bsub.evidence import COLUMNS, OURS
from hunet.studies.papers.bsub.figures import (
    Panel,
    beside,
    bogus_counters,
    decay_course,
    draw_bogus,
    draw_course,
    draw_curves,
    draw_keys,
    draw_merged,
    keys,
    main_traces,
    merges,
    name_of,
    table_of,
)
from hunet.studies.papers.bsub.traces import facts, is_sparse
from hunet.studies.papers.bsub13.attack import Attack, attack, listen, posterior
from hunet.studies.papers.bsub13.relations import consensus
from hunet.studies.papers.bsub13.runs import TOTAL, load
from hunet.studies.papers.reproduction import Table, Traces, write_table
from hunet.studies.statistics import over_seeds

__all__ = ["computed", "draw_computed", "write_simulated"]

_LOADS = {OURS: "", TOTAL: "-total"}
"""Readings that are drawn, and what is added to the names of their files."""
_FIGURES: Mapping[str, Mapping[str, Panel]] = {
    "a": {"delivery_ratio": Panel("Delivery", "pairs delivered of those wanted")},
    "b": {
        "copies_net_mean": Panel("Copies", "of a delivered message, less those dropped", column="copies_net_of_drops"),
        "copies_ever_mean": Panel("Copies ever", "of a delivered message", column="copies_ever"),
    },
    "c": {"delay_mean": Panel("Delay", "mean delay in seconds", column="delay_s")},
    "d": {
        "forwarding_fpr": Panel("False forwards", "of forwards; PUSH: those B-SUB would not make", column="fpr"),
        "conditional_fpr": Panel("False matches", "of queries for absent tags", column="fpr_conditional"),
    },
    "e": {"drops_per_node": Panel("Drops", "messages per node")},
    "g": {
        "relayed_tags_exact": Panel("Relayed tags", "per node at the end"),
        "relayed_tags": Panel("Relayed tags by query", "per node at the end", column="relayed_tags_by_query"),
    },
    "h": {
        "control_bytes_per_contact": Panel("Control bytes", "per contact", column="bytes_auto"),
        "control_bytes_raw": Panel("Control bytes as raw strings", "per contact", column="bytes_raw"),
    },
}
_BESIDE = {
    "d": beside(forwards="forwards", false_forwards="false_forwards"),
    "h": beside(
        control_bytes_E3="bytes_E3",
        control_bytes_E4="bytes_E4",
        control_bytes_E5="bytes_E5",
        distinct_counters="distinct_values",
        saturated_counters="saturated_share",
    ),
}
"""In the table of a figure, not in its picture."""
_COUNTERS = {"cycle": "up to 255", "unlimited": "unlimited"}
_FREE = ", unlimited"
_LINES = ("bsub13", "bsubp", "push", "pull", f"bsub13{_FREE}", f"bsubp{_FREE}")
"""In the order of their colours: those first that every figure has."""
_ATTACKERS = range(10)


def computed(traces: Traces, seeds: Sequence[int]) -> Mapping[str, Callable[[], Table]]:
    """Figures and tables that need no sweep, by their ids."""
    return {
        "BSUB13-F3-F4": merges,
        "BSUB13-F5": _decay,
        "BSUB13-F7": _surveys,
        "BSUB13-F8": bogus_counters,
        "BSUB13-T1": lambda: _traces_and_messages(traces),
        "BSUB13-T2": keys,
        "BSUB13-attack": lambda: _on_crowd(traces, seeds, _attack_rows),
        "BSUB13-guesses": lambda: _on_crowd(traces, seeds, _guess_rows),
    }


def draw_computed(name: str, table: Table) -> Figure | None:
    """The picture of one of them, where it has one."""
    draw = {
        "BSUB13-F3-F4": draw_merged,
        "BSUB13-F5": draw_course,
        "BSUB13-F7": _draw_survey,
        "BSUB13-F8": draw_bogus,
        "BSUB13-T2": draw_keys,
        "BSUB13-attack": _draw_attacks,
    }.get(name)
    return draw(table) if draw else None


def _decay() -> Table:
    places = {"x": {0, 1}, "y": {1, 2}, "z": {3, 4}, "w": {2, 3}}
    return decay_course(places, {0: "xz", 4: "w", 10: "w", 12: "y", 15: "w"})


def _surveys() -> Table:
    """Made up with the paper's outcome: everybody knows the usual tag of all titles but one."""
    return over_seeds([_survey(seed) for seed in range(1, 21)])


def _survey(seed: int, people: int = 21, titles: int = 10) -> Table:
    chance = np.random.default_rng(seed)
    rows: Table = []
    for title in range(1, titles + 1):
        usual = 0.43 if title == titles else 0.92
        chosen = [["usual"] if chance.random() < usual else [f"own {chance.integers(6)}"] for _ in range(people)]
        rows.append({"title": title, "people": people, "consensus": consensus(chosen)})
    return rows


def _draw_survey(table: Table) -> Figure:
    frame = pd.DataFrame(table)
    shown = frame.assign(line=frame["title"].map("title {}".format), x=None, measure="consensus").rename(
        columns={"consensus": "mean", "consensus_lo": "low", "consensus_hi": "high"}
    )
    words = {"consensus": ("Consensus", "share of those who chose the most-chosen tag")}
    return draw_study("A synthetic survey", shown, words, "")


def _traces_and_messages(traces: Traces) -> Table:
    rows = []
    for row in facts(traces):
        name = row["trace"]
        workload = load(traces.tables[name][0], is_sparse(name), 1, total=False)
        count = workload.messages.num_rows
        rows.append({**row, "messages": count, "messages_per_node": count / row["nodes"]})
    return rows


def _on_crowd(traces: Traces, seeds: Sequence[int], rows: Callable[[str, pa.Table, pa.Table, int], Table]) -> Table:
    """Over seeds, on the crowd that stands for Infocom06."""
    trace = main_traces(list(traces.tables))[0]
    return over_seeds([rows(trace, *traces.tables[trace], seed) for seed in seeds]) if trace else []


def _attack_rows(trace: str, contacts: pa.Table, nodes: pa.Table, seed: int) -> Table:
    """How well interests are guessed."""
    workload = load(contacts, False, seed, total=True)
    scene = make_scene(contacts, nodes, workload)
    found = attack(Attack(scene, workload.tags, Conditions(buffer=workload.buffer), _ATTACKERS, seed))
    return [
        {
            "trace": trace,
            "variant": row.protocol,
            "attacker": row.guesses_by,
            "universe": row.knows,
            "universe_share": row.known_share,
            "precision": row.precision,
            "recall": row.recall,
            "posterior": row.posterior,
        }
        for row in found
    ]


def _draw_attacks(table: Table) -> Figure:
    frame = pd.DataFrame(table)
    frame = frame[frame["universe"] == "all tags"]
    titles = {"bsub13": "B-SUB", "bsubp": "B-SUB-P"}
    frame = frame.assign(line=frame["variant"].map(titles) + ", " + frame["attacker"], x=None)
    words = {"precision": ("Precision", "guesses that are right"), "recall": ("Recall", "interests that are guessed")}
    shown = [
        frame[["line", "x"]].assign(measure=name, mean=frame[name], low=frame[f"{name}_lo"], high=frame[f"{name}_hi"])
        for name in words
    ]
    return draw_study(f"Guessing interests on {table[0]['trace']}, all tags known", pd.concat(shown), words, "")


def _guess_rows(trace: str, contacts: pa.Table, nodes: pa.Table, seed: int) -> Table:
    """Small filters make guesses wrong often enough to compare them with Bayes: 32 positions, 5 of 200 tags each."""
    chance = np.random.default_rng(seed)
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
    runs = pd.concat([runs, _false_forwards(runs)], ignore_index=True)
    free = runs["study"] == "unlimited"
    runs = runs.assign(line=runs["protocol"].where(~free, runs["protocol"] + _FREE))
    for name, table, picture in _figures(runs):
        write_table(out / name, table)
        save(picture, out / f"{name}.png")


def _false_forwards(runs: pd.DataFrame) -> pd.DataFrame:
    """How many they are: their share times all."""
    some = runs[runs["measure"].isin(["forwards", "forwarding_fpr"])]
    keys = [column for column in COLUMNS if column not in ("measure", "value")]
    both = some.pivot_table(index=keys, columns="measure", values="value").reset_index()
    return both.assign(measure="false_forwards", value=both["forwards"] * both["forwarding_fpr"])[COLUMNS]


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
                table = table_of(part, columns, {**panels, **_BESIDE.get(letter, {})})
                table = table.assign(counters=table["counters"].map(_COUNTERS))
                shown = part if letter == "a" else part[part["study"] == "cycle"]
                title = f"{trace}{': ' if reading else ''}{reading}"
                look = Look(log_y=letter == "e")
                picture = draw_curves(title, shown, "line", panels, "decay cycle in seconds", _LINES, look)
                figure = name_of(f"BSUB13-F9{letter}", trace, crowd) if trace != sparse else f"BSUB13-F9{letter}-R"
                yield f"{figure}{ending}", table, picture
