"""The traces of [bsub10] and [bsub13]: the papers' as far as they are stored, generated ones in their place, and more.

Both papers use Infocom06, whose contacts are not public (a surrogate can be generated: [bsub10] has 79 devices of it,
[bsub13] 98), and Reality. Infocom05, ht2009 and SFHH are other crowds of the kind; they are taken along where they are
stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hunet.studies.papers.traces import INFOCOM05, REALITY, PaperTrace, Traces, paper_traces
from hunet.studies.tables import Table
from hunet.traces.store import TraceStore

__all__ = ["facts", "main_traces", "traces"]

_DAY = 86_400.0


def traces(infocom06: str, store: TraceStore, names: Sequence[str], quick: bool) -> Traces:
    """Those that are named; else the paper's two and, unless it should be quick, the other crowds.

    `infocom06` is the key of the paper's part of it.
    """
    return paper_traces(store, names, (infocom06, REALITY), () if quick else (INFOCOM05, "ht2009", "sfhh"))


def main_traces(found: Sequence[PaperTrace]) -> list[PaperTrace]:
    """Those that stand for the paper's Infocom06 and Reality: the first crowd, and the first that is none."""
    kinds = ([one for one in found if one.sparse is sparse] for sparse in (False, True))
    return [some[0] for some in kinds if some]


def facts(found: Sequence[PaperTrace], printed: Mapping[str, tuple[int, int, int]] | None = None) -> Table:
    """A row per trace, as the papers' tables have them; `rows` are those of the raw file, before cleaning.

    `printed` are nodes, contacts and days in the paper, by the key of the trace.
    """
    rows: Table = []
    for trace in found:
        a, b, start, end = (trace.contacts.column(column).to_numpy() for column in ("a", "b", "start", "end"))
        rows.append(
            {
                "trace": trace.title,
                "nodes": int(np.unique(np.concatenate((a, b))).size),
                "rows": trace.rows,
                "contacts": trace.contacts.num_rows,
                "days": float((end.max() - start.min()) / _DAY),
            }
        )
        if printed is not None:
            rows[-1] |= trace.printed(printed, "nodes", "contacts", "days")
    return rows
