"""Damaged and random byte strings through every decoder: only `DecodeError`, in bounded memory.

    python -m benchmarks.fuzz_decoders [--cases 1000000] [--seed 1]

Every decoder gets the same share of the cases. Most cases are valid encodings of filters of many kinds, sizes and
settings with flipped bits, cuts, insertions and splices; the others are random bytes behind a plausible beginning.
What a decoder accepts must be a sound filter that is written as the same bytes again.
"""

from __future__ import annotations

import argparse
import re
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from hunet.filters import TCBF, BloomFilter, CountingBloomFilter, Hashing, SpTBF, TCBFPool
from hunet.filters.base import Filter
from hunet.filters.codec import decode, encode, pack, unpack
from hunet.filters.encodings import Encoding
from hunet.filters.sizing import position_bits
from hunet.model.errors import DecodeError, InvalidValueError

__all__ = ["Report", "fuzz", "honest_bytes", "main"]

SIZES = (1, 2, 7, 20, 64, 100, 256, 300, 2000)
CEILINGS = (255, 1000, 100_000)
MEMORY_EVERY = 8  # one case in eight runs under tracemalloc, which is slow
DECODERS = (
    *(f"unpack {kind.__name__}" for kind in (BloomFilter, CountingBloomFilter, TCBF, TCBFPool, SpTBF)),
    "decode",
)
LARGEST_DECODED = 8192
"""`decode` is told to believe no more positions than this, so that an honest m costs little to try."""

SLOT_BYTES = 9  # a byte for the hops, eight for the time
FIXED_BYTES = 16_384
"""What any call may take beside its arrays: Python objects, the message of an error, its traceback."""


def honest_bytes(m: int, filters: int, counter_bytes: int, given: int) -> int:
    """The most memory that decoding may take, from what the header says and how many bytes there are.

    A filter holds m counters (for an SpTBF 9 bytes per slot), and at most four of it exist at a time: the empty one,
    its copy, the result, and one being written again. Of one row there are also four numbers of 8 bytes per position,
    and its bits, at most 2P + C for a position, laid out one per byte: as read, filled up to whole bytes, and joined.
    """
    at_rest = 4 * m * filters * counter_bytes
    one_row = m * (4 * 8 + 3 * (2 * position_bits(m) + 8 * counter_bytes))
    return FIXED_BYTES + at_rest + one_row + 16 * given


@dataclass
class Report:
    """What happened to the cases."""

    cases: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    largest: tuple[int, str] = (0, "")
    nearest_to_bound: tuple[float, str] = (0.0, "")
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Sample:
    """A valid encoding, how to decode its like, how to write the result again, and what m it is about."""

    decoder: str
    data: bytes
    read: Callable[[bytes], Filter]
    write: Callable[[Filter, bytes], bytes]
    m: int
    filters: int
    counter_bytes: int


def fuzz(cases: int, seed: int, sizes: Sequence[int] = SIZES, progress: bool = False) -> Report:
    """Try so many cases, spread evenly over the decoders, on filters of these m."""
    rng = np.random.default_rng(seed)
    by_decoder: dict[str, list[Sample]] = {name: [] for name in DECODERS}
    for sample in samples(sizes):
        by_decoder[sample.decoder].append(sample)
    every = [sample.data for group in by_decoder.values() for sample in group]
    report = Report()
    numbers = range(cases)
    for number in track(numbers, "decoding", disable=not progress):
        group = by_decoder[DECODERS[number % len(DECODERS)]]
        sample = group[int(rng.integers(len(group)))]
        try_one(sample, damage(sample.data, every, rng), number % MEMORY_EVERY == number // 1000 % MEMORY_EVERY, report)
    return report


def try_one(sample: Sample, data: bytes, weigh: bool, report: Report) -> None:
    report.cases[sample.decoder] += 1
    case = f"{sample.decoder}, m = {sample.m}, {data[:40].hex()}{'...' * (len(data) > 40)} ({len(data)} bytes)"
    result: Filter | None = None
    if weigh:
        tracemalloc.start()
    began = time.perf_counter()
    try:
        result = sample.read(data)
    except DecodeError as error:
        report.reasons[reason_class(str(error))] += 1
    except Exception as error:
        report.failures.append(f"{type(error).__name__}: {error} ({case})")
    took = time.perf_counter() - began
    if weigh:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        weigh_case(sample, data, peak, case, report)
    elif took > report.slowest[0]:
        report.slowest = took, case
    if result is not None:
        report.accepted[sample.decoder] += 1
        check_accepted(sample, data, result, case, report)


def reason_class(message: str) -> str:
    """The first clause of a message, without its numbers."""
    return re.sub(r"0x\w+|\d+", "#", re.split(r"[:,;]", message)[0])


def weigh_case(sample: Sample, data: bytes, peak: int, case: str, report: Report) -> None:
    m, filters, counter_bytes = sample.m, sample.filters, sample.counter_bytes
    if sample.decoder == "decode":  # the settings come with the data, so the bound comes from them too
        m, filters, counter_bytes = told_size(data)
    bound = honest_bytes(m, filters, counter_bytes, len(data))
    if peak > report.largest[0]:
        report.largest = peak, case
    if peak / bound > report.nearest_to_bound[0]:
        report.nearest_to_bound = peak / bound, case
    if peak > bound:
        report.failures.append(f"{peak} bytes of memory, {bound} allowed ({case})")


def told_size(data: bytes) -> tuple[int, int, int]:
    """m, filters and bytes per counter as the header says, where `decode` believes it."""
    m = int.from_bytes(data[4:8], "big")
    if not 1 <= m <= LARGEST_DECODED:
        return 1, 1, 1
    filters = 1 + int.from_bytes(data[46:48], "big") if len(data) >= 48 and data[3] == 4 else 1
    counter_bytes = (1, 1, 4, SLOT_BYTES, 4)[data[3]] if data[3] < 5 else 1
    return m, filters if m * filters <= LARGEST_DECODED else 1, counter_bytes


def check_accepted(sample: Sample, data: bytes, result: Filter, case: str, report: Report) -> None:
    try:
        result._check()
        if sample.write(result, data) != data:
            report.failures.append(f"accepted, but written differently ({case})")
    except Exception as error:
        report.failures.append(f"accepted, but {type(error).__name__}: {error} ({case})")


# ------------------------------------------------------------------ cases


def damage(data: bytes, every: list[bytes], rng: np.random.Generator) -> bytes:
    """One to three changes, or random bytes behind the first of the valid ones."""
    if rng.random() < 0.15:
        kept = int(rng.integers(0, 49))
        return data[:kept] + rng.bytes(int(rng.integers(0, 120)))
    changed = bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        kind, at = int(rng.integers(7)), int(rng.integers(0, len(changed) + 1))
        if kind <= 2 and changed:
            changed[at % len(changed)] ^= 1 << int(rng.integers(8))
        elif kind == 3 and changed:
            changed[at % len(changed)] = int(rng.integers(256))
        elif kind == 4:
            del changed[at:]
        elif kind == 5:
            changed[at:at] = rng.bytes(int(rng.integers(1, 9)))
        else:
            other = every[int(rng.integers(len(every)))]
            cut = int(rng.integers(0, len(other) + 1))
            changed[at:] = other[cut:]
    return bytes(changed)


def samples(sizes: Sequence[int]) -> Iterator[Sample]:
    """Valid encodings of every kind of filter, each in every encoding it has."""
    for m in sizes:
        for f in filters_of(m):
            name = f"unpack {type(f).__name__}"
            rows = f.limit if isinstance(f, TCBFPool) else 1
            for data in packings(f):
                yield Sample(name, data, partial(unpack, like=f), write_packed, m, rows, bytes_per_position(f))
            yield Sample("decode", encode(f), read_strange, lambda result, _: encode(result), m, rows, 1)


def bytes_per_position(f: Filter) -> int:
    match f:
        case TCBF():
            return f.counters.itemsize
        case TCBFPool():
            return f.rows.itemsize
        case SpTBF():
            return SLOT_BYTES
    return 1


def read_strange(data: bytes) -> Filter:
    return decode(data, max_positions=LARGEST_DECODED)


def write_packed(result: Filter, data: bytes) -> bytes:
    """In the encoding that the header names: all of them are allowed between peers."""
    return pack(result, None if isinstance(result, SpTBF | TCBFPool) else Encoding(data[0] & 7))


def packings(f: Filter) -> Iterator[bytes]:
    if isinstance(f, SpTBF | TCBFPool):
        yield pack(f)
        return
    for encoding in Encoding:
        try:
            yield pack(f, encoding)
        except InvalidValueError:  # not every encoding holds every filter
            continue


def filters_of(m: int) -> Iterator[Filter]:
    family = Hashing(m, min(3, m))
    keys = [f"key {i}" for i in range(1 + m // 8)]
    yield BloomFilter(family)
    yield BloomFilter(family, keys)
    yield CountingBloomFilter(family, keys * 2 + keys[:2])
    for ceiling in CEILINGS:
        fresh = TCBF(family, 50, 60.0, ceiling=ceiling, keys=keys[:2])
        later = TCBF(family, 40, 60.0, ceiling=ceiling, now=300.0, keys=keys)
        yield from (fresh, fresh + later)
        pool = TCBFPool(fresh, 0.1, 4)
        for key in keys:
            pool.add(key)
        yield pool
    for hop_bits, time_bits, strict in ((2, 6, False), (2, 6, True), (3, 8, False)):
        slots = SpTBF(family, hop_bits=hop_bits, time_bits=time_bits, strict_equations=strict)
        for number, key in enumerate(keys):
            slots.insert(key, 1 + number % slots.max_hops, 1 + number % slots.max_lifetime, now=1000.0)
        yield slots


# ------------------------------------------------------------------ the command


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz_decoders", description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=int, default=1_000_000, help="byte strings to try (default: one million)")
    parser.add_argument("--seed", type=int, default=1, help="of the random changes (default: 1)")
    arguments = parser.parse_args()
    began = time.perf_counter()
    report = fuzz(arguments.cases, arguments.seed, progress=True)
    show(report, time.perf_counter() - began)
    raise SystemExit(1 if report.failures else 0)


def show(report: Report, seconds: float) -> None:
    console = Console()
    table = Table("decoder", "cases", "accepted", title=f"{report.cases.total():,} cases in {seconds:.0f} s")
    for name in DECODERS:
        table.add_row(name, f"{report.cases[name]:,}", f"{report.accepted[name]:,}")
    console.print(table)
    reasons = Table("refused because", "cases")
    for reason, count in report.reasons.most_common():
        reasons.add_row(reason, f"{count:,}")
    console.print(reasons)
    console.print(f"slowest: {1000 * report.slowest[0]:.1f} ms ({report.slowest[1]})")
    console.print(f"largest allocation: {report.largest[0]:,} bytes ({report.largest[1]})")
    share, case = report.nearest_to_bound
    console.print(f"nearest to its bound: {100 * share:.0f} % ({case})")
    for failure in report.failures[:20]:
        console.print(f"[red]failed:[/red] {failure}", highlight=False)
    console.print(f"failures: {len(report.failures)}")


if __name__ == "__main__":
    main()
