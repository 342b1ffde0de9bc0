"""The claims of [mops] II to IV, which need no simulation: closeness, communities, brokers and weights.

Those about traces are judged by two tables that are computed beside the paper's figures: MOPS-hops (how many hops best
paths take) and MOPS-thresholds (communities and their links by T). `mops_scenes` has those about the protocol at work.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from hunet.report.style import save
from hunet.sim.workload.profiles import MOPS
from hunet.social.gateways import find_gateways
from hunet.social.hello import complete_rounds, heard_after
from hunet.social.links import virtual_links
from hunet.social.structure import SocialSettings, structure_of
from hunet.social.weights import broker_lists, combine
from hunet.studies.claims.verdict import Found, Verdict, errs, holds, judged
from hunet.studies.papers.mops.example import EDGES, NODES, WANT_C
from hunet.studies.papers.mops.figures import draw_structure
from hunet.studies.papers.mops.paths import PRINTED_HOPS, hops_of_best_paths, links_by_threshold
from hunet.studies.papers.mops.scenes import SCENES
from hunet.studies.papers.reproduction import Paper, Table, Told, Traces, write_table
from hunet.studies.papers.traces import REALITY
from hunet.traces.pairs import TRAINING, pairs_of

__all__ = ["relations", "with_relations"]

_OURS = ("both", "any", TRAINING)
"""Our reading of MOPS-hops: gaps before the first and after the last contact count, and contacts of any length."""
_POINTS = 0.05
"""How far a printed share may be off."""

_OWN_SHARE = 0.99
"""a, the weight of the own side."""

Edges = Mapping[tuple[int, int], float]
Shares = dict[str, Mapping[str, float]]
"""By trace, a row of MOPS-hops."""


def with_relations(paper: Paper) -> Paper:
    """The reproduction of [mops] with these tables and verdicts beside its own."""

    def compute(out: Path, traces: Traces, quick: bool, told: Told) -> Mapping[str, Table]:
        tables = dict(paper.compute(out, traces, quick, told))
        for name, make in (("MOPS-hops", hops_of_best_paths), ("MOPS-thresholds", links_by_threshold)):
            tables[name] = make(traces)
            write_table(out / name, tables[name])
        save(draw_structure("MOPS-hops", tables["MOPS-hops"]), out / "MOPS-hops.png")
        return tables

    def judge(tables: Mapping[str, Table], found: pd.DataFrame) -> list[Verdict]:
        scenes = [judge() for judge in SCENES.values()]
        return sorted([*relations(tables), *scenes, *paper.judge(tables, found)])

    return paper._replace(compute=compute, judge=judge)


def relations(tables: Mapping[str, Table]) -> list[Verdict]:
    """The verdicts on these claims."""
    return [
        _example(tables["MOPS-F2"]),
        _separation(),
        _bound(),
        _path_bound(),
        _virtual_link(),
        *_hops(tables["MOPS-hops"]),
        _thresholds(tables["MOPS-thresholds"]),
        *_communities(),
        _rounds(),
        *_weights(tables["MOPS-F5-F6"]),
        _rules(),
        _foreign_brokers(),
        *_gateways(),
        _seconds(),
    ]


# Closeness


def _example(table: Table) -> Verdict:
    at = {row["boundary"]: row["closeness"] for row in table}
    found = f"{at['both']:.3f} with both ends of the window, {at['inner']:.3f} with inner gaps only"
    return holds("MOPS-01", "c_58 = 0.7", round(at["both"], 1) == 0.7, found)


def _separation() -> Verdict:
    chance = np.random.default_rng(2)
    rows = []
    for pair in range(60):
        gaps = chance.uniform(1, 40, 10)
        start = np.cumsum(gaps) + np.arange(10)
        rows += [(pair, 1000, float(one), float(one) + 1) for one in start]
    contacts = pa.table(
        dict(zip(("a", "b", "start", "end"), (list(column) for column in zip(*rows, strict=True)), strict=True))
    )
    value = pairs_of(contacts)["closeness"].to_numpy()
    begin, end = min(row[2] for row in rows), max(row[3] for row in rows)
    gaps_of = [11 - (rows[10 * pair][2] == begin) - (rows[10 * pair + 9][3] == end) for pair in range(60)]
    separation = (end - begin - 10) / np.array(gaps_of)
    ordered = bool((np.diff(value[np.argsort(separation, kind="stable")]) <= 1e-12).all())
    inside = bool(((value >= 0) & (value <= 1)).all())
    return holds("MOPS-02", "closer with smaller separation, in [0, 1]", ordered and inside, "for 60 random pairs")


def _bound() -> Verdict:
    right, printed = math.sqrt(-2 * math.log(0.5)), -math.sqrt(2) * math.log(0.5)
    inside = math.exp(-(1.1**2) / 2) > 0.5
    found = f"T = 0.5: {printed:.3f} sigma printed, {right:.3f} in truth; a separation of 1.1 sigma has c > 0.5, ERR-16"
    return errs("MOPS-03", "T bounds the delay by -sqrt(2) ln T sigma", not (inside and printed < 1.1), found)


def _path_bound() -> Verdict:
    chance = np.random.default_rng(4)
    right = True
    for _ in range(300):
        gaps = chance.uniform(0.01, 3.0, int(chance.integers(1, 6)))
        path = float(np.exp(-(gaps**2) / 2).prod())
        right &= bool(gaps.sum() <= math.sqrt(-2 * gaps.size * math.log(path)) * (1 + 1e-9))
    return holds("MOPS-04", "path closeness bounds the combined delay", right, "for 300 random paths")


def _virtual_link() -> Verdict:
    links = {(row["a"], row["b"]): row for row in virtual_links(_as_pairs({(1, 3): 0.9, (1, 4): 0.8}), 5).to_pylist()}
    value = links[3, 4]["closeness"]
    return holds("MOPS-05", "the virtual link 3-4 has 0.72", math.isclose(value, 0.72), f"{value:g} over two hops")


def _hops(table: Table) -> list[Verdict]:
    """MOPS-06 to 08, under every reading of which gaps and contacts count."""
    by_reading: dict[tuple[str, str, float], Shares] = {}
    for row in table:
        by_reading.setdefault((row["boundary"], row["min_len"], row["frac"]), {})[row["dataset"]] = row
    ours = by_reading.pop(_OURS)
    others = [(_reading(*key), shares) for key, shares in by_reading.items()]
    found = []
    for claim, (trace, printed) in zip(("MOPS-06", "MOPS-07"), PRINTED_HOPS.items(), strict=True):
        about = f"direct {printed[0]:.1%}, two hops {printed[1]:.1%}"
        if trace not in ours:
            found.append(Verdict(claim, about, "not judged", f"{trace} is not there"))
            continue
        why = "The public file is another one (MOPS-25)" if trace == REALITY else ""
        one = judged((claim, about), partial(_as_printed, trace), ours, others, "within 5 points", why)
        found.append(one._replace(on=trace))
    why = "Closeness falls so steeply with separation that several short hops beat a long one"
    far = judged(("MOPS-08", "2 or 3 hops suffice"), _few_hops, ours, others, "less than 5 % of pairs", why)
    return [*found, far._replace(on="; ".join(name for name in PRINTED_HOPS if name in ours))]


def _reading(boundary: str, lengths: str, part: float) -> str:
    words = {
        "only gaps between contacts (AMB-40)": boundary == "inner",
        "no contacts of no length (AMB-60)": lengths != "any",
        "the whole trace as history": part != TRAINING,
    }
    return ", ".join(word for word, is_so in words.items() if is_so)


def _as_printed(trace: str, shares: Shares) -> Found:
    """Whether direct paths and those of two hops are as frequent as the paper says."""
    found = [shares[trace][name] for name in ("direct", "two_hop")]
    near = all(abs(one - other) <= _POINTS for one, other in zip(found, PRINTED_HOPS[trace], strict=True))
    return "holds" if near else "fails", f"{found[0]:.1%} and {found[1]:.1%}"


def _few_hops(shares: Shares) -> Found:
    beyond = {name: shares[name]["beyond_three"] for name in PRINTED_HOPS if name in shares}
    if not beyond:
        return "not judged", "neither trace is there"
    told = ", ".join(f"{name} {share:.1%}" for name, share in beyond.items())
    return _word([share < _POINTS for share in beyond.values()]), f"best paths of more than 3 hops: {told}"


def _word(parts: Sequence[bool]) -> str:
    return "holds" if all(parts) else "partly" if any(parts) else "fails"


# Communities


def _thresholds(table: Table) -> Verdict:
    right, told = [], []
    for name, part in pd.DataFrame(table).groupby("dataset", sort=False):
        more = all(one <= other for one, other in pairwise(part["communities"]))
        closer = all(one <= other for one, other in pairwise(part["inside"]))
        right += [more, closer]
        five, seven = (part[part["T"] == threshold].iloc[0] for threshold in (0.5, 0.7))
        told.append(
            f"{name} {five['communities']} to {seven['communities']}, closeness {five['inside']:.3f} to "
            f"{seven['inside']:.3f}"
        )
    word = _word(right)
    about = "a higher T gives more communities with stronger links"
    on = "; ".join(dict.fromkeys(row["dataset"] for row in table))
    return Verdict("MOPS-09", about, word, f"from T = 0.5 to 0.7: {'; '.join(told)}", on=on)


def _communities() -> list[Verdict]:
    """MOPS-10, 12 and 13 on random graphs of 12 nodes."""
    near, first, parted = True, True, True
    for seed in range(60):
        edges, settings = _random_edges(seed, 12, 0.35), SocialSettings((0.25, 0.5, 0.75)[seed % 3])
        found = structure_of(_as_pairs(edges), 12, settings)
        label, formed = (found.communities[name].to_pylist() for name in ("community", "round"))
        inside = {(i, j) for i, j in combinations(range(12), 2) if label[i] == label[j]}
        links = {(row["a"], row["b"]): row for row in found.connections.to_pylist()}
        near &= inside == links.keys()
        near &= all(row["closeness"] >= settings.threshold and row["hops"] <= settings.hops for row in links.values())
        parted &= all(label[one] == one for one in label)
        sizes = dict(zip(found.formation["community"].to_pylist(), found.formation["size"].to_pylist(), strict=True))
        parted &= sizes == {one: label.count(one) for one in label}
        for number in range(max(formed) + 1):
            free = {node for node in range(12) if formed[node] >= number}
            initiators = {label[node] for node in free if formed[node] == number}
            first &= _first_of_all(edges, free, initiators, settings)
    told = "in 60 random graphs of 12 nodes"
    corrected = f"as corrected it parts all nodes {told}; as printed it chooses before all cliques exist, ERR-17"
    return [
        holds("MOPS-10", "members of a community are local neighbours", near, told),
        holds("MOPS-12", "initiators rank first in what they see, and see no other", first, told),
        Verdict("MOPS-13", "Algorithm 1 as printed", "erratum" if parted else "fails", corrected),
    ]


def _first_of_all(edges: Edges, free: set[int], initiators: set[int], settings: SocialSettings) -> bool:
    """Whether each initiator has the highest degree (ties by id) among those it sees: neighbours, and theirs."""
    left = {pair: value for pair, value in edges.items() if set(pair) <= free}
    near: dict[int, set[int]] = {node: set() for node in free}
    for row in virtual_links(_as_pairs(left), 12, settings.hops, settings.threshold).to_pylist():
        near[row["a"]].add(row["b"])
        near[row["b"]].add(row["a"])
    degree = {node: sum(value for pair, value in left.items() if node in pair) for node in free}
    for one in initiators:
        seen = {one} | near[one] | {other for node in near[one] for other in near[node]}
        if seen & initiators != {one} or min(seen, key=lambda node: (-degree[node], node)) != one:
            return False
    return True


def _rounds() -> Verdict:
    path = _as_pairs({(node, node + 1): 0.5 for node in range(20)})
    reach = [int(np.flatnonzero(heard_after(complete_rounds(path, k), 21)[0]).max()) + 1 for k in (1, 2, 3)]
    found = f"k = 1, 2, 3: {', '.join(map(str, reach))} hops"
    return holds("MOPS-11", "2k rounds of hello give knowledge of 2k + 1 hops", reach == [3, 5, 7], found)


# Weights and gateways


def _weights(table: Table) -> list[Verdict]:
    claims = {"I_5": "MOPS-14", "E_2": "MOPS-15", "ER_7": "MOPS-16"}
    return [
        holds(
            claims[row["weight"]],
            f"{row['weight']} is {row['printed']:g}",
            math.isclose(row["computed"], row["printed"]),
            f"{row['computed']:g}",
        )
        for row in table
    ]


def _rules() -> Verdict:
    grows, nearer = True, True
    for seed in range(40):
        edges = _random_edges(seed, 12, 0.35)
        found = structure_of(_as_pairs(edges), 12)
        one_wants, two_want = np.zeros((12, 2)), np.zeros((12, 2))
        one_wants[seed % 12] = two_want[[seed % 12, (seed + 5) % 12]] = 1.0
        few, many = (
            broker_lists(_as_pairs(edges), found.communities, found.connections, levels)
            for levels in (one_wants, two_want)
        )
        grows &= bool((many.internal >= few.internal).all() and (many.with_relay >= few.with_relay).all())
        closer = {pair: min(1.0, 1.25 * value) for pair, value in edges.items()}
        inside = {(row["a"], row["b"]): min(1.0, 1.25 * row["closeness"]) for row in found.connections.to_pylist()}
        stronger = broker_lists(_as_pairs(closer), found.communities, _as_pairs(inside), one_wants)
        nearer &= bool((stronger.with_relay >= few.with_relay).all())
    inverted, compared = (sum(column) for column in zip(*(_outranked(seed, 120) for seed in range(5)), strict=True))
    told = (
        f"weights rise with requesters and closeness: {'yes' if grows and nearer else 'no'}; what all others want "
        f"comes before what one member wants in {inverted:,} of {compared:,} cases among 120 nodes, where ER > 99 I"
    )
    about = "internal before external; more requesters and closeness raise weights"
    return Verdict("MOPS-19", about, _word([inverted == 0, grows, nearer]), told)


def _outranked(seed: int, nodes: int) -> tuple[int, int]:
    """Categories that one member wants, beside one that everybody outside wants: how many are outranked by it."""
    edges = _as_pairs(_random_edges(seed, nodes, 0.2))
    found = structure_of(edges, nodes)
    label = found.communities["community"].to_numpy()
    outside = label[:, None] != np.unique(label)[None, :]
    lists = broker_lists(edges, found.communities, found.connections, np.column_stack((np.eye(nodes), outside)))
    inverted = compared = 0
    for internal, external in zip(lists.internal, lists.with_relay, strict=True):
        own = internal > 0
        weights = [combine(_OWN_SHARE, float(i), float(e)) for i, e in zip(internal, external, strict=True)]
        inside, beyond = np.array(weights)[own], np.array(weights)[~own]
        if inside.size and beyond.size:
            compared += inside.size
            inverted += int((inside <= beyond.max()).sum())
    return inverted, compared


def _foreign_brokers() -> Verdict:
    found = structure_of(_as_pairs(EDGES), NODES)
    levels = np.zeros((NODES, 1))
    levels[list(WANT_C)] = 1.0
    lists = broker_lists(_as_pairs(EDGES), found.communities, found.connections, levels)
    printed, ours = (
        combine(_OWN_SHARE, own, float(lists.with_relay[5, 0])) for own in (0.0, float(lists.internal[5, 0]))
    )
    told = f"broker 5 asks for C, which members want, with {printed:g} by the list and {ours:g} by Eq. 6, ERR-18"
    return errs("MOPS-20", "to foreign brokers w = aS + bER", printed == ours, told)


def _gateways() -> list[Verdict]:
    adds, keeps = True, True
    for seed in range(60):
        pairs, share = _as_pairs(_random_edges(seed, 14, 0.3)), (0.3, 0.8, 1.0)[seed % 3]
        rows = find_gateways(pairs, structure_of(pairs, 14).communities, share=share).to_pylist()
        for pair in {(row["community"], row["towards"]) for row in rows}:
            some = [row for row in rows if (row["community"], row["towards"]) == pair]
            kept, dropped = ([row["betweenness"] for row in some if row["broker"] is on] for on in (True, False))
            adds &= math.isclose(sum(kept) + sum(dropped), 1.0, rel_tol=1e-12)
            keeps &= bool(kept) and min(kept) >= max(dropped, default=0.0)
            keeps &= not dropped or sum(kept) >= share - 1e-12
    found = "for all pairs of communities in 60 random graphs"
    return [
        holds("MOPS-22", "betweenness of the gateways of A towards B adds up to 1", adds, found),
        holds("MOPS-23", "pruning keeps the top gateways until they reach B", keeps, found),
    ]


def _seconds() -> Verdict:
    seconds = MOPS.size / MOPS.bytes_per_second
    return holds("MOPS-26", "10 s per event", seconds == 10.0, f"{seconds:g} s")


def _as_pairs(edges: Edges) -> pa.Table:
    a, b = ([pair[side] for pair in edges] for side in (0, 1))
    return pa.table({"a": pa.array(a, pa.int32()), "b": pa.array(b, pa.int32()), "closeness": list(edges.values())})


def _random_edges(seed: int, nodes: int, share: float) -> dict[tuple[int, int], float]:
    chance = np.random.default_rng(seed)
    return {pair: float(chance.random()) for pair in combinations(range(nodes), 2) if chance.random() < share}
