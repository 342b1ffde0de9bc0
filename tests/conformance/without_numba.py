"""Run with NUMBA_DISABLE_JIT=1: prints summaries of one story per protocol, and checks what would take long to compile.

Hops, and counters and positions of more than a byte, are further versions of the compiled loop; here they cost nothing.
"""

from __future__ import annotations

import json
import sys

from hunet.kernels import COMPILED
from hunet.protocols import PROTOCOLS, make_settings
from tests.conformance.summary import summary
from tests.sim.compare import assert_same, assert_same_memory, simulate
from tests.sim.stories import NAIVE, WIDE, random_conditions, random_story, run_naively, variants_of


def main() -> None:
    assert not COMPILED
    summaries = {}
    for protocol in PROTOCOLS:
        variants = variants_of(protocol)
        for continuous in (False, True):
            settings = make_settings(protocol, variants[7 % len(variants)])
            outcome = simulate(random_story(7), protocol, settings, continuous=continuous, **random_conditions(7))
            summaries[f"{protocol.name} {continuous}"] = summary(outcome)
            wide = make_settings(protocol, WIDE.get(protocol.name, {}))
            for seed in range(3000, 3004):
                story, conditions = random_story(seed), random_conditions(seed)
                outcome = simulate(story, protocol, wide, continuous=continuous, hops=True, **conditions)
                if protocol.name in NAIVE:
                    naive, behaviour = run_naively(story, protocol.name, wide, continuous=continuous, **conditions)
                    assert_same(outcome, naive)
                    assert_same_memory(protocol, wide, outcome.state, behaviour, story)
    json.dump(summaries, sys.stdout)


if __name__ == "__main__":
    main()
