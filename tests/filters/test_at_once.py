"""What numpy does at once where nothing is compiled is what the loop does, to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hunet.filters.bits import answer, words_for
from hunet.filters.counters import a_merge, decay, m_merge
from hunet.filters.slots import adjust, decrement, merge
from hunet.protocols.envoy_places import PLACES, WORDS, expected, keep_best, sum_up
from hunet.protocols.interests import add_interests, copy_row, set_interests
from hunet.protocols.order import CHOICE, HELD, _sort, mark_leaving
from hunet.protocols.protocol import INTEREST

pytestmark = pytest.mark.interpreted

Make = Callable[[np.random.Generator], tuple[Any, ...]]


def counters(random: np.random.Generator, m: int = 70) -> Any:
    return random.choice([0, 0, 1, 2, 7, 200, 255], m).astype(np.uint8)


def words(random: np.random.Generator, m: int = 70) -> Any:
    bits = np.packbits(random.integers(0, 2, m).astype(np.uint8), bitorder="little").tobytes()
    return np.frombuffer(bits.ljust(8 * words_for(m), b"\0"), "<u8").astype(np.uint64)


def table(random: np.random.Generator) -> Any:
    return random.integers(0, 70, (3, int(random.integers(1, 150)))).astype(np.uint8)


def slots(random: np.random.Generator) -> tuple[Any, Any]:
    hops = random.integers(0, 4, 70).astype(np.uint8)
    return hops, (random.integers(1, 5000, 70) * (hops > 0)).astype(np.int32)


def interests(random: np.random.Generator) -> tuple[Any, ...]:
    places = table(random)
    wants = np.zeros(places.shape[1], INTEREST).view(np.recarray)
    wants.level = random.choice([0.0, 0.5], places.shape[1])
    return words(random), places, wants


def asked(random: np.random.Generator) -> tuple[Any, ...]:
    places = table(random)
    return np.ones(words_for(places.shape[1]), np.uint64), words(random), places


def buffer(random: np.random.Generator) -> tuple[Any, ...]:
    count = int(random.integers(1, 30))
    held = np.zeros(count, HELD).view(np.recarray)
    held.message, held.author = random.permutation(count), random.integers(0, 4, count)
    held.worth = random.choice([0.0, 0.5, 1.0], count)
    return held, count, int(random.integers(0, count + 1)), bool(random.integers(2))


def choices(random: np.random.Generator) -> tuple[Any, ...]:
    count = int(random.integers(1, 30))
    chosen = np.zeros(count + 2, CHOICE).view(np.recarray)
    chosen.message, chosen.length = random.permutation(count + 2), random.integers(0, 99, count + 2)
    chosen.score = random.choice([0.5, 1.0, np.inf], count + 2)
    return chosen, count


def acquaintances(random: np.random.Generator) -> tuple[Any, ...]:
    """Some of whom share a place, and some of these an interest."""
    count = int(random.integers(0, 60))
    wants = np.stack([words(random) & words(random) & words(random) for _ in range(count)] or [words(random)])[:count]
    place, likely = random.integers(0, PLACES, count).astype(np.uint8), random.random(count)
    last, now = random.choice([0.0, 50_000.0, 200_000.0], count), 100_000.0
    return cells(random), np.ones(70, np.int64), place, likely, last, wants, 86_400.0, now


def cells(random: np.random.Generator) -> Any:
    """More than may be told, or fewer."""
    levels = random.integers(0, 16, (70 * WORDS, 16)) * (random.random((70 * WORDS, 16)) < random.choice([0.01, 0.2]))
    return np.bitwise_or.reduce(levels.astype(np.uint64) << np.arange(0, 64, 4, dtype=np.uint64), axis=1)


CASES: dict[str, tuple[Any, Make]] = {
    "decay": (decay, lambda random: (counters(random), np.int64(random.choice([0, 1, 5, 300])))),
    "a_merge": (a_merge, lambda random: (np.minimum(counters(random), 210), counters(random), 210)),
    "m_merge": (m_merge, lambda random: (counters(random), counters(random))),
    "answer": (answer, asked),
    "adjust": (adjust, lambda random: (*slots(random), np.int64(random.integers(0, 4000)), bool(random.integers(2)))),
    "decrement": (decrement, lambda random: (*slots(random), bool(random.integers(2)))),
    "merge": (merge, lambda random: (*slots(random), *slots(random))),
    "copy_row": (copy_row, lambda random: (counters(random), counters(random))),
    "set_interests": (set_interests, interests),
    "add_interests": (add_interests, lambda random: (np.minimum(counters(random), 210), words(random), 50, 210)),
    "mark_leaving": (mark_leaving, buffer),
    "expected": (
        expected,
        lambda random: (cells(random), 8, cells(random)[:WORDS], cells(random), bool(random.integers(2))),
    ),
    "sum_up": (sum_up, acquaintances),
    "keep_best": (keep_best, lambda random: (cells(random),)),
    "sort": (_sort, choices),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_done_at_once_is_what_the_loop_does(name: str) -> None:
    function, make = CASES[name]
    random = np.random.default_rng(1)
    for _ in range(60):
        one = make(random)
        other = tuple(part.copy() if isinstance(part, np.ndarray) else part for part in one)
        with np.errstate(over="ignore"):
            assert function(*one) == function.looped(*other)
        for mine, theirs in zip(one, other, strict=True):
            assert np.array_equal(mine, theirs)
