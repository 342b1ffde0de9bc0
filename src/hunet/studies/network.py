"""A live network as a folder of results, from the logs of its nodes alone: who met whom, what came, how soon, how far.

What logs do not say is not guessed: who wanted what (so there is no delivery ratio), who carried a message on its way,
and what was dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc

from hunet.report.contents import Contents, Shown
from hunet.report.network import draw_delays, draw_hops, draw_traffic
from hunet.report.numbers import lasting
from hunet.report.style import save
from hunet.report.traces import draw_degrees, draw_gaps, draw_hours
from hunet.studies.changes import before_and_after
from hunet.studies.contents import Asked
from hunet.studies.provenance import made, trace_rows
from hunet.studies.tables import Table, write_table
from hunet.traces.align import clocks_set
from hunet.traces.describe import Described, contacts_per_hour, describe
from hunet.traces.lived import Lived
from hunet.traces.manifest import Manifest

__all__ = ["of_network", "side_by_side"]

_NOT_SAID = (
    "Logs say what nodes wanted and got, but not what they wanted and did not get: there is no delivery ratio. "
    "Bytes are those of the payload, once for each delivery; what was passed on on the way is not logged."
)

_CHANGED = (
    "Nodes took over settings that were sent to them. Each message counts where it was published; those of the last "
    "hours had less time to come."
)


def of_network(asked: Asked, folder: Path, title: str, trace: Described, about: Manifest, lived: Lived) -> Contents:
    """Write tables and figures of a network into a folder, and describe it."""
    figures = _figures(trace, lived)
    write_table(folder / "figures", [{"figure": words, "value": value} for words, value in figures.items()])
    write_table(folder / "nodes", _by_node(trace, lived))
    write_table(folder / "pairs", _pairs(trace))
    shown = [
        *_pictures(folder, title, trace, lived),
        Shown("In figures", data="figures.csv"),
        Shown("By node", "brought: deliveries to others that came straight from it.", data="nodes.csv"),
        Shown("Who met whom", "Closeness after MOPS (Eq. 1); the closest first.", data="pairs.csv"),
    ]
    if lived.messages.num_rows:
        write_table(folder / "tags", _by_tag(lived))
        shown.append(Shown("By tag", "A message with several tags counts for each.", data="tags.csv"))
    if changes := before_and_after(lived):
        write_table(folder / "before_after", changes)
        shown.insert(0, Shown("Before and after", _CHANGED, data="before_after.csv"))
    return Contents(
        title=f"{title}, as its nodes logged it",
        headline=_headline(figures),
        command=asked.command,
        made=made(asked.on),
        shown=shown,
        traces=trace_rows({title: (trace.contacts(), trace.nodes())}, asked.store),
        notes=[_NOT_SAID, *_oddities(about)],
    )


def side_by_side(asked: Asked, folder: Path, title: str, networks: Mapping[str, tuple[Described, Lived]]) -> Contents:
    """Several networks, or one before and after something changed, each of which has a folder within this one."""
    figures = {label: _figures(*network) for label, network in networks.items()}
    words = dict.fromkeys(word for found in figures.values() for word in found)
    rows = [{"figure": word, **{label: found.get(word) for label, found in figures.items()}} for word in words]
    write_table(folder / "side_by_side", rows)
    return Contents(
        title=f"{title}, as nodes logged it",
        headline=f"{len(networks)} networks, or one at {len(networks)} times: {', '.join(networks)}.",
        command=asked.command,
        made=made(asked.on),
        shown=[Shown("Side by side", data="side_by_side.csv")],
    )


def _figures(trace: Described, lived: Lived) -> dict[str, Any]:
    """The figures of a network, by their names; those of delays and hops only where something was delivered."""
    summary, _ = describe(trace)
    delivered = lived.deliveries
    found: dict[str, Any] = {
        "nodes": summary.nodes,
        "contacts": summary.contacts,
        "pairs": summary.pairs,
        "days": summary.days,
        "mean contact length (s)": summary.mean_length,
        "messages": lived.messages.num_rows,
        "deliveries": delivered.num_rows,
    }
    if delivered.num_rows:
        delay = delivered["delay"].drop_null().to_numpy()
        found["deliveries per message"] = delivered.num_rows / max(1, lived.messages.num_rows)
        if delay.size:
            found["median delay (s)"] = round(float(np.median(delay)), 3)
            found["delivered within 1 h"] = float((delay <= 3600).mean())
            found["delivered within 10 h"] = float((delay <= 36_000).mean())
        found["mean hops"] = float(delivered["hops"].to_numpy().mean())
        found["bytes delivered"] = int(sum(_sizes(lived)))
    return found


def _headline(figures: Mapping[str, Any]) -> str:
    lasted = lasting(86_400 * figures["days"])
    met = f"{figures['nodes']:,} nodes met {figures['contacts']:,} times in {lasted}."
    if not figures["deliveries"]:
        return f"{met} {figures['messages']:,} messages were published; nothing was delivered."
    sent = f"{figures['messages']:,} messages were delivered {figures['deliveries']:,} times"
    if "median delay (s)" not in figures:
        return f"{met} {sent}."
    return f"{met} {sent}, half of it within {lasting(figures['median delay (s)'])}."


def _oddities(about: Manifest) -> list[str]:
    options = about.settings.get("options", {})
    events = about.counts.get("events", {})
    assert isinstance(options, dict)
    assert isinstance(events, dict)
    found = [
        f"The clock of node {node} was set while it ran: {contacts:,} of its contacts lie where its peers saw them; "
        f"its messages may be as far off as the clock was."
        for node, contacts in clocks_set(options).items()
    ]
    for count, words in (
        (about.counts.get("bad_lines", 0), "lines of the logs could not be read and were skipped."),
        (events.get("told_again", 0), "lines were in the logs more than once, and count once."),
        (events.get("never_closed", 0), "contacts had not ended, and do not count."),
    ):
        found += [f"{count:,} {words}"] if count else []
    return found


def _pictures(folder: Path, title: str, trace: Described, lived: Lived) -> list[Shown]:
    summary, curves = describe(trace)
    drawn = {
        "contacts": (draw_hours(title, curves.hours, curves.per_hour), "Contacts that began in each hour."),
        "gaps": (
            draw_gaps(title, curves.gaps, curves.gap_share, summary.mean_gap),
            "How long pairs stay apart before they meet again.",
        ),
        "degrees": (draw_degrees(title, curves.degrees), "How many others each node met."),
    }
    tables = {"published": lived.messages, "delivered": lived.deliveries}
    times = {what: table["time"].to_numpy() for what, table in tables.items() if table.num_rows}
    if times:
        per_hour = {what: contacts_per_hour(some, float(some.min()), float(some.max())) for what, some in times.items()}
        drawn["traffic"] = (draw_traffic(title, summary.start, per_hour), "Messages published and delivered per hour.")
    delays = lived.deliveries["delay"].drop_null().to_numpy()
    if delays.size:
        drawn["delays"] = (draw_delays(title, delays), "How soon after it was published a message came.")
    if lived.deliveries.num_rows:
        hops = lived.deliveries["hops"].to_numpy()
        drawn["hops"] = (draw_hops(title, hops), "Over how many hops messages came; 1 is straight from who published.")
        write_table(folder / "hops", _counted("hops", hops))
        write_table(folder / "delays", lived.deliveries.drop_null().select(["delay"]).to_pylist())
    write_table(folder / "degrees", _counted("degree", curves.degrees))
    for name, (figure, _) in drawn.items():
        save(figure, folder / f"{name}.png")
    return [
        Shown(name.capitalize(), caption, f"{name}.png", f"{name}.csv" if (folder / f"{name}.csv").is_file() else None)
        for name, (_, caption) in drawn.items()
    ]


def _counted(what: str, values: Any) -> Table:
    found, counts = np.unique(values, return_counts=True)
    return [{what: int(value), "number": int(count)} for value, count in zip(found, counts, strict=True)]


def _by_node(trace: Described, lived: Lived) -> Table:
    _, curves = describe(trace)
    published, got, brought, bytes_got = (Counter[str]() for _ in range(4))
    published.update(lived.messages["node"].to_pylist())
    got.update(lived.deliveries["node"].to_pylist())
    brought.update(lived.deliveries["from"].to_pylist())
    for node, size in zip(lived.deliveries["node"].to_pylist(), _sizes(lived), strict=True):
        bytes_got[node] += size
    return [
        {
            "node": name,
            "contacts": int(curves.per_node[node]),
            "met": int(curves.degrees[node]),
            "published": published[name],
            "got": got[name],
            "brought": brought[name],
            "bytes_got": bytes_got[name],
        }
        for node, name in zip(trace.nodes()["node"].to_pylist(), trace.nodes()["name"].to_pylist(), strict=True)
    ]


def _pairs(trace: Described) -> Table:
    names = trace.nodes()["name"].to_pylist()
    pairs = trace.pairs().sort_by([("closeness", "descending"), ("total", "descending")])
    return [
        {
            "one": names[row["a"]],
            "other": names[row["b"]],
            "contacts": row["contacts"],
            "seconds_together": row["total"],
            "closeness": row["closeness"],
        }
        for row in pairs.select(["a", "b", "contacts", "total", "closeness"]).to_pylist()
    ]


def _by_tag(lived: Lived) -> Table:
    tags = dict(zip(lived.messages["message"].to_pylist(), lived.messages["tags"].to_pylist(), strict=True))
    messages = Counter(tag for some in tags.values() for tag in some)
    delays: dict[str, list[float]] = {tag: [] for tag in messages}
    for message, delay in zip(*(lived.deliveries[name].to_pylist() for name in ("message", "delay")), strict=True):
        for tag in tags.get(message, ()):
            delays[tag].append(delay)
    return [
        {
            "tag": tag,
            "messages": count,
            "deliveries": len(delays[tag]),
            "median_delay_s": round(float(np.median(delays[tag])), 3) if delays[tag] else None,
        }
        for tag, count in messages.most_common()
    ]


def _sizes(lived: Lived) -> list[int]:
    """Bytes of what was delivered, delivery by delivery; 0 where no log says how large it is."""
    place = pc.index_in(lived.deliveries["message"], lived.messages["message"].combine_chunks())
    sizes: list[int] = pc.fill_null(lived.messages["size"].take(place), 0).to_pylist()
    return sizes
