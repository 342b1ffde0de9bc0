"""The claims of [bsub10] VI and VII-A about equations and the workload: each is computed here and judged."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from hunet.filters import TCBF, Hashing, TCBFPool
from hunet.filters.codec import pack
from hunet.filters.encodings import Encoding, encoded_bits, smallest
from hunet.filters.sizing import (
    allocate_filters,
    decay_factor,
    expected_minimum,
    expected_minimum_as_printed,
    false_positive_rate,
    false_positive_rate_as_printed,
    fill_ratio,
    joint_false_positive_rate,
    keys_from_fill_ratio,
    memory_bits,
    memory_bits_as_printed,
    unique_keys,
    unique_keys_as_printed,
    waste_split,
)
from hunet.sim.workload import profiles
from hunet.sim.workload.generate import generate, people_and_time
from hunet.sim.workload.tag_pool import trends_2009
from hunet.studies.claims.judging import Alone, Found
from hunet.studies.papers.bsub.filter_samples import answers, filled, rate
from hunet.studies.papers.bsub10.filter_claims import words
from hunet.traces.generators.conference import CONFERENCE

__all__ = ["EQUATION_CLAIMS"]

_M, _K = 256, 4
_FAMILY = Hashing(m=_M, k=_K)
_WORST = 38
"""Keys in the evaluation."""


def _lone_interest() -> Found:
    right = True
    for initial, limit in ((50, 36_000), (5, 1280), (10, 10), (255, 86_400), (7, 1000), (50, 43_200)):
        f = TCBF(_FAMILY, initial, decay_factor=initial / limit, keys=["jazz"])
        f.decay(limit * (1 - 1e-12))
        right &= f["jazz"] == 1
        f.decay(limit * (1 + 1e-12))
        right &= "jazz" not in f
    return Found.of(right, "to the rounding of a division")


def _mean_of_the_minimum() -> Found:
    random = np.random.default_rng(23)
    drawn = random.binomial(78, _K / _M, (200_000, _K)).min(axis=1)
    error = float(drawn.std()) / math.sqrt(drawn.size)
    printed, summed = expected_minimum_as_printed(78, _M, _K), expected_minimum(78, _M, _K)
    found = f"N = 78: {printed:g} as printed, {summed:.4f} as a sum, {drawn.mean():.4f} drawn, ERR-05"
    right = abs(printed - drawn.mean()) < 4 * error
    return Found.or_erratum(bool(right), found)


def _decay_factor() -> Found:
    """N = 78 keys collected, evenly over T = 600 min; hits on counters are independent."""
    initial, limit, keys = 50, 600.0, 78

    def lives(factor: float) -> npt.NDArray[np.float64]:
        random = np.random.default_rng(24)
        unit = initial / factor  # what one insertion is worth
        ends = np.full((20_000, _K), unit)
        times = np.sort(random.uniform(0, limit, (ends.shape[0], keys)), axis=1)
        for i in range(keys):
            hit = (random.random(ends.shape) < _K / _M) & (times[:, i : i + 1] < ends)
            ends += unit * hit
        first: npt.NDArray[np.float64] = ends.min(axis=1)
        return first

    before, after = lives(initial / limit), lives(decay_factor(initial, limit, keys, _M, _K))
    longer, still = float((before > limit).mean()), float((after > limit).mean())
    mean = float(after.mean())
    return Found.all(
        {
            "P(life > T) is lower than with I/T": (still < longer, f"{longer:.2f} to {still:.2f}"),
            "the mean life is T, within 5 %": (abs(mean / limit - 1) < 0.05, f"{mean:.0f} of {limit:.0f} min"),
        }
    )


def _unique_interests() -> Found:
    random = np.random.default_rng(26)
    told, off = [], 0.0
    for nodes in (20, 78):
        picks = random.integers(0, 38, (20_000, nodes))
        different = float(np.mean([np.unique(row).size for row in picks]))
        printed = unique_keys_as_printed(nodes, 38)
        off = max(off, abs(printed / different - 1))
        told.append(
            f"N = {nodes}: {printed:.2f} as printed, {different:.2f} drawn, {unique_keys(nodes, 38):.2f} by ours"
        )
    return Found.or_erratum(off < 0.05, f"{'; '.join(told)}, ERR-07")


def _keys_from_fill() -> Found:
    errors = []
    for n in (1, 2, 5, 10, 20, 30, 38):
        recovered = [keys_from_fill_ratio(float(ratio), _M, _K) for ratio in filled(_M, _K, n, most=500).mean(axis=1)]
        errors.append(abs(float(np.mean(recovered)) / n - 1))
    found = f"mean error at most {max(errors):.1%} up to 38 keys"
    return Found.of(max(errors) < 0.05, found)


def _printed_rate() -> Found:
    measured = rate(answers(filled(_M, _K, _WORST), _K))
    printed = false_positive_rate_as_printed(_WORST, _M, _K)
    found = f"{printed:.1e} as printed, {false_positive_rate(_WORST, _M, _K):.4f} with k, {measured.value:.4f} measured"
    right = abs(printed - measured.value) < 4 * measured.error
    return Found.or_erratum(right, f"{found}, ERR-08")


def _two_false_matches() -> Found:
    """Every pair of filters of 38 keys is a broker and a consumer."""
    said = answers(filled(_M, _K, _WORST, most=1000), _K)
    single = rate(said)
    both = rate(said * (said.sum(axis=0) - 1) / (said.shape[0] - 1))
    wasted, useful = waste_split(single.value)
    right = abs(both.value / wasted - 1) <= 0.10
    right &= math.isclose(wasted + useful, single.value, rel_tol=1e-12)
    found = f"{both.value:.5f} of pairs, {wasted:.5f} by the square; in the evaluation consumers hold one key only"
    return Found.of(right, found)


def _short_lists() -> Found:
    right = True
    for m in (16, 100, 256, 257, 1024):
        for alpha in range(m + 1):
            code, _bits = smallest(False, m, alpha, 1, 8)
            right &= (code == Encoding.E1) == (alpha < m / math.ceil(math.log2(m)))
    return Found.of(right, "m = 256: below 32")


def _granularity() -> Found:
    day = 24 * 3600.0
    f = TCBF(_FAMILY, 255, decay_cycle=day / 255, keys=["jazz"])
    f.decay(day - 1)
    alive = "jazz" in f
    f.decay(day)
    steps = (1440 / 256, day / 255 / 60)
    right = f.counters.itemsize == 1 and alive and "jazz" not in f and all(round(step, 1) == 5.6 for step in steps)
    return Found.of(right, f"{steps[0]:.3f}, or {steps[1]:.3f} in 255 steps")


def _sizes() -> Found:
    p, f = 8, TCBF(_FAMILY, 50, keys=["jazz"])
    alpha = f.set_bits
    printed = (alpha * (1 + p), alpha + p, alpha)
    ours = tuple(
        len(pack(one, how)) - 1 for one, how in ((f, Encoding.E3), (f, Encoding.E2), (f.to_bloom(), Encoding.E1))
    )
    in_general = all(encoded_bits(Encoding.E3, _M, n, 2, 8) == 16 * n for n in range(1, 257))
    found = f"one key: {', '.join(map(str, printed))} as printed, {', '.join(map(str, ours))} bytes in truth, ERR-03"
    return Found.or_erratum(printed == ours and in_general, found)


def _joint_rate() -> Found:
    right, told = [], []
    for filters, n in ((2, 19), (4, 10)):
        said = answers(filled(_M, _K, n), _K)
        groups = said.shape[0] // filters
        joint = rate(np.logical_or.reduce(said[: groups * filters].reshape(groups, filters, -1), axis=1))
        formula = joint_false_positive_rate([n] * filters, _M, _K)
        right.append(abs(joint.value / formula - 1) <= 0.05)
        told.append(f"{filters} filters of {n} keys {joint.value:.4f}, formula {formula:.4f}")
    return Found.of(all(right), "; ".join(told))


def _equal_split() -> Found:
    splits = [joint_false_positive_rate([i, _WORST - i], _M, _K) for i in range(_WORST // 2 + 1)]
    found = f"38 keys in two filters: 19/19 gives {splits[19]:.4f}, 38/0 {splits[0]:.4f}, ERR-09"
    return Found.or_erratum(splits[19] == max(splits), found)


def _more_filters() -> Found:
    joint = [joint_false_positive_rate([_WORST / h] * h, _M, _K) for h in range(1, _WORST + 1)]
    memory = [memory_bits([_WORST / h] * h, _M, _K) for h in range(1, _WORST + 1)]
    grow = [all(fewer < more for fewer, more in pairwise(curve)) for curve in (joint, memory)]
    found = (
        f"h = 1, 2, 3, 38: rate {joint[0]:.4f}, {joint[1]:.4f}, {joint[2]:.4f}, {joint[-1]:.1e}; memory grows, ERR-10"
    )
    return Found.or_erratum(all(grow), found)


def _binary_search() -> Found:
    right = True
    for as_printed, memory in ((True, memory_bits_as_printed), (False, memory_bits)):
        for n in (1, 2, 38, 100):
            needed = {h: memory([n / h] * h, _M, _K) for h in range(1, n + 1)}
            for budget in np.linspace(needed[1] + 1e-6, needed[n] * 1.1, 40).tolist():
                found = allocate_filters(n, _M, _K, budget, as_printed=as_printed)
                right &= found.filters == max(h for h in needed if needed[h] <= budget)
                right &= math.isclose(found.threshold, fill_ratio(n / found.filters, _M, _K), rel_tol=1e-12)
    two, five = (allocate_filters(_WORST, _M, _K, budget, as_printed=True).filters for budget in (1200, 1300))
    told = f"equal to trying all; budgets of 1200 and 1300 give {two} and {five}"
    return Found.of(right and (two, five) == (2, 5), told)


def _a_new_filter() -> Found:
    allocation = allocate_filters(_WORST, _M, _K, 1300, as_printed=True)
    asked = words(500, seed=39)
    single_false = pool_false = 0
    right = True
    for stream in range(6):
        keys = words(_WORST, 3900 + stream)
        single = TCBF(_FAMILY, 50, keys=keys)
        pool = TCBFPool(TCBF(_FAMILY, 50), allocation.threshold, limit=allocation.filters)
        for key in keys:
            pool.add(key)
        right &= all(key in pool for key in keys)
        single_false += int((single.values(asked) > 0).sum())
        pool_false += int(np.any([one.values(asked) > 0 for one in pool.to_filters()], axis=0).sum())
    found = f"{pool_false / 3000:.4f} against {single_false / 3000:.4f} for 38 keys and {allocation.filters} filters"
    return Found.of(right and pool_false < single_false, found)


def _key_distribution() -> Found:
    pool = trends_2009()
    length = float(np.mean([len(name.encode()) for name in pool.names]))
    right = (
        len(pool.names) == 38
        and pool.weights[:4] == (0.132, 0.103, 0.0887, 0.0739)
        and math.isclose(sum(pool.weights), 1.0)
        and abs(length - 11.5) <= 0.1
    )
    found = f"{len(pool.names)} keys of {length:g} bytes on average, the head as printed (the rest: AMB-18)"
    return Found.of(right, found)


def _worst_case() -> Found:
    approximate, exact = (false_positive_rate(_WORST, _M, _K, exact=form) for form in (False, True))
    right = round(approximate, 2) == round(exact, 2) == 0.04
    return Found.of(right, f"{approximate:.4f}, exact form {exact:.4f}")


def _rates_by_centrality() -> Found:
    contacts = CONFERENCE.generate(CONFERENCE.settings(), 1).contacts
    people = people_and_time(contacts)
    messages = generate(profiles.BSUB10, contacts, 1).messages
    source, created = messages.column("source").to_numpy(), messages.column("created").to_numpy()
    periods = {node: float(np.diff(created[source == node]).mean()) for node in people.node.tolist()}
    wanted = 1800.0 * people.degree.min() / people.degree
    right = np.allclose([periods[node] for node in people.node.tolist()], wanted)
    found = f"periods of {min(periods.values()) / 60:.1f} to {max(periods.values()) / 60:.1f} min on a conference"
    return Found.of(bool(right), found)


EQUATION_CLAIMS: Alone = {
    "BSUB10-22": _lone_interest,
    "BSUB10-23": _mean_of_the_minimum,
    "BSUB10-24": _decay_factor,
    "BSUB10-26": _unique_interests,
    "BSUB10-27": _keys_from_fill,
    "BSUB10-28": _printed_rate,
    "BSUB10-29": _two_false_matches,
    "BSUB10-31": _short_lists,
    "BSUB10-33": _granularity,
    "BSUB10-34": _sizes,
    "BSUB10-35": _joint_rate,
    "BSUB10-36": _equal_split,
    "BSUB10-37": _more_filters,
    "BSUB10-38": _binary_search,
    "BSUB10-39": _a_new_filter,
    "BSUB10-41": _key_distribution,
    "BSUB10-42": _worst_case,
    "BSUB10-43": _rates_by_centrality,
}
"""By the id in the ledger."""
