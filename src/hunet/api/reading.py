"""`read`: a trace from raw files, in memory, by the rules of an import."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import hunet
from hunet.api.trace import Trace
from hunet.model.errors import InvalidValueError
from hunet.model.names import as_name, one_of
from hunet.model.numbers import MOST_SECONDS
from hunet.pipeline.read import expand
from hunet.traces.clean import CleanSettings
from hunet.traces.columns import given_separator
from hunet.traces.degrees import settle_origin
from hunet.traces.events import MODES, Mode
from hunet.traces.format import Options
from hunet.traces.manifest import Manifest
from hunet.traces.proximity import Proximity
from hunet.traces.sanity import refuse_misread
from hunet.traces.whole import TraceRules, read_trace, settings_of

__all__ = ["ReadOptions", "name_from", "origin_from", "read"]


@dataclass(frozen=True)
class ReadOptions:
    """How files are read and cleaned, as a person says it; `read` says what each is."""

    format: str | None = None
    columns: Mapping[str, str | int] | None = None
    separator: str | None = None
    unit: str | None = None
    period: float | None = None
    gap: float | None = None
    events: str | None = None
    internal: str | None = None
    keep_external: bool = False
    lengthen_to: float = 0.0
    min_length: float = 0.0
    origin: str | float = "keep"
    radius: float = 10.0
    step: float = 10.0
    hold: float = 600.0
    lat_lon_origin: str | None = None
    metadata: str | Path | None = None
    strict: bool = False
    yes: bool = False

    @property
    def of_format(self) -> Options:
        """What the format is told; checked here too, since a format need not look at all of it."""
        given_separator({"separator": self.separator})
        if self.lat_lon_origin is not None:
            settle_origin(self.lat_lon_origin, ())
        if self.period is not None and not 0 < self.period <= MOST_SECONDS:
            raise InvalidValueError(f"period {self.period!r}: give the length of a record in seconds, above 0")
        asked = {
            "columns": self.columns,
            "separator": self.separator,
            "unit": self.unit,
            "period": self.period,
            "gap": self.gap,
            "origin": self.lat_lon_origin,
        }
        return {key: value for key, value in asked.items() if value is not None}

    @property
    def rules(self) -> TraceRules:
        """What becomes of the rows."""
        if self.events is not None:
            one_of("way to pair events", self.events, MODES)
        return TraceRules(
            clean=CleanSettings(
                internal=self.internal,
                keep_external=self.keep_external,
                lengthen_to=self.lengthen_to,
                drop_shorter=self.min_length,
                gap=self.gap or 0.0,
                origin=self.origin,
            ),
            mode=cast("Mode | None", self.events),
            proximity=Proximity(radius=self.radius, step=self.step, gap=self.gap or 0.0, hold=self.hold),
            metadata=None if self.metadata is None else Path(self.metadata),
            strict=self.strict,
            yes=self.yes,
        )


def read(
    files: str | Path | Sequence[str | Path],
    *,
    name: str | None = None,
    licence: str = "",
    format: str | None = None,  # noqa: A002 (the importer's word, and the plainest)
    columns: Mapping[str, str | int] | None = None,
    separator: str | None = None,
    unit: str | None = None,
    period: float | None = None,
    gap: float | None = None,
    events: str | None = None,
    internal: str | None = None,
    keep_external: bool = False,
    lengthen_to: float = 0.0,
    min_length: float = 0.0,
    origin: str | float = "keep",
    radius: float = 10.0,
    step: float = 10.0,
    hold: float = 600.0,
    lat_lon_origin: str | None = None,
    metadata: str | Path | None = None,
    strict: bool = False,
    yes: bool = False,
) -> Trace:
    """A trace from raw files, read and cleaned in memory; `hunet trace import` stores the same, at any size, on Spark.

    files           a file, folder or pattern, or several; plain, packed (gzip, zip, tar) or Parquet, of one format
    name, licence   what to call it (by default after the first file), and the terms of the data
    format          force a format instead of recognising it; docs/traces.md has them
    columns         which column is what, by name or number from 1: {"a": 2, "b": 3, "start": "from", "end": "until"}
    separator       of columns; `unit` of times, s, ms or us; `period` of records, seconds (SocioPatterns: 20)
    gap             pauses up to this many seconds do not end a contact
    events          force how ups and downs are paired: count or flag
    internal        the experiment's own devices, such as "1-41"; others go, unless keep_external
    lengthen_to     make shorter rows this many seconds long; min_length: drop contacts shorter than this
    origin          time 0: keep, first (contact), or seconds to subtract
    radius, step    positions: contact up to so many metres, looked at every so many seconds;
    hold            a node silent for longer, in seconds, is nowhere; lat_lon_origin: "lat,lon" of degrees
    metadata        a file with more about the nodes: id class [more]
    strict          stop at the first bad line, instead of skipping and counting them
    yes             take a trace also where it seems to be misread

    `Trace.cleaning` says what was skipped and dropped; what is odd comes as a warning.

    >>> import hunet as hn, pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "party.csv")
    >>> _ = file.write_text("a,b,start,end\\nann,bob,0,60\\nbob,ann,30,90\\nann,eve,100,160\\n")
    >>> t = hn.read(file)
    >>> t
    Trace 'party': 3 nodes, 2 contacts, 0.0 days
    >>> t.contacts.to_pandas()
       a  b  start    end
    0  0  1    0.0   90.0
    1  0  2  100.0  160.0
    """
    options = ReadOptions(
        format=format,
        columns=columns,
        separator=separator,
        unit=unit,
        period=period,
        gap=gap,
        events=events,
        internal=internal,
        keep_external=keep_external,
        lengthen_to=lengthen_to,
        min_length=min_length,
        origin=origin,
        radius=radius,
        step=step,
        hold=hold,
        lat_lon_origin=lat_lon_origin,
        metadata=metadata,
        strict=strict,
        yes=yes,
    )
    several = [files] if isinstance(files, str | Path) else files
    found = [Path(file) for file in expand([str(one) for one in several])]
    rules = options.rules
    whole = read_trace(found, rules, format, options.of_format)
    for sentence in refuse_misread(whole.figures, yes):
        warnings.warn(f"odd: {sentence}", stacklevel=2)
    about = Manifest(
        name or name_from(found[0]),
        origin=origin_from(found),
        licence=licence,
        settings=settings_of(whole.reading.format, whole.reading.options, found, rules),
        counts=whole.told,
        made_by=f"hunet {hunet.__version__}",
    )
    tables = {"contacts": whole.contacts, "nodes": whole.nodes}
    return Trace(about, tables if whole.positions is None else {**tables, "positions": whole.positions})


def name_from(file: Path) -> str:
    """A name for a trace, after its first file."""
    return as_name(file.name.partition(".")[0], "trace")


def origin_from(files: Sequence[Path]) -> str:
    """Where a trace comes from that nobody said more about: the names of its files."""
    return ", ".join(file.name for file in files[:5])
