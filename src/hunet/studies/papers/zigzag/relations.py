"""Those claims of ZigZag that are relations, examples or sums: each is computed here and judged."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from hunet.content import Category, Matcher, Number, Schema, ZigZag, z_order
from hunet.content.compressed import CompressedIndex
from hunet.content.grid import unit_grid
from hunet.content.stab_tree import Boxes, build_tree
from hunet.content.transform import inclusive, inner, optimal, refine
from hunet.filters import BloomFilter, Hashing
from hunet.filters.sizing import false_positive_rate
from hunet.protocols.protocol import World, interests_from
from hunet.protocols.zigzag import ZIGZAG, ZigZagSettings
from hunet.studies.claims.judging import Alone, Found
from hunet.studies.papers.zigzag.tables import draw_boxes

__all__ = ["RELATIONS"]

_STATED, _WIDE = "U[0,1/100]", "U[0,1]"
_SEED = 1
_SQUARE = Schema(x=Number(0, 1), y=Number(0, 1))


def _first_cell() -> Found:
    number = int(z_order(2, 2).ids([[2, 2]])[0])
    return Found.of(number == 12, f"{number}")


def _daniel() -> Found:
    schema = Schema(brand=Category(("Canon", "Nikon", "Sony")), focal=Number(8, 800))
    found = []
    for how in (None, ZigZag(bits=8)):
        matcher = Matcher(schema, how)
        matcher.add("Daniel", "brand = Nikon and 50 <= focal <= 105")
        found.append(matcher.match({"brand": "Nikon", "focal": 85}) == ["Daniel"])
    return Found.of(all(found), "exactly and by cells")


def _matches(how: ZigZag | None, lows: Any, highs: Any, points: Any) -> list[set[Any]]:
    matcher = Matcher(_SQUARE, how)
    matcher.add_boxes(range(len(lows)), lows, highs)
    return [set(row) for row in matcher.match_points(points)]


def _one_sided() -> Found:
    lows, highs = draw_boxes(_STATED, 2, 300, _SEED)
    points = np.concatenate((lows, highs, np.random.default_rng(_SEED).random((20_000, 2))))
    true, said = (_matches(how, lows, highs, points) for how in (None, ZigZag(bits=8)))
    missed = sum(len(a - b) for a, b in zip(true, said, strict=True))
    wrong = sum(len(b - a) for a, b in zip(true, said, strict=True))
    return Found.of(missed == 0 < wrong, f"{missed} missed, {wrong:,} false")


def _gate() -> Found:
    boxes = draw_boxes(_WIDE, 2, 5000, _SEED)
    grid = unit_grid(z_order(2, 6))
    outer, inside, chosen = inclusive(grid, *boxes), inner(grid, *boxes), optimal(grid, *boxes)
    second = (chosen.cells < outer.cells) & (chosen.cells == inside.cells)
    pays = (inside.missed < 0.1) & (outer.excess > inside.missed) & (inside.cells < outer.cells)
    right = np.array_equal(second, pays) and 0 < second.sum() < len(second)
    return Found.of(right, f"taken for {second.mean():.0%} (alpha 0.1, beta 1)")


def _sum_of_dimensions() -> Found:
    cells = inclusive(unit_grid(z_order(4, 10)), *draw_boxes(_WIDE, 4, 20_000, _SEED))
    each = 1 - (cells.highs - cells.lows) / (cells.last + 1 - cells.first)
    exact, sums = float(cells.p_t.mean()), float(each.sum(axis=1).mean())
    identity = np.allclose(cells.p_t, 1 - np.prod(1 - each, axis=1), atol=1e-9)
    return Found.of(identity and exact < sums < 1.05 * exact, f"{exact:.4f}, sum {sums:.4f} (4D)")


def _both_levels() -> Found:
    lows, highs = draw_boxes(_STATED, 2, 200, _SEED)
    points = np.random.default_rng(_SEED).random((20_000, 2))
    hows = (None, ZigZag(bits=6, second_level=8), ZigZag(bits=6))
    true, both, first = (_matches(how, lows, highs, points) for how in hows)
    nested = all(a <= b <= c for a, b, c in zip(true, both, first, strict=True))
    counts = (sum(map(len, part)) for part in (true, both, first))
    return Found.of(nested, "{:,} true, {:,} on both levels, {:,} on the first".format(*counts))


def _six_integers() -> Found:
    rate = false_positive_rate(6, 64, 3)
    exact = false_positive_rate(6, 64, 3, exact=True)
    return Found.or_erratum(abs(rate - 0.0135) < 5e-5, f"{rate:.2%} (exact form {exact:.2%}), ERR-24")


def _wide_numbers() -> Found:
    bits = z_order(4, 10).id_bits
    return Found.or_erratum(bits <= 32, f"{bits} bits in 4D at 1,024 cells, ERR-22")


def _combined_rate() -> Found:
    grid = unit_grid(z_order(2, 8))
    chance = np.random.default_rng(_SEED)
    count = 60
    lows = chance.random((count, 2)) * 0.9
    highs = lows + chance.uniform(0.02, 0.06, (count, 2))
    cells = inclusive(grid, lows, highs)
    intervals = grid.curve.cover(*cells.boxes())
    index = CompressedIndex("literal", 3)
    index.add(intervals, np.arange(count, dtype=np.int32))
    measured, expected = [], []
    for box in range(count):
        points = chance.uniform(lows[box] - 0.02, highs[box] + 0.02, (4000, 2)).clip(0, 1)
        points = points[~np.all((lows[box] <= points) & (points <= highs[box]), axis=1)]
        at = grid.cells(points)
        p_t = np.all((cells.first[box] <= at) & (at <= cells.last[box]), axis=1).mean()
        p_b = false_positive_rate(intervals.points[box], 64 * int(intervals.counts[box]), 3)
        expected.append(p_t + p_b - p_t * p_b)
        _, owners = index.find(grid.curve.ids(at), np.ones(0, np.uint8))
        measured.append((owners == box).sum() / len(points))
    ratio = float(np.mean(measured) / np.mean(expected))
    return Found.of(abs(ratio - 1) < 0.1, f"{ratio:.2f} times that")


def _steps() -> Found:
    depths, looked_at = [], []
    for count in (1000, 10_000, 100_000):
        looked_at.append(Hashing(m=64 * count, k=3).table(["a cell"]).shape[0])
        starts = np.arange(count, dtype=np.uint64)[None, :] * np.uint64(10)
        tree = build_tree(Boxes(starts, starts + np.uint64(5), np.arange(count, dtype=np.int32)))
        depth = np.zeros(tree.dimension.size, np.int64)
        for node in np.flatnonzero(tree.dimension >= 0):
            depth[node + 1] = depth[tree.right[node]] = depth[node] + 1
        depths.append(float(depth[tree.dimension < 0].mean()))
    more = np.diff(depths)
    right = bool(np.all((more > 2.5) & (more < 4.5))) and looked_at == [3, 3, 3]
    measured = (
        f"{more.mean():.1f} levels more for ten times the intervals (log2 10 = 3.3); a filter with 3 hash functions "
        f"looks at {', '.join(map(str, looked_at))} positions for 1,000, 10,000 and 100,000"
    )
    return Found.of(right, measured)


def _second_level() -> Found:
    shares = {}
    for d, side in ((2, 4), (4, 4), (2, 8)):
        coarse = inclusive(unit_grid(z_order(d, 10)), *draw_boxes(_STATED, d, 4000, _SEED))
        shares[d, side] = float(refine(coarse, side).fine.cells.mean() / coarse.cells.mean())
    return Found.all(
        {
            f"fewer cells in {d} dimensions with G = {side}": (share < 1, f"{share:.2f} times as many")
            for (d, side), share in shares.items()
        }
    )


def _width_of_keys() -> Found:
    chance = np.random.default_rng(_SEED)
    rates, errors = [], []
    for width in (1, 4):
        wrong = []
        for _ in range(150):
            keys = [key.tobytes() for key in chance.permutation(256)[:200].astype(f"<u{width}")]
            wrong.append(BloomFilter(Hashing(128, 3, key=chance.bytes(16)), keys[:12]).contains(keys[12:]).mean())
        rates.append(float(np.mean(wrong)))
        errors.append(float(np.std(wrong) / np.sqrt(len(wrong))))
    same = abs(rates[0] - rates[1]) < 4 * math.hypot(*errors)
    return Found.of(same, f"{rates[0]:.2%} with 8 bits, {rates[1]:.2%} with 32")


def _intersection() -> Found:
    family, curve = Hashing(m=1024, k=3), z_order(2, 6)
    corners = (([0, 0], [15, 15]), ([32, 32], [47, 47]))
    covers = [curve.cover([first], [last]).numbers() for first, last in corners]
    one, two = (BloomFilter(family, [number.tobytes() for number in cells]) for cells in covers)
    asked = [number.tobytes() for number in np.setdiff1d(np.arange(4096, dtype=np.uint64), np.concatenate(covers))]
    both = (one & two).contains(asked)
    expected = (one.fill_ratio * two.fill_ratio) ** 3
    same = np.array_equal(both, one.contains(asked) & two.contains(asked))
    close = abs(both.mean() - expected) < 4 * np.sqrt(expected / both.size)
    measured = f"identity; {both.mean():.1%} of what is in neither, {expected:.1%} by their fill ratios"
    return Found.of(same and bool(close), measured)


class _Gradient(NamedTuple):
    """Algorithm 1 step by step."""

    from_nowhere: float
    """What a message at 3 is worth to 1; likewise from 1 to 2, and from 2 to 3."""
    uphill: float
    downhill: float
    refreshed: int
    """When the subscription ends at 1, once it has heard of it again."""
    lives_until: bool
    """Whether it is there just before, and gone then."""


@cache
def _gradient() -> _Gradient:
    """Node 0 subscribes; 1 hears of it at 10 s, 2 at 20 s; 3 knows nothing."""
    world = World(4, ["jazz"], 1)
    params = ZIGZAG.prepare(ZigZagSettings(lifetime=100), world)
    state = ZIGZAG.new_state(params, world)
    wants = interests_from([True]), interests_from([False])
    for node in range(4):
        ZIGZAG.subscribe(params, state, node, wants[node > 0])

    def score(a: int, b: int, now: float) -> float:
        """Let a and b meet; what a message about jazz at a is worth to b."""
        told = [ZIGZAG.digest.new(params, world) for _ in range(2)]
        for node, digest in zip((a, b), told, strict=True):
            ZIGZAG.age(params, state, node, now)
            ZIGZAG.tell(params, state, node, now, None, 0, digest)
        mine, theirs = (ZIGZAG.read(params, digest, np.uint64(0)) for digest in told)
        ZIGZAG.hear(params, state, a, told[1], 0, now)
        ZIGZAG.hear(params, state, b, told[0], 0, now)
        return float(ZIGZAG.want(params, mine, theirs, False))

    score(0, 1, 10.0)
    score(0, 2, 20.0)
    from_nowhere, uphill = score(3, 1, 30.0), score(1, 2, 30.0)
    refreshed = int(state.expires[1, 0])
    downhill = score(2, 3, 31.0)
    ZIGZAG.age(params, state, 1, 119.0)
    alive = int(state.used[1])
    ZIGZAG.age(params, state, 1, 120.0)
    gone = int(state.used[1]) == 0
    return _Gradient(from_nowhere, uphill, downhill, refreshed, alive == 1 and gone)


def _fresher() -> Found:
    found = _gradient()
    right = (found.from_nowhere, found.uphill, found.downhill) == (80.0, 10.0, 0.0)
    scores = (
        f"{found.uphill:g} s uphill, {found.downhill:g} downhill, {found.from_nowhere:g} from one who knows nothing"
    )
    return Found.of(right, scores)


def _expires() -> Found:
    found = _gradient()
    life = f"10 s after the first hearing refreshed to {found.refreshed} s; gone then"
    return Found.of(found.lives_until and found.refreshed == 120, life)


RELATIONS: Alone = {
    "ZZ-01": _first_cell,
    "ZZ-04": _daniel,
    "ZZ-05": _one_sided,
    "ZZ-08": _gate,
    "ZZ-09": _sum_of_dimensions,
    "ZZ-11": _both_levels,
    "ZZ-14": _six_integers,
    "ZZ-15": _wide_numbers,
    "ZZ-16": _combined_rate,
    "ZZ-17": _steps,
    "ZZ-18": _fresher,
    "ZZ-19": _expires,
    "ZZ-23": _second_level,
    "ZZ-33": _width_of_keys,
    "ZZ-36": _intersection,
}
"""By the id in the ledger."""
