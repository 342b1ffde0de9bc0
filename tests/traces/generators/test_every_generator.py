"""What holds for every generator: it repeats by its seed, fills its tables, and refuses wrong settings by name."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import pytest

from hunet.model.errors import HunetError, InvalidValueError
from hunet.model.tables import CONTACTS, NODES, POSITIONS
from hunet.traces.generators import GENERATORS, TraceGenerator
from tests.traces.generators.invented import write_invented_trace

SMALL: dict[str, dict[str, Any]] = {
    "conference": {"nodes": 20, "days": 1, "contacts_per_day": 40.0, "acquaintances": 10.0},
    "surrogate": {"first": 1, "last": 4},
    "campus": {"students": 30, "days": 2},
    "mass-mobility": {"walkers": 20, "seconds": 60.0, "side": 200.0},
    "random-waypoint": {"walkers": 20, "seconds": 60.0, "side": 200.0},
}

EACH = pytest.mark.parametrize("generator", GENERATORS, ids=lambda generator: generator.name)


def small(generator: TraceGenerator, folder: Path) -> Any:
    options = dict(SMALL[generator.name])
    if generator.surrogate:
        options["table"], options["event_times"] = write_invented_trace(folder)
    return generator.settings(**options)


def test_the_names_are_distinct_and_only_the_surrogate_is_one() -> None:
    assert [g.name for g in GENERATORS] == ["conference", "surrogate", "campus", "mass-mobility", "random-waypoint"]
    assert [g.name for g in GENERATORS if g.surrogate] == ["surrogate"]


@EACH
def test_the_same_seed_gives_the_same_trace_and_another_seed_another(generator: TraceGenerator, tmp_path: Path) -> None:
    settings = small(generator, tmp_path)
    first, again, other = (generator.generate(settings, seed) for seed in (7, 7, 8))
    assert first.contacts.equals(again.contacts)
    assert first.nodes.equals(again.nodes)
    assert not first.contacts.equals(other.contacts)


@EACH
def test_tables_have_their_schema_and_every_contact_known_nodes(generator: TraceGenerator, tmp_path: Path) -> None:
    made = generator.generate(small(generator, tmp_path), 1)
    assert made.contacts.schema == CONTACTS
    assert made.nodes.schema == NODES
    assert made.nodes["node"].to_pylist() == list(range(made.nodes.num_rows))
    assert len(set(made.nodes["name"].to_pylist())) == made.nodes.num_rows
    assert max(made.contacts["b"].to_pylist()) < made.nodes.num_rows
    if made.positions is not None:
        assert made.positions.schema == POSITIONS


@EACH
def test_settings_say_what_they_mean_and_are_refused_outside_their_limits(
    generator: TraceGenerator, tmp_path: Path
) -> None:
    settings = small(generator, tmp_path)
    for field in dataclasses.fields(settings):
        assert field.metadata["help"]
        for limit, beyond in (("low", -1), ("high", 1)):
            value = field.metadata.get(limit)
            if value is not None:
                wrong = value + beyond
                with pytest.raises(InvalidValueError, match=f"{generator.name}: {field.name} {wrong}"):
                    dataclasses.replace(settings, **{field.name: wrong})
        if isinstance(getattr(settings, field.name), float):
            for wrong in (math.nan, math.inf):
                with pytest.raises(InvalidValueError, match=f"{field.name} {wrong} is not a finite number"):
                    dataclasses.replace(settings, **{field.name: wrong})


@EACH
def test_a_negative_seed_is_refused(generator: TraceGenerator, tmp_path: Path) -> None:
    with pytest.raises(HunetError, match="seed -1"):
        generator.generate(small(generator, tmp_path), -1)
