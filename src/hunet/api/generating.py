"""`generate`: a made-up trace in memory."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import hunet
from hunet.api.trace import Trace
from hunet.model.names import choose, one_of
from hunet.traces.generators import GENERATORS
from hunet.traces.manifest import Manifest

__all__ = ["generate"]


def generate(generator: str, *, seed: int = 1, name: str | None = None, **settings: Any) -> Trace:
    """A generated trace; the same settings and seed give the same trace.

    generator   conference, campus, mass-mobility, random-waypoint or surrogate; `hn.names("generator")` has them with
                their settings, docs/generators.md says what each is like
    seed        of all chance
    name        what to call it; by default as the generator
    settings    of the generator, by name, such as nodes=79

    >>> import hunet as hn
    >>> hn.generate("conference", nodes=8, days=1, contacts_per_day=20, seed=1)
    Trace 'conference': 8 nodes, 80 contacts, 0.9 days
    """
    chosen = choose("generator", generator, {one.name: one for one in GENERATORS})
    known = {field.name: field for field in fields(chosen.settings)}
    for setting in settings:
        one_of(f"setting of {generator}", setting, known)
    given = {key: Path(value) if known[key].type == "Path" else value for key, value in settings.items()}
    asked = chosen.settings(**given)
    made = chosen.generate(asked, seed)
    told = {key: str(value) if isinstance(value, Path) else value for key, value in asdict(asked).items()}
    about = Manifest(
        name or chosen.name,
        origin=f"generated: {chosen.title}",
        surrogate=chosen.surrogate,
        settings={"generator": chosen.name, "seed": seed, **told},
        counts={"contacts": made.contacts.num_rows},
        made_by=f"hunet {hunet.__version__}",
    )
    tables = {"contacts": made.contacts, "nodes": made.nodes}
    return Trace(about, tables if made.positions is None else {**tables, "positions": made.positions})
