"""Imports: what a person says of raw files or of a public data set, as an import that is ready to be done on Spark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hunet.api.looking import columns_taken
from hunet.api.reading import ReadOptions, name_from, origin_from
from hunet.api.storing import load, store
from hunet.api.trace import Trace
from hunet.home import home
from hunet.pipeline.importing import ImportReport, import_trace
from hunet.pipeline.read import Source, find_source
from hunet.pipeline.session import SparkSettings
from hunet.pipeline.stage_times import Progress
from hunet.pipeline.work import ImportSettings
from hunet.traces.catalog import DataSet, fetch
from hunet.traces.names import Internal
from hunet.traces.storing import Label
from hunet.traces.whole import told_of_nodes

__all__ = ["Import", "import_of", "import_of_data_set"]


@dataclass(frozen=True)
class Import:
    """Files whose format is known, and what is to become of them. Nothing is stored and no JVM started yet."""

    source: Source
    label: Label
    settings: ImportSettings

    @property
    def columns(self) -> list[str]:
        """Which columns were taken for what, as a line; none where the format has its own."""
        return columns_taken(self.source.options)

    @property
    def unit(self) -> str:
        """Of times: s, ms or us."""
        return str(self.source.options.get("unit", "s"))

    def run(self, master: str | None, remote: str | None, progress: Progress) -> tuple[ImportReport, Trace]:
        """Do it on Spark; the trace is the stored one."""
        spark = SparkSettings(master, remote, self.source.bytes)
        report = import_trace(spark, store(), self.source, self.label, self.settings, progress)
        return report, load(self.label.name)


def import_of(
    files: Sequence[str],
    options: ReadOptions,
    name: str | None = None,
    training: Sequence[float] = (),
    licence: str = "",
) -> Import:
    """An import of files, folders or patterns; every mistake in what was said comes here, before Spark starts."""
    if options.internal is not None:
        Internal.parse(options.internal)
    settings = ImportSettings.of(options.rules, training)
    told_of_nodes(settings.metadata)
    source = find_source(files, options.format, options.of_format)
    found = [Path(file) for file in source.files]
    return Import(source, Label(name_from(found[0]) if name is None else name, origin_from(found), licence), settings)


def import_of_data_set(chosen: DataSet, name: str | None = None) -> Import:
    """An import of a public data set, whose files are fetched where they are not there yet."""
    files = fetch(chosen, home() / "downloads")
    contacts = [str(path) for file, path in files.items() if file.part == "contacts"]
    told = next((path for file, path in files.items() if file.part == "metadata"), None)
    label = Label(
        chosen.name if name is None else name, f"{chosen.title} ({chosen.page}); cite {chosen.cite}", chosen.licence
    )
    return Import(find_source(contacts, chosen.format, {}), label, ImportSettings(metadata=told))
