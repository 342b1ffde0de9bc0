"""What every folder of results says about itself, for `hunet report`: settings, traces, versions."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any, TypeAlias

import pandas as pd
import pyarrow as pa

import hunet
from hunet.report.contents import Rows
from hunet.report.numbers import short
from hunet.sim.workload.profiles import PROFILES
from hunet.traces.fingerprint import fingerprint
from hunet.traces.manifest import Manifest
from hunet.traces.store import TraceStore

__all__ = ["made", "settings_of_runs", "settings_of_workload", "trace_rows"]

Tables: TypeAlias = tuple[pa.Table, pa.Table]

_LIBRARIES = ("numpy", "numba", "pyarrow", "pyspark", "matplotlib")
_NOT_SHOWN = ("run", "experiment", "trace", "code", "seconds", "memory", "error", "study", "extras", "deliveries")
_MOST_VALUES = 12
_HASH = 64


def made(on: str) -> dict[str, str]:
    """The date, as given, and all versions."""
    libraries = {name: version(name) for name in _LIBRARIES}
    return {"on": on, "hunet": hunet.__version__, "Python": platform.python_version(), **libraries}


def settings_of_runs(runs: pa.Table) -> list[dict[str, str]]:
    """Every input that runs had, with all its values: by protocol, or what is the same for all."""
    frame = runs.to_pandas()
    if "protocol" not in frame:
        frame["protocol"] = "all runs"
    rows: dict[tuple[str, str, str], list[str]] = {}
    for protocol, part in frame.groupby("protocol", sort=False, dropna=False):
        for name in part.columns:
            if name in (*_NOT_SHOWN, "protocol") or part[name].isna().all():
                continue
            rows.setdefault((name, _values(part[name])), []).append(str(protocol))  # type: ignore[arg-type]
    protocols = frame["protocol"].nunique(dropna=False)
    return _by_owner(rows, protocols)


def _by_owner(rows: Mapping[Any, Sequence[str]], protocols: int) -> list[dict[str, str]]:
    """What several protocols share stands once."""
    found = [
        {"of": "all runs" if len(names) == protocols else ", ".join(names), "setting": setting, "value": value}
        for (setting, value), names in rows.items()
    ]
    return sorted(found, key=lambda row: (row["of"] != "all runs", row["of"]))


def _values(column: pd.Series[Any]) -> str:
    found = column.dropna().unique().tolist()
    if all(isinstance(value, int | float) for value in found):
        found = sorted(found)
    if len(found) > _MOST_VALUES:
        return f"{len(found)} values, {short(found[0])} to {short(found[-1])}"
    return ", ".join(_named(value) for value in found)


def _named(value: Any) -> str:
    """Tables that runs took in are known by their hash, of which a part is enough."""
    return value[:12] if isinstance(value, str) and len(value) == _HASH else short(value)


def settings_of_workload(name: str) -> list[dict[str, str]]:
    """What a profile says; a workload from a file is named by that alone."""
    if name not in PROFILES:
        return [{"of": "workload", "setting": "name", "value": name}]
    rows = []
    for setting, value in asdict(PROFILES[name]).items():
        nested = value.items() if isinstance(value, dict) else (("", value),)
        for part, inner in nested:
            text = f"{len(inner)} values" if isinstance(inner, list | tuple) and len(inner) > _MOST_VALUES else inner
            rows.append({"of": "workload", "setting": f"{setting} {part}".strip(), "value": short(text)})
    return rows


def trace_rows(traces: Mapping[str, Tables], store: TraceStore) -> Rows:
    """Where each trace comes from: what the store says of one with the same content, or that it was generated."""
    known = {manifest.content_hash: manifest for manifest in store.list()}
    return [_trace_row(label, tables, known) for label, tables in traces.items()]


def _trace_row(label: str, tables: Tables, known: Mapping[str, Manifest]) -> dict[str, Any]:
    contacts, nodes = tables
    mark = fingerprint(contacts.to_batches(), nodes)
    manifest = known.get(mark)
    days = (max(contacts["end"].to_numpy()) - min(contacts["start"].to_numpy())) / 86_400 if len(contacts) else 0.0
    return {
        "trace": label,
        "nodes": nodes.num_rows,
        "contacts": contacts.num_rows,
        "days": float(days),
        "origin": manifest.origin if manifest else "generated for this",
        "licence": manifest.licence if manifest else "",
        "surrogate": "yes" if manifest and manifest.surrogate else "",
        "made_by": manifest.made_by if manifest else f"hunet {hunet.__version__}",
        "content": mark[:12],
    }
