"""`Trace`: who met whom from when to when, in memory or stored, and what can be asked of it."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import InvalidValueError
from hunet.model.names import choose
from hunet.model.tables import POSITIONS
from hunet.report.table import Table
from hunet.traces.manifest import Manifest
from hunet.traces.order import by_time
from hunet.traces.pairs import Boundary, pairs_of
from hunet.traces.store import Trace as StoredTrace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hunet.traces.describe import Curves, Summary
    from hunet.watch.page import Page

__all__ = ["Trace", "dated"]

_DAY = 86_400.0
_UNIX_FROM = 5e8
"""Times from here on are shown as dates: 1985 in Unix seconds, 16 years in a trace that begins at 0."""
_UNIX_TO = 2.5e11
"""Beyond the year 9892 there are no dates to show."""

_WORDS = {
    "zero_length": "contacts of no length",
    "mean_length": "mean contact length (s)",
    "median_length": "median contact length (s)",
    "total_time": "total contact time (s)",
    "mean_gap": "mean inter-contact time (s)",
    "median_gap": "median inter-contact time (s)",
}

_STEPS = {
    "rows": "rows read",
    "self_contacts": "with oneself: dropped",
    "end_before_start": "end before start: dropped",
    "external": "external devices: dropped",
    "duplicates": "repeated: dropped",
    "lengthened": "made longer",
    "merged": "merged into another",
    "too_short": "too short: dropped",
    "contacts": "contacts left",
}


@dataclass(frozen=True)
class Held:
    """The tables of a trace in memory, asked for like those of a stored one."""

    tables: Mapping[str, pa.Table]

    @classmethod
    def of(cls, tables: Mapping[str, pa.Table]) -> Held:
        return cls({**tables, "contacts": by_time(tables["contacts"])})

    def contacts(self) -> pa.Table:
        return self.tables["contacts"]

    def count(self) -> int:
        return int(self.tables["contacts"].num_rows)

    def nodes(self) -> pa.Table:
        return self.tables["nodes"]

    def positions(self) -> pa.Table:
        return self.tables.get("positions", POSITIONS.empty_table())

    def pairs(
        self, window: tuple[float, float] | None = None, boundary: Boundary = "both", sigma: float | None = None
    ) -> pa.Table:
        return pairs_of(self.contacts(), window, boundary, sigma)


class Trace:
    """Who met whom, from when to when. `hn.read`, `hn.load` and `hn.generate` make traces.

    contacts    Arrow table: a, b (numbers of nodes, a < b), start, end (seconds), in the order of time
    nodes       Arrow table: node, name (as the data has it), kind (internal or external), class
    positions   Arrow table: node, t, x, y in metres; without rows where the data has no positions
    pairs()     Arrow table: how often and how long pairs met, and how close that makes them
    about       name, version, origin, licence, whether it is a surrogate, how it was made, what cleaning counted

    >>> import hunet as hn
    >>> t = hn.generate("conference", nodes=8, days=1, contacts_per_day=20)
    >>> t
    Trace 'conference': 8 nodes, 80 contacts, 0.9 days
    >>> t.contacts.to_pandas().columns.tolist()
    ['a', 'b', 'start', 'end']
    """

    def __init__(self, about: Manifest, source: StoredTrace | Mapping[str, pa.Table]) -> None:
        self.about = about
        self.source = Held.of(source) if isinstance(source, Mapping) else source
        """Where its tables come from, as other rooms ask for them."""

    @property
    def name(self) -> str:
        """What it is called; empty where nobody named it."""
        return self.about.name

    @property
    def title(self) -> str:
        """The name as it stands over tables and pictures: a surrogate is called one wherever it is shown."""
        return self.about.title

    @cached_property
    def contacts(self) -> pa.Table:
        """a, b, start, end: sorted by start, a and b; the contacts of a pair never overlap."""
        return self.source.contacts()

    @cached_property
    def nodes(self) -> pa.Table:
        """node, name, kind, class; and attributes, where metadata had more to say."""
        return self.source.nodes()

    @cached_property
    def positions(self) -> pa.Table:
        """node, t, x, y in metres, by time; no rows where there are none."""
        return self.source.positions()

    def __len__(self) -> int:
        """How many contacts it has."""
        return self.source.count()

    def __repr__(self) -> str:
        version = f", version {self.about.version}" if self.about.version else ""
        skipped = self.about.counts.get("bad_lines")
        bad = f"; bad lines skipped: {skipped:,}" if skipped else ""
        return (
            f"Trace {self.title!r}{version}: {self.nodes.num_rows:,} nodes, {len(self):,} contacts, "
            f"{self._days():.1f} days{bad}"
        )

    def _repr_html_(self) -> str:
        row = {"nodes": self.nodes.num_rows, "contacts": len(self), "days": self._days()}
        said = {key: getattr(self.about, key) for key in ("origin", "licence")}
        return Table(self.title, [{**row, **{key: value for key, value in said.items() if value}}])._repr_html_()

    def _days(self) -> float:
        if not len(self):
            return 0.0
        return float(pc.max(self.contacts["end"]).as_py() - pc.min(self.contacts["start"]).as_py()) / _DAY

    def pairs(
        self, window: tuple[float, float] | None = None, boundary: Boundary = "both", sigma: float | None = None
    ) -> pa.Table:
        """Every pair that met: a, b, contacts, total, mean_gap, closeness (Eq. 1 of MOPS), and how it was asked for.

        window      from when to when, seconds; the whole trace by default
        boundary    whether the time before the first and after the last contact counts: both, tail (after) or inner
        sigma       of closeness, seconds; from the data by default
        """
        return self.source.pairs(window, boundary, sigma)

    def describe(self) -> Table:
        """The table a paper prints of a trace: nodes, contacts, lengths, gaps between contacts, degrees.

        >>> import hunet as hn
        >>> [(row["name"], row["value"]) for row in hn.generate("conference", nodes=8, days=1).describe()][:2]
        [('nodes', 8), ('internal', 8)]
        """
        found = asdict(self._figures[0])
        shown = dated(found)
        rows = [
            {"name": key, "value": value, "figure": _WORDS.get(key, key.replace("_", " ")), "shown": shown[key]}
            for key, value in found.items()
        ]
        note = f"origin: {self.about.origin}" if self.about.origin else ""
        return Table(self.title, rows, {"figure": "figure", "shown": "value"}, note)

    @property
    def cleaning(self) -> Table:
        """What reading and cleaning did to the rows of its files, step by step; empty for a generated trace."""
        counts = self.about.counts
        rows = [{"what": words, "rows": counts[step]} for step, words in _STEPS.items() if step in counts]
        bad = counts.get("bad_lines", 0)
        return Table(f"{self.title}: what cleaning did", rows, note=f"bad lines, which were skipped: {bad:,}")

    def plot(self, what: str = "hours") -> Figure:
        """A picture: contacts per hour (`hours`), times between contacts (`gaps`), or whom nodes meet (`degrees`).

        >>> import hunet as hn
        >>> hn.generate("conference", nodes=8, days=1, contacts_per_day=20).plot("degrees").axes[0].get_ylabel()
        'nodes'
        """
        from hunet.report.traces import draw_degrees, draw_gaps, draw_hours

        summary, curves = self._figures
        drawings: dict[str, Callable[[], Figure]] = {
            "hours": lambda: draw_hours(self.title, curves.hours, curves.per_hour),
            "gaps": lambda: draw_gaps(self.title, curves.gaps, curves.gap_share, summary.mean_gap),
            "degrees": lambda: draw_degrees(self.title, curves.degrees),
        }
        return choose("plot of a trace", what, drawings)()

    def watch(self) -> Page:
        """A page that replays who is near whom; a notebook shows it, `save("page.html")` writes it.

        >>> import hunet as hn
        >>> hn.generate("conference", nodes=8, days=1, contacts_per_day=20).watch().title
        'conference'
        """
        from hunet.api.watching import network_of
        from hunet.watch.page import page_of
        from hunet.watch.show import Show

        return page_of(Show(network_of(self)))

    def save(self, name: str | None = None) -> Trace:
        """Keep it in the trace store, under this name or its own, and hand back the stored one.

        The same content under the same name changes nothing; other content becomes a new version. A surrogate must be
        called one: the word is added to a name that lacks it. `hn.load` has an example.
        """
        from hunet.api.storing import load, store
        from hunet.traces.storing import Label, store_tables

        called = name or self.name
        if not called:
            raise InvalidValueError("this trace has no name yet: give it one, as in save('mine')")
        if self.about.surrogate and "surrogate" not in called:
            called = f"{called}-surrogate"
        label = Label(called, self.about.origin, self.about.licence, self.about.surrogate)
        tables = {"contacts": self.contacts, "nodes": self.nodes}
        if self.positions.num_rows:
            tables["positions"] = self.positions
        store_tables(store(), label, tables, self.about.settings, self.about.counts)
        return load(called)

    @cached_property
    def _figures(self) -> tuple[Summary, Curves]:
        from hunet.traces.describe import describe

        return describe(self.source)


def dated(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Figures as a person reads them: start and end as a date if they are Unix times, else with their unit."""
    unix = figures["start"] >= _UNIX_FROM and figures["end"] < _UNIX_TO
    words = {key: "none" if value is None else value for key, value in figures.items()}
    return {**words, **{key: shown_time(figures[key], unix) for key in ("start", "end")}}


def shown_time(time: float, unix: bool | None = None) -> str:
    """A time as a person reads it. Without a word whether it is a Unix time, it is one if it is a date of our time."""
    if _UNIX_FROM <= time < _UNIX_TO if unix is None else unix:
        return f"{datetime.datetime.fromtimestamp(time, datetime.UTC):%Y-%m-%d %H:%M:%S}"
    return f"{time:,.0f} s" if float(time).is_integer() or unix is False else f"{time:,.3f} s"
