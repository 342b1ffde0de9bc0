"""Where the chance of this battery comes from: `HUNET_HOSTILE_SEED=7 pytest tests/hostile` tries other cases."""

from __future__ import annotations

import os
import random

SEED = os.environ.get("HUNET_HOSTILE_SEED", "1")


def dice(subject: str) -> random.Random:
    """A source of chance for one subject, independent of all others."""
    return random.Random(f"{SEED} {subject}")


def letters(chance: random.Random, count: int) -> str:
    """Text of every script, with what terminals, markup and shells take for something else."""
    odd = "[/b]\x1b[31m\u202e\u0000\t'\"\\{}%$`<>&;é€漢🦊\ud7ff"
    return "".join(
        chance.choice(odd) if chance.random() < 0.5 else chr(chance.randint(33, 0x2FFF)) for _ in range(count)
    )
