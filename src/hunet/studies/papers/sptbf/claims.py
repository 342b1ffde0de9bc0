"""The claims of [sptbf] about what sharing by interest saves, judged by the figures of our evaluation.

Savings count where coverage is at least 0.95 of the agnostic variant's. A figure that does not count fulfils no claim,
and is printed with its coverage.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pandas as pd

from hunet.protocols.grapevine import GrapevineSettings
from hunet.sim.sharing.allocation import standing
from hunet.sim.sharing.network import COVERED, SharingNetwork, SharingScene
from hunet.studies.claims.judging import Found, each
from hunet.studies.claims.verdict import Beside, Verdict, weigh
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.sptbf.drawings import clique
from hunet.studies.papers.sptbf.evaluation import ARENAS, HOPS, Readings, applications, percents, sensitivity, sizes
from hunet.studies.tables import Table

__all__ = ["verdicts"]

_SIGNIFICANT = 20.0


def verdicts(_tables: Mapping[str, Table], measured: Measured) -> list[Verdict]:
    """The claims that the evaluation decides."""
    found = measured.runs
    by_percent, by_applications = percents(found), applications(found)
    by_size, readings = sizes(found), sensitivity(found)
    judged = {
        "SPTBF-11": _few_labels(by_percent),
        "SPTBF-12": _applications(by_applications),
        "SPTBF-13": _density(by_percent, by_applications),
        "SPTBF-14": _penalty(by_percent),
        "SPTBF-15": _pure_loss(by_percent),
        "SPTBF-16": _slots(by_size),
        "SPTBF-17": _beyond_the_labels(by_size),
        "SPTBF-18": _homogeneous(by_size),
        "SPTBF-19": _overlap(by_percent, readings),
        "SPTBF-21": _hop_limits(by_percent),
    }
    return [found.verdict(claim) for claim, found in judged.items()]


def _counted(table: pd.DataFrame) -> pd.DataFrame:
    """Savings that do not count are none."""
    return table.assign(savings=table["savings"].where(table["relative_coverage"] >= COVERED))


def _kept(table: pd.DataFrame) -> str:
    """What to say of coverage."""
    least = table["relative_coverage"].min()
    some = table[table["relative_coverage"] < COVERED]
    if some.empty:
        return f"coverage at least {least:.3f} of the agnostic"
    worst = some.loc[some["relative_coverage"].idxmin()]
    return (
        f"{len(some)} of {len(table)} do not count: {worst['savings']:.0f} % with coverage {worst['coverage']:.3f} "
        f"beside {worst['coverage_agnostic']:.3f}"
    )


def _lines(table: pd.DataFrame, arena: str) -> dict[int, pd.Series]:
    """By hop limit: savings against the amount."""
    part = _counted(table[table["arena"] == arena])
    return {hops: part[part["hops"] == hops].set_index("amount")["savings"] for hops in HOPS}


def _few_labels(table: pd.DataFrame) -> Found:
    sparse = _lines(table, "sparse")
    large = all((line[line.index <= 30] > _SIGNIFICANT).all() for line in sparse.values())
    falling = all(one >= two for line in sparse.values() for one, two in pairwise(line))
    at = [f"{each((line[p] for line in sparse.values()), '.0f')} % at {p}" for p in (10, 30, 100)]
    measured = f"hop limit 1, 2, 3: {'; '.join(at)} % of the labels"
    return Found.all(
        {
            "more than 20 % saved up to 30 % of the labels, sparse": (large, measured),
            "the less, the more labels are wanted": (falling, _kept(table[table["arena"] == "sparse"])),
        }
    )


def _applications(table: pd.DataFrame) -> Found:
    sparse = _lines(table, "sparse")
    large = all((line[line.index > 3] > _SIGNIFICANT).all() for line in sparse.values())
    rising = all(one <= two for line in sparse.values() for one, two in pairwise(line))
    at = [f"{each((line[a] for line in sparse.values()), '.0f')} % with {a}" for a in (1, 4, 10)]
    return Found.all(
        {
            "more than 20 % saved with more than 3 applications, sparse": (large, "; ".join(at)),
            "the more, the more applications there are": (rising, "at every hop limit" if rising else "not throughout"),
        }
    )


def _density(*tables: pd.DataFrame) -> Found:
    gaps = []
    for table in tables:
        sparse, dense = (_lines(table, arena) for arena in ("sparse", "dense"))
        gaps += [(sparse[hops] - dense[hops]).to_numpy() for hops in sparse]
    every = np.concatenate(gaps)
    measured = f"{every.min():.0f} to {every.max():.0f} points more in the sparse arena, at every point of Fig. 4 and 5"
    return Found.of(bool((every > 0).all()), measured)


def _penalty(table: pd.DataFrame) -> Found:
    dense = _lines(table, "dense")
    by_hops = [float(line[line.index >= 50].mean()) for line in dense.values()]
    mean = float(np.mean(by_hops))
    measured = f"{mean:.1f} % over p >= 50 % ({', '.join(f'{one:.1f}' for one in by_hops)} at hop limit 1, 2, 3)"
    return Found.of(-10 <= mean <= -2, measured)


def _pure_loss(table: pd.DataFrame) -> Found:
    lost, base = _loss_in_a_clique()
    everything = _counted(table[table["amount"] == 100])
    dense, sparse = (everything[everything["arena"] == arena]["savings"] for arena in ("dense", "sparse"))
    exact = abs(lost - base) < 1e-9
    return Found.all(
        {
            "exactly -(m + 4) / base once everybody has heard somebody": (exact, f"{base:.2f} %"),
            "a loss in the dense arena": (bool((dense < 0).all()), f"{each(dense, '.1f')} %"),
            "a loss in the sparse arena": (
                bool((sparse < 0).all()),
                f"{each(sparse, '.0f')} %; who is alone sends nothing",
            ),
        }
    )


def _loss_in_a_clique(nodes: int = 5) -> tuple[float, float]:
    """Savings, percent, and what they should be: everybody near everybody, the first half not counted."""
    scene = SharingScene(clique(nodes, 120.0), nodes, standing(np.ones((nodes, 100), np.bool_), 1), 120.0)
    sent = []
    for variant in ("agnostic", "sptbf"):
        network = SharingNetwork(scene, GrapevineSettings(variant, hops=1))
        network.run_until(60.0)
        before = network.measures()
        network.run_until(120.0)
        sent.append([network.measures()[name] - before[name] for name in ("bytes", "beacons")])
    (plain, beacons), (aware, _) = sent
    return 100 * (1 - aware / plain), -100 * beacons * (Readings().m + 4) / plain


def _lost(table: pd.DataFrame, arena: str) -> dict[int, pd.Series]:
    """By percentage: lost savings against slots."""
    part = table[table["arena"] == arena]
    return {
        int(percent): part[part["amount"] == percent].set_index("m")["lost_savings"]
        for percent in sorted(part["amount"].unique())
    }


def _slots(table: pd.DataFrame) -> Found:
    arenas = {arena: _lost(table, arena) for arena in ("sparse", "dense")}
    falling = all(one >= two for lines in arenas.values() for line in lines.values() for one, two in pairwise(line))
    rarer = [all(a[100] >= b[100] for a, b in pairwise(lines.values())) for lines in arenas.values()]
    at = [f"{arena} {', '.join(f'{line[100]:.1f}' for line in lines.values())}" for arena, lines in arenas.items()]
    percents = each(arenas["sparse"], ".0f")
    return Found.all(
        {
            "lost savings fall with m": (falling, "in both arenas" if falling else "not throughout"),
            **{
                f"the rarer an interest, the more, {arena}": (right, f"{one} points at m = 100 with {percents} %")
                for arena, right, one in zip(arenas, rarer, at, strict=True)
            },
        }
    )


def _beyond_the_labels(table: pd.DataFrame) -> Found:
    gains = {
        (arena, percent): float(line[100] - line[200])
        for arena in ("sparse", "dense")
        for percent, line in _lost(table, arena).items()
    }
    (arena, percent), most = max(gains.items(), key=lambda one: one[1])
    net = table[(table["arena"] == arena) & (table["amount"] == percent)].set_index("m")["savings"]
    worst = f"most {most:.1f} ({arena}, {percent} %; net savings {net[100]:.1f} to {net[200]:.1f} %)"
    return Found.all(
        {
            f"m = 200 instead of 100 regains less than 3 points, {place}": (
                all(gain < 3 for (one, _), gain in gains.items() if one == place),
                worst if place == arena else f"most {max(g for (one, _), g in gains.items() if one == place):.1f}",
            )
            for place in ("sparse", "dense")
        }
    )


def _homogeneous(table: pd.DataFrame) -> Found:
    lost = {
        arena: [float(line[32]) for percent, line in _lost(table, arena).items() if percent >= 70]
        for arena in ("sparse", "dense")
    }
    return Found.all(
        {
            f"less than 2 points lost with m = 32 at 70 % and more, {arena}": (
                all(one < 2 for one in found),
                ", ".join(f"{one:.2f}" for one in found),
            )
            for arena, found in lost.items()
        }
    )


def _overlap(table: pd.DataFrame, readings: pd.DataFrame) -> Found:
    found = {}
    for arena in ARENAS:
        most = {hops: (line[line.index > 30].max(), line[10]) for hops, line in _lines(table, arena).items()}
        right = all(above < few / 2 for above, few in most.values())
        told = ", ".join(f"{above:.0f} of {few:.0f}" for above, few in most.values())
        figures = f"at most {told} % at hop limit {', '.join(map(str, most))}"
        found[f"above 30 % of the labels less than half of what is saved at 10 %, {arena}"] = (right, figures)
    beside = []
    for (name, value), part in readings.groupby(["reading", "value"], sort=False):
        at = _counted(part).set_index(["arena", "amount"])["savings"]
        word = weigh(at[arena, 70] < at[arena, 10] / 2 for arena in ARENAS)
        figures = "; ".join(f"{arena} {at[arena, 10]:.0f} and {at[arena, 70]:.0f} %" for arena in ARENAS)
        beside.append(Beside(f"{name} {value:g} (AMB-67)", word, figures))
    return Found.all(found)._replace(readings=tuple(beside))


def _hop_limits(table: pd.DataFrame) -> Found:
    """Savings change where the 95 % intervals of hop limit 1 and 3 have nothing in common."""
    found = {}
    for arena in ("sparse", "dense"):
        part = _counted(table[(table["arena"] == arena) & (table["amount"] == 30)]).set_index("hops")
        at = [float(part["savings"][hops]) for hops in HOPS]
        one, three = (part.loc[hops] for hops in (HOPS[0], HOPS[-1]))
        apart = bool(one["savings_lo"] > three["savings_hi"] or one["savings_hi"] < three["savings_lo"])
        found[f"95 % intervals of hop limit 1 and 3 lie apart, {arena}, 30 % of the labels"] = (
            apart,
            f"{', '.join(f'{value:.1f}' for value in at)} %",
        )
    return Found.all(found)
