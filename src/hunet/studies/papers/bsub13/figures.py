"""The figures and tables of [bsub13]: those that are computed, and Fig. 9, which is simulated.

Fig. 9 is drawn for every trace (F9a-R and so on for Reality, whose version is in the paper's supplement), with 180
messages of each node, our reading, and with 180 of all together (AMB-33).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import pandas as pd

from hunet.report.study import Look
from hunet.studies.papers.bsub.curves import Curves, figure_of, name_of
from hunet.studies.papers.bsub.drawings import (
    bogus_counters,
    decay_course,
    draw_bogus,
    draw_course,
    draw_merged,
    keys,
    merges,
)
from hunet.studies.papers.bsub.traces import facts, main_traces
from hunet.studies.papers.bsub13.attack_tables import attacks, draw_attacks, guesses
from hunet.studies.papers.bsub13.runs import BEST, TOTAL, load
from hunet.studies.papers.bsub13.survey import draw_surveys, surveys
from hunet.studies.papers.curves import Panel, Panels, beside
from hunet.studies.papers.evidence import COLUMNS, OURS
from hunet.studies.papers.figures import Figure
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.traces import Traces
from hunet.studies.tables import Table

__all__ = ["computed", "simulated"]

_LOADS = {OURS: "", TOTAL: "-total"}
"""Readings that are drawn, and what is added to the names of their files."""
_PANELS: Mapping[str, Panels] = {
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
    "h": {"control_bytes_per_contact": Panel("Control bytes", "per contact", column="bytes_auto")},
}
_BESIDE = {
    "d": beside(forwards="forwards", false_forwards="false_forwards"),
    "h": beside(
        control_bytes_raw="bytes_raw",
        control_bytes_E3="bytes_E3",
        control_bytes_E4="bytes_E4",
        control_bytes_E5="bytes_E5",
        control_bytes_E6="bytes_E6",
        distinct_counters="distinct_values",
        saturated_counters="saturated_share",
    ),
}
"""In the table of a figure, not in its picture."""
_PRINTED = {
    "copies_net_mean": (15.5, "paper, B-SUB: 15.5"),
    "relayed_tags_exact": (30.0, "paper: about 30"),
    "forwarding_fpr": (0.9, "paper, PUSH: above 0.9"),
}
"""What the paper's text has of its figures."""
_COUNTERS = {"cycle": "up to 255", "unlimited": "unlimited"}
_FREE, _RAW = ", unlimited", ", raw strings"
_LINES = (
    *("bsub13", "bsubp", "push", "pull", f"bsub13{_FREE}", f"bsubp{_FREE}"),
    *(f"{protocol}{_RAW}" for protocol in ("bsub13", "bsubp", "pull")),
)
"""In the order of their colours: those first that every figure has."""
_CAPTIONS = {
    "a": "Delivery ratio against the decay cycle.",
    "b": "Copies of delivered messages against the decay cycle.",
    "c": "Mean delay against the decay cycle.",
    "d": "Share of forwards that are false, against the decay cycle.",
    "e": "Messages dropped per node, against the decay cycle.",
    "g": "Tags in a relay filter at the end, against the decay cycle.",
    "h": "Bytes of control messages per contact, as filters and as raw strings, against the decay cycle.",
}


def computed(traces: Traces, quick: bool) -> Sequence[Figure]:
    """Those that need no sweep."""
    crowds = [trace for trace in main_traces(traces.found) if not trace.sparse]
    seeds = range(1, 3 if quick else 4)
    return (
        Figure("BSUB13-F3-F4", "A-merge adds counters, M-merge takes the larger one.", merges, draw_merged),
        Figure("BSUB13-F5", "Counters that decay: which tags are still known, and until when.", _decay, draw_course),
        Figure("BSUB13-F7", "How far people agree on tags, by title.", partial(surveys, traces.home), draw_surveys),
        Figure("BSUB13-F8", "Bogus counters between two nodes that meet again and again.", bogus_counters, draw_bogus),
        Figure(
            "BSUB13-T1",
            "The traces, and how many messages are published on them.",
            lambda: _traces_and_messages(traces),
        ),
        Figure("BSUB13-T2", "The 38 tags and how often each is drawn.", keys),
        Figure(
            "BSUB13-attack",
            "How well an attacker who listens to filters guesses interests, by what it knows.",
            lambda: attacks(crowds, seeds),
            draw_attacks,
        ),
        Figure(
            "BSUB13-guesses",
            "Guesses from small filters, beside what Bayes' rule expects of them.",
            lambda: guesses(crowds, seeds),
        ),
    )


def _decay() -> Table:
    places = {"x": {0, 1}, "y": {1, 2}, "z": {3, 4}, "w": {2, 3}}
    return decay_course(places, {0: "xz", 4: "w", 10: "w", 12: "y", 15: "w"})


def _traces_and_messages(traces: Traces) -> Table:
    rows = []
    for trace, row in zip(traces.found, facts(traces.found), strict=True):
        count = load(trace, 1, total=False).messages.num_rows
        rows.append({**row, "messages": count, "messages_per_node": count / row["nodes"]})
    return rows


def simulated(measured: Measured, _tables: Mapping[str, Table]) -> Iterator[Figure]:
    """Fig. 9 for every trace, with both readings of how many messages there are."""
    # What PUSH forwards for nothing stands where others have their false forwards (AMB-34).
    runs = measured.runs.assign(measure=measured.runs["measure"].replace("not_by_bsub", "forwarding_fpr"))
    runs = pd.concat([runs, _false_forwards(runs)], ignore_index=True)
    free = runs["study"] == "unlimited"
    runs = runs.assign(
        line=runs["protocol"].where(~free, runs["protocol"] + _FREE), counters=runs["study"].map(_COUNTERS)
    )
    columns = {"on": "trace", "protocol": "scheme", "counters": "counters", "x": "cycle_s"}
    mains = main_traces(measured.on)
    for trace in measured.on:
        for reading, ending in _LOADS.items():
            part = runs[
                (runs["on"] == trace.title) & (runs["reading"] == reading) & runs["study"].isin(list(_COUNTERS))
            ]
            for letter, panels in _PANELS.items():
                curves = Curves(
                    f"{trace.title}{': ' if reading else ''}{reading}",
                    part,
                    columns,
                    "line",
                    _LINES,
                    "decay cycle in seconds",
                    panels,
                    _BESIDE.get(letter, {}),
                    _drawn(letter, part),
                    Look((BEST, "paper: best up to 2^8"), _PRINTED, log_y=letter in "de"),
                )
                name = f"BSUB13-F9{letter}{'-R' if trace.sparse and trace in mains else ''}"
                yield figure_of(f"{name_of(name, trace, mains)}{ending}", _CAPTIONS[letter], curves)


def _drawn(letter: str, part: pd.DataFrame) -> pd.DataFrame:
    """The runs that a panel shows: without a limit in Fig. 9a only, and what raw strings would take in Fig. 9h."""
    limited = part[part["study"] == "cycle"]
    if letter != "h":
        return part if letter == "a" else limited
    raw = limited[limited["measure"] == "control_bytes_raw"]
    as_bytes = raw.assign(measure="control_bytes_per_contact", line=raw["line"] + _RAW)
    return pd.concat([limited, as_bytes], ignore_index=True)


def _false_forwards(runs: pd.DataFrame) -> pd.DataFrame:
    """How many they are: their share times all."""
    some = runs[runs["measure"].isin(["forwards", "forwarding_fpr"])]
    keys = [column for column in COLUMNS if column not in ("measure", "value")]
    both = some.pivot_table(index=keys, columns="measure", values="value").reset_index()
    return both.assign(measure="false_forwards", value=both["forwards"] * both["forwarding_fpr"])[COLUMNS]
