"""Where the protocols stand, like for like under four conditions: the tables of a page and their pictures.

    python -m hunet.studies.standing docs out/standing

writes the tables into docs/comparison.md, between its two marks, and draws docs/pictures. All runs are kept in the
second folder: stopped, the same command goes on from there. The traces are those of TRACES that are stored.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hunet.atomic import whole_file
from hunet.home import home
from hunet.model.errors import TraceError
from hunet.progress import progress_bar
from hunet.report.frontier import draw_frontier
from hunet.report.simulation import draw_standing
from hunet.report.style import save
from hunet.sim.bound import CLAIRVOYANT
from hunet.studies.comparison import COMPARED, MEASURES, Standing, Values, Where, contestant, measured
from hunet.studies.statistics import interval
from hunet.sweeps.runner import Runner
from hunet.traces.store import TraceStore

__all__ = ["CONDITIONS", "Condition", "condition_table", "differences_table", "main"]

TRACES = ("infocom05", "ht2009", "sfhh", "highschool2011")
SEEDS = 5
OURS = "envoy"
COPIES = (4, 16, 32, 64, 128)
"""Of Spray-and-Wait, in the picture of frontiers."""
WORTHS = (0.2, 0.1, 0.02, 0.007)
"""Of Envoy, beside its default."""
BEGIN, END = "<!-- tables: make comparison -->", "<!-- end of tables -->"


class Condition(NamedTuple):
    """What surrounds all protocols."""

    title: str
    given: Mapping[str, Any]


CONDITIONS: Mapping[str, Condition] = {
    "a": Condition("(a) buffers of 100, messages never expire", {}),
    "b": Condition("(b) unlimited buffers, messages live 10 h", {"ttl": 36000.0, "buffer": math.inf}),
    "c": Condition("(c) buffers of 100, messages live 4 h", {"ttl": 14400.0}),
    "d": Condition(
        "(d) buffers of 100, 250 kb/s, contacts last", {"bytes_per_second": 31250.0, "contacts": "continuous"}
    ),
}
"""Own messages lie outside the buffer in all."""

Found = Mapping[Standing, Values]


def condition_table(found: Found) -> str:
    """Per protocol and trace: share delivered, within 4 h, transfers per delivery."""
    traces = list(dict.fromkeys(standing.trace for standing in found))
    labels = [label for label in dict.fromkeys(standing.label for standing in found) if ":" not in label]
    lines = [
        f"| delivered / within 4 h / transfers per delivery | {' | '.join(traces)} |",
        "|---" * (len(traces) + 1) + "|",
    ]
    for label in labels:
        cells = []
        for trace in traces:
            values = _of(found, trace, label)
            ratio, soon, cost = (
                float(np.mean(values[name]))
                for name in ("delivery_ratio", "delivered_within_4h", "forwards_per_delivery")
            )
            cells.append(f"{ratio:.3f} / {soon:.3f} / {cost:.1f}")
        lines.append(f"| `{label}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def differences_table(found: Found) -> str:
    """Envoy less the protocol that delivers most of the others, in pairs of runs on the same seed; and beside PUSH."""
    rows = [
        "| Envoy | best other | difference, 95 % | within 4 h, less `spray` | of PUSH's deliveries | and transfers |"
    ]
    rows.append("|---" * 6 + "|")
    for trace in dict.fromkeys(standing.trace for standing in found):
        others = [label for label in COMPARED if label != OURS]
        best = max(others, key=lambda label: float(np.mean(_of(found, trace, label)["delivery_ratio"])))
        ours, push = _of(found, trace, OURS), _of(found, trace, "push")
        gain = _interval(ours["delivery_ratio"] - _of(found, trace, best)["delivery_ratio"])
        soon = _interval(ours["delivered_within_4h"] - _of(found, trace, "spray")["delivered_within_4h"])
        share = float(np.mean(ours["delivery_ratio"] / push["delivery_ratio"]))
        cost = float(np.mean(ours["forwards"] / push["forwards"]))
        rows.append(f"| {trace} | `{best}` | {gain} | {soon} | {share:.2f} | {cost:.0%} |")
    return "\n".join(rows)


def _interval(values: Any) -> str:
    _, mean, _, high = interval(values)
    return f"{mean:+.3f} ± {high - mean:.3f}"


def _of(found: Found, trace: str, label: str) -> Values:
    return next(values for standing, values in found.items() if standing[:2] == (trace, label))


def frontiers(found: Found) -> list[dict[str, Any]]:
    """Rows for the picture: shares of what PUSH delivers and transfers, mean over seeds."""
    rows = []
    for standing, values in found.items():
        push = _of(found, standing.trace, "push")
        rows.append(
            {
                "trace": standing.trace,
                "protocol": standing.label,
                "delivered": float(np.mean(values["delivery_ratio"] / push["delivery_ratio"])),
                "transfers": float(np.mean(values["forwards"] / push["forwards"])),
            }
        )
    return rows


def _standing_rows(found: Found) -> list[dict[str, Any]]:
    rows = []
    for standing, values in found.items():
        row: dict[str, Any] = {"trace": standing.trace, "protocol": standing.label}
        for measure in MEASURES:
            _, mean, low, high = interval(values[measure])
            row |= {measure: mean, f"{measure}_low": low, f"{measure}_high": high}
        rows.append(row)
    return rows


def main(arguments: Sequence[str]) -> None:
    """Write the page's tables and draw its pictures."""
    docs, folder, *asked = arguments
    store = TraceStore(home())
    stored = {manifest.name: store.open(manifest.name) for manifest in store.list() if manifest.name in TRACES}
    if not stored:
        raise TraceError(f"none of {', '.join(TRACES)} is stored: hunet trace import --help")
    parts = []
    for key in asked or CONDITIONS:
        title, given = CONDITIONS[key]
        where = [
            Where(name, (stored[name].contacts(), stored[name].nodes()), **given) for name in TRACES if name in stored
        ]
        names = [*COMPARED]
        if key == "b":
            names += [*(f"spray:copies={copies}" for copies in COPIES), *(f"envoy:worth={worth}" for worth in WORTHS)]
        with progress_bar("starting") as told:
            found = measured(
                where,
                [contestant(name) for name in names],
                SEEDS,
                Runner.local(),
                Path(folder) / key,
                lambda done, failed, total: told("runs", done, total),
            )
        parts.append(f"### {title}\n\n{condition_table(found)}\n\n{differences_table(found)}")
        if key == "a":
            save(draw_standing(_standing_rows(found)), Path(docs) / "pictures" / "standing.png")
        if key == "b":
            save(draw_frontier(frontiers(found), CLAIRVOYANT), Path(docs) / "pictures" / "frontier.png")
    page = Path(docs) / "comparison.md"
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    tables = "\n\n".join(parts)
    with whole_file(page) as draft:
        draft.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
