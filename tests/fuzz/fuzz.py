"""Damaged and random byte strings through decoders: only `DecodeError`, in bounded memory.

Every decoder gets the same share of the cases. Most cases are valid encodings with flipped bits, cuts, insertions and
splices; the others are random bytes behind a plausible beginning. What a decoder accepts must be written as the same
bytes again.
"""

from __future__ import annotations

import random
import re
import time
import tracemalloc
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.progress import track

from tests.fuzz.sample import Decoder, Sample

__all__ = ["Report", "fuzz"]

MEMORY_EVERY = 32
"""One case in so many runs under tracemalloc, which is slow."""


@dataclass
class Report:
    """What happened to the cases."""

    cases: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    nearest_to_bound: tuple[float, str] = (0.0, "")
    failures: list[str] = field(default_factory=list)


def fuzz(decoders: Sequence[Decoder], cases: int, seed: int, progress: bool = False) -> Report:
    """Try so many cases, spread evenly over the decoders."""
    chance = random.Random(seed)
    groups = [(decoder.name, list(decoder.samples())) for decoder in decoders]
    every = [sample.data for _, group in groups for sample in group]
    report = Report()
    for number in track(range(cases), "decoding", disable=not progress):
        name, group = groups[number % len(groups)]
        sample = chance.choice(group)
        _try(name, sample, damage(sample.data, every, chance), chance.random() * MEMORY_EVERY < 1, report)
    return report


def damage(data: bytes, every: Sequence[bytes], chance: random.Random) -> bytes:
    """One to three changes, or random bytes behind the first of the valid ones."""
    if chance.random() < 0.15:
        return data[: chance.randrange(49)] + chance.randbytes(chance.randrange(120))
    changed = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        kind, at = chance.randrange(7), chance.randint(0, len(changed))
        if kind <= 2 and changed:
            changed[at % len(changed)] ^= 1 << chance.randrange(8)
        elif kind == 3 and changed:
            changed[at % len(changed)] = chance.randrange(256)
        elif kind == 4:
            del changed[at:]
        elif kind == 5:
            changed[at:at] = chance.randbytes(chance.randint(1, 8))
        else:
            other = chance.choice(every)
            changed[at:] = other[chance.randint(0, len(other)) :]
    return bytes(changed)


def _try(name: str, sample: Sample, data: bytes, weigh: bool, report: Report) -> None:
    report.cases[name] += 1
    result = None
    accepted = False
    if weigh:
        tracemalloc.start()
    began = time.perf_counter()
    try:
        result = sample.read(data)
        accepted = True
    except sample.refusal as error:
        report.reasons[_kind(str(error))] += 1
    except Exception as error:
        report.failures.append(f"{type(error).__name__}: {error} ({_shown(name, sample, data)})")
    took = time.perf_counter() - began
    if weigh:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        bound = sample.most_memory(data)
        if peak > bound:
            report.failures.append(f"{peak} bytes of memory, {bound} allowed ({_shown(name, sample, data)})")
        if peak / bound > report.nearest_to_bound[0]:
            report.nearest_to_bound = peak / bound, _shown(name, sample, data)
    elif took > report.slowest[0]:
        report.slowest = took, _shown(name, sample, data)
    if accepted:
        report.accepted[name] += 1
        try:
            if sample.write(result, data) != data:
                report.failures.append(f"accepted, but written differently ({_shown(name, sample, data)})")
        except Exception as error:
            report.failures.append(f"accepted, but {type(error).__name__}: {error} ({_shown(name, sample, data)})")


def _kind(message: str) -> str:
    """The first clause of a message, without its numbers."""
    return re.sub(r"0x\w+|\d+", "#", re.split(r"[:,;]", message)[0])


def _shown(name: str, sample: Sample, data: bytes) -> str:
    return f"{name}, {sample.about}, {data[:40].hex()}{'...' * (len(data) > 40)} ({len(data)} bytes)"
