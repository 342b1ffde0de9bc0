"""What the naive simulator answers: the engine is compared with it, so it must not move along with the engine."""

from __future__ import annotations

from typing import Any

from hunet.protocols import PROTOCOLS, Protocol, make_settings
from tests.golden.canonical import digest
from tests.sim.stories import NAIVE, random_conditions, random_story, run_naively, variants_of

STORIES = range(5000, 5006)


def answers(protocol: Protocol) -> dict[str, Any]:
    """Of both contact models: totals over the stories, beside a digest of every answer."""
    return {model: _answers(protocol, model == "continuous") for model in ("start", "continuous")}


def _answers(protocol: Protocol, continuous: bool) -> dict[str, Any]:
    variants = variants_of(protocol)
    found = []
    for seed in STORIES:
        settings = make_settings(protocol, variants[seed % len(variants)])
        conditions = random_conditions(seed)
        found.append(run_naively(random_story(seed), protocol.name, settings, continuous=continuous, **conditions)[0])
    return {
        "deliveries": sum(len(naive.deliveries) for naive in found),
        "forwards": sum(naive.forwards for naive in found),
        "errands": sum(naive.errands for naive in found),
        "control_bytes": sum(naive.control_bytes for naive in found),
        "dropped": sum(sum(naive.dropped) for naive in found),
        "digest of deliveries": digest([sorted(naive.deliveries) for naive in found]),
        "digest of drops": digest([[naive.dropped, naive.drops_per_node] for naive in found]),
        "digest of copies": digest([naive.copies for naive in found]),
        "digest of costs": digest([[naive.forwards, naive.errands, naive.control_bytes] for naive in found]),
    }


def record() -> dict[str, Any]:
    """Everything, as it is today."""
    return {protocol.name: answers(protocol) for protocol in PROTOCOLS if protocol.name in NAIVE}
