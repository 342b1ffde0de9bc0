"""The figures and tables of [bsub10]: those that are computed, and those that are simulated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Picture

from hunet.filters import BloomFilter, CountingBloomFilter, Hashing
from hunet.filters.sizing import (
    decay_factor,
    expected_minimum,
    expected_minimum_as_printed,
    fill_ratio,
    joint_false_positive_rate,
    memory_bits,
    memory_bits_as_printed,
)
from hunet.report.study import Look
from hunet.studies.papers.bsub.curves import Curves, figure_of, name_of
from hunet.studies.papers.bsub.drawings import (
    bogus_counters,
    decay_course,
    draw_bogus,
    draw_course,
    draw_merged,
    draw_table,
    keys,
    merges,
)
from hunet.studies.papers.bsub.filter_samples import key_at
from hunet.studies.papers.bsub.traces import facts, main_traces
from hunet.studies.papers.bsub10.runs import PRINTED_FACTOR, SCHEMES
from hunet.studies.papers.curves import Panel, Panels, beside
from hunet.studies.papers.evidence import OURS
from hunet.studies.papers.figures import Figure
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.traces import INFOCOM06_79, REALITY, Traces
from hunet.studies.tables import Table

__all__ = ["computed", "simulated"]

_M, _K, _KEYS = 256, 4, 38
_MINUTE = 60.0
_BY_LIFETIME: Mapping[str, Panels] = {
    "a": {"delivery_ratio": Panel("Delivery", "pairs delivered of those wanted")},
    "b": {
        "delay_mean": Panel("Mean delay", "minutes", 1 / _MINUTE, "delay_min"),
        "delay_median": Panel("Median delay", "minutes", 1 / _MINUTE, "delay_min_median"),
    },
    "c": {"forwards_per_delivery": Panel("Cost", "forwards per delivery", column="ratio")},
}
_BY_FACTOR: Mapping[str, Panels] = {
    "a": {"delivery_ratio": Panel("Delivery", "pairs delivered of those wanted")},
    "b": {"delay_mean": Panel("Delay", "mean delay in minutes", 1 / _MINUTE, "delay_min")},
    "c": {"forwards_per_delivery": Panel("Cost", "forwards per delivery")},
    "d": {
        "conditional_fpr": Panel("False matches", "of queries for absent keys", column="fpr_conditional"),
        "injected_fpr": Panel("False injections", "of producers' messages", column="fpr_injected"),
        "forwarding_fpr": Panel("False forwards", "of forwards", column="fpr_forwarding"),
        "delivered_fpr": Panel("False deliveries", "of deliveries", column="fpr_delivered"),
    },
}
_BESIDE_LIFETIME = {"c": beside(forwards="forwards", delivered="deliveries")}
_BESIDE_FACTOR = {"d": beside(relayed_tags="mean_keys_in_relay", fill_ratio="fill_ratio")}
_PRINTED = Look(
    (PRINTED_FACTOR, f"paper: {PRINTED_FACTOR:g}"),
    {"conditional_fpr": (0.04, "theory: 0.04"), "forwards_per_delivery": (1.0, "paper: nearly 1")},
)
"""The paper's decay factor, the false-positive rate it expects of 38 keys, and where forwards are said to end."""


_TABLE_1 = {INFOCOM06_79: (79, 67_360, 3), REALITY: (97, 54_667, 246)}
"""Nodes, contacts and days, as printed."""


def computed(traces: Traces, _quick: bool) -> Sequence[Figure]:
    """Those that need no simulation."""
    return (
        Figure("BSUB10-F2", "A Bloom filter and a counting Bloom filter after the same insertions.", _false_positive),
        Figure("BSUB10-F3", "A-merge adds counters, M-merge takes the larger one.", merges, draw_merged),
        Figure("BSUB10-F4", "Counters that decay: which keys are still known, and until when.", _decay, draw_course),
        Figure(
            "BSUB10-F6",
            "What A-merge does to two nodes that meet again and again: bogus counters, which M-merge avoids.",
            bogus_counters,
            draw_bogus,
        ),
        Figure("BSUB10-T1", "The traces, beside what the paper prints of them.", lambda: facts(traces.found, _TABLE_1)),
        Figure("BSUB10-T2", "The 38 keys and how often each is drawn.", keys),
        Figure(
            "BSUB10-allocation",
            "38 keys split among h filters: false positives, and the memory they take (Eq. 7 and 8).",
            _allocation,
            _draw_allocation,
        ),
        Figure(
            "BSUB10-minimum",
            "The mean of the smallest counter, and the decay factor that follows from it (Eq. 4 and 5).",
            _minimum,
            _draw_minimum,
        ),
    )


def _false_positive() -> Table:
    """Fig. 2: bits and counters after k0 and k1, and what is said of k2."""
    family = Hashing(m=5, k=2, distinct=True)
    keys = {f"k{i}": key_at(family, places) for i, places in enumerate(({0, 2}, {2, 4}, {0, 4}))}
    rows: Table = []
    for inserted in (("k0",), ("k0", "k1")):
        held = [keys[name] for name in inserted]
        plain, counting = BloomFilter(family, held), CountingBloomFilter(family, held)
        bits = "".join(str(int(value > 0)) for value in counting.counters)
        said = {f"says_{name}": key in plain for name, key in keys.items()}
        counters = " ".join(map(str, counting.counters.tolist()))
        rows.append({"inserted": " ".join(inserted), "bits": bits, "counters": counters, **said})
    return rows


def _decay() -> Table:
    places = {"k0": {0, 1}, "k1": {1, 2}, "k2": {2, 3}, "k3": {3, 4}}
    arrivals = {0: ("k0", "k1"), 2: ("k3",), 3: ("k2",), 4: ("k3",), 6: ("k0",), 13: ("k0",)}
    return decay_course(places, arrivals)


def _allocation() -> Table:
    """Eq. 7 and 8 for 38 keys split equally among h filters."""
    rows: Table = []
    for h in range(1, _KEYS + 1):
        parts = [_KEYS / h] * h
        rows.append(
            {
                "h": h,
                "fpr_joint": joint_false_positive_rate(parts, _M, _K),
                "s_paper": memory_bits_as_printed(parts, _M, _K),
                "s_bits": memory_bits(parts, _M, _K),
                "tau": fill_ratio(_KEYS / h, _M, _K),
            }
        )
    return rows


def _draw_allocation(table: Table) -> Picture:
    panels = {
        "share": {"fpr_joint": "joint false-positive rate, Eq. 7", "tau": "fill ratio"},
        "bits": {"s_bits": "memory, Eq. 8 corrected", "s_paper": "memory, Eq. 8 as printed"},
    }
    return draw_table("38 keys in h filters", table, ("h", "filters (h)"), panels)


def _minimum() -> Table:
    """Eq. 4 and 5: as printed, as a sum, and drawn."""
    random = np.random.default_rng(4)
    rows: Table = []
    for n in (5, 10, 20, 38, 50, 78, 100, 124, 150, 200):
        rows.append(
            {
                "N": n,
                "emin_sum": expected_minimum(n, _M, _K),
                "emin_mc": float(random.binomial(n, _K / _M, (50_000, _K)).min(axis=1).mean()),
                "emin_printed": expected_minimum_as_printed(n, _M, _K),
                "df": decay_factor(50, 600, n, _M, _K),
            }
        )
    return rows


def _draw_minimum(table: Table) -> Picture:
    panels = {
        "mean of the smallest counter, Eq. 4": {
            "emin_sum": "as a sum",
            "emin_mc": "drawn",
            "emin_printed": "as printed (a product)",
        },
        "decay factor per minute, Eq. 5": {"df": "decay factor"},
    }
    return draw_table("Decay from the keys that are met", table, ("N", "keys met (N)"), panels)


def simulated(measured: Measured, _tables: Mapping[str, Table]) -> Iterator[Figure]:
    """Fig. 7 to 9, and who is a broker."""
    yield from _by_lifetime(measured)
    yield from _by_factor(measured)
    yield _brokers(measured.others["brokers"])


def _by_lifetime(measured: Measured) -> Iterator[Figure]:
    runs = measured.runs
    part = runs[(runs["study"] == "lifetime") & (runs["reading"] == OURS)]
    mains = main_traces(measured.on)
    columns = {"on": "trace", "protocol": "scheme", "x": "ttl_min"}
    for trace in measured.on:
        on = part[part["on"] == trace.title]
        number, where = (8, "Reality") if trace.sparse else (7, "the conference")
        for letter, panels in _BY_LIFETIME.items():
            more = _BESIDE_LIFETIME.get(letter, {})
            curves = Curves(trace.title, on, columns, "protocol", SCHEMES, "lifetime in minutes", panels, more)
            name = name_of(f"BSUB10-F{number}{letter}", trace, mains)
            yield figure_of(name, f"PUSH, PULL and B-SUB against the lifetime of messages, on {where}.", curves)


def _by_factor(measured: Measured) -> Iterator[Figure]:
    runs = measured.runs
    part = runs[(runs["study"] == "decay") & (runs["reading"] == OURS)]
    titles = [trace.title for trace in measured.on]
    for letter, panels in _BY_FACTOR.items():
        curves = Curves(
            "B-SUB by decay factor",
            part,
            {"on": "trace", "x": "df"},
            "on",
            titles,
            "decay factor per minute",
            panels,
            _BESIDE_FACTOR.get(letter, {}),
            # Fig. 9c goes on beyond the paper's axis, to where nothing is left but meetings with the producer.
            part[part["x"] > 0] if letter == "c" else part[part["x"] <= 2],
            _PRINTED._replace(wide=letter == "c"),
        )
        yield figure_of(f"BSUB10-F9{letter}", "B-SUB against its decay factor.", curves)


def _brokers(brokers: pd.DataFrame) -> Figure:
    measures = ["share", "brokers", "degree_of_brokers", "degree_of_users"]
    long = brokers.melt(["on", "t", "seed"], measures, "measure").assign(x=lambda rows: rows["t"] / 3600)
    panels = {
        "share": Panel("Brokers", "share of the nodes"),
        "degree_of_brokers": Panel("People that brokers met", "in 5 hours"),
        "degree_of_users": Panel("People that users met", "in 5 hours"),
    }
    curves = Curves(
        "Elected brokers",
        long,
        {"on": "trace", "t": "t"},
        "on",
        list(long["on"].unique()),
        "hours",
        panels,
        beside(brokers="n_brokers"),
        look=Look(mark_y={"share": (0.3, "paper: about 30 %")}, linear_x=True),
    )
    caption = "How many nodes are brokers, and whom they meet, at the end of every window of 5 hours."
    return figure_of("BSUB10-brokers", caption, curves)
