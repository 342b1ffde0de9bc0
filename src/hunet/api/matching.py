"""`match`: which event of a file matches which subscription of another."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hunet.content import Matcher
from hunet.content.files import read_events, read_schema, read_subscriptions
from hunet.report.table import Table

__all__ = ["Matching", "match"]


@dataclass(frozen=True)
class Matching:
    """Every event, in the order of its file, with the ids of the subscriptions that want it."""

    rows: list[dict[str, Any]]
    """event, subscriptions (a list)"""
    subscriptions: int

    @property
    def table(self) -> Table:
        """The events that somebody wants."""
        shown = [
            {"event": str(row["event"]), "subscriptions": ", ".join(map(str, row["subscriptions"]))}
            for row in self.rows
            if row["subscriptions"]
        ]
        note = f"{len(shown):,} of {len(self.rows):,} events match one or more of {self.subscriptions:,} subscriptions."
        return Table("Matches", shown, note=note)


def match(schema: Path, subscriptions: Path, events: Path) -> Matching:
    """Match events against range subscriptions, exactly; docs/ranges.md has the three kinds of files."""
    space = read_schema(schema)
    wanted = read_subscriptions(subscriptions, space)
    happened = read_events(events, space)
    matcher = Matcher(space)
    matcher.add_many(wanted, wanted.values())
    found = matcher.match_points(happened.points)
    rows = [{"event": event, "subscriptions": list(ids)} for event, ids in zip(happened.ids, found, strict=True)]
    return Matching(rows, len(matcher))
