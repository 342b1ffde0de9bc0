"""The claims of [bsub10] that need no simulation: filters and equations."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hunet.studies.claims.verdict import Verdict
from hunet.studies.papers.bsub10.equation_claims import EQUATION_CLAIMS
from hunet.studies.papers.bsub10.filter_claims import FILTER_CLAIMS

__all__ = ["RELATIONS", "relations"]

RELATIONS: Mapping[str, Callable[[], Verdict]] = {**FILTER_CLAIMS, **EQUATION_CLAIMS}
"""By the id in the ledger."""


def relations() -> list[Verdict]:
    """The verdicts on these claims."""
    return [judge() for judge in RELATIONS.values()]
