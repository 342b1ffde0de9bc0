"""The figures and tables of [bsub10]: those that are computed, and those that are simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

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
from hunet.report.style import save
from hunet.studies.papers.bsub.evidence import OURS
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
    draw_table,
    keys,
    main_traces,
    merges,
    name_of,
    table_of,
)
from hunet.studies.papers.bsub.filter_samples import key_at
from hunet.studies.papers.bsub.traces import PRINTED, facts, is_sparse
from hunet.studies.papers.bsub10.runs import PRINTED_FACTOR, SCHEMES, Measured
from hunet.studies.papers.reproduction import Table, Traces, write_table

__all__ = ["computed", "draw_computed", "write_simulated"]

_M, _K, _KEYS = 256, 4, 38
_MINUTE = 60.0
_BY_LIFETIME: Mapping[str, Mapping[str, Panel]] = {
    "a": {"delivery_ratio": Panel("Delivery", "pairs delivered of those wanted")},
    "b": {
        "delay_mean": Panel("Mean delay", "minutes", 1 / _MINUTE, "delay_min"),
        "delay_median": Panel("Median delay", "minutes", 1 / _MINUTE, "delay_min_median"),
    },
    "c": {"forwards_per_delivery": Panel("Cost", "forwards per delivery", column="ratio")},
}
_BY_FACTOR: Mapping[str, Mapping[str, Panel]] = {
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
_PRINTED = Look((PRINTED_FACTOR, f"paper: {PRINTED_FACTOR:g}"), {"conditional_fpr": (0.04, "theory: 0.04")})
"""The paper's decay factor, and the false-positive rate it expects of 38 keys."""


def computed(traces: Traces) -> Mapping[str, Callable[[], Table]]:
    """Figures and tables that need no simulation, by their ids."""
    return {
        "BSUB10-F2": _false_positive,
        "BSUB10-F3": merges,
        "BSUB10-F4": _decay,
        "BSUB10-F6": bogus_counters,
        "BSUB10-T1": lambda: facts(traces, PRINTED),
        "BSUB10-T2": keys,
        "BSUB10-allocation": _allocation,
        "BSUB10-minimum": _minimum,
    }


def draw_computed(name: str, table: Table) -> Figure | None:
    """The picture of one of them, where it has one."""
    draw = {
        "BSUB10-F3": draw_merged,
        "BSUB10-F4": draw_course,
        "BSUB10-F6": draw_bogus,
        "BSUB10-T2": draw_keys,
        "BSUB10-allocation": _draw_allocation,
        "BSUB10-minimum": _draw_minimum,
    }.get(name)
    return draw(table) if draw else None


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


def _draw_allocation(table: Table) -> Figure:
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


def _draw_minimum(table: Table) -> Figure:
    panels = {
        "mean of the smallest counter, Eq. 4": {
            "emin_sum": "as a sum",
            "emin_mc": "drawn",
            "emin_printed": "as printed (a product)",
        },
        "decay factor per minute, Eq. 5": {"df": "decay factor"},
    }
    return draw_table("Decay from the keys that are met", table, ("N", "keys met (N)"), panels)


def write_simulated(out: Path, found: Measured) -> None:
    """Write and draw Fig. 7 to 9, and who is a broker."""
    for name, table, picture in (*_by_lifetime(found.runs), *_by_factor(found.runs), *_brokers(found.brokers)):
        write_table(out / name, table)
        save(picture, out / f"{name}.png")


def _names(runs: pd.DataFrame) -> Sequence[str]:
    return [str(name) for name in runs["on"].unique()]


def _by_lifetime(runs: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame, Figure]]:
    part = runs[(runs["study"] == "lifetime") & (runs["reading"] == OURS)]
    mains = main_traces(_names(part))
    for trace in _names(part):
        on = part[part["on"] == trace]
        figure, main = (8, mains[1]) if is_sparse(trace) else (7, mains[0])
        for letter, panels in _BY_LIFETIME.items():
            columns = {"on": "trace", "protocol": "scheme", "x": "ttl_min"}
            table = table_of(on, columns, {**panels, **_BESIDE_LIFETIME.get(letter, {})})
            picture = draw_curves(trace, on, "protocol", panels, "lifetime in minutes", SCHEMES)
            yield name_of(f"BSUB10-F{figure}{letter}", trace, main), table, picture


def _by_factor(runs: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame, Figure]]:
    part = runs[(runs["study"] == "decay") & (runs["reading"] == OURS)]
    for letter, panels in _BY_FACTOR.items():
        table = table_of(part, {"on": "trace", "x": "df"}, {**panels, **_BESIDE_FACTOR.get(letter, {})})
        # The last factor lies far beyond the paper's axis: it is in the table only.
        inside = part[part["x"] <= 2]
        curves = draw_curves(
            "B-SUB by decay factor", inside, "on", panels, "decay factor per minute", _names(part), _PRINTED
        )
        yield f"BSUB10-F9{letter}", table, curves


def _brokers(brokers: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame, Figure]]:
    measures = ["share", "brokers", "degree_of_brokers", "degree_of_users"]
    long = brokers.melt(["on", "t", "seed"], measures, "measure").assign(x=lambda rows: rows["t"] / 3600)
    panels = {
        "share": Panel("Brokers", "share of the nodes"),
        "degree_of_brokers": Panel("People that brokers met", "in 5 hours"),
        "degree_of_users": Panel("People that users met", "in 5 hours"),
    }
    table = table_of(long, {"on": "trace", "t": "t"}, {**panels, **beside(brokers="n_brokers")})
    yield (
        "BSUB10-brokers",
        table,
        draw_curves("Elected brokers", long, "on", panels, "hours", list(long["on"].unique()), Look(linear_x=True)),
    )
