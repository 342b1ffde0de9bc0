"""How well interests are guessed from filters, as tables: by attackers of every kind, and beside Bayes' rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Picture

from hunet.protocols import make_settings
from hunet.protocols.bsub13 import BSUB13
from hunet.report.study import draw_study
from hunet.sim.engine.run import Conditions
from hunet.sim.make_scene import make_scene
from hunet.studies.papers.bsub13.attack import Attack, attack, listen, posterior
from hunet.studies.papers.bsub13.runs import load
from hunet.studies.papers.traces import PaperTrace
from hunet.studies.statistics import over_seeds
from hunet.studies.tables import Table

__all__ = ["attacks", "draw_attacks", "guesses"]

_ATTACKERS = range(10)


def attacks(crowds: Sequence[PaperTrace], seeds: Sequence[int]) -> Table:
    """How well interests are guessed, on the first crowd."""
    return _on_first(crowds, seeds, _attack_rows)


def guesses(crowds: Sequence[PaperTrace], seeds: Sequence[int]) -> Table:
    """What guesses from small filters are worth, on the first crowd."""
    return _on_first(crowds, seeds, _guess_rows)


def _on_first(crowds: Sequence[PaperTrace], seeds: Sequence[int], rows: Callable[[PaperTrace, int], Table]) -> Table:
    return over_seeds([rows(crowds[0], seed) for seed in seeds]) if crowds else []


def _attack_rows(trace: PaperTrace, seed: int) -> Table:
    workload = load(trace, seed, total=True)
    scene = make_scene(*trace.trace, workload)
    found = attack(Attack(scene, workload.tags, Conditions(buffer=workload.buffer), _ATTACKERS, seed))
    return [
        {
            "trace": trace.title,
            "variant": row.protocol,
            "attacker": row.guesses_by,
            "universe": row.knows,
            "universe_share": row.known_share,
            "precision": row.precision,
            "recall": row.recall,
            "posterior": row.posterior,
        }
        for row in found
    ]


def draw_attacks(table: Table) -> Picture:
    """Precision and recall of attackers that know all tags."""
    frame = pd.DataFrame(table)
    frame = frame[frame["universe"] == "all tags"]
    titles = {"bsub13": "B-SUB", "bsubp": "B-SUB-P"}
    frame = frame.assign(line=frame["variant"].map(titles) + ", " + frame["attacker"], x=None)
    words = {"precision": ("Precision", "guesses that are right"), "recall": ("Recall", "interests that are guessed")}
    shown = [
        frame[["line", "x"]].assign(measure=name, mean=frame[name], low=frame[f"{name}_lo"], high=frame[f"{name}_hi"])
        for name in words
    ]
    return draw_study(f"Guessing interests on {table[0]['trace']}, all tags known", pd.concat(shown), words, "")


def _guess_rows(trace: PaperTrace, seed: int) -> Table:
    """Small filters make guesses wrong often enough to compare them with Bayes: 32 positions, 5 of 200 tags each."""
    nodes = trace.nodes.num_rows
    chance = np.random.default_rng(seed)
    tags = tuple(f"tag {i}" for i in range(200))
    wants = np.array([np.isin(np.arange(200), chance.choice(200, 5, replace=False)) for _ in range(nodes)])
    scene = make_scene(*trace.trace, load(trace, 1, total=False))._replace(wants=wants.astype(np.uint8))
    everybody = Attack(scene, tags, Conditions(), range(nodes))
    heard = listen(BSUB13, make_settings(BSUB13, {"m": 32, "k": 2}), everybody)
    guess = heard.values() > 0
    right = guess & wants[heard.speaker]
    expected = posterior(5 / 200, (1 - (1 - 1 / 32) ** 10) ** 2)
    return [{"trace": trace.title, "precision": float(right.sum() / guess.sum()), "posterior": expected}]
